//! What is asked of a format whatever its family: the seam behind which families stand.

use crate::{Class, FormatError, Sign};

/// The codes of one format. A code has at most a sign bit and a magnitude code; magnitude codes ascend with the magnitudes that they
/// stand for.
///
/// [`Format`](crate::Format) answers each of these questions by asking its family. What the codes stand for is the golden model's to say.
pub trait Family {
    /// Checks that there is such a format, but for the limits that all families have.
    ///
    /// # Errors
    /// When the fields of the family do not fit together; the sentence says what is allowed.
    fn check(&self) -> Result<(), FormatError>;

    /// floor(log2) of the smallest nonzero and of the largest finite magnitude; defined for fields that are not checked, too.
    fn exponents(&self) -> [i128; 2];

    /// floor(log2) of the largest value, which may have a smaller magnitude than the smallest value.
    fn largest_exponent(&self) -> i64 {
        self.exponents()[1] as i64
    }

    /// Bits of a code.
    fn width(&self) -> u32;

    /// Whether codes have a sign.
    fn sign(&self) -> Sign;

    /// Bits of a code without its sign.
    fn magnitude_bits(&self) -> u32;

    /// Significand bits of the values that have most of them, the leading bit included.
    fn precision(&self) -> u32;

    /// The magnitude code of a code.
    fn magnitude(&self, code: u128) -> u128;

    /// The code of this sign and magnitude code. The sign is ignored if there are none.
    fn code(&self, negative: bool, magnitude: u128) -> u128;

    /// The code of the other sign, if there are signs.
    fn negated(&self, code: u128) -> u128;

    /// Largest finite magnitude code; the largest above zero, where the two sides of zero differ.
    fn max_code(&self) -> u128;

    /// Largest finite magnitude code of this sign.
    fn max_magnitude(&self, _negative: bool) -> u128 {
        self.max_code()
    }

    /// Smallest nonzero magnitude code.
    fn min_code(&self) -> u128 {
        1
    }

    /// Code of +infinity, if there are infinities.
    fn infinity_code(&self) -> Option<u128> {
        None
    }

    /// The canonical NaN, if there is one.
    fn nan_code(&self) -> Option<u128> {
        None
    }

    /// Whether `code` is a NaN.
    fn is_nan(&self, _code: u128) -> bool {
        false
    }

    /// Whether `code` is a signalling NaN.
    fn is_signaling(&self, _code: u128) -> bool {
        false
    }

    /// Whether there is a code for -0.
    fn has_minus_zero(&self) -> bool {
        false
    }

    /// Whether there are exception flags for results of this format, as IEEE 754 defines them.
    fn has_flags(&self) -> bool {
        false
    }

    /// The classes that formats of this family can have.
    fn classes(&self) -> &'static [Class];

    /// The class of a magnitude code that is no NaN.
    fn class_of_magnitude(&self, magnitude: u128) -> Class;

    /// First and last magnitude code of a class; the first is after the last if there is none.
    fn class_codes(&self, class: Class) -> Option<[u128; 2]>;

    /// The format in one line.
    fn summary(&self) -> String;

    /// The name that the fields give.
    fn systematic_name(&self) -> String;
}
