//! Exact results, before rounding.

use super::class::Class;
use binade_circuit::{Bits, Int};

/// A magnitude to be rounded. The top bit of the significand is the integer bit, with the weight `2^exponent`. It is 1,
/// or for zero and results with subnormals 0 at the lowest exponent of the result. The last bit may be sticky.
#[derive(Clone, Copy)]
pub struct Magnitude<'c> {
    pub exponent: Int<'c>,
    pub significand: Bits<'c>,
}

/// An exact result, before rounding.
pub struct ExactResult<'c> {
    pub class: Class<'c>,
    pub magnitude: Magnitude<'c>,
    /// The magnitude code that a NaN operand passes on with its sign.
    pub payload: Option<Bits<'c>>,
}
