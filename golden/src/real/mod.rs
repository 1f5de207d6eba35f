//! Functions of real numbers, rounded as finely as a result can need: computed in intervals whose precision grows until
//! all numbers of the interval have the same leading bits (A. Ziv, ACM TOMS 17(3), 1991).
//!
//! Where the loop would not end, or last too long, the value is known: a result that is exact, one beside the operand or
//! beside a constant, and one beyond the range of every format.

mod interval;

use crate::number::{Magnitude, Number};
use crate::{Codes, Exact, Value};
use astro_float_num::BigFloat;
use binade_spec::{Domain, Function, Special};
use interval::{Interval, Precision};
use num_bigint::BigUint;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::HashMap;

/// Leading bits of a result: more than those of a code and of random bits together.
const BITS: usize = 96;

/// Operands of magnitudes below `2^TINY` are so small that a result is beside its limit at zero.
const TINY: i32 = -110;

/// From `2^LARGE` on, `e^-x` is below `2^-184`.
const LARGE: i32 = 7;

/// No result of a format has an exponent of this magnitude.
const FAR: i32 = 1 << 20;

/// The function of a number: exact, or truncated with a sticky bit at the end; and whether the operand is a pole.
/// `zero_has_sign` tells infinities by the sign of a zero.
pub(crate) fn value(function: Function, x: &Number, zero_has_sign: bool) -> (Number, bool) {
    let special = match (x, function.domain()) {
        (Number::Nan, _) => return (Number::Nan, false),
        (Number::Zero { .. }, _) => function.at_zero(),
        (Number::Infinite { negative: false }, _) => function.at_infinity(),
        (Number::Infinite { negative: true }, _) => function.at_minus_infinity(),
        (Number::Finite { negative: true, .. }, Domain::Positive) => Special::Nan,
        (Number::Finite { negative: true, .. }, Domain::AboveMinusOne) => {
            near_pole(Number::compare_magnitudes(x, &Number::power_of_two(0)))
        }
        (Number::Finite { .. }, _) => Special::Number,
    };
    let number = match special {
        Special::Same => x.clone(),
        Special::Zero => Number::Zero { negative: false },
        Special::MinusZero => Number::Zero { negative: true },
        Special::One => Number::power_of_two(0),
        Special::MinusOne => Number::power_of_two(0).negated(),
        Special::Half => Number::power_of_two(-1),
        Special::Infinity => Number::Infinite { negative: false },
        Special::MinusInfinity | Special::Pole => Number::Infinite { negative: true },
        Special::PoleOfZero if zero_has_sign => Number::Infinite { negative: x.is_negative() },
        Special::PoleOfZero | Special::Nan => Number::Nan,
        Special::Number => of_number(function, x),
    };
    (number, matches!(special, Special::Pole | Special::PoleOfZero))
}

/// Bits of a value for those who only look at its rounding.
const FEW_BITS: u64 = 80;

/// The function of a code, truncated after some 80 bits with a sticky bit at the end; and whether the code is a pole.
///
/// # Panics
/// When the format has codes of more than 128 bits.
pub fn function_of(function: Function, codes: &Codes, code: u128) -> (Value, bool) {
    let (number, is_pole) = value(function, &codes.decode(code).into(), codes.has_minus_zero());
    let short = match number {
        Number::Finite { negative, n, k } => {
            let n = n.big();
            let excess = n.bits().saturating_sub(FEW_BITS);
            let is_cut = n.trailing_zeros().is_some_and(|zeros| zeros < excess);
            let kept = u128::try_from(n >> excess).expect("few bits");
            Value::Finite(Exact { negative, n: kept << 1 | u128::from(is_cut), k: k + excess as i32 - 1 })
        }
        other => other.small().expect("no number"),
    };
    (short, is_pole)
}

/// What a logarithm of `1 + x` is for a negative `x` whose magnitude compares like this with 1.
fn near_pole(with_one: Ordering) -> Special {
    match with_one {
        Ordering::Less => Special::Number,
        Ordering::Equal => Special::Pole,
        Ordering::Greater => Special::Nan,
    }
}

/// The function of a number for which it is a number, too.
fn of_number(function: Function, x: &Number) -> Number {
    if let Some(known) = exact(function, x).or_else(|| beside_limit(function, x)) {
        return known;
    }
    let bits = (1..).map(|doublings| BITS << doublings);
    let mut values = bits.map(|bits| in_precision(bits, |precision| within(precision, function, x)));
    let number = values.find_map(|value| match value {
        Within::Interval(interval) => common(&interval),
        Within::Integers(number) => Some(number),
    });
    number.expect("some precision suffices")
}

/// Computes in this precision. Its constants are kept for the next time.
fn in_precision(bits: usize, compute: impl FnOnce(&mut Precision) -> Within) -> Within {
    thread_local!(static KEPT: RefCell<HashMap<usize, Precision>> = RefCell::default());
    KEPT.with_borrow_mut(|kept| compute(kept.entry(bits).or_insert_with(|| Precision::new(bits))))
}

/// The results that end: those of other rational numbers are irrational.
fn exact(function: Function, x: &Number) -> Option<Number> {
    match (function, x) {
        (Function::Exp2, Number::Finite { .. }) => {
            let whole = whole(x)?;
            Some(Number::power_of_two(whole.clamp(-FAR, FAR)))
        }
        (Function::Log2, Number::Finite { n, k, .. }) => {
            let n = n.big();
            let zeros = n.trailing_zeros().unwrap_or(0);
            (n.bits() == zeros + 1).then(|| Number::of_integer(&(*k + zeros as i32).into(), 0))
        }
        (Function::Log, _) if *x == Number::power_of_two(0) => Some(Number::Zero { negative: false }),
        _ => None,
    }
}

/// An integer, if the number is one; far from zero, any far one.
fn whole(x: &Number) -> Option<i32> {
    let Number::Finite { negative, n, k } = x else { return None };
    let magnitude = match k {
        0.. if x.exponent()? >= 24 => FAR,
        0.. => i32::try_from(n.big() << *k as u32).ok()?,
        _ => {
            let n = n.big();
            if n.trailing_zeros()? < u64::from(k.unsigned_abs()) {
                return None;
            }
            i32::try_from(n >> k.unsigned_abs()).unwrap_or(FAR)
        }
    };
    Some(if *negative { -magnitude } else { magnitude })
}

/// The result for an operand that is so small or so large that the result lies beside a number, or beyond all formats.
fn beside_limit(function: Function, x: &Number) -> Option<Number> {
    let exponent = x.exponent()?;
    let (negative, one) = (x.is_negative(), Number::power_of_two(0));
    let half_of = |x: &Number| Number::product(x, &Number::power_of_two(-1));
    let vanishing = |negative| Number::Finite { negative, n: Magnitude::Small(1), k: -FAR };
    let huge = Number::power_of_two(FAR);
    let is_tiny = exponent < TINY;
    // From 2^17 on, e^-x is below the smallest value of every format.
    let (is_large, is_far) = (exponent >= LARGE, exponent >= 17);
    Some(match function {
        Function::Exp | Function::Exp2 if is_tiny => beside(&one, !negative)?,
        Function::Exp | Function::Exp2 if is_far => {
            if negative {
                vanishing(false)
            } else {
                huge
            }
        }
        Function::Expm1 if is_tiny => beside(x, !negative)?,
        Function::Expm1 if is_large && negative => beside(&one.negated(), false)?,
        Function::Expm1 if is_far => huge,
        Function::Log1p if is_tiny => beside(x, negative)?,
        Function::Sin | Function::Tanh if is_tiny => beside(x, false)?,
        Function::Cos if is_tiny => beside(&one, false)?,
        // 1 - erf 16 is below 2^-370.
        Function::Tanh | Function::Erf if is_large || (function == Function::Erf && exponent >= 4) => {
            beside(&if negative { one.negated() } else { one }, false)?
        }
        Function::Sigmoid if is_tiny => beside(&Number::power_of_two(-1), !negative)?,
        Function::Sigmoid if is_large && !negative => beside(&one, false)?,
        Function::Sigmoid | Function::Softplus if is_far && negative => vanishing(false),
        Function::Softplus if is_large && !negative => beside(x, true)?,
        Function::Gelu | Function::GeluTanh | Function::Silu if is_tiny => beside(&half_of(x), !negative)?,
        Function::Gelu | Function::GeluTanh if exponent >= 4 && !negative => beside(x, false)?,
        Function::Silu if is_large && !negative => beside(x, false)?,
        Function::Gelu | Function::GeluTanh if exponent >= 9 => vanishing(true),
        Function::Silu if is_far => vanishing(true),
        _ => return None,
    })
}

/// A number whose magnitude is a little larger, or smaller, than that of another one, which is not zero.
fn beside(x: &Number, is_larger: bool) -> Option<Number> {
    let Number::Finite { negative, n, k } = x else { return None };
    let n = n.big() << BITS;
    // Truncated, with a sticky bit.
    let n = if is_larger { n } else { n - 1_u32 };
    let n = Magnitude::from((n << 1) | BigUint::from(1_u32));
    Some(Number::Finite { negative: *negative, n, k: k - BITS as i32 - 1 })
}

/// What is known of the value of a function.
enum Within {
    /// That it is in this interval.
    Interval(Interval),
    /// The value, computed with integers.
    Integers(Number),
}

/// The value of a function, as closely as this precision has it.
fn within(precision: &mut Precision, function: Function, x: &Number) -> Within {
    let (negative, n, k) = match x {
        Number::Finite { negative, n, k } => (negative, n.big(), *k),
        _ => (&false, BigUint::ZERO, 0),
    };
    let n = u128::try_from(n).expect("a code has up to 128 bits");
    let magnitude = precision.exact(n, k);
    let signed = if *negative { precision.negated(&magnitude) } else { magnitude.clone() };
    let one = precision.exact(1, 0);
    let minus_one = precision.negated(&one);
    Within::Interval(match function {
        Function::Exp => precision.exp(&signed),
        Function::Exp2 => {
            let log = precision.log_2();
            let product = precision.times(&magnitude, &log);
            let product = with_sign(precision, product, *negative);
            precision.exp(&product)
        }
        Function::Expm1 => {
            let power = precision.exp(&signed);
            precision.add(&power, &minus_one)
        }
        Function::Log => precision.log(&signed),
        Function::Log2 => precision.log2(&signed),
        Function::Log1p => {
            let more = precision.add(&signed, &one);
            precision.log(&more)
        }
        Function::Sin => precision.sin(&signed),
        Function::Cos => precision.cos(&signed),
        Function::Tanh => precision.tanh(&signed),
        Function::Sigmoid => logistic(precision, &signed),
        Function::Softplus if *negative && x.exponent() >= Some(LARGE) => {
            // log(1 + u) is between u - u^2 and u.
            let power = precision.exp(&signed);
            let square = precision.times(&power, &power);
            let less = precision.negated(&square);
            let less = precision.add(&power, &less);
            Interval { low: less.low, high: power.high }
        }
        Function::Softplus => {
            let power = precision.exp(&signed);
            let more = precision.add(&power, &one);
            precision.log(&more)
        }
        Function::Silu => {
            let factor = logistic(precision, &signed);
            let product = precision.times(&magnitude, &factor);
            with_sign(precision, product, *negative)
        }
        Function::Erf => {
            let square = precision.times(&magnitude, &magnitude);
            let erf = error_function(precision, &square);
            with_sign(precision, erf, *negative)
        }
        Function::Gelu => {
            let square = precision.times(&magnitude, &magnitude);
            let half_square = precision.scaled(&square, -1);
            let factor = match negative {
                true => complement(precision, &half_square),
                false => {
                    let erf = error_function(precision, &half_square);
                    precision.add(&one, &erf)
                }
            };
            let product = precision.times(&magnitude, &factor);
            let half = precision.scaled(&product, -1);
            with_sign(precision, half, *negative)
        }
        Function::GeluTanh => {
            // (1 + tanh u) / 2 is the logistic function of 2u.
            let twice = cubic(precision, &magnitude);
            let twice = precision.scaled(&twice, 1);
            let twice = with_sign(precision, twice, *negative);
            let factor = logistic(precision, &twice);
            let product = precision.times(&magnitude, &factor);
            with_sign(precision, product, *negative)
        }
        Function::Recip => return Within::Integers(Number::divided(&Number::power_of_two(0), x)),
        Function::Rsqrt => return Within::Integers(Number::root(x, true)),
        Function::Cbrt => return Within::Integers(Number::cube_root(x)),
    })
}

fn with_sign(precision: &Precision, magnitude: Interval, negative: bool) -> Interval {
    if negative { precision.negated(&magnitude) } else { magnitude }
}

/// `e^x / (1 + e^x)`: no digits cancel on either side.
fn logistic(precision: &mut Precision, x: &Interval) -> Interval {
    let power = precision.exp(x);
    let more = precision.add(&power, &precision.exact(1, 0));
    precision.over(&power, &more)
}

/// `1 - erf(sqrt(s))`. Far from zero, it is `e^-s / sqrt(pi s)` divided by the continued fraction
/// `1 + a / (1 + 2a / (1 + 3a / ..))` with `a = 1 / 2s`, between whose neighbouring convergents its value lies (Abramowitz
/// and Stegun, 7.1.14).
fn complement(precision: &mut Precision, s: &Interval) -> Interval {
    let one = precision.exact(1, 0);
    if s.low.cmp(&one.low).is_some_and(|order| order < 0) {
        let erf = error_function(precision, s);
        let minus_erf = precision.negated(&erf);
        return precision.add(&one, &minus_erf);
    }
    let twice = precision.scaled(s, 1);
    let a = precision.over(&one, &twice);
    let levels = fraction_levels(s, precision.bits);
    let mut fraction = |levels: u128| {
        (1..=levels).rev().fold(one.clone(), |below, level| {
            let numerator = precision.times(&a, &precision.exact(level, 0));
            let quotient = precision.over(&numerator, &below);
            precision.add(&one, &quotient)
        })
    };
    let [first, second] = [fraction(levels), fraction(levels + 1)];
    let fraction = first.union(second);
    let minus = precision.negated(s);
    let power = precision.exp(&minus);
    let pi = precision.pi();
    let product = precision.times(&pi, s);
    let root = precision.sqrt(&product);
    let divisor = precision.times(&root, &fraction);
    precision.over(&power, &divisor)
}

/// Levels of the continued fraction after which its convergents agree in the leading bits of results.
fn fraction_levels(s: &Interval, bits: usize) -> u128 {
    // The distance of the convergents falls like e^-sqrt(8 s levels).
    let binades = s.low.exponent().map_or(0, |exponent| exponent.clamp(1, 20) - 1);
    let growth = (bits / (2 * BITS)) as u128;
    ((800 >> binades) + 32) * growth * growth
}

/// `sqrt(2 / pi) * (x + 0.044715 * x^3)` for a positive `x`.
fn cubic(precision: &mut Precision, x: &Interval) -> Interval {
    let [numerator, denominator] = [44_715, 1_000_000].map(|n| precision.exact(n, 0));
    let factor = precision.over(&numerator, &denominator);
    let square = precision.times(x, x);
    let scaled = precision.times(&square, &factor);
    let more = precision.add(&scaled, &precision.exact(1, 0));
    let polynomial = precision.times(x, &more);
    let (two, pi) = (precision.exact(2, 0), precision.pi());
    let ratio = precision.over(&two, &pi);
    let root = precision.sqrt(&ratio);
    precision.times(&root, &polynomial)
}

/// The error function of the square root of `s`: `2 / sqrt(pi) * e^-s * sqrt(s) * (1 + 2s/3 + (2s)^2/(3*5) + ..)`, where no
/// term is negative (Abramowitz and Stegun, 7.1.6).
fn error_function(precision: &mut Precision, s: &Interval) -> Interval {
    let twice = precision.scaled(s, 1);
    let mut term = precision.exact(1, 0);
    let mut sum = term.clone();
    for odd in (3_u128..).step_by(2) {
        let divisor = precision.exact(odd, 0);
        let product = precision.times(&term, &twice);
        term = precision.over(&product, &divisor);
        sum = precision.add(&sum, &term);
        // From here on, each term is less than half of the one before, so that the rest is less than this one.
        let is_falling = precision.scaled(&twice, 1).high.cmp(&divisor.low).is_some_and(|order| order < 0);
        if is_falling && precision.is_negligible(&term, &sum) {
            let end = precision.add(&sum, &term);
            sum = Interval { low: sum.low, high: end.high };
            break;
        }
    }
    let minus = precision.negated(s);
    let power = precision.exp(&minus);
    let root = precision.sqrt(s);
    let pi = precision.pi();
    let root_of_pi = precision.sqrt(&pi);
    let two = precision.exact(2, 0);
    let factor = precision.over(&two, &root_of_pi);
    let product = precision.times(&factor, &power);
    let product = precision.times(&product, &root);
    precision.times(&product, &sum)
}

/// The leading bits that all numbers of an interval have, with a sticky bit, as no result that ends is among them; `None`
/// if the numbers differ earlier.
fn common(interval: &Interval) -> Option<Number> {
    let [low, high] = [leading(&interval.low)?, leading(&interval.high)?];
    if low != high {
        return None;
    }
    let (negative, n, exponent) = low;
    let sticky = (n << 1) | BigUint::from(1_u32);
    Some(Number::Finite { negative, n: Magnitude::from(sticky), k: exponent - BITS as i32 - 1 })
}

/// Sign, leading bits of the magnitude, and the exponent of the power of two above it.
fn leading(number: &BigFloat) -> Option<(bool, BigUint, i32)> {
    let (words, _, _, exponent, _) = number.as_raw_parts()?;
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let magnitude = BigUint::from_bytes_le(&bytes);
    let shift = magnitude.bits().checked_sub(BITS as u64)?;
    Some((number.is_negative(), magnitude >> shift, exponent))
}
