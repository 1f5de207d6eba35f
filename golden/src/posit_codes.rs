//! Posits, b-posits and linear takums: the regime, exponent and fraction of a code, and its value.

use crate::code_line::Natural;
use crate::{Exact, Value};
use binade_spec::{Posit, Regime};
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

/// The fields of a magnitude code, as `2^exponent * (1 + fraction / 2^fraction_bits)`, without the scale.
pub(crate) struct Fields {
    /// Bits of the regime: its run and, unless the run is the longest one, the terminating bit. In a takum, the direction bit and
    /// the regime field.
    regime_bits: u32,
    /// Run of `r` ones: `r - 1`. Run of `r` zeros: `-r`. In a takum, `r` or `-1 - r` for a characteristic of `r` bits.
    regime: i32,
    /// The stored exponent bits; truncated ones count as zeros.
    exponent_bits: u32,
    pub exponent: i32,
    pub fraction_bits: u32,
    pub fraction: u64,
}

/// The bits of a magnitude code above the exponent bits, and the exponent relative to the first one with these bits.
pub(crate) struct Head {
    pub code: i64,
    pub bits: i32,
    pub exponent: i32,
    /// Exponent bits, with those that the code has no room for.
    pub exponent_bits: u32,
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
                Value::Finite(Exact {
                    negative,
                    n: (1 << fields.fraction_bits | fields.fraction).into(),
                    k: fields.exponent + self.scale - fields.fraction_bits as i32,
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

    /// The fields of a magnitude code. Code 0 has the longest regime of zeros.
    pub(crate) fn take_apart(&self, magnitude: u64) -> Fields {
        let bits = self.bits - 1;
        let is_high = magnitude >> (bits - 1) & 1 == 1;
        let (regime_bits, regime, first_exponent, whole_exponent_bits) = match self.posit.regime {
            Regime::Run { exponent_bits, longest } => {
                // The run ends at the highest bit that differs from the first one.
                let differing = if is_high { magnitude ^ self.largest as u64 } else { magnitude };
                let run = longest.min(bits - differing.bit_length() as u32);
                let regime = if is_high { run as i32 - 1 } else { -(run as i32) };
                (longest.min(run + 1), regime, regime << exponent_bits, exponent_bits)
            }
            Regime::Takum => {
                let field = (magnitude >> (bits - 4) & 7) as i32;
                let r = if is_high { field } else { 7 - field };
                let (regime, first) = if is_high { (r, (1 << r) - 1) } else { (-1 - r, 1 - (2 << r)) };
                (4, regime, first, r as u32)
            }
        };
        let rest = bits - regime_bits;
        let exponent_bits = rest.min(whole_exponent_bits);
        let fraction_bits = rest - exponent_bits;
        let stored = (magnitude >> fraction_bits & ((1 << exponent_bits) - 1)) as i32;
        Fields {
            regime_bits,
            regime,
            exponent_bits,
            exponent: first_exponent + (stored << (whole_exponent_bits - exponent_bits)),
            fraction_bits,
            fraction: magnitude & ((1 << fraction_bits) - 1),
        }
    }

    /// The regime of an exponent without the scale, as the code has it; `None` above the highest or below the lowest one.
    pub(crate) fn head(&self, exponent: i32) -> Option<Head> {
        match self.posit.regime {
            Regime::Run { exponent_bits, longest } => {
                let longest = longest as i32;
                let regime = exponent >> exponent_bits;
                let run = if regime >= 0 { regime + 1 } else { -regime };
                if run > longest {
                    return None;
                }
                let ones = if regime >= 0 { ((1_u64 << run) - 1) as i64 } else { 0 };
                let (code, bits) = match run {
                    _ if run == longest => (ones, run),
                    _ => (ones << 1 | i64::from(regime < 0), run + 1),
                };
                Some(Head { code, bits, exponent: exponent - (regime << exponent_bits), exponent_bits })
            }
            Regime::Takum if !(-255..=254).contains(&exponent) => None,
            Regime::Takum => {
                let r = (exponent + 1).max(-exponent).ilog2() as i32;
                let (code, first) = if exponent >= 0 { (8 + r, (1 << r) - 1) } else { (7 - r, 1 - (2 << r)) };
                Some(Head { code: code.into(), bits: 4, exponent: exponent - first, exponent_bits: r as u32 })
            }
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

    /// The regime of a nonzero code's magnitude: `r - 1` for a run of `r` ones, `-r` for a run of `r` zeros; in a takum, `r` or
    /// `-1 - r` for a characteristic of `r` bits.
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
