//! Posits: a run of regime bits, exponent bits, fraction, all but the width of the code tapered.

use crate::{Exact, FormatError, Value};
use serde::Serialize;

/// A posit format (posit standard 2022; `es` is 2 there). Code 0 is zero, the sign bit alone NaR; a negative posit is the
/// two's complement of its magnitude.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Posit {
    /// Bits of a code, `n`.
    pub bits: u32,
    /// Exponent bits, `es`.
    pub exponent_bits: u32,
    /// Accuracy-peak shift: a code stands for its plain value times `2^scale`.
    pub scale: i32,
}

/// The fields of a magnitude code, as `2^(regime * 2^es + exponent) * (1 + fraction / 2^fraction_bits)`.
pub(crate) struct Fields {
    /// Bits of the regime: its run and, unless the code ends before it, the bit that ends it.
    regime_bits: u32,
    /// Run of `r` ones: `r - 1`. Run of `r` zeros: `-r`.
    pub regime: i32,
    /// The exponent bits that are there; zeros stand for those cut off.
    exponent_bits: u32,
    pub exponent: i32,
    pub fraction_bits: u32,
    pub fraction: u64,
}

impl Posit {
    /// Checks that there is such a posit; the sentence says what is allowed.
    pub(crate) fn check(&self) -> Result<(), FormatError> {
        if (3..=32).contains(&self.bits) && self.exponent_bits <= 5 {
            return Ok(());
        }
        Err(FormatError(format!(
            "has {} bits and {} exponent bits; posit<n>_<es> takes n from 3 to 32 and es from 0 to 5",
            self.bits, self.exponent_bits
        )))
    }

    /// Significand bits, the leading one included, where the regime is shortest (two bits).
    pub fn precision(&self) -> u32 {
        (self.bits - 2).saturating_sub(self.exponent_bits).max(1)
    }

    /// NaR, "not a real": the sign bit alone.
    pub(crate) fn nar(&self) -> u64 {
        1 << (self.bits - 1)
    }

    /// maxpos: all ones after the sign.
    pub(crate) fn max_code(&self) -> u64 {
        self.nar() - 1
    }

    /// log2 of minpos.
    pub(crate) fn min_exponent(&self) -> i64 {
        -self.largest_plain_exponent() + i64::from(self.scale)
    }

    /// log2 of maxpos.
    pub(crate) fn max_exponent(&self) -> i64 {
        self.largest_plain_exponent() + i64::from(self.scale)
    }

    /// Bits of the exponent, two's complement, that the unit `posit-decoder` gives: down to that of code 0, whose regime
    /// is `n - 1` zeros.
    pub fn exponent_port_bits(&self) -> u32 {
        let least = self.min_exponent() - (1 << self.exponent_bits);
        let magnitude_bits = |n: i64| 64 - n.max(!n).leading_zeros();
        magnitude_bits(least).max(magnitude_bits(self.max_exponent())) + 1
    }

    fn largest_plain_exponent(&self) -> i64 {
        i64::from(self.bits - 2) << self.exponent_bits
    }

    /// The code of this sign and magnitude code.
    pub(crate) fn with_sign(&self, negative: bool, magnitude: u64) -> u64 {
        let code = if negative { magnitude.wrapping_neg() } else { magnitude };
        code & (self.nar() | self.max_code())
    }

    /// What `code` stands for.
    pub(crate) fn decode(&self, code: u64) -> Value {
        let negative = code & self.nar() != 0;
        match self.with_sign(negative, code) {
            0 => Value::Zero { negative: false },
            magnitude if magnitude == self.nar() => Value::Nan,
            magnitude => {
                let fields = self.take_apart(magnitude);
                let exponent = (fields.regime << self.exponent_bits) + fields.exponent + self.scale;
                Value::Finite(Exact {
                    negative,
                    n: (1 << fields.fraction_bits | fields.fraction).into(),
                    k: exponent - fields.fraction_bits as i32,
                })
            }
        }
    }

    /// The fields of a magnitude code. Code 0 has the regime of `n - 1` zeros.
    pub(crate) fn take_apart(&self, magnitude: u64) -> Fields {
        let bits = self.bits - 1;
        let bit = |index: u32| magnitude >> index & 1;
        let first = bit(bits - 1);
        let run = (0..bits).rev().take_while(|&index| bit(index) == first).count() as u32;
        let regime_bits = bits.min(run + 1);
        let rest = bits - regime_bits;
        let exponent_bits = rest.min(self.exponent_bits);
        let fraction_bits = rest - exponent_bits;
        let exponent = magnitude >> fraction_bits & ((1 << exponent_bits) - 1);
        Fields {
            regime_bits,
            regime: if first == 1 { run as i32 - 1 } else { -(run as i32) },
            exponent_bits,
            exponent: (exponent << (self.exponent_bits - exponent_bits)) as i32,
            fraction_bits,
            fraction: magnitude & ((1 << fraction_bits) - 1),
        }
    }

    /// Sign and, of its magnitude, regime, exponent and fraction in binary.
    pub(crate) fn fields(&self, code: u64) -> String {
        let negative = code & self.nar() != 0;
        let magnitude = self.with_sign(negative, code) & self.max_code();
        let Fields { regime_bits, exponent_bits, fraction_bits, .. } = self.take_apart(magnitude);
        let mut low = self.bits - 1;
        let mut parts = vec![u8::from(negative).to_string()];
        for width in [regime_bits, exponent_bits, fraction_bits].into_iter().filter(|&width| width > 0) {
            low -= width;
            parts.push(format!("{:0digits$b}", magnitude >> low & ((1 << width) - 1), digits = width as usize));
        }
        parts.join(" ")
    }

    pub(crate) fn summary(&self) -> String {
        let scale = if self.scale == 0 { String::new() } else { format!("; values times 2^{}", self.scale) };
        format!(
            "posit of {} bits: es {}, 1+{} significand at the most; no infinity; NaR 0x{:x}{scale}",
            self.bits,
            self.exponent_bits,
            self.precision() - 1,
            self.nar()
        )
    }
}
