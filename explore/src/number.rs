//! Exact numbers as the page shows them.

use binade_golden::{Magnitude, Number, Value};
use num_bigint::BigUint;
use serde::Serialize;

/// The longest exact decimal that is shown; a longer one is abbreviated.
const LONGEST_DECIMAL: usize = 40;

/// The longest numerator and denominator of a fraction, in bits.
const LONGEST_FRACTION: u64 = 24;

/// A number in several notations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Written {
    /// The exact number with its binade: `1.25*2^-2`.
    pub value: String,
    /// The exact decimal, or its first digits if it is long.
    pub decimal: String,
    /// Whether `decimal` is exact.
    pub is_exact: bool,
    /// In the notation of C: `0x1.4p-2`.
    pub hexadecimal: String,
    /// As a fraction, if it is readable.
    pub fraction: Option<String>,
}

impl Written {
    /// The value of a code.
    pub fn value(value: Value) -> Written {
        Written::number(&value.into())
    }

    /// An exact number.
    pub fn number(number: &Number) -> Written {
        let value = number.to_string();
        let Some((sign, n, k)) = odd(number) else {
            return Written {
                decimal: value.clone(),
                hexadecimal: value.clone(),
                value,
                is_exact: true,
                fraction: None,
            };
        };
        let exact = decimal(&n, k).filter(|decimal| decimal.len() <= LONGEST_DECIMAL);
        Written {
            value,
            is_exact: exact.is_some(),
            decimal: format!("{sign}{}", exact.unwrap_or_else(|| first_digits(&n, k))),
            hexadecimal: format!("{sign}{}", hexadecimal(&n, k)),
            fraction: fraction(&n, k).map(|fraction| format!("{sign}{fraction}")),
        }
    }
}

/// A magnitude as an integer.
pub fn integer(n: &Magnitude) -> BigUint {
    match n {
        Magnitude::Small(n) => BigUint::from(*n),
        Magnitude::Large(n) => n.clone(),
    }
}

/// A number in binary64, approximately.
pub fn approximate(number: &Number) -> f64 {
    let sign = if number.is_negative() { -1.0 } else { 1.0 };
    match number {
        Number::Zero { .. } => 0.0,
        Number::Infinite { .. } => sign * f64::INFINITY,
        Number::Nan => f64::NAN,
        Number::Finite { n, k, .. } => {
            let (leading, k) = leading(&integer(n), *k);
            // In two steps, since the power alone may overflow.
            sign * leading * 2_f64.powi(k / 2) * 2_f64.powi(k - k / 2)
        }
    }
}

/// The quotient of two numbers, approximately; both may be outside the range of binary64.
pub fn ratio(above: &Number, below: &Number) -> f64 {
    let scaled = |number: &Number, by: i32| match number.clone() {
        Number::Finite { negative, n, k } => approximate(&Number::Finite { negative, n, k: k - by }),
        other => approximate(&other),
    };
    let by = below.exponent().unwrap_or(0);
    scaled(above, by) / scaled(below, by)
}

/// Sign, odd integer and power of two of a nonzero number.
fn odd(number: &Number) -> Option<(&'static str, BigUint, i32)> {
    let Number::Finite { negative, n, k } = number else { return None };
    let n = integer(n);
    let zeros = n.trailing_zeros().unwrap_or(0);
    Some((if *negative { "-" } else { "" }, n >> zeros, k + zeros as i32))
}

/// The first 64 bits of an integer, and the power of two to multiply them by.
fn leading(n: &BigUint, k: i32) -> (f64, i32) {
    let dropped = n.bits().saturating_sub(64);
    let first = (n >> dropped).to_u64_digits().first().copied().unwrap_or(0);
    (first as f64, k + dropped as i32)
}

/// `n * 2^k` in decimal, unless that is far too long.
fn decimal(n: &BigUint, k: i32) -> Option<String> {
    if k >= 0 {
        return (k < 256).then(|| (n << k).to_string());
    }
    let places = k.unsigned_abs();
    if places > 256 {
        return None;
    }
    let digits =
        format!("{:0>width$}", (n * BigUint::from(5_u32).pow(places)).to_string(), width = places as usize + 1);
    let (whole, rest) = digits.split_at(digits.len() - places as usize);
    Some(format!("{whole}.{rest}"))
}

/// `n * 2^k` with six digits and a power of ten.
fn first_digits(n: &BigUint, k: i32) -> String {
    let (first, k) = leading(n, k);
    let log = first.log10() + f64::from(k) * std::f64::consts::LOG10_2;
    if (-4.0..6.0).contains(&log) {
        let places = (5.0 - log.floor()) as usize;
        return format!("{:.places$}", first * 2_f64.powi(k));
    }
    // Rounding may carry the digits to ten, which increments the power.
    let (digits, power) = (format!("{:.5e}", 10_f64.powf(log - log.floor())), log.floor() as i32);
    let (digits, carry) = digits.split_once('e').unwrap_or((&digits, "0"));
    format!("{digits}e{}", power + i32::from(carry == "1"))
}

/// In the notation of C, with an odd integer.
fn hexadecimal(n: &BigUint, k: i32) -> String {
    let fraction_bits = n.bits() - 1;
    let digits = fraction_bits.div_ceil(4);
    let fraction = (n << (4 * digits - fraction_bits)) - (BigUint::from(1_u32) << (4 * digits));
    let point = if digits == 0 { String::new() } else { format!(".{fraction:0>width$x}", width = digits as usize) };
    format!("0x1{point}p{}", i64::from(k) + fraction_bits as i64)
}

fn fraction(n: &BigUint, k: i32) -> Option<String> {
    let is_short = k < 0 && k.unsigned_abs() as u64 <= LONGEST_FRACTION && n.bits() <= LONGEST_FRACTION;
    is_short.then(|| format!("{n}/{}", 1_u64 << k.unsigned_abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_golden::Codec;
    use binade_spec::Format;

    fn written(format: &str, code: u128) -> Written {
        let format: Format = format.parse().expect("a format");
        Written::value(format.decode(code))
    }

    #[test]
    fn a_number_is_written_in_several_ways() {
        let number = written("e5m2b1", 0x39);
        assert_eq!((number.value.as_str(), number.decimal.as_str(), number.is_exact), ("1.25*2^-2", "0.3125", true));
        assert_eq!((number.hexadecimal.as_str(), number.fraction.as_deref()), ("0x1.4p-2", Some("5/16")));
        let large = written("binary32", 0xff7f_ffff);
        assert_eq!(large.decimal, "-340282346638528859811704183484516925440");
        assert_eq!((large.hexadecimal.as_str(), large.fraction), ("-0x1.fffffep127", None));
        let small = written("binary64", 1);
        assert_eq!((small.decimal.as_str(), small.is_exact), ("4.94066e-324", false));
        assert_eq!(written("binary32", 0x3f80_0000).decimal, "1");
        assert_eq!(written("e5m2", 0xfc).hexadecimal, written("e5m2", 0xfc).value);
    }

    /// Digits that round up to ten move to the next power, in every order of magnitude.
    #[test]
    fn first_digits_are_rounded() {
        let digits =
            |n: u128, k| Written::number(&Number::Finite { negative: false, n: Magnitude::Small(n), k }).decimal;
        assert_eq!(first_digits(&BigUint::from(99_999_999_u32), 0), "1.00000e8");
        assert_eq!(first_digits(&BigUint::from(99_999_400_u32), 0), "9.99994e7");
        assert_eq!(first_digits(&BigUint::from(1_u32), -14), "6.10352e-5");
        assert_eq!(digits(1, -20_000), "2.51239e-6021");
    }

    /// The standard library parses the output to the same number, bit for bit.
    #[test]
    fn decimals_are_read_back() {
        for code in 0..0x7c00_u128 {
            let format = Format::binary16();
            let number = written("binary16", code);
            let decimal: f64 = number.decimal.parse().expect("a number");
            assert!(number.is_exact && approximate(&format.decode(code).into()) == decimal, "{code:#x}");
        }
    }

    #[test]
    fn ratios_are_those_of_numbers_out_of_range() {
        let number = |n: u128, k| Number::Finite { negative: false, n: Magnitude::Small(n), k };
        assert_eq!(ratio(&number(3, -20_000), &number(1, -19_999)), 1.5);
        assert_eq!(ratio(&number(1, 20_000).negated(), &number(4, 20_000)), -0.25);
        assert_eq!(ratio(&Number::Zero { negative: false }, &number(1, 0)), 0.0);
    }
}
