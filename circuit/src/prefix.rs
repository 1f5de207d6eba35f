//! Sums and comparisons with carries from a parallel-prefix tree, without carry chains.
//!
//! A place *generates* a carry if both of its bits are 1, and *propagates* a carry if one of them is. Blocks of places
//! are joined and double in length at each level (Sklansky, "Conditional-sum addition logic", IRE Transactions on
//! Electronic Computers, 1960), so that a carry passes one level per doubling of the width, instead of one step per
//! bit.

use crate::naming::signal_names;
use crate::rebuild::{Instead, rebuild};
use crate::{Bits, Netlist, Op, Part, concat};

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

/// Builds a sum or a comparison of two words, with names that begin with a prefix.
type Build<'c> = fn(Bits<'c>, Bits<'c>, &str) -> Bits<'c>;

impl Instead for Prefix<'_> {
    fn build<'c>(&self, id: usize, operands: &[Bits<'c>]) -> Option<Bits<'c>> {
        let name = &self.names[id];
        let &[a, b] = operands else { return None };
        let ([of_two, with_constant], build): (&[Part; 2], Build<'c>) = match &self.netlist.nodes[id].op {
            Op::Add(..) => (&ADDERS, |a, b, name| sum(a, b, false, name)),
            // a - b is a + ~b + 1.
            Op::Sub(..) => (&SUBTRACTORS, |a, b, name| sum(a, !b, true, name)),
            Op::Lt(..) => (&COMPARATORS, |a, b, name| less(a, b, 0, name)),
            _ => return None,
        };
        if has_no_carries(&self.netlist.nodes[id].op, a, b) {
            return Some((a ^ b).called(name));
        }
        if a.width() < MODULE_WIDTH {
            return Some(build(a, b, &format!("{name}_")));
        }
        let [a, b] = [(a, "left"), (b, "right")].map(|(word, which)| whole(word, &format!("{name}_{which}")));
        let has_constant = a.known().is_some() || b.known().is_some();
        let part = if has_constant { with_constant } else { of_two };
        Some(a.circuit().part(*part, name, || build(a, b, "")).called(name))
    }
}

/// Parts side by side as a wire, so that the module of a sum reads a word and not its parts.
fn whole<'c>(word: Bits<'c>, name: &str) -> Bits<'c> {
    let is_word = matches!(word.circuit().op(word.node()), Op::Concat(_));
    if is_word { word.named(name) } else { word }
}

/// Whether it is a sum with a constant that has a 1 in the top place alone.
fn has_no_carries(op: &Op, a: Bits, b: Bits) -> bool {
    let is_top = |bits: Bits| bits.known() == Some(1 << (bits.width() - 1));
    matches!(op, Op::Add(..)) && a.width() <= 128 && (is_top(a) || is_top(b))
}

/// Modules for the sum of two numbers, and of a number and a constant.
const ADDERS: [Part; 2] = [
    Part::module(
        "prefix_adder",
        "The sum of two numbers: carries from a parallel-prefix tree (Sklansky), in which blocks of places double from level to level.",
    ),
    Part::module(
        "prefix_constant_adder",
        "The sum of a number and a constant: where the constant leaves carries, they come from a parallel-prefix tree (Sklansky).",
    ),
];

/// The same for differences.
const SUBTRACTORS: [Part; 2] = [
    Part::module(
        "prefix_subtractor",
        "The difference of two numbers, as a + ~b + 1: carries from a parallel-prefix tree (Sklansky), in which blocks of places double \
         from level to level.",
    ),
    Part::module(
        "prefix_constant_subtractor",
        "The difference of a number and a constant, as a + ~b + 1: where the constant leaves carries, they come from a parallel-prefix tree \
         (Sklansky).",
    ),
];

/// The same for comparisons.
const COMPARATORS: [Part; 2] = [
    Part::module(
        "prefix_comparator",
        "Whether one number is less than another: in the upper half, or in the lower half where the upper halves are equal, and so on.",
    ),
    Part::module(
        "prefix_constant_comparator",
        "Whether a number is less than a constant, or greater: in the upper half, or in the lower half where the upper halves are equal, \
         and so on.",
    ),
];

/// The least width of sums and comparisons that are modules.
const MODULE_WIDTH: u32 = 5;

/// `a + b`, plus the carry in, modulo 2^width. Names begin with `prefix`.
fn sum<'c>(a: Bits<'c>, b: Bits<'c>, carry_in: bool, prefix: &str) -> Bits<'c> {
    let width = a.width();
    let (a, b) = (a.called(format!("{prefix}addend")), b.called(format!("{prefix}addend")));
    let propagate = gate_named(a ^ b, format!("{prefix}propagates"));
    let carry_into_lowest = a.circuit().constant(carry_in.into(), 1);
    if width == 1 {
        return propagate ^ carry_into_lowest;
    }
    let carries = carries(gate_named(a & b, format!("{prefix}generates")), propagate, carry_in, prefix);
    propagate ^ concat(&[carries.low(width - 1), carry_into_lowest]).called(format!("{prefix}carries_in"))
}

/// The word with a name, unless it is a part of an operand or an inverted operand, as with a constant.
fn gate_named(word: Bits, name: String) -> Bits {
    match word.circuit().op(word.node()) {
        Op::And(..) | Op::Xor(..) => word.named(name),
        _ => word,
    }
}

/// The carry out of each place.
fn carries<'c>(generate: Bits<'c>, propagate: Bits<'c>, carry_in: bool, prefix: &str) -> Bits<'c> {
    let width = generate.width();
    let (mut generate, mut propagate) = (generate, propagate);
    let mut block = 1;
    while block < width {
        let from_below = generate_below(generate, block, false).called(format!("{prefix}generates_below_{block}"));
        let passes_below = generate_below(propagate, block, true).called(format!("{prefix}propagates_below_{block}"));
        let passed = (propagate & from_below).called(format!("{prefix}passed_{}", 2 * block));
        generate = (generate | passed).named(format!("{prefix}generates_{}", 2 * block));
        propagate = (propagate & passes_below).named(format!("{prefix}propagates_{}", 2 * block));
        block *= 2;
    }
    if carry_in { (generate | propagate).called(format!("{prefix}carries")) } else { generate }
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
/// the whole numbers. Intermediate signals are named after the places of their bits, behind `prefix`.
fn less<'c>(a: Bits<'c>, b: Bits<'c>, low: u32, prefix: &str) -> Bits<'c> {
    let width = a.width();
    if width == 1 {
        return (!a & b).called(format!("{prefix}less_{low}"));
    }
    let half = width / 2;
    let (a_high, b_high) = (a.slice(width - 1, half), b.slice(width - 1, half));
    let (high, middle) = (low + width - 1, low + half);
    let places = format!("{high}_{middle}");
    let a_high = a_high.called(format!("{prefix}left_{places}"));
    let b_high = b_high.called(format!("{prefix}right_{places}"));
    let differs = (a_high ^ b_high).called(format!("{prefix}differs_{places}"));
    let is_equal = (!differs.any()).called(format!("{prefix}equal_{places}"));
    let in_upper = less(a_high, b_high, middle, prefix);
    let in_lower = is_equal & less(a.low(half), b.low(half), low, prefix);
    (in_upper | in_lower.called(format!("{prefix}less_below_{middle}"))).called(format!("{prefix}less_{high}_{low}"))
}
