//! Posits: the regime, exponent and fraction of a code, and its value.

use crate::code_line::Natural;
use crate::{Exact, Value};
use binade_spec::Posit;
use std::ops::Deref;

/// The codes of a posit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PositCodes {
    posit: Posit,
    /// maxpos.
    pub largest: i64,
    /// The most significand bits.
    pub precision: u32,
    /// The width of the port `exponent` of the unit `posit-decoder`.
    pub exponent_mask: u64,
}

/// The fields of a magnitude code, as `2^(regime * 2^es + exponent) * (1 + fraction / 2^fraction_bits)`.
pub(crate) struct Fields {
    /// Bits of the regime: its run and, unless the code ends first, the terminating bit.
    regime_bits: u32,
    /// Run of `r` ones: `r - 1`. Run of `r` zeros: `-r`.
    pub regime: i32,
    /// The stored exponent bits; truncated ones count as zeros.
    exponent_bits: u32,
    pub exponent: i32,
    pub fraction_bits: u32,
    pub fraction: u64,
}

impl PositCodes {
    pub fn new(posit: Posit) -> PositCodes {
        PositCodes {
            posit,
            largest: posit.max_code() as i64,
            precision: posit.precision(),
            exponent_mask: (1 << posit.exponent_port_bits()) - 1,
        }
    }

    /// The value of `code`.
    pub(crate) fn decode(&self, code: u128) -> Value {
        match self.magnitude(code as u64) {
            (0, _) => Value::Zero { negative: false },
            (magnitude, _) if magnitude > self.largest as u64 => Value::Nan,
            (magnitude, negative) => {
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

    /// The magnitude code of a code, NaR for NaR, and whether it is negative.
    #[inline(always)]
    pub(crate) fn magnitude(&self, code: u64) -> (u64, bool) {
        let (largest, negative) = (self.largest as u64, code > self.largest as u64);
        let magnitude = if negative { code.wrapping_neg() & (largest << 1 | 1) } else { code };
        (magnitude, negative)
    }

    /// The fields of a magnitude code. Code 0 has a regime of `n - 1` zeros.
    pub(crate) fn take_apart(&self, magnitude: u64) -> Fields {
        let bits = self.bits - 1;
        let first = magnitude >> (bits - 1) & 1;
        // The run ends at the highest bit that differs from the first one.
        let differing = if first == 1 { magnitude ^ self.largest as u64 } else { magnitude };
        let run = bits - differing.bit_length() as u32;
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

    /// Sign, and regime, exponent and fraction of its magnitude, in binary.
    pub(crate) fn fields(&self, code: u128) -> String {
        let (magnitude, negative) = self.magnitude(code as u64);
        let magnitude = magnitude & self.largest as u64;
        let Fields { regime_bits, exponent_bits, fraction_bits, .. } = self.take_apart(magnitude);
        let mut low = self.bits - 1;
        let mut parts = vec![u8::from(negative).to_string()];
        for width in [regime_bits, exponent_bits, fraction_bits].into_iter().filter(|&width| width > 0) {
            low -= width;
            parts.push(format!("{:0digits$b}", magnitude >> low & ((1 << width) - 1), digits = width as usize));
        }
        parts.join(" ")
    }

    /// The regime of a nonzero code's magnitude: `r - 1` for a run of `r` ones, `-r` for a run of `r` zeros.
    pub fn regime(&self, code: u128) -> i32 {
        let (magnitude, _) = self.magnitude(code as u64);
        self.take_apart(magnitude & self.largest as u64).regime
    }
}

impl Deref for PositCodes {
    type Target = Posit;

    fn deref(&self) -> &Posit {
        &self.posit
    }
}
