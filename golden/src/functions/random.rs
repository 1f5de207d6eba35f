//! `random`: generators of pseudorandom words, and their states after any number of steps.

use crate::{Bits, Model};
use binade_spec::{Generator, Random};

/// One clock: the state is that of the generator, the output its word.
pub(super) fn step<W: Bits>(model: &Model, state: &mut [u128], inputs: &[W], outputs: &mut [u128]) {
    let Random { generator, word_bits } = model.settings();
    let words = RandomWords { generator, bits: word_bits };
    outputs[0] = words.word(state[0]);
    words.step(state, inputs);
}

/// A generator of words with this many bits.
///
/// ```
/// use binade_golden::RandomWords;
/// use binade_spec::Generator;
///
/// let words = RandomWords { generator: Generator::Lfsr16, bits: 8 };
/// let reset = words.generator.reset();
/// assert_eq!(words.word(reset), 0x3f);
/// assert_eq!(words.next(words.next(words.next(reset))), words.jump(reset, 3));
/// assert_eq!(words.jump(reset, words.generator.period(8)), reset);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RandomWords {
    /// The algorithm.
    pub generator: Generator,
    /// Bits of a word.
    pub bits: u32,
}

impl RandomWords {
    /// The word of a state.
    pub fn word(&self, state: u128) -> u128 {
        match self.generator {
            Generator::Lfsr16 | Generator::Lfsr32 => state % (1 << self.bits),
            Generator::Xoshiro128 => {
                let [s0, _, _, s3] = words(state);
                let word = s0.wrapping_add(s3).rotate_left(7).wrapping_add(s0);
                (word >> (u32::BITS - self.bits)).into()
            }
        }
    }

    /// The next state.
    pub fn next(&self, state: u128) -> u128 {
        match self.generator.taps() {
            Some(taps) => (0..self.bits).fold(state, |state, _| shifted(state, taps, self.generator.state_bits())),
            None => xoshiro(state),
        }
    }

    /// The state after a clock with these words at the ports `seed` and `load`.
    pub(super) fn step<W: Bits>(&self, state: &mut [u128], inputs: &[W]) {
        let is_loaded = inputs[1].field(0, 1) == 1;
        let seed = inputs[0].field(0, self.generator.state_bits() - 1);
        state[0] = if is_loaded { seed << 1 | 1 } else { self.next(state[0]) };
    }

    /// The state a number of clocks later. A step is linear in the bits of the state, so its powers are linear, too:
    /// they are represented by their results for each single bit.
    pub fn jump(&self, state: u128, clocks: u128) -> u128 {
        let mut power: Vec<u128> = (0..self.generator.state_bits()).map(|bit| self.next(1 << bit)).collect();
        let (mut state, mut clocks) = (state, clocks);
        while clocks > 0 {
            if clocks % 2 == 1 {
                state = applied(&power, state);
            }
            power = power.iter().map(|&column| applied(&power, column)).collect();
            clocks /= 2;
        }
        state
    }
}

/// Applies a linear map to a state, given its results for each single bit.
fn applied(columns: &[u128], state: u128) -> u128 {
    let set = columns.iter().enumerate().filter(|(bit, _)| state >> bit & 1 == 1);
    set.fold(0, |sum, (_, column)| sum ^ column)
}

fn shifted(state: u128, taps: [u32; 4], width: u32) -> u128 {
    let new = taps.into_iter().map(|tap| state >> (tap - 1) & 1).sum::<u128>() % 2;
    (state * 2 + new) % (1 << width)
}

/// The 32-bit words of a state, the first in the lowest bits.
fn words(state: u128) -> [u32; 4] {
    [0, 32, 64, 96].map(|low| (state >> low) as u32)
}

/// One step of xoshiro128.
fn xoshiro(state: u128) -> u128 {
    let [s0, s1, s2, s3] = words(state);
    let (t2, t3) = (s2 ^ s0, s3 ^ s1);
    let next = [s0 ^ t3, s1 ^ t2, t2 ^ s1 << 9, t3.rotate_left(11)];
    next.into_iter().rev().fold(0, |all, word| all << 32 | u128::from(word))
}
