//! Code to sign, exponent, significand and class.

mod codebook;
mod fields;
mod fixed;
mod float;
pub mod posit;
pub mod supernormal;
mod unpacked;

pub use unpacked::{Unpacked, with_integer_one};

use binade_circuit::Bits;
use binade_spec::Format;

/// Unpacks `code`; the signals are named after the operand.
pub fn unpack<'c>(format: Format, code: Bits<'c>, operand: &str) -> Unpacked<'c> {
    code.circuit().section(&format!("Unpack {operand} ({format})"));
    match &format {
        Format::Float(float) => float::unpack(float, code, operand),
        Format::Posit(posit) => posit::unpack(posit, code, operand),
        Format::Fixed(fixed) => fixed::unpack(fixed, code, operand),
        Format::Codebook(codebook) => codebook::unpack(codebook, code, operand),
    }
}
