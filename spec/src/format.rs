//! A number format: a floating-point format, a posit, a fixed-point format or a codebook.

use crate::{Class, Codebook, Family, Fixed, Float, FormatError, Nan, Overflow, Posit, Sign};
use serde::Serialize;

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
    /// A codebook.
    Codebook(Codebook),
}

/// Forwards a method to the family of a format; the only place that lists all families.
macro_rules! ask {
    ($format:expr, $family:ident => $answer:expr) => {
        match $format {
            Format::Float($family) => $answer,
            Format::Posit($family) => $answer,
            Format::Fixed($family) => $answer,
            Format::Codebook($family) => $answer,
        }
    };
}

/// The limit for exponents of finite values, which keeps exact sums small.
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

impl From<Codebook> for Format {
    fn from(codebook: Codebook) -> Format {
        Format::Codebook(codebook)
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

    /// The OCP MX scale: unsigned powers of two.
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
            Format::Posit(_) | Format::Fixed(_) | Format::Codebook(_) => None,
        }
    }

    /// The fields of a posit.
    pub fn posit(&self) -> Option<&Posit> {
        match self {
            Format::Posit(posit) => Some(posit),
            Format::Float(_) | Format::Fixed(_) | Format::Codebook(_) => None,
        }
    }

    /// The fields of a fixed-point format.
    pub fn fixed(&self) -> Option<&Fixed> {
        match self {
            Format::Fixed(fixed) => Some(fixed),
            Format::Float(_) | Format::Posit(_) | Format::Codebook(_) => None,
        }
    }

    /// Whether results beyond the range may become infinite (or NaN, in place of it), so that `overflow` can be chosen: in posits,
    /// fixed-point formats, and codebooks without infinities they never do.
    pub fn takes_overflow(&self) -> bool {
        match self {
            Format::Float(_) => true,
            Format::Codebook(codebook) => codebook.place_of_infinity.is_some(),
            Format::Posit(_) | Format::Fixed(_) => false,
        }
    }

    /// A policy of this format, where another one than the default can be chosen.
    pub fn with_overflow(&self, overflow: Overflow) -> Overflow {
        if self.takes_overflow() { overflow } else { Overflow::default() }
    }

    /// Whether another format is of the same family.
    pub fn is_of_family(&self, other: &Format) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// The format itself, if its fields are valid.
    ///
    /// # Errors
    /// When the check of the family fails, or the exponents of finite values are outside -40000..=40000; the message
    /// says what is allowed.
    pub fn check(self) -> Result<Format, FormatError> {
        ask!(&self, family => family.check())?;
        let [low, high] = ask!(&self, family => family.exponents());
        if low < -EXPONENT_LIMIT || high > EXPONENT_LIMIT {
            return Err(FormatError(format!(
                "reaches from 2^{low} to 2^{high}; the exponents of a format stay within -{EXPONENT_LIMIT}..={EXPONENT_LIMIT}"
            )));
        }
        Ok(self)
    }

    /// Bits of a code.
    pub fn width(&self) -> u32 {
        ask!(self, family => family.width())
    }

    /// Whether codes have a sign bit.
    pub fn sign(&self) -> Sign {
        ask!(self, family => Family::sign(family))
    }

    /// Bits of a code without its sign. The lowest code of a fixed-point format has one more bit of magnitude.
    pub fn magnitude_bits(&self) -> u32 {
        ask!(self, family => family.magnitude_bits())
    }

    /// The largest number of significand bits of any value, including the leading one; for a fixed-point format, all
    /// bits of the largest magnitude.
    pub fn precision(&self) -> u32 {
        ask!(self, family => family.precision())
    }

    /// Whether results in this format have exception flags, as IEEE 754 defines them.
    pub fn has_flags(&self) -> bool {
        ask!(self, family => family.has_flags())
    }

    /// The systematic name, derived from the fields; a format may have a shorter one.
    pub(crate) fn systematic_name(&self) -> String {
        ask!(self, family => family.systematic_name())
    }

    /// Mask of the magnitude bits.
    pub fn magnitude_mask(&self) -> u128 {
        (1 << self.magnitude_bits()) - 1
    }

    /// Mask of all bits of a code.
    pub fn code_mask(&self) -> u128 {
        u128::MAX >> (u128::BITS - self.width())
    }

    /// Mask of the sign bit; 0 if unsigned, and for a codebook, whose codes are in any order.
    pub fn sign_mask(&self) -> u128 {
        match (self, self.sign()) {
            (Format::Codebook(_), _) | (_, Sign::Unsigned) => 0,
            (Format::Float(_) | Format::Posit(_) | Format::Fixed(_), Sign::Signed) => 1 << self.magnitude_bits(),
        }
    }

    /// Whether a code has a minus sign.
    pub fn is_negative(&self, code: u128) -> bool {
        match self {
            Format::Codebook(codebook) => codebook.value(code).is_negative(),
            Format::Float(_) | Format::Posit(_) | Format::Fixed(_) => code & self.sign_mask() != 0,
        }
    }

    /// The magnitude code of a code. A negative posit is the two's complement of its magnitude; NaR has no magnitude
    /// and gives 0.
    pub fn magnitude(&self, code: u128) -> u128 {
        ask!(self, family => family.magnitude(code))
    }

    /// The code with the other sign, if there are signs; none for the lowest code of a fixed-point format.
    pub fn negated(&self, code: u128) -> u128 {
        ask!(self, family => family.negated(code))
    }

    /// The code with this magnitude code; without signs, the sign is ignored.
    pub fn code(&self, negative: bool, magnitude: u128) -> u128 {
        ask!(self, family => family.code(negative, magnitude))
    }

    /// Largest finite magnitude code, `M`; for a fixed-point format, the largest of positive values.
    pub fn max_code(&self) -> u128 {
        ask!(self, family => family.max_code())
    }

    /// Largest finite magnitude code of this sign: `M` for both signs, except in fixed-point formats.
    pub fn max_magnitude(&self, negative: bool) -> u128 {
        ask!(self, family => family.max_magnitude(negative))
    }

    /// Smallest nonzero magnitude code.
    pub fn min_code(&self) -> u128 {
        ask!(self, family => family.min_code())
    }

    /// The code of the smallest number above zero.
    pub fn smallest_code(&self) -> u128 {
        self.code(false, self.min_code())
    }

    /// The code of the largest number.
    pub fn largest_code(&self) -> u128 {
        self.code(false, self.max_code())
    }

    /// Code of +infinity, if it exists.
    pub fn infinity_code(&self) -> Option<u128> {
        ask!(self, family => family.infinity_code())
    }

    /// The canonical NaN, if it exists: sign 0, top trailing bit alone for IEEE 754; NaR of a posit.
    pub fn nan_code(&self) -> Option<u128> {
        ask!(self, family => family.nan_code())
    }

    /// Whether `code` is a NaN.
    pub fn is_nan(&self, code: u128) -> bool {
        ask!(self, family => family.is_nan(code))
    }

    /// Whether `code` is a signaling NaN: one whose top trailing bit is 0 (IEEE 754 section 6.2.1).
    pub fn is_signaling(&self, code: u128) -> bool {
        ask!(self, family => family.is_signaling(code))
    }

    /// Whether the sign of a zero or NaN is ignored (DLFloat16).
    pub fn ignores_sign_of_specials(&self) -> bool {
        self.float().is_some_and(|float| float.nan == Nan::NanInfinity)
    }

    /// Whether values are evenly spaced from field 1 down to zero (subnormals).
    pub fn underflows_gradually(&self) -> bool {
        self.float().is_some_and(Float::underflows_gradually)
    }

    /// Whether there is a code for -0.
    pub fn has_minus_zero(&self) -> bool {
        ask!(self, family => family.has_minus_zero())
    }

    /// Zero of the given sign, or the only zero, or the smallest value if there is no zero.
    pub fn zero_code(&self, negative: bool) -> u128 {
        match self {
            Format::Codebook(codebook) => codebook.zero(negative),
            Format::Float(_) | Format::Posit(_) | Format::Fixed(_) if negative && self.has_minus_zero() => {
                self.sign_mask()
            }
            Format::Float(_) | Format::Posit(_) | Format::Fixed(_) => 0,
        }
    }

    /// The canonical NaN, or +0 if there is none: what an undefined result becomes.
    pub fn nan_or_zero_code(&self) -> u128 {
        self.nan_code().unwrap_or(self.zero_code(false))
    }

    /// floor(log2) of the value with the smallest nonzero code.
    pub fn min_exponent(&self) -> i64 {
        ask!(self, family => family.exponents())[0] as i64
    }

    /// floor(log2) of the finite value with the largest magnitude.
    pub fn max_exponent(&self) -> i64 {
        ask!(self, family => family.exponents())[1] as i64
    }

    /// floor(log2) of the largest value; in fixed point its magnitude may be smaller than that of the lowest value.
    pub fn largest_exponent(&self) -> i64 {
        ask!(self, family => family.largest_exponent())
    }

    /// Whether all values but zero are the powers of two that `e8m0` has, or some of them, and the last code is NaN: `e8m0` itself, and
    /// P3109's unsigned formats of precision 1.
    pub fn has_only_powers_of_two(&self) -> bool {
        let e8m0 = Format::e8m0();
        let is_within = self.min_exponent() >= e8m0.min_exponent() && self.max_exponent() <= e8m0.max_exponent();
        is_within
            && self
                .float()
                .is_some_and(|float| float.trailing_bits == 0 && float.sign == Sign::Unsigned && float.nan != Nan::None)
    }

    /// A code in hexadecimal, with all its digits.
    pub fn hex(&self, code: u128) -> String {
        ask!(self, family => family.hex(code))
    }

    /// A one-line description: widths, bias, meaning of the ends of the code range.
    pub fn summary(&self) -> String {
        ask!(self, family => family.summary())
    }

    /// The classes that formats of this family can have.
    pub fn family_classes(&self) -> &'static [Class] {
        ask!(self, family => family.classes())
    }

    /// The class of a code.
    pub fn class(&self, code: u128) -> Class {
        match self {
            _ if self.is_signaling(code) => Class::SignalingNan,
            _ if self.is_nan(code) => Class::Nan,
            Format::Codebook(codebook) => codebook.class_of(code),
            _ => ask!(self, family => family.class_of_magnitude(self.magnitude(code))),
        }
    }

    /// The codes of a class without sign (for NaN and [`Class::Lowest`] the codes themselves), in ascending magnitude;
    /// none if the format has no such codes.
    pub fn class_codes(&self, class: Class) -> Option<[u128; 2]> {
        let [first, last] = ask!(self, family => family.class_codes(class))?;
        (first <= last).then_some([first, last])
    }
}
