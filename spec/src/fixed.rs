//! Fixed point: integers, in two's complement or unsigned, with an implied scale.

use crate::{Class, Family, FormatError, Sign};
use serde::Serialize;

/// The most bits of a code.
const MAX_BITS: u32 = 64;

/// A fixed-point format: a code is an integer, in two's complement if signed, and stands for `2^-fraction_bits` times
/// it. There is no NaN, no infinity and no -0. With no fraction bits it is an integer format (`int8`, `uint8`); OCP MX
/// has elements of 8 bits with 6 fraction bits (MXINT8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Fixed {
    /// Bits of a code.
    pub bits: u32,
    /// The lowest bit stands for `2^-fraction_bits`.
    pub fraction_bits: i32,
    /// Whether codes are in two's complement.
    pub sign: Sign,
}

impl Fixed {
    /// Checks the fields.
    ///
    /// # Errors
    /// When `bits` is not from 2 to 64; the message says so.
    pub fn check(&self) -> Result<(), FormatError> {
        if (2..=MAX_BITS).contains(&self.bits) {
            return Ok(());
        }
        Err(FormatError(format!("has {} bits; fixed-point formats have 2 to {MAX_BITS}", self.bits)))
    }

    /// Mask of all bits of a code.
    pub fn code_mask(&self) -> u128 {
        (1 << self.bits) - 1
    }

    /// Bits of the codes that are not negative.
    pub fn magnitude_bits(&self) -> u32 {
        match self.sign {
            Sign::Signed => self.bits - 1,
            Sign::Unsigned => self.bits,
        }
    }

    /// The largest nonnegative code.
    pub fn max_code(&self) -> u128 {
        (1 << self.magnitude_bits()) - 1
    }

    /// The largest magnitude with this sign: signed formats have one more negative value, unsigned ones have none.
    pub fn max_magnitude(&self, negative: bool) -> u128 {
        match (negative, self.sign) {
            (false, _) => self.max_code(),
            (true, Sign::Signed) => self.max_code() + 1,
            (true, Sign::Unsigned) => 0,
        }
    }

    /// The magnitude of a code; the lowest code's has as many bits as the code.
    pub fn magnitude(&self, code: u128) -> u128 {
        if code > self.max_code() { code.wrapping_neg() & self.code_mask() } else { code }
    }

    /// The code with this sign and magnitude, modulo `2^bits`.
    pub fn with_sign(&self, negative: bool, magnitude: u128) -> u128 {
        let is_negated = negative && self.sign == Sign::Signed;
        (if is_negated { magnitude.wrapping_neg() } else { magnitude }) & self.code_mask()
    }

    /// log2 of an ulp, the distance of all neighbours.
    pub fn min_exponent(&self) -> i64 {
        -i64::from(self.fraction_bits)
    }

    /// floor(log2) of the largest magnitude, that of the lowest code if signed.
    pub fn max_exponent(&self) -> i64 {
        self.min_exponent() + i64::from(self.bits) - 1
    }

    /// The class of a magnitude.
    pub fn class_of_magnitude(&self, magnitude: u128) -> Class {
        match magnitude {
            0 => Class::Zero,
            _ if magnitude > self.max_code() => Class::Lowest,
            _ if magnitude == self.max_code() => Class::Largest,
            1 => Class::Ulp,
            _ => Class::Fixed,
        }
    }

    /// A one-line description of the format: widths, step, range.
    pub fn summary(&self) -> String {
        let kind = match self.sign {
            Sign::Signed => "two's complement",
            Sign::Unsigned => "unsigned",
        };
        let scale = match self.fraction_bits {
            0 => "integers".into(),
            bits => format!("integers times 2^{}", -i64::from(bits)),
        };
        format!(
            "fixed point of {} bits, {kind}: {scale}; no infinity; no NaN; results beyond the range saturate",
            self.bits
        )
    }
}

impl Family for Fixed {
    fn check(&self) -> Result<(), FormatError> {
        self.check()
    }

    fn exponents(&self) -> [i128; 2] {
        [self.min_exponent(), self.max_exponent()].map(i128::from)
    }

    fn largest_exponent(&self) -> i64 {
        self.min_exponent() + i64::from(self.magnitude_bits()) - 1
    }

    fn width(&self) -> u32 {
        self.bits
    }

    fn sign(&self) -> Sign {
        self.sign
    }

    fn magnitude_bits(&self) -> u32 {
        self.magnitude_bits()
    }

    /// All bits of the largest magnitude.
    fn precision(&self) -> u32 {
        self.bits
    }

    fn magnitude(&self, code: u128) -> u128 {
        self.magnitude(code)
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

    fn max_magnitude(&self, negative: bool) -> u128 {
        self.max_magnitude(negative)
    }

    /// IEEE 754 defines the exceptions of conversions to integers.
    fn has_flags(&self) -> bool {
        true
    }

    fn classes(&self) -> &'static [Class] {
        &Class::FIXED
    }

    fn class_of_magnitude(&self, magnitude: u128) -> Class {
        self.class_of_magnitude(magnitude)
    }

    fn class_codes(&self, class: Class) -> Option<[u128; 2]> {
        let largest = self.max_code();
        match class {
            Class::Zero => Some([0, 0]),
            Class::Ulp => Some([1, 1.min(largest - 1)]),
            Class::Fixed => Some([2, largest - 1]),
            Class::Largest => Some([largest; 2]),
            Class::Lowest => (self.sign == Sign::Signed).then_some([largest + 1; 2]),
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
