//! Posits: regime bits, exponent bits and fraction, with tapered precision.

use crate::{Class, Family, FormatError, Sign};
use serde::Serialize;

/// A posit format (posit standard 2022; `es` is 2 there). Code 0 is zero, the sign bit alone NaR; a negative posit is the
/// two's complement of its magnitude.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Posit {
    /// Bits of a code, `n`.
    pub bits: u32,
    /// Exponent bits, `es`.
    pub exponent_bits: u32,
    /// Accuracy-peak shift: a code stands for its unscaled value times `2^scale`.
    pub scale: i32,
}

impl Posit {
    /// Checks the fields.
    ///
    /// # Errors
    /// When `bits` is not from 3 to 64, or `exponent_bits` is above 5; the message says so.
    pub fn check(&self) -> Result<(), FormatError> {
        if (3..=64).contains(&self.bits) && self.exponent_bits <= 5 {
            return Ok(());
        }
        Err(FormatError(format!(
            "has {} bits and {} exponent bits; posit<n>_<es> takes n from 3 to 64 and es from 0 to 5",
            self.bits, self.exponent_bits
        )))
    }

    /// Significand bits, including the leading one, for the shortest regime (two bits).
    pub fn precision(&self) -> u32 {
        (self.bits - 2).saturating_sub(self.exponent_bits).max(1)
    }

    /// NaR, "not a real": the sign bit alone.
    pub fn nar(&self) -> u128 {
        1 << (self.bits - 1)
    }

    /// maxpos: all ones after the sign.
    pub fn max_code(&self) -> u128 {
        self.nar() - 1
    }

    /// log2 of minpos.
    pub fn min_exponent(&self) -> i64 {
        -self.largest_plain_exponent() + i64::from(self.scale)
    }

    /// log2 of maxpos.
    pub fn max_exponent(&self) -> i64 {
        self.largest_plain_exponent() + i64::from(self.scale)
    }

    /// The width of the exponent, in two's complement, on the unit `posit-decoder`: it includes that of code 0, whose
    /// regime is `n - 1` zeros.
    pub fn exponent_port_bits(&self) -> u32 {
        let least = self.min_exponent() - (1 << self.exponent_bits);
        let magnitude_bits = |n: i64| 64 - n.max(!n).leading_zeros();
        magnitude_bits(least).max(magnitude_bits(self.max_exponent())) + 1
    }

    fn largest_plain_exponent(&self) -> i64 {
        i64::from(self.bits - 2) << self.exponent_bits
    }

    /// The code with this sign and magnitude code.
    pub fn with_sign(&self, negative: bool, magnitude: u128) -> u128 {
        let code = if negative { magnitude.wrapping_neg() } else { magnitude };
        code & (self.nar() | self.max_code())
    }

    /// The class of the magnitude code of a number or zero.
    pub fn class_of_magnitude(&self, magnitude: u128) -> Class {
        match magnitude {
            0 => Class::Zero,
            1 => Class::Minpos,
            _ if magnitude == self.max_code() => Class::Maxpos,
            _ => Class::Ordinary,
        }
    }

    /// A one-line description of the posit: widths, NaR, scale.
    pub fn summary(&self) -> String {
        let scale = if self.scale == 0 { String::new() } else { format!("; values times 2^{}", self.scale) };
        format!(
            "posit of {} bits: es {}, significand of up to 1+{} bits; no infinity; NaR 0x{:x}{scale}",
            self.bits,
            self.exponent_bits,
            self.precision() - 1,
            self.nar()
        )
    }
}

impl Family for Posit {
    fn check(&self) -> Result<(), FormatError> {
        self.check()
    }

    fn exponents(&self) -> [i128; 2] {
        [self.min_exponent(), self.max_exponent()].map(i128::from)
    }

    fn width(&self) -> u32 {
        self.bits
    }

    fn sign(&self) -> Sign {
        Sign::Signed
    }

    fn magnitude_bits(&self) -> u32 {
        self.bits - 1
    }

    fn precision(&self) -> u32 {
        self.precision()
    }

    /// A negative posit is the two's complement of its magnitude; NaR has no magnitude and gives 0.
    fn magnitude(&self, code: u128) -> u128 {
        let magnitude = if code & self.nar() != 0 { code.wrapping_neg() } else { code };
        magnitude & self.max_code()
    }

    fn code(&self, negative: bool, magnitude: u128) -> u128 {
        self.with_sign(negative, magnitude)
    }

    fn negated(&self, code: u128) -> u128 {
        self.with_sign(true, code)
    }

    fn max_code(&self) -> u128 {
        self.max_code()
    }

    fn nan_code(&self) -> Option<u128> {
        Some(self.nar())
    }

    fn is_nan(&self, code: u128) -> bool {
        code == self.nar()
    }

    fn classes(&self) -> &'static [Class] {
        &Class::POSIT
    }

    fn class_of_magnitude(&self, magnitude: u128) -> Class {
        self.class_of_magnitude(magnitude)
    }

    fn class_codes(&self, class: Class) -> Option<[u128; 2]> {
        match class {
            Class::Zero => Some([0, 0]),
            Class::Minpos => Some([1, 1]),
            Class::Ordinary => Some([2, self.max_code() - 1]),
            Class::Maxpos => Some([self.max_code(); 2]),
            Class::Nan => Some([self.nar(); 2]),
            _ => None,
        }
    }

    fn summary(&self) -> String {
        self.summary()
    }

    fn systematic_name(&self) -> String {
        self.systematic_name()
    }
}
