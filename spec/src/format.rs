//! A number format: a floating-point format, a posit or a fixed-point format.

use crate::{Fixed, Float, Nan, Posit, Sign};
use serde::Serialize;
use thiserror::Error;

/// A number format. The magnitude codes of each family ascend with the values they stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "family", rename_all = "snake_case")]
pub enum Format {
    /// A floating-point format.
    Float(Float),
    /// A posit.
    Posit(Posit),
    /// A fixed-point format.
    Fixed(Fixed),
}

/// Why a combination of fields is not a format: the predicate of a sentence whose subject is the format's name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct FormatError(pub(crate) String);

/// Exponents of all finite values stay within this, so that exact sums stay small.
const EXPONENT_LIMIT: i128 = 40_000;

impl From<Float> for Format {
    fn from(float: Float) -> Format {
        Format::Float(float)
    }
}

impl From<Posit> for Format {
    fn from(posit: Posit) -> Format {
        Format::Posit(posit)
    }
}

impl From<Fixed> for Format {
    fn from(fixed: Fixed) -> Format {
        Format::Fixed(fixed)
    }
}

impl Format {
    /// IEEE 754 interchange encoding with `w` exponent and `t` trailing significand bits; no NaN if `t` is 0.
    ///
    /// # Panics
    /// When `exponent_bits` is not from 1 to 31.
    pub fn ieee(exponent_bits: u32, trailing_bits: u32) -> Format {
        Float::ieee(exponent_bits, trailing_bits).into()
    }

    /// The OCP MX scale: powers of two without a sign.
    pub fn e8m0() -> Format {
        Float::e8m0().into()
    }

    /// IEEE 754 binary32.
    pub fn binary32() -> Format {
        Format::ieee(8, 23)
    }

    /// IEEE 754 binary64.
    pub fn binary64() -> Format {
        Format::ieee(11, 52)
    }

    /// IEEE 754 binary128.
    pub fn binary128() -> Format {
        Format::ieee(15, 112)
    }

    /// IEEE 754 binary16.
    pub fn binary16() -> Format {
        Format::ieee(5, 10)
    }

    /// The fields of a floating-point format.
    pub fn float(&self) -> Option<&Float> {
        match self {
            Format::Float(float) => Some(float),
            Format::Posit(_) | Format::Fixed(_) => None,
        }
    }

    /// The fields of a posit.
    pub fn posit(&self) -> Option<&Posit> {
        match self {
            Format::Posit(posit) => Some(posit),
            Format::Float(_) | Format::Fixed(_) => None,
        }
    }

    /// The fields of a fixed-point format.
    pub fn fixed(&self) -> Option<&Fixed> {
        match self {
            Format::Fixed(fixed) => Some(fixed),
            Format::Float(_) | Format::Posit(_) => None,
        }
    }

    /// Whether another format is of the same family.
    pub fn is_of_family(&self, other: &Format) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// The format itself, if its fields make one.
    ///
    /// # Errors
    /// When a family's own check refuses the fields, and when the exponents of finite values leave -40000..=40000; the
    /// sentence says what is allowed.
    pub fn check(self) -> Result<Format, FormatError> {
        let [low, high] = match self {
            Format::Float(float) => {
                float.check()?;
                float.unchecked_exponents()
            }
            Format::Posit(posit) => {
                posit.check()?;
                [posit.min_exponent(), posit.max_exponent()].map(i128::from)
            }
            Format::Fixed(fixed) => {
                fixed.check()?;
                [fixed.min_exponent(), fixed.max_exponent()].map(i128::from)
            }
        };
        if low < -EXPONENT_LIMIT || high > EXPONENT_LIMIT {
            return Err(FormatError(format!(
                "reaches from 2^{low} to 2^{high}; the exponents of a format stay within -{EXPONENT_LIMIT}..={EXPONENT_LIMIT}"
            )));
        }
        Ok(self)
    }

    /// Bits of a code.
    pub fn width(&self) -> u32 {
        match self {
            Format::Float(float) => float.width(),
            Format::Posit(posit) => posit.bits,
            Format::Fixed(fixed) => fixed.bits,
        }
    }

    /// Whether codes have a sign bit.
    pub fn sign(&self) -> Sign {
        match self {
            Format::Float(float) => float.sign,
            Format::Posit(_) => Sign::Signed,
            Format::Fixed(fixed) => fixed.sign,
        }
    }

    /// Bits of a code without its sign. The lowest code of a fixed-point format has a magnitude of one bit more.
    pub fn magnitude_bits(&self) -> u32 {
        match self {
            Format::Float(float) => float.magnitude_bits(),
            Format::Posit(posit) => posit.bits - 1,
            Format::Fixed(fixed) => fixed.magnitude_bits(),
        }
    }

    /// Significand bits, the leading one included, of the values that have most of them; of a fixed-point format all bits of
    /// the largest magnitude.
    pub fn precision(&self) -> u32 {
        match self {
            Format::Float(float) => float.precision(),
            Format::Posit(posit) => posit.precision(),
            Format::Fixed(fixed) => fixed.bits,
        }
    }

    /// Mask of the magnitude bits.
    pub fn magnitude_mask(&self) -> u128 {
        (1 << self.magnitude_bits()) - 1
    }

    /// Mask of the sign bit; 0 if unsigned.
    pub fn sign_mask(&self) -> u128 {
        match self.sign() {
            Sign::Signed => 1 << self.magnitude_bits(),
            Sign::Unsigned => 0,
        }
    }

    /// The magnitude code of a code. A negative posit is the two's complement of its magnitude; NaR has none, and gives 0.
    pub fn magnitude(&self, code: u128) -> u128 {
        match self {
            Format::Posit(_) if code & self.sign_mask() != 0 => code.wrapping_neg() & self.magnitude_mask(),
            Format::Float(_) | Format::Posit(_) => code & self.magnitude_mask(),
            Format::Fixed(fixed) => fixed.magnitude(code),
        }
    }

    /// The code of the other sign, if there are signs; the lowest code of a fixed-point format has none.
    pub fn negated(&self, code: u128) -> u128 {
        match self {
            Format::Float(_) => code ^ self.sign_mask(),
            Format::Posit(posit) => posit.with_sign(true, code),
            Format::Fixed(fixed) => fixed.with_sign(true, code),
        }
    }

    /// The code with this magnitude code; the sign is ignored if there are none.
    pub fn code(&self, negative: bool, magnitude: u128) -> u128 {
        match self {
            Format::Float(float) if negative => magnitude | float.sign_mask(),
            Format::Posit(posit) => posit.with_sign(negative, magnitude),
            Format::Fixed(fixed) => fixed.with_sign(negative, magnitude),
            Format::Float(_) => magnitude,
        }
    }

    /// Largest finite magnitude code, `M`; of a fixed-point format the largest above zero.
    pub fn max_code(&self) -> u128 {
        match self {
            Format::Float(float) => float.max_code(),
            Format::Posit(posit) => posit.max_code(),
            Format::Fixed(fixed) => fixed.max_code(),
        }
    }

    /// Largest finite magnitude code of this sign. On both sides of zero it is `M`, but for fixed-point formats.
    pub fn max_magnitude(&self, negative: bool) -> u128 {
        match self {
            Format::Fixed(fixed) => fixed.max_magnitude(negative),
            Format::Float(_) | Format::Posit(_) => self.max_code(),
        }
    }

    /// Smallest nonzero magnitude code.
    pub fn min_code(&self) -> u128 {
        match self {
            Format::Float(float) => float.min_code(),
            Format::Posit(_) | Format::Fixed(_) => 1,
        }
    }

    /// Code of +infinity, if the format has infinities.
    pub fn infinity_code(&self) -> Option<u128> {
        self.float().and_then(Float::infinity_code)
    }

    /// The canonical NaN, if the format has one: sign 0, top trailing bit alone for IEEE 754; NaR of a posit.
    pub fn nan_code(&self) -> Option<u128> {
        match self {
            Format::Float(float) => float.nan_code(),
            Format::Posit(posit) => Some(posit.nar()),
            Format::Fixed(_) => None,
        }
    }

    /// Whether `code` is a NaN.
    pub fn is_nan(&self, code: u128) -> bool {
        match self {
            Format::Float(float) => float.is_nan(code),
            Format::Posit(posit) => code == posit.nar(),
            Format::Fixed(_) => false,
        }
    }

    /// Whether `code` is a signalling NaN: one whose top trailing bit is 0 (IEEE 754 section 6.2.1).
    pub fn is_signaling(&self, code: u128) -> bool {
        self.float().is_some_and(|float| float.is_signaling(code))
    }

    /// Whether the sign of a zero or NaN means nothing (DLFloat16).
    pub fn ignores_sign_of_specials(&self) -> bool {
        self.float().is_some_and(|float| float.nan == Nan::NanInfinity)
    }

    /// Whether the steps between values stay those of field 1 down to zero (subnormals).
    pub fn underflows_gradually(&self) -> bool {
        self.float().is_some_and(Float::underflows_gradually)
    }

    /// Whether there is a code for -0.
    pub fn has_minus_zero(&self) -> bool {
        self.float().is_some_and(Float::has_minus_zero)
    }

    /// Zero of the given sign, or the only zero, or the smallest value where there is no zero.
    pub fn zero_code(&self, negative: bool) -> u128 {
        if negative && self.has_minus_zero() { self.sign_mask() } else { 0 }
    }

    /// floor(log2) of the value with the smallest nonzero code.
    pub fn min_exponent(&self) -> i64 {
        match self {
            Format::Float(float) => float.min_exponent(),
            Format::Posit(posit) => posit.min_exponent(),
            Format::Fixed(fixed) => fixed.min_exponent(),
        }
    }

    /// floor(log2) of the finite value with the largest magnitude.
    pub fn max_exponent(&self) -> i64 {
        match self {
            Format::Float(float) => float.max_exponent(),
            Format::Posit(posit) => posit.max_exponent(),
            Format::Fixed(fixed) => fixed.max_exponent(),
        }
    }

    /// floor(log2) of the largest value: of fixed point the largest above zero, which has a smaller magnitude than the smallest value.
    pub fn largest_exponent(&self) -> i64 {
        match self {
            Format::Fixed(fixed) => fixed.min_exponent() + i64::from(fixed.magnitude_bits()) - 1,
            Format::Float(_) | Format::Posit(_) => self.max_exponent(),
        }
    }

    /// A code in hexadecimal, with all its digits.
    pub fn hex(&self, code: u128) -> String {
        format!("0x{code:0digits$x}", digits = self.width().div_ceil(4) as usize)
    }

    /// One line: widths, bias, what the ends of the code range mean.
    pub fn summary(&self) -> String {
        match self {
            Format::Float(float) => float.summary(),
            Format::Posit(posit) => posit.summary(),
            Format::Fixed(fixed) => fixed.summary(),
        }
    }
}
