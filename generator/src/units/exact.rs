//! What a unit finds out, but for the rounding.

use super::class::Class;
use binade_circuit::{Bits, Int};

/// A magnitude to be rounded. The top bit of the significand is the integer bit, of weight `2^exponent`; it is 1, or
/// (for zero and results with subnormals only) 0 at the lowest exponent of the result. The last bit may be sticky.
#[derive(Clone, Copy)]
pub struct Magnitude<'c> {
    pub exponent: Int<'c>,
    pub significand: Bits<'c>,
}

/// What a unit found out, but for the rounding.
pub struct ExactResult<'c> {
    pub class: Class<'c>,
    pub magnitude: Magnitude<'c>,
    /// Magnitude code that a NaN operand hands on with its sign.
    pub payload: Option<Bits<'c>>,
}
