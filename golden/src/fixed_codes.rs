//! Fixed point: codes as integers, and their values.

use crate::{Exact, Value};
use binade_spec::{Fixed, Sign};
use std::ops::Deref;

/// The codes of a fixed-point format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FixedCodes(pub Fixed);

impl FixedCodes {
    /// The value of `code`.
    pub(crate) fn decode(&self, code: u128) -> Value {
        let integer = match self.sign {
            Sign::Signed if code >> (self.bits - 1) == 1 => code as i128 - (1 << self.bits),
            Sign::Signed | Sign::Unsigned => code as i128,
        };
        match integer {
            0 => Value::Zero { negative: false },
            _ => Value::Finite(Exact { negative: integer < 0, n: integer.unsigned_abs(), k: -self.fraction_bits }),
        }
    }

    /// The code of the largest magnitude with this sign; zero if there is none.
    pub(crate) fn outermost(&self, negative: bool) -> u128 {
        self.with_sign(negative, self.max_magnitude(negative))
    }

    /// Sign, integer and fraction bits of the code.
    pub(crate) fn fields(&self, code: u128) -> String {
        let fraction_bits = self.fraction_bits.clamp(0, self.magnitude_bits() as i32) as u32;
        let widths = [self.bits - self.magnitude_bits(), self.magnitude_bits() - fraction_bits, fraction_bits];
        let mut low = self.bits;
        let mut parts = vec![];
        for width in widths.into_iter().filter(|&width| width > 0) {
            low -= width;
            parts.push(format!("{:0digits$b}", code >> low & ((1 << width) - 1), digits = width as usize));
        }
        parts.join(" ")
    }
}

impl Deref for FixedCodes {
    type Target = Fixed;

    fn deref(&self) -> &Fixed {
        &self.0
    }
}
