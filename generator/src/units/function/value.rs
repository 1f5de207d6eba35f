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
pub struct ValueDigits {
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

/// How a function is computed.
enum Way {
    /// With integers.
    Integers(fn(Operand) -> ValueDigits),
    /// In binary64. If the result is close to a number, the second function of the operand and that number says on which side of it the
    /// magnitude lies: the number is a partial sum of the function's series, or a limit. The other terms decide, of which the next one
    /// has digits without end.
    Binary64(fn(f64) -> f64, fn(f64, f64) -> Ordering),
}

/// The function of a number in its domain; `None` if the result is zero.
pub fn value(function: Function, operand: Operand) -> Option<ValueDigits> {
    let Operand { negative, n, k } = operand;
    match way(function) {
        Way::Integers(of) => Some(of(operand)),
        Way::Binary64(of, side) => {
            let magnitude = libm::scalbn(n as f64, k);
            let x = if negative { -magnitude } else { magnitude };
            let y = of(x);
            (y != 0.0 || !has_root(function, x)).then(|| digits(y, |nearest| side(x, nearest)))
        }
    }
}

/// Whether the function of this operand is zero, and not just very small.
fn has_root(function: Function, x: f64) -> bool {
    x == 1.0 && matches!(function, Function::Log | Function::Log2)
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

fn larger_if(condition: bool) -> Ordering {
    if condition { Ordering::Greater } else { Ordering::Less }
}

fn way(function: Function) -> Way {
    use Way::{Binary64, Integers};
    match function {
        // 1 + x + x^2/2 + x^3/6 + ..
        Function::Exp => Binary64(libm::exp, |x, nearest| larger_if(nearest == 1.0 + x && nearest != 1.0 || x > 0.0)),
        Function::Exp2 => {
            Binary64(libm::exp2, |x, _| if x == libm::trunc(x) { Ordering::Equal } else { larger_if(x > 0.0) })
        }
        // x + x^2/2 + x^3/6 + .., and -1 far below zero.
        Function::Expm1 => Binary64(libm::expm1, |x, nearest| {
            let is_near = nearest == x.abs() || nearest == 1.0;
            larger_if(!is_near || x > 0.0)
        }),
        Function::Log => Binary64(libm::log, |_, _| Ordering::Less),
        // The logarithm to base 2 of a number of few bits is an integer, or it is close to none.
        Function::Log2 => Binary64(libm::log2, |_, _| Ordering::Equal),
        // x - x^2/2 + x^3/3 - ..
        Function::Log1p => Binary64(libm::log1p, |x, nearest| larger_if(nearest != x.abs() || x < 0.0)),
        Function::Sin => Binary64(libm::sin, |_, _| Ordering::Less),
        // 1 - x^2/2 + x^4/24 - .., and 1 or -1 elsewhere.
        Function::Cos => Binary64(libm::cos, |_, nearest| larger_if(nearest != 1.0)),
        Function::Tanh => Binary64(libm::tanh, |_, _| Ordering::Less),
        // 1/2 + x/4 - x^3/48 + .., and 1 far above zero.
        Function::Sigmoid => Binary64(logistic, |x, nearest| larger_if(if nearest == 0.5 { x > 0.0 } else { x < 0.0 })),
        Function::Softplus => Binary64(
            |x| if x > 0.0 { x + libm::log1p(libm::exp(-x)) } else { libm::log1p(libm::exp(x)) },
            |_, _| Ordering::Greater,
        ),
        // x/2 and a term with digits without end, and x far above zero.
        Function::Gelu => Binary64(
            |x| x * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2) / 2.0,
            |x, nearest| larger_if(x > 0.0 && nearest != x),
        ),
        Function::GeluTanh => Binary64(
            |x| {
                let root = std::f64::consts::FRAC_2_SQRT_PI * std::f64::consts::SQRT_2;
                x * logistic(root * x * (1.0 + 0.044715 * x * x))
            },
            |x, nearest| larger_if(x > 0.0 && nearest != x),
        ),
        // x/2 + x^2/4 - x^4/48 + .., and x far above zero.
        Function::Silu => Binary64(
            |x| x * logistic(x),
            |x, nearest| larger_if(if nearest == x.abs() / 2.0 { x > 0.0 } else { x < 0.0 }),
        ),
        Function::Erf => Binary64(libm::erf, |_, _| Ordering::Less),
        Function::Recip => Integers(reciprocal),
        Function::Rsqrt => Integers(reciprocal_root),
        Function::Cbrt => Integers(cube_root),
    }
}

/// The digits of a result. One too small or too large for binary64 is beyond every format: it becomes the outermost one.
fn digits(y: f64, side: impl Fn(f64) -> Ordering) -> ValueDigits {
    let magnitude = y.abs().clamp(f64::MIN_POSITIVE, f64::MAX);
    let bits = magnitude.to_bits();
    let significand = bits & ((1 << (f64::MANTISSA_DIGITS - 1)) - 1) | 1 << (f64::MANTISSA_DIGITS - 1);
    let exponent = (bits >> (f64::MANTISSA_DIGITS - 1)) as i32 - (f64::MAX_EXP - 1);
    let nearest = (significand + (1 << (BELOW - 1))) >> BELOW << BELOW;
    let is_beside = significand.abs_diff(nearest) <= ERROR;
    let value_of_nearest = libm::scalbn(nearest as f64, exponent + 1 - f64::MANTISSA_DIGITS as i32);
    let side = if is_beside { side(value_of_nearest) } else { Ordering::Greater };
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
    ValueDigits { negative: y.is_sign_negative(), exponent: exponent + shift, digits, has_more }
}

fn reciprocal(Operand { negative, n, k }: Operand) -> ValueDigits {
    // In [2^(DIGITS-1), 2^DIGITS) for n that is no power of two.
    let places = DIGITS + n.ilog2() - u32::from(n.is_power_of_two());
    let (digits, rest) = ((1 << places) / n, (1 << places) % n);
    ValueDigits { negative, exponent: DIGITS as i32 - 1 - places as i32 - k, digits, has_more: rest > 0 }
}

fn reciprocal_root(Operand { n, k, .. }: Operand) -> ValueDigits {
    // With an even exponent, the root of the power of two is a power of two.
    let (n, k) = if k % 2 == 0 { (u128::from(n), k) } else { (u128::from(n) << 1, k - 1) };
    // The root of the quotient has DIGITS bits, or one more.
    let places = 2 * (DIGITS - 1) + n.ilog2() + (n.ilog2() & 1) + u32::from(!n.is_power_of_two()) * 2;
    let square = (1_u128 << places) / n;
    let root = square.isqrt();
    let is_exact = root * root * n == 1 << places;
    normalized(false, root as u64, -k / 2 - places as i32 / 2, !is_exact)
}

fn cube_root(Operand { negative, n, k }: Operand) -> ValueDigits {
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
    normalized(negative, root as u64, (k - below) / 3 - triples as i32, root.pow(3) != radicand)
}

/// `root * 2^k`, with its digits cut to their number; a number that has more digits has at least as many here.
fn normalized(negative: bool, root: u64, k: i32, has_more: bool) -> ValueDigits {
    let bits = root.ilog2() + 1;
    let exponent = k + bits as i32 - 1;
    let (digits, is_cut) = match bits.checked_sub(DIGITS) {
        Some(excess) => (root >> excess, root & ((1 << excess) - 1) != 0),
        None => (root << (DIGITS - bits), false),
    };
    ValueDigits { negative, exponent, digits, has_more: has_more || is_cut }
}
