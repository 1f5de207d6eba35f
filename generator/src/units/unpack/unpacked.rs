//! Unpacked operands.

use crate::units::class::Class;
use binade_circuit::{Bits, Int, concat};
use binade_spec::Format;

/// An unpacked operand. `exponent` and `significand` are undefined for infinities and NaN.
#[derive(Clone, Copy)]
pub struct Unpacked<'c> {
    pub format: Format,
    /// Using a signaling NaN is an invalid operation.
    pub class: Class<'c>,
    /// Ascends with the magnitudes: the magnitude code, or for a codebook the place among the magnitudes of both signs.
    pub magnitude: Bits<'c>,
    /// Exponent of the significand's top bit.
    pub exponent: Int<'c>,
    /// `p` bits with the integer bit on top; 0 for zero. The integer bit of subnormals and of most fixed-point values is 0 until they are
    /// normalized.
    pub significand: Bits<'c>,
}

impl<'c> Unpacked<'c> {
    /// Whether there are nonzero codes whose integer bit is 0.
    pub fn has_subnormals(&self) -> bool {
        let is_graded = self.format.underflows_gradually() || self.format.fixed().is_some();
        is_graded && self.format.precision() > 1
    }

    /// Subnormals and fixed-point values shifted up until their integer bit is 1.
    pub fn normalized(self, operand: &str) -> Unpacked<'c> {
        if !self.has_subnormals() {
            return self;
        }
        let t = i64::from(self.format.precision()) - 1;
        let (significand, shift) = self.significand.normalize_left(None, &format!("{operand}_up"));
        let exponent = self.exponent.sub(Int::unsigned(shift).within(0, t));
        Unpacked { exponent: exponent.named(format!("{operand}_exponent")), significand, ..self }
    }

    /// The significand of a normalized operand, if zero does not matter: the integer bit is a constant 1.
    pub fn significand_of_nonzero(&self) -> Bits<'c> {
        with_integer_one(self.significand)
    }
}

/// `significand` with a top bit of 1.
pub fn with_integer_one(significand: Bits) -> Bits {
    let one = significand.circuit().constant(1, 1);
    match significand.width() {
        1 => one,
        width => concat(&[one, significand.low(width - 1)]),
    }
}
