//! Units whose meaning is a plain function of their ports.

mod classify;
mod compare;
mod minmax;
mod posit_decoder;

use crate::Model;
use binade_spec::Unit;

/// Writes the words of the outputs for those of the inputs.
pub(crate) fn evaluate(model: &Model, inputs: &[u128], outputs: &mut [u128]) {
    match model.unit {
        Unit::Compare => compare::compare(model, inputs, outputs),
        Unit::Minmax => minmax::minmax(model, inputs, outputs),
        Unit::Classify => classify::classify(model, inputs, outputs),
        Unit::PositDecoder => posit_decoder::posit_decoder(model, inputs, outputs),
        Unit::Decode
        | Unit::Encode
        | Unit::Convert
        | Unit::Mul
        | Unit::Add
        | Unit::Fmac
        | Unit::Mac
        | Unit::Dot
        | Unit::Accumulate
        | Unit::PositEncoder => unreachable!("{} is a formula", model.unit),
    }
}
