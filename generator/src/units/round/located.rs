//! The position of a magnitude among the codes of a format.

use super::decide::Tail;
use binade_circuit::{Bits, concat};
use binade_spec::{Float, Infinity};

/// A magnitude between two codes: above `code` by the fraction `tail` of a step.
pub struct Located<'c> {
    /// One bit wider than a magnitude code.
    pub code: Bits<'c>,
    /// Integer bit, if it must still be added to the field of `code`.
    pub integer: Bits<'c>,
    pub tail: Tail<'c>,
    /// Whether codes are powers of two here (supernormal).
    pub is_log: Bits<'c>,
    /// Whether the magnitude is beyond the range of `code`.
    pub too_large: Bits<'c>,
    /// Whether it is so small that it rounds to zero; `tail` is then meaningless.
    pub too_small: Bits<'c>,
    /// The cases in which the tail does not decide: the condition, and the decision instead.
    pub exception: Option<(Bits<'c>, Bits<'c>)>,
}

/// The parts of a significand below its integer bit: `t` trailing bits, the individual bits for rounding, and sticky.
pub struct Parts<'c> {
    pub trailing: Option<Bits<'c>>,
    pub tail: Tail<'c>,
}

/// Splits a significand, given from its integer bit down; the rounding needs `below` individual bits below the trailing
/// ones.
pub fn split<'c>(format: &Float, significand: Bits<'c>, below: u32) -> Parts<'c> {
    let t = format.trailing_bits;
    let top = significand.width() - 1;
    Parts {
        trailing: (t > 0).then(|| significand.slice(top - 1, top - t).named("trailing")),
        tail: Tail::new(significand.low(top - t), below),
    }
}

/// Exponent field and trailing bits, with a 0 above for the carry.
pub fn ordinary_code<'c>(format: &Float, field: Bits<'c>, parts: &Parts<'c>) -> Bits<'c> {
    let zero = field.circuit().zero();
    assert_eq!(field.width(), format.exponent_bits);
    match parts.trailing {
        Some(trailing) => concat(&[zero, field, trailing]),
        None => concat(&[zero, field]),
    }
}

/// First exponent field that no finite value has.
pub fn field_limit(format: &Float) -> i64 {
    match format.infinity {
        Infinity::TopField => (1 << format.exponent_bits) - 1,
        Infinity::LastCode | Infinity::None => 1 << format.exponent_bits,
    }
}
