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

use crate::{Bits, Model, PositCodes};
use binade_spec::word::low_bits;
use binade_spec::{Decoder, MachineFunction, PlainFunction, Word};

/// Computes the words of the outputs from those of the inputs.
pub(crate) fn evaluate(model: &Model, function: PlainFunction, inputs: &[u128], outputs: &mut [u128]) {
    match function {
        PlainFunction::Compare => compare::compare(model, inputs, outputs),
        PlainFunction::Minmax => minmax::minmax(model, inputs, outputs),
        PlainFunction::Classify => classify::classify(model, inputs, outputs),
        PlainFunction::Sgnj => sgnj::sgnj(model, inputs, outputs),
        PlainFunction::PositDecoder(posit) => {
            posit_decoder::posit_decoder(
                &PositCodes::new(posit),
                model.settings::<Decoder>().significand,
                inputs,
                outputs,
            );
        }
        PlainFunction::OfChoice => {
            let inputs: Vec<Word> = inputs.iter().copied().map(Word::from).collect();
            let words = model.evaluate_chosen(&inputs);
            outputs.iter_mut().zip(&words).for_each(|(output, word)| *output = low_bits(word));
        }
    }
}

/// One step of a unit with state: writes the lanes of the outputs, port by port, and updates those of the state.
pub(crate) fn step<W: Bits>(
    model: &Model,
    function: MachineFunction,
    state: &mut [u128],
    inputs: &[W],
    outputs: &mut [u128],
) {
    match function {
        MachineFunction::DotExact => dot_exact::step(model, state, inputs, outputs),
        MachineFunction::Array(dataflow) => array::step(model, dataflow, state, inputs, outputs),
        MachineFunction::DotStream => dot_stream::step(model, state, inputs, outputs),
        MachineFunction::LossScaler => loss_scaler::step(model, state, inputs, outputs),
        MachineFunction::Random => random::step(model, state, inputs, outputs),
        MachineFunction::Drawn(generator) => {
            let with_port = model.with_port();
            let words = RandomWords { generator, bits: with_port.rounding_port_bits };
            drawn::step(words, with_port, state, inputs, outputs);
        }
    }
}
