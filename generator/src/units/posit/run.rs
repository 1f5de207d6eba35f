//! The run of equal bits at the top of a code or of a sum.

use binade_circuit::{Bits, Optimize, concat, unsigned_width};

/// `bits` shifted left until the top bit differs from `run`, but at most by `longest`, with zeros in the vacated places;
/// with the shift. If all bits equal `run`, the shift is all ones or, if all ones is `longest`, the width.
pub fn strip_run<'c>(bits: Bits<'c>, run: Bits<'c>, longest: u32, name: &str) -> (Bits<'c>, Bits<'c>) {
    match bits.circuit().optimize() {
        Optimize::Area => strip_in_stages(bits, run, longest, name),
        Optimize::Depth => strip_counted(bits, run, longest, name),
    }
}

/// Each stage of the shifter tests whether the run is at least as long as its step. Pairs of stages test the same word, so
/// that together they choose one of four bits.
fn strip_in_stages<'c>(bits: Bits<'c>, run: Bits<'c>, longest: u32, name: &str) -> (Bits<'c>, Bits<'c>) {
    let (mut shifted, mut count) = (bits, vec![]);
    let mut shift = |here: Bits<'c>, step: u32| {
        let here = here.named(format!("{name}_by_{step}"));
        shifted = here.select(shifted_left(shifted, step), shifted).named(format!("{name}_to_{step}"));
        count.push(here);
        shifted
    };
    let (mut word, mut stage) = (bits, unsigned_width(longest));
    if stage % 2 == 1 {
        stage -= 1;
        word = shift(goes_on(word, run, 0, 1 << stage, name), 1 << stage);
    }
    while stage > 0 {
        stage -= 2;
        let step = 1 << stage;
        let [first, second, third] = [0, 1, 2].map(|block| goes_on(word, run, block * step, step, name));
        let by_two_steps = first & second;
        shift(by_two_steps, 2 * step);
        word = shift(by_two_steps.select(third, first), step);
    }
    (word, concat(&count).named(format!("{name}_length")))
}

/// Whether `size` bits, from `skip` places below the top, belong to the run.
fn goes_on<'c>(word: Bits<'c>, run: Bits<'c>, skip: u32, size: u32, name: &str) -> Bits<'c> {
    let padded = word.zeros_below((skip + size).saturating_sub(word.width()));
    let block = padded.high(skip + size).low(size);
    (block ^ run.repeat(size)).none().called(format!("{name}_goes_on_{skip}_{size}"))
}

/// The run is counted in parallel with the shifter.
fn strip_counted<'c>(bits: Bits<'c>, run: Bits<'c>, longest: u32, name: &str) -> (Bits<'c>, Bits<'c>) {
    let ends = (bits ^ run.repeat(bits.width())).called(format!("{name}_differs"));
    let ends = if longest == bits.width() { concat(&[ends, run]) } else { ends };
    let count = ends.named(format!("{name}_ends")).leading_zeros(name).named(format!("{name}_length"));
    let stripped = (0..unsigned_width(longest)).rev().fold(bits, |shifted, stage| {
        let moved = count.bit(stage).select(shifted_left(shifted, 1 << stage), shifted);
        moved.named(format!("{name}_to_{}", 1 << stage))
    });
    (stripped, count)
}

/// Shifted left by a constant, with zeros in the vacated places.
fn shifted_left(bits: Bits, step: u32) -> Bits {
    match bits.width().checked_sub(step) {
        None | Some(0) => bits.circuit().constant(0, bits.width()),
        Some(kept) => bits.low(kept).zeros_below(step),
    }
}
