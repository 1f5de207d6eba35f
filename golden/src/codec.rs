//! Formats as the golden model sees them: what is read in `binade_spec`, with the meaning of the codes added.

use crate::{Literal, Policy, Value};
use binade_spec::{Float, Format, Overflow, Posit, Rounding};
use std::ops::Deref;

/// What the codes of a format mean, and how values become codes.
pub trait Codec {
    /// What `code` stands for. Bits above the format's width must be 0.
    fn decode(&self, code: u64) -> Value;

    /// The code of `value`, rounded once. NaN gives the canonical NaN, or +0 where there is none.
    fn encode(&self, value: Value, rounding: Rounding, overflow: Overflow) -> u64;

    /// The code of `value`, rounded once as the whole policy says.
    fn encode_by(&self, value: Value, policy: &Policy) -> u64;

    /// The code of a number as written, rounded once.
    fn encode_literal(&self, literal: &Literal, policy: &Policy) -> u64;

    /// A code in binary, a space between its fields: sign, exponent field, trailing significand; of a posit sign, regime,
    /// exponent, fraction (those of its magnitude).
    fn fields(&self, code: u64) -> String;

    /// The regime of a nonzero posit code's magnitude: a run of `r` ones is `r - 1`, a run of `r` zeros `-r`; none for floats.
    fn regime(&self, code: u64) -> Option<i32>;
}

impl Codec for Format {
    fn decode(&self, code: u64) -> Value {
        Codes(*self).decode(code)
    }

    fn encode(&self, value: Value, rounding: Rounding, overflow: Overflow) -> u64 {
        Codes(*self).encode_by(value, &Policy::new(rounding, overflow))
    }

    fn encode_by(&self, value: Value, policy: &Policy) -> u64 {
        Codes(*self).encode_by(value, policy)
    }

    fn encode_literal(&self, literal: &Literal, policy: &Policy) -> u64 {
        Codes(*self).encode_literal(literal, policy)
    }

    fn fields(&self, code: u64) -> String {
        match self {
            Format::Float(float) => float.fields(code),
            Format::Posit(posit) => PositCodes(*posit).fields(code),
        }
    }

    fn regime(&self, code: u64) -> Option<i32> {
        self.posit().map(|posit| PositCodes(*posit).regime(code))
    }
}

/// The codes of a format.
#[derive(Clone, Copy)]
pub(crate) struct Codes(pub Format);

/// The codes of a floating-point format.
#[derive(Clone, Copy)]
pub(crate) struct FloatCodes(pub Float);

/// The codes of a posit.
#[derive(Clone, Copy)]
pub(crate) struct PositCodes(pub Posit);

impl Deref for Codes {
    type Target = Format;

    fn deref(&self) -> &Format {
        &self.0
    }
}

impl Deref for FloatCodes {
    type Target = Float;

    fn deref(&self) -> &Float {
        &self.0
    }
}

impl Deref for PositCodes {
    type Target = Posit;

    fn deref(&self) -> &Posit {
        &self.0
    }
}
