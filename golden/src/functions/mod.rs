//! Units that compute a plain function of their ports, or of their ports and a state.

mod array;
mod classify;
mod compare;
mod dot_exact;
mod dot_stream;
mod drawn;
mod loss_scaler;
mod minmax;
mod posit_decoder;
mod random;
mod sgnj;

pub use random::RandomWords;

use crate::{Bits, Model};
use binade_spec::word::low_bits;
use binade_spec::{Kind, PlainFunction, Products, Word};

/// Computes the words of the outputs from those of the inputs.
pub(crate) fn evaluate(model: &Model, function: PlainFunction, inputs: &[u128], outputs: &mut [u128]) {
    match function {
        PlainFunction::Compare => compare::compare(model, inputs, outputs),
        PlainFunction::Minmax => minmax::minmax(model, inputs, outputs),
        PlainFunction::Classify => classify::classify(model, inputs, outputs),
        PlainFunction::Sgnj => sgnj::sgnj(model, inputs, outputs),
        PlainFunction::PositDecoder => posit_decoder::posit_decoder(model, inputs, outputs),
        PlainFunction::OfChoice => {
            let inputs: Vec<Word> = inputs.iter().copied().map(Word::from).collect();
            let words = model.evaluate_chosen(&inputs);
            outputs.iter_mut().zip(&words).for_each(|(output, word)| *output = low_bits(word));
        }
    }
}

/// One step of a unit with state: writes the lanes of the outputs, port by port, and updates those of the state.
pub(crate) fn step<W: Bits>(model: &Model, state: &mut [u128], inputs: &[W], outputs: &mut [u128]) {
    if let (Some(generator), Some(with_port)) = (model.internal_generator(), &model.with_port) {
        let words = RandomWords { generator, bits: with_port.rounding_port_bits };
        return drawn::step(words, with_port, state, inputs, outputs);
    }
    match model.kind {
        Kind::Accumulation(_) => dot_exact::step(model, state, inputs, outputs),
        Kind::Products(Products { array: Some(dataflow), .. }) => array::step(model, dataflow, state, inputs, outputs),
        Kind::Products(_) => dot_stream::step(model, state, inputs, outputs),
        Kind::LossScaler(_) => loss_scaler::step(model, state, inputs, outputs),
        Kind::Random(_) => random::step(model, state, inputs, outputs),
        _ => unreachable!("{} is no machine", model.unit),
    }
}
