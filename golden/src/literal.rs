//! Numbers in text, rounded exactly.

use crate::{Codes, Policy, Value};
use num_bigint::BigUint;
use std::str::FromStr;
use thiserror::Error;

/// A number as written. It is exact, except that a decimal fraction may not be dyadic: then a last bit means "a little
/// more", far below the resolution of any format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// Zero, infinity or NaN.
    Special(Value),
    /// `(-1)^negative * n * 2^k`, `n` not 0.
    Number {
        /// Whether it is below zero.
        negative: bool,
        /// The integer that is scaled.
        n: BigUint,
        /// The power of two that scales it.
        k: i32,
    },
}

/// Why a text is not a number. Users read the message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("\"{0}\" is no number; write 0.1, -3e-5, 1.75*2^14, 0x1.8p3, inf or nan (exponents from -100000 to 100000)")]
pub struct LiteralError(String);

/// Bits of a quotient, more than any significand has.
const QUOTIENT_BITS: u64 = 256;

/// The limit for decimal and binary exponents, which keeps numbers small.
const MAX_EXPONENT: i32 = 100_000;

impl FromStr for Literal {
    type Err = LiteralError;

    /// Parses a decimal number, with a decimal exponent (`3e-5`), a binary one (`1.75*2^14`), or both; a hexadecimal
    /// one as printed by C (`0x1.8p3`); `inf`, `nan`. Blanks are allowed around it and around `*`.
    fn from_str(text: &str) -> Result<Literal, LiteralError> {
        let error = || LiteralError(text.into());
        let lower = text.trim().to_lowercase();
        let (negative, magnitude) = match lower.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, lower.strip_prefix('+').unwrap_or(&lower)),
        };
        match magnitude {
            "inf" | "infinity" => return Ok(Literal::Special(Value::Infinite { negative })),
            "nan" => return Ok(Literal::Special(Value::Nan)),
            _ => {}
        }
        let (n, k) = parse_magnitude(magnitude).ok_or_else(error)?;
        if n.bits() == 0 {
            return Ok(Literal::Special(Value::Zero { negative }));
        }
        Ok(Literal::Number { negative, n, k })
    }
}

/// A number without its sign as `n * 2^k`.
fn parse_magnitude(text: &str) -> Option<(BigUint, i32)> {
    let (number, binary_exponent) = match text.split_once('*') {
        Some((number, power)) => (number.trim_end(), exponent_of(power.trim_start().strip_prefix("2^")?)?),
        None => (text, 0),
    };
    let (n, k) = match number.strip_prefix("0x") {
        Some(hexadecimal) => parse_hexadecimal(hexadecimal)?,
        None => parse_decimal(number)?,
    };
    Some((n, k + binary_exponent))
}

fn exponent_of(text: &str) -> Option<i32> {
    text.parse().ok().filter(|exponent| (-MAX_EXPONENT..=MAX_EXPONENT).contains(exponent))
}

/// A decimal number as `n * 2^k`.
fn parse_decimal(text: &str) -> Option<(BigUint, i32)> {
    let (digits, exponent) = match text.split_once('e') {
        Some((digits, exponent)) => (digits, exponent_of(exponent)?),
        None => (text, 0),
    };
    let (digits, places) = parse_digits(digits, 10)?;
    Some(scaled(digits, exponent - places))
}

/// C's `1.8p3` (after `0x`) as `n * 2^k`. The `p` is required: without one, the text is a code.
fn parse_hexadecimal(text: &str) -> Option<(BigUint, i32)> {
    let (digits, exponent) = text.split_once('p')?;
    let exponent = exponent_of(exponent)?;
    let (digits, places) = parse_digits(digits, 16)?;
    Some((digits, exponent - 4 * places))
}

/// The digits of a number as an integer, and how many of them follow the point.
fn parse_digits(text: &str, radix: u32) -> Option<(BigUint, i32)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{fraction}");
    let are_digits = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
    Some((BigUint::parse_bytes(digits.as_bytes(), radix).filter(|_| are_digits)?, fraction.len() as i32))
}

/// `digits * 10^exponent` as `n * 2^k`.
fn scaled(digits: BigUint, exponent: i32) -> (BigUint, i32) {
    let power = BigUint::from(10_u32).pow(exponent.unsigned_abs());
    if exponent >= 0 {
        return (digits * power, 0);
    }
    let shift = QUOTIENT_BITS + power.bits();
    let dividend = digits << shift;
    let quotient = &dividend / &power;
    let more = &quotient * &power != dividend;
    ((quotient << 1_u32) + BigUint::from(u32::from(more)), -(shift as i32) - 1)
}

impl Codes {
    /// The code of a number as written, rounded once.
    pub fn encode_literal(&self, literal: &Literal, policy: &Policy) -> u128 {
        match literal {
            Literal::Special(value) => self.encode_by(*value, policy),
            Literal::Number { negative, n, k } => self.encode_finite(*negative, n, *k, policy),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Codec;
    use binade_spec::{Format, Overflow, Rounding};

    fn binary64(text: &str) -> f64 {
        let format: Format = "binary64".parse().unwrap();
        let code = format.encode_literal(&text.parse().unwrap(), &Policy::new(Rounding::Rne, Overflow::Inf));
        f64::from_bits(code as u64)
    }

    /// The standard library's conversion is the oracle.
    #[test]
    fn decimals_are_rounded_once() {
        let hard = ["0.1", "1e23", "9007199254740993", "2.2250738585072011e-308", "4.9e-324", "2.4e-324", "1.8e308"];
        let plain = ["0", "-0", "1", "-1.5", "3.", ".5", "+7e-5", "123456789012345678901234567890", "1e-400", "inf"];
        for text in hard.into_iter().chain(plain) {
            assert_eq!(binary64(text).to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
        }
    }

    #[test]
    fn powers_of_two() {
        assert_eq!(binary64("1.75*2^14"), 28672.0);
        assert_eq!(binary64("-1*2^-1074"), -f64::from_bits(1));
        assert_eq!(binary64("3e2*2^-2"), 75.0);
        assert_eq!(binary64(" 1.5 * 2^3\t"), 12.0);
        assert!(binary64("NaN").is_nan());
    }

    #[test]
    fn hexadecimal_numbers_are_those_of_c() {
        for (text, number) in [
            ("0x1.8p3", 12.0),
            ("-0X1.999999999999AP-4", -0.1),
            ("0x0.0000000000001p-1022", f64::from_bits(1)),
            ("0x1.fffffffffffff7p+1023", f64::MAX),
            ("0x1.fffffffffffff8p+1023", f64::INFINITY),
            ("0x.8p1", 1.0),
            ("0xffp0*2^-4", 15.9375),
            ("-0x0p0", -0.0),
        ] {
            assert_eq!(binary64(text).to_bits(), number.to_bits(), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        let halves =
            ["", "-", ".", "e5", "1e", "1.2.3", "1*2^", "one", "--1", "1*3^2", "1**2^3", "1_0", "+-1", "1e5e5"];
        let exponents = ["1e999999999", "1*2^99999999", "1e-2147483648", "0.1*2^-2147483648", "1e100001", "0x1p100001"];
        let hexadecimals = ["0x3c", "0x1.8", "0xp3", "0x1p", "0x1.2.3p4", "0xgp1", "0x1p1p1", "0x-1p3"];
        let blanks = ["1 2", "1 e5", "- 1", "1.5*2^ 3", "1.5*2 ^3", "0x1 p3"];
        for text in [&halves[..], &exponents, &hexadecimals, &blanks].concat() {
            let error = text.parse::<Literal>().unwrap_err();
            assert!(error.to_string().contains("is no number; write 0.1"), "{text}");
        }
    }
}
