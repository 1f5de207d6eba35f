//! Posit arithmetic in two's complement from code to code.
//!
//! A posit's code is never negated, neither is a significand. Of a negative posit the fields are read as they stand in the
//! code, and its significand is taken from -2 up (J. Gustafson and I. Yonemoto, "Beating floating point at its own game",
//! 2017; R. Murillo et al., "Energy-efficient MAC units for fused posit arithmetic", ICCD 2021):
//!
//! ```text
//!   positive    (+1 + fraction) * 2^exponent,    exponent = regime * 2^es + e
//!   negative    (-2 + fraction) * 2^exponent,    exponent = -(regime * 2^es + e) - 1: all bits inverted
//! ```
//!
//! The other way round, a result's bit string is written with its exponent's bits inverted if it is negative, and rounding
//! is one increment: what is cut off a bit string in two's complement is a positive fraction of a step for either sign.
//!
//! ```text
//! mul    operands -> multiply              -> encode
//! add    operands -> align, add, normalise -> encode
//! ```

mod add;
mod mul;
mod operand;
mod result;

pub use add::add;
pub use mul::mul;

use crate::{
    Optimize,
    circuit::{Bits, concat},
};

/// Bits that hold the numbers from 0 to `most`.
fn bits_for(most: u32) -> u32 {
    u32::BITS - most.leading_zeros()
}

/// `bits` shifted left until the top bit is not `run`, but by `longest` at the most, with zeros in the places that become
/// free; with the shift. If there is no such bit, the shift is all ones or, if they are `longest`, the width.
fn strip_run<'c>(bits: Bits<'c>, run: Bits<'c>, longest: u32, name: &str) -> (Bits<'c>, Bits<'c>) {
    let circuit = bits.circuit();
    let width = bits.width();
    let shift_left = |bits: Bits<'c>, step: u32| match width.checked_sub(step) {
        None | Some(0) => circuit.constant(0, width),
        Some(kept) => bits.low(kept).zeros_below(step),
    };
    let stages = bits_for(longest);
    if circuit.optimize() == Optimize::Depth {
        let ends = bits ^ run.repeat(width);
        let ends = if longest == width { concat(&[ends, run]) } else { ends };
        let count = ends.named(format!("{name}_ends")).leading_zeros().named(format!("{name}_length"));
        let stripped = (0..stages).rev().fold(bits, |shifted, stage| {
            let moved = count.bit(stage).select(shift_left(shifted, 1 << stage), shifted);
            moved.named(format!("{name}_to_{}", 1 << stage))
        });
        return (stripped, count);
    }
    let mut shifted = bits;
    let mut count = vec![];
    for step in (0..stages).rev().map(|stage| 1 << stage) {
        let top = shifted.high(step.min(width));
        let here = (top ^ run.repeat(top.width())).none().named(format!("{name}_by_{step}"));
        shifted = here.select(shift_left(shifted, step), shifted).named(format!("{name}_to_{step}"));
        count.push(here);
    }
    (shifted, concat(&count).named(format!("{name}_length")))
}
