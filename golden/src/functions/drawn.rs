//! Units that generate the random bits of their roundings themselves.

use super::RandomWords;
use crate::{Bits, Model, port_lanes};
use binade_spec::{Port, Word};

/// One clock: the state is that of the generator, whose word goes to the last port of `with_port`.
pub(super) fn step<W: Bits>(
    words: RandomWords,
    with_port: &Model,
    state: &mut [u128],
    inputs: &[W],
    outputs: &mut [u128],
) {
    let operands = with_port.inputs.len() - 1;
    let vector = with_port.inputs[..operands].iter().zip(inputs).map(|(port, input)| whole(port, input));
    let vector: Vec<Word> = vector.chain([words.word(state[0]).into()]).collect();
    let lanes = port_lanes::split(&with_port.outputs, with_port.evaluate(&vector).into_iter());
    outputs.iter_mut().zip(lanes).for_each(|(output, lane)| *output = lane);
    words.step(state, &inputs[operands..]);
}

/// All bits of a port.
fn whole<W: Bits>(port: &Port, input: &W) -> Word {
    let parts = (0..port.width()).step_by(128).rev();
    parts.fold(Word::ZERO, |word, low| word << 128 | Word::from(input.field(low, 128.min(port.width() - low))))
}
