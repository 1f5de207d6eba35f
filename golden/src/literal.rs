//! Numbers as people write them, rounded exactly.

use crate::{Codes, Policy, Value};
use num_bigint::BigUint;
use std::str::FromStr;
use thiserror::Error;

/// A number as written: exact, or (a decimal fraction need not be a dyadic one) exact but for a last bit that says
/// "and a little more", far below what any format resolves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// Zero, infinity or NaN.
    Special(Value),
    /// `(-1)^negative * n * 2^k`, `n` not 0.
    Number { negative: bool, n: BigUint, k: i32 },
}

/// Why a text is no number. The text is what the user reads.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("\"{0}\" is no number; write 0.1, -3e-5, 1.75*2^14, inf or nan (exponents up to 100000)")]
pub struct LiteralError(String);

/// Bits of a quotient, beyond those of any significand.
const QUOTIENT_BITS: u64 = 256;

/// Decimal and binary exponents stay within this, so that numbers stay small.
const MAX_EXPONENT: i32 = 100_000;

impl FromStr for Literal {
    type Err = LiteralError;

    /// Reads a decimal number, with a decimal exponent (`3e-5`), a binary one (`1.75*2^14`), or both; `inf`, `nan`.
    fn from_str(text: &str) -> Result<Literal, LiteralError> {
        let error = || LiteralError(text.into());
        let lower: String = text.to_lowercase().split_whitespace().collect();
        let (negative, magnitude) = match lower.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, lower.strip_prefix('+').unwrap_or(&lower)),
        };
        match magnitude {
            "inf" | "infinity" => return Ok(Literal::Special(Value::Infinite { negative })),
            "nan" => return Ok(Literal::Special(Value::Nan)),
            _ => {}
        }
        let (decimal, binary_exponent) = match magnitude.split_once("*2^") {
            Some((decimal, exponent)) => (decimal, exponent_of(exponent).ok_or_else(error)?),
            None => (magnitude, 0),
        };
        let (digits, decimal_exponent) = parse_decimal(decimal).ok_or_else(error)?;
        if digits.bits() == 0 {
            return Ok(Literal::Special(Value::Zero { negative }));
        }
        let (n, k) = scaled(digits, decimal_exponent);
        Ok(Literal::Number { negative, n, k: k + binary_exponent })
    }
}

fn exponent_of(text: &str) -> Option<i32> {
    text.parse().ok().filter(|exponent: &i32| exponent.abs() <= MAX_EXPONENT)
}

/// `digits * 10^exponent` for a decimal number.
fn parse_decimal(text: &str) -> Option<(BigUint, i32)> {
    let (mantissa, exponent) = match text.split_once('e') {
        Some((mantissa, exponent)) => (mantissa, exponent_of(exponent)?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((digits.parse().ok()?, exponent - fraction.len() as i32))
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

    /// The standard library's own conversion is the oracle.
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
        assert!(binary64("NaN").is_nan());
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", "-", ".", "e5", "1e", "1.2.3", "0x3c", "1*2^", "1e999999999", "one", "1*2^99999999", "--1"] {
            let error = text.parse::<Literal>().unwrap_err();
            assert!(error.to_string().contains("is no number; write 0.1"), "{text}");
        }
    }
}
