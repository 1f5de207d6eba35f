//! The interface to the families of formats: what code outside a family asks of any format.

use crate::Class;
use serde::Serialize;
use thiserror::Error;

/// Whether codes have a sign bit (their top bit).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sign {
    /// The top bit is the sign; floats are sign and magnitude.
    Signed,
    /// All bits are the magnitude.
    Unsigned,
}

/// Why a combination of fields is not a format: a predicate for a sentence whose subject is the name of the format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct FormatError(pub(crate) String);

/// The codes of one format. A code has at most a sign bit and a magnitude code; magnitude codes ascend with the
/// magnitudes that they stand for.
///
/// [`Format`](crate::Format) forwards each of these methods to its family. The golden model defines the values of
/// codes.
pub trait Family {
    /// Checks the fields, except for the limits that all families share.
    ///
    /// # Errors
    /// When the fields are inconsistent; the message says what is allowed.
    fn check(&self) -> Result<(), FormatError>;

    /// floor(log2) of the smallest nonzero and of the largest finite magnitude; defined for unchecked fields, too.
    fn exponents(&self) -> [i128; 2];

    /// floor(log2) of the largest value, which may have a smaller magnitude than the lowest value.
    fn largest_exponent(&self) -> i64 {
        self.exponents()[1] as i64
    }

    /// Bits of a code.
    fn width(&self) -> u32;

    /// Whether codes have a sign.
    fn sign(&self) -> Sign;

    /// Bits of a code without its sign.
    fn magnitude_bits(&self) -> u32;

    /// The largest number of significand bits of any value, including the leading bit.
    fn precision(&self) -> u32;

    /// The magnitude code of a code.
    fn magnitude(&self, code: u128) -> u128;

    /// The code with this sign and magnitude code. Without signs, the sign is ignored.
    fn code(&self, negative: bool, magnitude: u128) -> u128;

    /// The code with the other sign, if there are signs.
    fn negated(&self, code: u128) -> u128;

    /// Largest finite magnitude code; if positive and negative values differ, the largest of positive values.
    fn max_code(&self) -> u128;

    /// Largest finite magnitude code of this sign.
    fn max_magnitude(&self, _negative: bool) -> u128 {
        self.max_code()
    }

    /// Smallest nonzero magnitude code.
    fn min_code(&self) -> u128 {
        1
    }

    /// Code of +infinity, if it exists.
    fn infinity_code(&self) -> Option<u128> {
        None
    }

    /// The canonical NaN, if it exists.
    fn nan_code(&self) -> Option<u128> {
        None
    }

    /// Whether `code` is a NaN.
    fn is_nan(&self, _code: u128) -> bool {
        false
    }

    /// Whether `code` is a signaling NaN.
    fn is_signaling(&self, _code: u128) -> bool {
        false
    }

    /// Whether there is a code for -0.
    fn has_minus_zero(&self) -> bool {
        false
    }

    /// Whether results in this format have exception flags, as IEEE 754 defines them.
    fn has_flags(&self) -> bool {
        false
    }

    /// The classes that formats of this family can have.
    fn classes(&self) -> &'static [Class];

    /// The class of a magnitude code that is not NaN.
    fn class_of_magnitude(&self, magnitude: u128) -> Class;

    /// First and last magnitude code of a class; the first is greater than the last if there is none.
    fn class_codes(&self, class: Class) -> Option<[u128; 2]>;

    /// A code in hexadecimal, with all its digits.
    fn hex(&self, code: u128) -> String {
        format!("0x{code:0digits$x}", digits = self.width().div_ceil(4) as usize)
    }

    /// A one-line description of the format.
    fn summary(&self) -> String;

    /// The systematic name, derived from the fields.
    fn systematic_name(&self) -> String;
}
