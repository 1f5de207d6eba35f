//! Units whose meaning is a plain function of their ports.

mod classify;
mod compare;
mod minmax;
mod posit_decoder;

use binade_spec::{Operation, Unit};

/// Writes the words of the outputs for those of the inputs.
pub(crate) fn evaluate(operation: &Operation, inputs: &[u128], outputs: &mut [u128]) {
    match operation.unit {
        Unit::Compare => compare::compare(operation, inputs, outputs),
        Unit::Minmax => minmax::minmax(operation, inputs, outputs),
        Unit::Classify => classify::classify(operation, inputs, outputs),
        Unit::PositDecoder => posit_decoder::posit_decoder(operation, inputs, outputs),
        Unit::Decode
        | Unit::Encode
        | Unit::Convert
        | Unit::Mul
        | Unit::Add
        | Unit::Fmac
        | Unit::Mac
        | Unit::PositEncoder => unreachable!("{} is a formula", operation.unit),
    }
}
