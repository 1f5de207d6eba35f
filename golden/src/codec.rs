//! Formats as the golden model sees them: what is read in `binade_spec`, with the meaning of the codes added.

use crate::{Literal, Policy, Value};
use binade_spec::{Float, Format, Overflow, Posit, Rounding};
use std::ops::Deref;

/// What the codes of a format mean, and how values become codes.
pub trait Codec {
    /// What `code` stands for. Bits above the format's width must be 0.
    fn decode(&self, code: u128) -> Value;

    /// The code of `value`, rounded once. NaN gives the canonical NaN, or +0 where there is none.
    fn encode(&self, value: Value, rounding: Rounding, overflow: Overflow) -> u128;

    /// The code of `value`, rounded once as the whole policy says.
    fn encode_by(&self, value: Value, policy: &Policy) -> u128;

    /// The code of a number as written, rounded once.
    fn encode_literal(&self, literal: &Literal, policy: &Policy) -> u128;

    /// A code in binary, a space between its fields: sign, exponent field, trailing significand; of a posit sign, regime,
    /// exponent, fraction (those of its magnitude).
    fn fields(&self, code: u128) -> String;

    /// The regime of a nonzero posit code's magnitude: a run of `r` ones is `r - 1`, a run of `r` zeros `-r`; none for floats.
    fn regime(&self, code: u128) -> Option<i32>;
}

impl Codec for Format {
    fn decode(&self, code: u128) -> Value {
        Codes::new(*self).decode(code)
    }

    fn encode(&self, value: Value, rounding: Rounding, overflow: Overflow) -> u128 {
        Codes::new(*self).encode_by(value, &Policy::new(rounding, overflow))
    }

    fn encode_by(&self, value: Value, policy: &Policy) -> u128 {
        Codes::new(*self).encode_by(value, policy)
    }

    fn encode_literal(&self, literal: &Literal, policy: &Policy) -> u128 {
        Codes::new(*self).encode_literal(literal, policy)
    }

    fn fields(&self, code: u128) -> String {
        match self {
            Format::Float(float) => float.fields(code),
            Format::Posit(posit) => PositCodes::new(*posit).fields(code),
        }
    }

    fn regime(&self, code: u128) -> Option<i32> {
        self.posit().map(|posit| PositCodes::new(*posit).regime(code))
    }
}

/// The codes of a format, with all that is asked of them again and again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Codes {
    format: Format,
    pub family: Family,
}

/// The codes of a format by family.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Family {
    Float(FloatCodes),
    Posit(PositCodes),
}

/// The codes of a floating-point format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FloatCodes {
    float: Float,
    /// Smallest nonzero and largest finite magnitude code.
    pub smallest: i64,
    pub largest: i64,
    /// First magnitude code above the supernormal region below, and the last one below the region above.
    pub first_ordinary: i64,
    pub last_ordinary: i64,
    /// Exponent of the value with the smallest code.
    pub smallest_exponent: i32,
}

/// The codes of a posit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PositCodes {
    posit: Posit,
    /// maxpos.
    pub largest: i64,
}

impl Codes {
    pub fn new(format: Format) -> Codes {
        let family = match format {
            Format::Float(float) => Family::Float(FloatCodes::new(float)),
            Format::Posit(posit) => Family::Posit(PositCodes::new(posit)),
        };
        Codes { format, family }
    }
}

impl FloatCodes {
    pub fn new(float: Float) -> FloatCodes {
        FloatCodes {
            float,
            smallest: float.min_code() as i64,
            largest: float.max_code() as i64,
            first_ordinary: float.first_ordinary_code() as i64,
            last_ordinary: (float.first_upper_code() - 1) as i64,
            smallest_exponent: float.min_exponent() as i32,
        }
    }
}

impl PositCodes {
    pub fn new(posit: Posit) -> PositCodes {
        PositCodes { posit, largest: posit.max_code() as i64 }
    }
}

impl Deref for Codes {
    type Target = Format;

    fn deref(&self) -> &Format {
        &self.format
    }
}

impl Deref for FloatCodes {
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
