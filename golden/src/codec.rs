//! Formats in the golden model: the data of `binade_spec`, and the meaning of the codes.

use crate::code_line::Line;
use crate::codebook_codes::CodebookCodes;
use crate::coding::{Coding, ask};
use crate::fixed_codes::FixedCodes;
use crate::{Literal, Policy, Value};
use binade_spec::{FieldZero, Float, Format, Overflow, Posit, Rounding, Underflow};
use ethnum::I256;
use std::ops::Deref;

/// The values of a format's codes, and the rounding of values to codes.
pub trait Codec {
    /// The value of `code`. Bits above the format's width must be 0.
    fn decode(&self, code: u128) -> Value;

    /// The code of `value`, rounded once. NaN becomes the canonical NaN, or +0 if there is none.
    fn encode(&self, value: Value, rounding: Rounding, overflow: Overflow) -> u128;

    /// The code of `value`, rounded once under the whole policy.
    fn encode_by(&self, value: Value, policy: &Policy) -> u128;

    /// The code of a number as written, rounded once.
    fn encode_literal(&self, literal: &Literal, policy: &Policy) -> u128;

    /// A code in binary with spaces between its fields: sign, exponent field, trailing significand; for a posit sign,
    /// regime, exponent, fraction (those of its magnitude); for a fixed-point format sign, integer and fraction bits.
    fn fields(&self, code: u128) -> String;

    /// The regime of a nonzero posit code's magnitude: `r - 1` for a run of `r` ones, `-r` for a run of `r` zeros; none
    /// for other families.
    fn regime(&self, code: u128) -> Option<i32>;
}

impl Codec for Format {
    fn decode(&self, code: u128) -> Value {
        Codes::new(*self).decode(code)
    }

    fn encode(&self, value: Value, rounding: Rounding, overflow: Overflow) -> u128 {
        Codes::new(*self).encode(value, rounding, overflow)
    }

    fn encode_by(&self, value: Value, policy: &Policy) -> u128 {
        Codes::new(*self).encode_by(value, policy)
    }

    fn encode_literal(&self, literal: &Literal, policy: &Policy) -> u128 {
        Codes::new(*self).encode_literal(literal, policy)
    }

    fn fields(&self, code: u128) -> String {
        ask!(Codes::new(*self).family, codes => codes.fields(code))
    }

    fn regime(&self, code: u128) -> Option<i32> {
        ask!(Codes::new(*self).family, codes => Coding::regime(codes, code))
    }
}

/// The codes of a format, with precomputed properties: a [`Codec`] for many codes.
#[derive(Clone, Copy, Debug)]
pub struct Codes {
    format: Format,
    pub(crate) family: FamilyCodes,
}

/// The codes of a format by family, and by the integers that count them: `i64` is faster where it suffices.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FamilyCodes {
    Float(FloatCodes<i64>),
    WideFloat(FloatCodes<I256>),
    Posit(PositCodes),
    Fixed(FixedCodes),
    Codebook(CodebookCodes),
}

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

impl Codes {
    /// The codes of `format`.
    pub fn new(format: Format) -> Codes {
        let family = match format {
            Format::Float(float) if i64_counts(&float) => FamilyCodes::Float(FloatCodes::new(float)),
            Format::Float(float) => FamilyCodes::WideFloat(FloatCodes::new(float)),
            Format::Posit(posit) => FamilyCodes::Posit(PositCodes::new(posit)),
            Format::Fixed(fixed) => FamilyCodes::Fixed(FixedCodes(fixed)),
            Format::Codebook(codebook) => FamilyCodes::Codebook(CodebookCodes(codebook)),
        };
        Codes { format, family }
    }
}

/// Whether `i64` can count the magnitude codes, and those of a whole binade beyond the largest one.
fn i64_counts(float: &Float) -> bool {
    float.max_code() + (1 << float.trailing_bits) <= i64::MAX as u128
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

impl PositCodes {
    pub fn new(posit: Posit) -> PositCodes {
        PositCodes {
            posit,
            largest: posit.max_code() as i64,
            precision: posit.precision(),
            exponent_mask: (1 << posit.exponent_port_bits()) - 1,
        }
    }
}

impl Deref for Codes {
    type Target = Format;

    fn deref(&self) -> &Format {
        &self.format
    }
}

impl<L> Deref for FloatCodes<L> {
    type Target = Float;

    fn deref(&self) -> &Float {
        &self.float
    }
}

impl Deref for PositCodes {
    type Target = Posit;

    fn deref(&self) -> &Posit {
        &self.posit
    }
}
