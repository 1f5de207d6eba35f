//! Sums and comparisons with carries from a parallel-prefix tree, without carry chains.
//!
//! A place *generates* a carry if both of its bits are 1, and *propagates* a carry if one of them is. Blocks of places
//! are joined and double in length at each level (Sklansky, "Conditional-sum addition logic", IRE Transactions on
//! Electronic Computers, 1960), so that a carry passes one level per doubling of the width, instead of one step per
//! bit.

use crate::naming::{signal_names, with_word};
use crate::rebuild::{Instead, rebuild};
use crate::{Bits, Netlist, Op, concat};

/// A netlist with the same outputs and inputs, and every sum, difference and comparison as a parallel-prefix tree: few
/// levels instead of carry chains. Products do not change.
pub fn without_chains(netlist: &Netlist) -> Netlist {
    rebuild(netlist, &Prefix { netlist, names: signal_names(netlist) })
}

struct Prefix<'n> {
    netlist: &'n Netlist,
    /// The name of each node.
    names: Vec<String>,
}

impl Instead for Prefix<'_> {
    fn build<'c>(&self, id: usize, operands: &[Bits<'c>]) -> Option<Bits<'c>> {
        let name = &self.names[id];
        match (&self.netlist.nodes[id].op, operands) {
            (Op::Add(..), &[a, b]) => Some(sum(a, b, false, name)),
            // a - b is a + ~b + 1.
            (Op::Sub(..), &[a, b]) => Some(sum(a, !b, true, name)),
            (Op::Lt(..), &[a, b]) => Some(less(a, b, 0, name)),
            _ => None,
        }
    }
}

/// `a + b`, plus the carry in, modulo 2^width.
fn sum<'c>(a: Bits<'c>, b: Bits<'c>, carry_in: bool, name: &str) -> Bits<'c> {
    let width = a.width();
    let (a, b) = (a.called(format!("{name}_addend")), b.called(format!("{name}_addend")));
    let propagate = (a ^ b).named(format!("{name}_propagate"));
    let carry_into_lowest = a.circuit().constant(carry_in.into(), 1);
    if width == 1 {
        return propagate ^ carry_into_lowest;
    }
    let carries = carries((a & b).named(format!("{name}_generate")), propagate, carry_in, name);
    propagate ^ concat(&[carries.low(width - 1), carry_into_lowest]).called(format!("{name}_carries_in"))
}

/// The carry out of each place.
fn carries<'c>(generate: Bits<'c>, propagate: Bits<'c>, carry_in: bool, name: &str) -> Bits<'c> {
    let width = generate.width();
    let (mut generate, mut propagate) = (generate, propagate);
    let mut block = 1;
    while block < width {
        let from_below = generate_below(generate, block, false).called(format!("{name}_generate_below_{block}"));
        let passes_below = generate_below(propagate, block, true).called(format!("{name}_propagate_below_{block}"));
        let passed = (propagate & from_below).called(format!("{name}_passed_{}", 2 * block));
        generate = (generate | passed).named(format!("{name}_generate_{}", 2 * block));
        propagate = (propagate & passes_below).named(format!("{name}_propagate_{}", 2 * block));
        block *= 2;
    }
    if carry_in { (generate | propagate).called(format!("{name}_carries")) } else { generate }
}

/// For every second block of places, the top bit of the block below; for the others, `neutral`.
fn generate_below(word: Bits, block: u32, neutral: bool) -> Bits {
    let width = word.width();
    let mut parts = vec![];
    for low in (0..width).step_by(block as usize) {
        let size = block.min(width - low);
        let is_upper = (low / block) % 2 == 1;
        let carry = if is_upper { word.bit(low - 1) } else { word.circuit().constant(neutral.into(), 1) };
        parts.push(carry.repeat(size));
    }
    parts.reverse();
    concat(&parts)
}

/// `a < b`: less in the upper half, or equal there and less in the lower half. The lowest bits have the place `low` in
/// the whole numbers. Intermediate signals are named after the places of their bits.
fn less<'c>(a: Bits<'c>, b: Bits<'c>, low: u32, name: &str) -> Bits<'c> {
    let width = a.width();
    if width == 1 {
        return (!a & b).called(format!("{name}_{low}"));
    }
    let half = width / 2;
    let (a_high, b_high) = (a.slice(width - 1, half), b.slice(width - 1, half));
    let (high, middle) = (low + width - 1, low + half);
    let places = format!("{high}_{middle}");
    let a_high = a_high.called(format!("{name}_left_{places}"));
    let b_high = b_high.called(format!("{name}_right_{places}"));
    let differs = (a_high ^ b_high).called(format!("{name}_differs_{places}"));
    let is_equal = (!differs.any()).called(format!("{name}_equal_{places}"));
    let in_upper = less(a_high, b_high, middle, name);
    let in_lower = is_equal & less(a.low(half), b.low(half), low, name);
    (in_upper | in_lower.called(format!("{}_{middle}", with_word(name, "below"))))
        .called(format!("{name}_{high}_{low}"))
}
