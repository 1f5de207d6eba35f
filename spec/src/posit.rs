//! Tapered formats: posits, posits with a bounded regime (b-posits), and linear takums.

use crate::{Class, Family, FormatError, Sign};
use serde::Serialize;

/// A tapered format: a posit (posit standard 2022; `es` is 2 there), a b-posit or a linear takum. Code 0 is zero, the sign
/// bit alone NaR; a negative number is the two's complement of its magnitude, and codes ascend with their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Posit {
    /// Bits of a code, `n`.
    pub bits: u32,
    /// How the bits below the sign give an exponent. The bits below these are the fraction.
    pub regime: Regime,
    /// Accuracy-peak shift: a code stands for its unscaled value times `2^scale`.
    pub scale: i32,
}

/// How a tapered code gives its exponent. Bits beyond the end of the code are zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Regime {
    /// A run of equal bits, which ends with the opposite bit or at `longest` bits, then exponent bits. In a posit, a run may
    /// fill the code: `longest` is `n - 1`. In a b-posit (A. A. Jonnalagadda et al., arXiv 2603.01615, 2026; `rS` there), it
    /// is less.
    Run {
        /// Exponent bits, `es`.
        exponent_bits: u32,
        /// Bits of the longest run.
        longest: u32,
    },
    /// A direction bit, three regime bits, and 0 to 7 bits of characteristic: linear takums (L. Hunhold, arXiv 2404.18603, 2024).
    Takum,
}

/// The codes with the longest regime.
struct Outermost {
    /// The exponents of the first codes of the highest and of the lowest regime.
    exponents: [i64; 2],
    /// Exponent bits of the regime, with those that the code has no room for.
    exponent_bits: u32,
    /// Exponent bits that the code has no room for.
    missing_bits: u32,
    fraction_bits: u32,
}

/// The magnitude codes with one regime.
#[derive(Clone, Copy, Debug)]
pub struct RegimeCodes {
    /// Run of `r` ones: `r - 1`. Run of `r` zeros: `-r`. In a takum, `r` or `-1 - r` for a characteristic of `r` bits.
    pub regime: i32,
    /// The first and the last code. The first one may be code 0.
    pub codes: [u128; 2],
    /// Exponent bits in a code.
    pub exponent_bits: u32,
    /// Fraction bits in a code.
    pub fraction_bits: u32,
}

impl Posit {
    /// A posit of `bits` bits with `exponent_bits` exponent bits, not scaled.
    pub fn new(bits: u32, exponent_bits: u32) -> Posit {
        Posit { bits, regime: Regime::Run { exponent_bits, longest: bits.saturating_sub(1) }, scale: 0 }
    }

    /// The linear takum of `bits` bits.
    pub fn takum(bits: u32) -> Posit {
        Posit { bits, regime: Regime::Takum, scale: 0 }
    }

    /// Checks the fields.
    ///
    /// # Errors
    /// When a posit does not have 3 to 64 bits, up to 5 exponent bits and a run of 2 to `n - 1` bits, or a takum 6 to 64 bits;
    /// the message says so.
    pub fn check(&self) -> Result<(), FormatError> {
        let bits = self.bits;
        match self.regime {
            Regime::Takum if (6..=64).contains(&bits) => Ok(()),
            Regime::Takum => Err(FormatError(format!("has {bits} bits; takum_linear<n> takes n from 6 to 64"))),
            Regime::Run { exponent_bits, longest } => {
                let is_possible = (3..=64).contains(&bits) && exponent_bits <= 5;
                if is_possible && (2..bits).contains(&longest) {
                    return Ok(());
                }
                Err(FormatError(if self.has_bound() {
                    format!(
                        "has {bits} bits, a regime of up to {longest} bits and {exponent_bits} exponent bits; bposit<n>_<rs>_<es> takes n from 3 to 64, rs from 2 to n-1 and es from 0 to 5"
                    )
                } else {
                    format!(
                        "has {bits} bits and {exponent_bits} exponent bits; posit<n>_<es> takes n from 3 to 64 and es from 0 to 5"
                    )
                }))
            }
        }
    }

    /// Whether the regime may not fill the code: not in a posit.
    pub fn has_bound(&self) -> bool {
        !matches!(self.regime, Regime::Run { longest, .. } if longest == self.bits.saturating_sub(1))
    }

    /// What such a format is called.
    pub fn kind(&self) -> &'static str {
        match self.regime {
            Regime::Run { .. } if self.has_bound() => "b-posit",
            Regime::Run { .. } => "posit",
            Regime::Takum => "linear takum",
        }
    }

    /// The format of the same kind with one bit more, of which every other code has the value of a code of this one.
    #[must_use]
    pub fn with_one_bit_more(&self) -> Posit {
        let regime = match self.regime {
            Regime::Run { exponent_bits, longest } if !self.has_bound() => {
                Regime::Run { exponent_bits, longest: longest + 1 }
            }
            regime => regime,
        };
        Posit { bits: self.bits + 1, regime, ..*self }
    }

    /// Exponent bits after a run, or the most bits of a characteristic.
    pub fn exponent_bits(&self) -> u32 {
        match self.regime {
            Regime::Run { exponent_bits, .. } => exponent_bits,
            Regime::Takum => 7,
        }
    }

    /// Significand bits, including the leading one, for the shortest regime.
    pub fn precision(&self) -> u32 {
        let above = match self.regime {
            Regime::Run { exponent_bits, .. } => 2 + exponent_bits,
            Regime::Takum => 4,
        };
        // The sign makes room for the leading one.
        self.bits.saturating_sub(above).max(1)
    }

    /// NaR, "not a real": the sign bit alone.
    pub fn nar(&self) -> u128 {
        1 << (self.bits - 1)
    }

    /// maxpos: all ones after the sign.
    pub fn max_code(&self) -> u128 {
        self.nar() - 1
    }

    /// The exponent of minpos, whose significand is 1 or more and below 2.
    pub fn min_exponent(&self) -> i64 {
        let Outermost { exponents, missing_bits, fraction_bits, .. } = self.outermost();
        let of_first_bit = if fraction_bits > 0 { 0 } else { 1 << missing_bits };
        exponents[1] + of_first_bit + i64::from(self.scale)
    }

    /// The exponent of maxpos, whose significand is 1 or more and below 2.
    pub fn max_exponent(&self) -> i64 {
        let Outermost { exponents, exponent_bits, missing_bits, .. } = self.outermost();
        exponents[0] + (1 << exponent_bits) - (1 << missing_bits) + i64::from(self.scale)
    }

    /// log2 of the greatest power of two of which every value is a multiple.
    pub fn least_place(&self) -> i64 {
        self.min_exponent() - i64::from(self.outermost().fraction_bits)
    }

    /// The exponent that code 0 would have if it were a number.
    pub fn exponent_of_code_0(&self) -> i64 {
        self.outermost().exponents[1] + i64::from(self.scale)
    }

    /// The width of the exponent, in two's complement, on the unit `posit-decoder`: it includes that of code 0.
    pub fn exponent_port_bits(&self) -> u32 {
        let magnitude_bits = |n: i64| 64 - n.max(!n).leading_zeros();
        magnitude_bits(self.exponent_of_code_0()).max(magnitude_bits(self.max_exponent())) + 1
    }

    fn outermost(&self) -> Outermost {
        let (exponents, exponent_bits, regime_bits) = match self.regime {
            Regime::Run { exponent_bits, longest } => {
                let run = i64::from(longest);
                ([(run - 1) << exponent_bits, -(run << exponent_bits)], exponent_bits, longest)
            }
            Regime::Takum => ([127, -255], 7, 4),
        };
        let below = self.bits - 1 - regime_bits;
        Outermost {
            exponents,
            exponent_bits,
            missing_bits: exponent_bits.saturating_sub(below),
            fraction_bits: below.saturating_sub(exponent_bits),
        }
    }

    /// The magnitude codes by regime, in ascending order, from the first regime with a number.
    pub fn regimes(&self) -> Vec<RegimeCodes> {
        let all: Vec<(i32, u128, u32, u32)> = match self.regime {
            Regime::Run { exponent_bits, longest } => {
                let bits_of = |run: u32| longest.min(run + 1);
                let zeros = (1..=longest)
                    .rev()
                    .map(|run| (-(run as i32), u128::from(run < longest), bits_of(run), exponent_bits));
                let ones = (1..=longest)
                    .map(|run| (run as i32 - 1, ((1 << run) - 1) << (bits_of(run) - run), bits_of(run), exponent_bits));
                zeros.chain(ones).collect()
            }
            Regime::Takum => {
                let low = (0..8).rev().map(|r| (-1 - r, 7 - r as u128, 4, r as u32));
                low.chain((0..8).map(|r| (r, 8 + r as u128, 4, r as u32))).collect()
            }
        };
        let codes = all.into_iter().map(|(regime, head, head_bits, exponent_bits)| {
            let below = self.bits - 1 - head_bits;
            let exponent_bits = exponent_bits.min(below);
            let codes = [head << below, ((head + 1) << below) - 1];
            RegimeCodes { regime, codes, exponent_bits, fraction_bits: below - exponent_bits }
        });
        codes.filter(|regime| regime.codes[1] > 0).collect()
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

    /// A one-line description of the format: widths, NaR, scale.
    pub fn summary(&self) -> String {
        let scale = if self.scale == 0 { String::new() } else { format!("; values times 2^{}", self.scale) };
        let regime = match self.regime {
            Regime::Run { exponent_bits, longest } if self.has_bound() => {
                format!("regime of up to {longest} bits, es {exponent_bits}")
            }
            Regime::Run { exponent_bits, .. } => format!("es {exponent_bits}"),
            Regime::Takum => "characteristic of up to 7 bits".into(),
        };
        format!(
            "{} of {} bits: {regime}, significand of up to 1+{} bits; no infinity; NaR 0x{:x}{scale}",
            self.kind(),
            self.bits,
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
