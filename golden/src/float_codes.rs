//! Floating point: the codes of a format, with precomputed limits.

use crate::code_line::Line;
use binade_spec::{FieldZero, Float, Underflow};
use std::ops::Deref;

/// The codes of a floating-point format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FloatCodes<L> {
    float: Float,
    /// Smallest nonzero and largest finite magnitude code.
    pub smallest: L,
    pub largest: L,
    /// First magnitude code above the lower supernormal region, and last one below the upper region.
    pub first_ordinary: L,
    pub last_ordinary: L,
    /// Magnitude code of infinity, if it exists.
    pub infinity: Option<L>,
    /// Exponent of the value with the smallest code.
    pub smallest_exponent: i32,
    /// Range of fields for which codes are computed as in ordinary binades, even beyond existing codes.
    pub ordinary_fields: [i64; 2],
    /// Whether zero is adjacent to the ordinary binade of field 0, and results may be rounded to it.
    pub rounds_to_zero_from_field_0: bool,
    pub magnitude_bits: u32,
    pub sign_mask: u128,
}

impl<L: Line> FloatCodes<L> {
    pub fn new(float: Float) -> FloatCodes<L> {
        FloatCodes {
            float,
            smallest: L::of(float.min_code()),
            largest: L::of(float.max_code()),
            first_ordinary: L::of(float.first_ordinary_code()),
            last_ordinary: L::of(float.first_upper_code() - 1),
            infinity: float.infinity_code().map(L::of),
            smallest_exponent: float.min_exponent() as i32,
            ordinary_fields: ordinary_fields::<L>(&float),
            rounds_to_zero_from_field_0: float.field_zero == FieldZero::Binade
                && float.binades_below == 0
                && float.underflow == Underflow::Nearest,
            magnitude_bits: float.magnitude_bits(),
            sign_mask: float.sign_mask(),
        }
    }

    /// Magnitude code and sign of a code.
    pub fn taken_apart(&self, code: u128) -> (L, bool) {
        let sign = L::of(code >> self.magnitude_bits);
        (L::of(code) - (sign << self.magnitude_bits), sign.is_odd())
    }
}

/// The limits of the ordinary fields: subnormals, outer powers of two, or the range of the integer.
fn ordinary_fields<L: Line>(float: &Float) -> [i64; 2] {
    let [first, last] = L::fields(float.trailing_bits);
    let first = match float.field_zero {
        _ if float.binades_below > 0 => float.binades_below.into(),
        FieldZero::Subnormal => 1,
        FieldZero::Zero | FieldZero::Binade | FieldZero::NoZero => first,
    };
    let first_upper = (1 << float.exponent_bits) - i64::from(float.binades_above);
    [first, if float.binades_above > 0 { first_upper - 1 } else { last }]
}

impl<L> Deref for FloatCodes<L> {
    type Target = Float;

    fn deref(&self) -> &Float {
        &self.float
    }
}
