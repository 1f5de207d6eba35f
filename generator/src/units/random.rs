//! Pseudorandom words: linear feedback shift registers, and xoshiro128++.

use binade_circuit::{Bits, Circuit, concat};
use binade_spec::Generator;

/// The random word of the present state.
pub fn random<'c>(generator: Generator, bits: u32, [seed, load]: [Bits<'c>; 2]) -> Bits<'c> {
    let circuit = load.circuit();
    let state = circuit.register("state", generator.state_bits(), generator.reset(), "state of the generator");
    // A unit whose results are exact never needs a random bit.
    circuit.keep(state);
    let (word, next) = match generator.taps() {
        Some(taps) => shift_register(circuit, state, taps, bits),
        None => xoshiro(circuit, state, bits),
    };
    circuit.section("Load the seed, which is never 0");
    let loaded = concat(&[seed, circuit.ones(1)]);
    circuit.drive(state, load.select(loaded, next));
    word
}

/// The lowest bits, and the state with the same number of new bits.
fn shift_register<'c>(circuit: &'c Circuit, state: Bits<'c>, taps: [u32; 4], bits: u32) -> (Bits<'c>, Bits<'c>) {
    circuit.section("Shift by the bits of a word");
    // The oldest bit first.
    let mut all: Vec<Bits> = (0..state.width()).rev().map(|bit| state.bit(bit)).collect();
    for _ in 0..bits {
        let tapped = taps.map(|tap| all[all.len() - tap as usize]);
        all.push(tapped.into_iter().reduce(|sum, bit| sum ^ bit).expect("there are taps"));
    }
    let new = concat(&all[state.width() as usize..]).named("new_bits");
    let next = if bits < state.width() { concat(&[state.low(state.width() - bits), new]) } else { new };
    (state.low(bits), next)
}

/// The highest bits of the scrambled sum, and the state after a step.
fn xoshiro<'c>(circuit: &'c Circuit, state: Bits<'c>, bits: u32) -> (Bits<'c>, Bits<'c>) {
    let word = |at: u32| state.slice(32 * at + 31, 32 * at).named(format!("s{at}"));
    let [s0, s1, s2, s3] = [0, 1, 2, 3].map(word);
    circuit.section("Word: s0 + rotate(s0 + s3, 7)");
    let sum = s0.add(s3).named("sum");
    let scrambled = rotated(sum, 7).add(s0).named("scrambled");
    circuit.section("Step");
    let (s2_s0, s3_s1) = ((s2 ^ s0).named("s2_s0"), (s3 ^ s1).named("s3_s1"));
    let shifted = s1.low(23).zeros_below(9);
    let next = concat(&[rotated(s3_s1, 11), s2_s0 ^ shifted, s1 ^ s2_s0, s0 ^ s3_s1]);
    (scrambled.high(bits), next)
}

/// Rotated to the left.
fn rotated(word: Bits, places: u32) -> Bits {
    concat(&[word.low(word.width() - places), word.high(places)])
}
