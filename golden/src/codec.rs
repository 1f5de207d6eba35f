//! The meaning of the codes of a `Format` of `binade_spec`.

use crate::codes::ask;
use crate::coding::Coding;
use crate::{Codes, Literal, Policy, Value};
use binade_spec::{Format, Overflow, Rounding};

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
