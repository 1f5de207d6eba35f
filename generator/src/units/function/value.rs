//! Values of functions, in binary64: digits far below those of any code that functions are built for. A result that lies closer to such a
//! digit than the errors of binary64 is exact, or it is known on which side it lies.

use binade_spec::{Function, MOST_FUNCTION_DIGITS};
use std::cmp::Ordering;

/// Leading digits of a value.
pub const DIGITS: u32 = MOST_FUNCTION_DIGITS + 2;

/// Digits of binary64 below those of a value.
const BELOW: u32 = f64::MANTISSA_DIGITS - DIGITS;

/// A result so close to a digit is taken for one beside it: in units of the last place of binary64.
const ERROR: u64 = 1 << 6;

/// A nonzero number: `2^(exponent + 1 - DIGITS) * digits`, plus less than one unit of that if it has more digits. The first of the digits
/// is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits {
    pub negative: bool,
    pub exponent: i32,
    pub digits: u64,
    pub has_more: bool,
}

/// An operand: `(-1)^negative * n * 2^k`, `n` an odd number of at most 16 bits, or zero.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    pub negative: bool,
    pub n: u64,
    pub k: i32,
}

/// The function of a number in its domain; `None` if the result is zero.
pub fn value(function: Function, operand: Operand) -> Option<Digits> {
    let Operand { negative, n, k } = operand;
    match function {
        Function::Recip => Some(reciprocal(operand)),
        Function::Rsqrt => Some(reciprocal_root(n, k)),
        Function::Cbrt => Some(cube_root(operand)),
        _ => {
            let magnitude = libm::scalbn(n as f64, k);
            let x = if negative { -magnitude } else { magnitude };
            let y = of_binary64(function, x);
            (y != 0.0 || !has_root(function, x)).then(|| digits(function, x, y))
        }
    }
}

/// Whether the function of this operand is zero, and not just very small.
fn has_root(function: Function, x: f64) -> bool {
    x == 1.0 && matches!(function, Function::Log | Function::Log2)
}

fn of_binary64(function: Function, x: f64) -> f64 {
    let logistic = |x: f64| 1.0 / (1.0 + libm::exp(-x));
    match function {
        Function::Exp => libm::exp(x),
        Function::Exp2 => libm::exp2(x),
        Function::Expm1 => libm::expm1(x),
        Function::Log => libm::log(x),
        Function::Log2 => libm::log2(x),
        Function::Log1p => libm::log1p(x),
        Function::Sin => libm::sin(x),
        Function::Cos => libm::cos(x),
        Function::Tanh => libm::tanh(x),
        Function::Sigmoid => logistic(x),
        Function::Softplus if x > 0.0 => x + libm::log1p(libm::exp(-x)),
        Function::Softplus => libm::log1p(libm::exp(x)),
        Function::Gelu => x * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2) / 2.0,
        Function::GeluTanh => {
            let root = std::f64::consts::FRAC_2_SQRT_PI * std::f64::consts::SQRT_2;
            x * logistic(root * x * (1.0 + 0.044715 * x * x))
        }
        Function::Silu => x * logistic(x),
        Function::Erf => libm::erf(x),
        Function::Recip | Function::Rsqrt | Function::Cbrt => unreachable!("computed with integers"),
    }
}

/// The digits of a result. One too small or too large for binary64 is beyond every format: it becomes the outermost one.
fn digits(function: Function, x: f64, y: f64) -> Digits {
    let magnitude = y.abs().clamp(f64::MIN_POSITIVE, f64::MAX);
    let bits = magnitude.to_bits();
    let significand = bits & ((1 << (f64::MANTISSA_DIGITS - 1)) - 1) | 1 << (f64::MANTISSA_DIGITS - 1);
    let exponent = (bits >> (f64::MANTISSA_DIGITS - 1)) as i32 - (f64::MAX_EXP - 1);
    let nearest = (significand + (1 << (BELOW - 1))) >> BELOW << BELOW;
    let is_beside = significand.abs_diff(nearest) <= ERROR;
    let value_of_nearest = libm::scalbn(nearest as f64, exponent + 1 - f64::MANTISSA_DIGITS as i32);
    let side = if is_beside { side(function, x, value_of_nearest) } else { Ordering::Greater };
    // Truncated: below a digit, the digits are those of the one before.
    let digits = match (is_beside, side) {
        (true, Ordering::Less) => (nearest >> BELOW) - 1,
        (true, Ordering::Equal | Ordering::Greater) => nearest >> BELOW,
        (false, _) => significand >> BELOW,
    };
    let has_more = !is_beside || side != Ordering::Equal;
    // Next to a power of two, the digits may have one bit less or more.
    let shift = digits.ilog2() as i32 + 1 - DIGITS as i32;
    let digits = if shift < 0 { digits << 1 | 1 } else { digits >> shift };
    Digits { negative: y.is_sign_negative(), exponent: exponent + shift, digits, has_more }
}

/// On which side the magnitude of a result lies of the number that it is close to: a partial sum of the function's series, or a limit. The
/// other terms decide, of which the next one has digits without end.
fn side(function: Function, x: f64, nearest: f64) -> Ordering {
    let larger_if = |condition: bool| if condition { Ordering::Greater } else { Ordering::Less };
    match function {
        Function::Exp2 if x == libm::trunc(x) => Ordering::Equal,
        // The logarithm to base 2 of a number of few bits is an integer, or it is close to none.
        Function::Log2 => Ordering::Equal,
        // 1 + x + x^2/2 + x^3/6 + ..
        Function::Exp if nearest == 1.0 + x && nearest != 1.0 => Ordering::Greater,
        Function::Exp | Function::Exp2 => larger_if(x > 0.0),
        // x + x^2/2 + x^3/6 + .., and -1 far below zero.
        Function::Expm1 if nearest == x.abs() || nearest == 1.0 => larger_if(x > 0.0),
        // x - x^2/2 + x^3/3 - ..
        Function::Log1p if nearest == x.abs() => larger_if(x < 0.0),
        Function::Expm1 | Function::Log1p => Ordering::Greater,
        // 1 - x^2/2 + x^4/24 - .., and 1 or -1 elsewhere.
        Function::Cos => larger_if(nearest != 1.0),
        // 1/2 + x/4 - x^3/48 + .., and 1 far above zero.
        Function::Sigmoid => larger_if(if nearest == 0.5 { x > 0.0 } else { x < 0.0 }),
        // x/2 + x^2/4 - x^4/48 + .., and x far above zero.
        Function::Silu => larger_if(if nearest == x.abs() / 2.0 { x > 0.0 } else { x < 0.0 }),
        // x/2 and a term with digits without end, and x far above zero.
        Function::Gelu | Function::GeluTanh => larger_if(x > 0.0 && nearest != x),
        Function::Softplus => Ordering::Greater,
        Function::Log | Function::Sin | Function::Tanh | Function::Erf => Ordering::Less,
        Function::Recip | Function::Rsqrt | Function::Cbrt => unreachable!("computed with integers"),
    }
}

fn reciprocal(Operand { negative, n, k }: Operand) -> Digits {
    // In [2^(DIGITS-1), 2^DIGITS) for n that is no power of two.
    let places = DIGITS + n.ilog2() - u32::from(n.is_power_of_two());
    let (digits, rest) = ((1 << places) / n, (1 << places) % n);
    Digits { negative, exponent: DIGITS as i32 - 1 - places as i32 - k, digits, has_more: rest > 0 }
}

fn reciprocal_root(n: u64, k: i32) -> Digits {
    // With an even exponent, the root of the power of two is a power of two.
    let (n, k) = if k % 2 == 0 { (u128::from(n), k) } else { (u128::from(n) << 1, k - 1) };
    // The root of the quotient has DIGITS bits, or one more.
    let places = 2 * (DIGITS - 1) + n.ilog2() + (n.ilog2() & 1) + u32::from(!n.is_power_of_two()) * 2;
    let square = (1_u128 << places) / n;
    let root = square.isqrt();
    let is_exact = root * root * n == 1 << places;
    normalised(false, root as u64, -k / 2 - places as i32 / 2, !is_exact)
}

fn cube_root(Operand { negative, n, k }: Operand) -> Digits {
    let below = k.rem_euclid(3);
    let n = u128::from(n) << below;
    // A root of DIGITS bits or one less.
    let triples = (3 * DIGITS - 1 - n.ilog2()) / 3;
    let radicand = n << (3 * triples);
    let mut root = libm::cbrt(radicand as f64) as u128;
    while root * root * root > radicand {
        root -= 1;
    }
    while (root + 1).pow(3) <= radicand {
        root += 1;
    }
    normalised(negative, root as u64, (k - below) / 3 - triples as i32, root.pow(3) != radicand)
}

/// `root * 2^k`, with its digits cut to their number; a number that has more digits has at least as many here.
fn normalised(negative: bool, root: u64, k: i32, has_more: bool) -> Digits {
    let bits = root.ilog2() + 1;
    let exponent = k + bits as i32 - 1;
    let (digits, is_cut) = match bits.checked_sub(DIGITS) {
        Some(excess) => (root >> excess, root & ((1 << excess) - 1) != 0),
        None => (root << (DIGITS - bits), false),
    };
    Digits { negative, exponent, digits, has_more: has_more || is_cut }
}
