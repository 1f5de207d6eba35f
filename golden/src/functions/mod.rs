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
use binade_spec::{Unit, Word};

/// Computes the words of the outputs from those of the inputs.
pub(crate) fn evaluate(model: &Model, inputs: &[u128], outputs: &mut [u128]) {
    if model.is_wrapped() {
        let inputs: Vec<Word> = inputs.iter().copied().map(Word::from).collect();
        let words = model.evaluate_chosen(&inputs);
        return outputs.iter_mut().zip(&words).for_each(|(output, word)| *output = low_bits(word));
    }
    match model.unit {
        Unit::Compare => compare::compare(model, inputs, outputs),
        Unit::Minmax => minmax::minmax(model, inputs, outputs),
        Unit::Sgnj => sgnj::sgnj(model, inputs, outputs),
        Unit::Classify => classify::classify(model, inputs, outputs),
        Unit::PositDecoder => posit_decoder::posit_decoder(model, inputs, outputs),
        Unit::Decode
        | Unit::Encode
        | Unit::Convert
        | Unit::Mul
        | Unit::Add
        | Unit::Sub
        | Unit::Divide
        | Unit::Reciprocal
        | Unit::Sqrt
        | Unit::Rsqrt
        | Unit::Function
        | Unit::Fmac
        | Unit::Mac
        | Unit::Dot
        | Unit::Mma
        | Unit::MxDot
        | Unit::MxQuantize
        | Unit::Unscale
        | Unit::Update
        | Unit::Softmax
        | Unit::RmsNorm
        | Unit::LayerNorm
        | Unit::Hadamard
        | Unit::Reduce
        | Unit::Accumulate
        | Unit::PositEncoder => unreachable!("{} is a formula", model.unit),
        Unit::LossScaler | Unit::Random | Unit::DotExact | Unit::DotStream => {
            unreachable!("{} has a state", model.unit)
        }
    }
}

/// One step of a unit with state: writes the lanes of the outputs, port by port, and updates those of the state.
pub(crate) fn step<W: Bits>(model: &Model, state: &mut [u128], inputs: &[W], outputs: &mut [u128]) {
    if let (Some(generator), Some(with_port)) = (model.internal_generator(), &model.with_port) {
        let words = RandomWords { generator, bits: with_port.rounding_port_bits };
        return drawn::step(words, with_port, state, inputs, outputs);
    }
    match model.unit {
        Unit::DotExact => dot_exact::step(model, state, inputs, outputs),
        Unit::DotStream => dot_stream::step(model, state, inputs, outputs),
        Unit::Mma => array::step(model, state, inputs, outputs),
        Unit::LossScaler => loss_scaler::step(model, state, inputs, outputs),
        Unit::Random => random::step(model, state, inputs, outputs),
        unit => unreachable!("{unit} is no machine"),
    }
}
