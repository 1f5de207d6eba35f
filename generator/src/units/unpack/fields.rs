//! The fields of a float's code.

use binade_circuit::Bits;
use binade_spec::Float;

/// The fields of a code.
pub struct Fields<'c> {
    /// Exponent field and trailing significand together.
    pub magnitude: Bits<'c>,
    pub field: Bits<'c>,
    pub trailing: Option<Bits<'c>>,
}

impl<'c> Fields<'c> {
    /// The fields of `code`; the signals are named after the operand.
    pub fn new(format: &Float, code: Bits<'c>, operand: &str) -> Fields<'c> {
        let name = |part: &str| format!("{operand}_{part}");
        let t = format.trailing_bits;
        Fields {
            magnitude: code.low(format.magnitude_bits()).named(name("magnitude")),
            field: code.slice(format.magnitude_bits() - 1, t).named(name("field")),
            trailing: (t > 0).then(|| code.low(t).named(name("trailing"))),
        }
    }
}
