//! Splits operators that take longer than a segment into parts, between which registers can be placed.

use super::delay::{Delays, Time};
use super::timing::Timing;
use crate::naming::{signal_names, with_word};
use crate::rebuild::{Instead, rebuild};
use crate::{Bits, Netlist, NodeId, Op, concat};

/// The netlist with each operator that alone takes longer than `bound` split into parts that do not, as far as possible; `None`
/// if there is no such operator.
pub fn split(netlist: &Netlist, timing: &Timing, delays: &Delays, bound: Time) -> Option<Netlist> {
    let is_slow: Vec<bool> = (0..netlist.nodes.len()).map(|id| timing.alone(id) > bound).collect();
    is_slow.contains(&true).then(|| {
        let names = signal_names(netlist);
        rebuild(netlist, &Parts { netlist, names, is_slow, delays, bound })
    })
}

/// The most bits of a factor whose product is made of lookup tables.
const MOST_ROWS: u32 = 4;

/// Bits of the factors of a DSP block.
const BLOCK: u32 = 18;

struct Parts<'n> {
    netlist: &'n Netlist,
    /// The name of each node. Its parts are named after it and the places of their bits.
    names: Vec<String>,
    is_slow: Vec<bool>,
    delays: &'n Delays,
    bound: Time,
}

impl Instead for Parts<'_> {
    fn build<'c>(&self, id: NodeId, operands: &[Bits<'c>]) -> Option<Bits<'c>> {
        if !self.is_slow[id] {
            return None;
        }
        let name = &Part { name: &self.names[id], low: 0 };
        match (&self.netlist.nodes[id].op, operands) {
            (Op::Mul(..), &[a, b]) if a.width() < b.width() => Some(self.product(b, a, name)),
            (Op::Mul(..), &[a, b]) => Some(self.product(a, b, name)),
            (Op::Add(..), &[a, b]) => Some(self.sum(a, b, None, name)),
            // a - b is a + ~b + 1.
            (Op::Sub(..), &[a, b]) => Some(self.sum(a, !b, Some(a.circuit().constant(1, 1)), name)),
            (Op::Lt(..), &[a, b]) => Some(self.less(a, b, name)),
            (Op::Eq(..), &[a, b]) => Some(self.equal(a, b, name)),
            (Op::AnyOne(_), &[a]) => Some(self.any(a, name)),
            (Op::AllOnes(_), &[a]) => Some(!self.any(!a, name)),
            _ => None,
        }
    }
}

/// The bits of an operator's operands from `low` up.
struct Part<'n> {
    name: &'n str,
    low: u32,
}

impl Part<'_> {
    /// The bits from `more` up.
    fn above(&self, more: u32) -> Part<'_> {
        Part { name: self.name, low: self.low + more }
    }

    /// The name of a result of this number of bits.
    fn result(&self, what: &str, width: u32) -> String {
        format!("{}_{}_{}", with_word(self.name, what), self.low + width - 1, self.low)
    }
}

impl Parts<'_> {
    /// The sum of the products of `a` with the halves of `b`.
    fn product<'c>(&self, a: Bits<'c>, b: Bits<'c>, part: &Part) -> Bits<'c> {
        let (rows, width) = (b.width(), a.width() + b.width());
        // Wider products are operators that FPGAs map to their DSP blocks, whole.
        if rows == 1
            || (MOST_ROWS..=BLOCK).contains(&rows)
            || self.delays.product(rows) + self.delays.carry * Time::from(width - 1) <= self.bound
        {
            return a.mul(b).called(part.result("rows", rows));
        }
        let half = rows / 2;
        let high = self.product(a, b.slice(rows - 1, half), &part.above(half));
        let low = self.product(a, b.low(half), part);
        // The low bits are those of the product with the low half.
        let above = low.slice(low.width() - 1, half);
        let sum = self.sum(high, above.zext(high.width()), None, &part.above(half));
        concat(&[sum, low.low(half)]).called(part.result("rows", rows))
    }

    /// Sum modulo 2^width with a carry into the lowest bit: one adder for as many bits as the time allows, then the next.
    fn sum<'c>(&self, a: Bits<'c>, b: Bits<'c>, carry: Option<Bits<'c>>, part: &Part) -> Bits<'c> {
        // A chain is two bits longer than its part of the sum, for the carries in and out.
        let longest = ((self.bound - self.delays.adder()) / self.delays.carry - 1).max(1) as u32;
        if a.width() <= longest {
            return sum_with_carry(a, b, carry, &part.result("sum", a.width()));
        }
        let lower = |bits: Bits<'c>| bits.low(longest).zext(longest + 1);
        let low = sum_with_carry(lower(a), lower(b), carry, &part.result("sum", longest));
        let rest = |bits: Bits<'c>| bits.slice(bits.width() - 1, longest);
        let upper = self.sum(rest(a), rest(b), Some(low.msb()), &part.above(longest));
        concat(&[upper, low.low(longest)]).called(part.result("sum", a.width()))
    }

    fn less<'c>(&self, a: Bits<'c>, b: Bits<'c>, part: &Part) -> Bits<'c> {
        let width = a.width();
        if width == 1 || self.delays.adder() + self.delays.carry * Time::from(width - 1) <= self.bound {
            return a.less_than(b).called(part.result("less", width));
        }
        let half = width / 2;
        let (a_high, b_high) = (a.slice(width - 1, half), b.slice(width - 1, half));
        let is_equal = self.equal(a_high, b_high, &part.above(half));
        let in_lower = (is_equal & self.less(a.low(half), b.low(half), part)).called(part.result("less", half));
        (self.less(a_high, b_high, &part.above(half)) | in_lower).called(part.result("less", width))
    }

    fn equal<'c>(&self, a: Bits<'c>, b: Bits<'c>, part: &Part) -> Bits<'c> {
        let width = a.width();
        if width == 1 || self.delays.tree(2 * width) <= self.bound {
            return a.equals(b).called(part.result("equal", width));
        }
        let half = width / 2;
        let upper = self.equal(a.slice(width - 1, half), b.slice(width - 1, half), &part.above(half));
        (upper & self.equal(a.low(half), b.low(half), part)).called(part.result("equal", width))
    }

    fn any<'c>(&self, a: Bits<'c>, part: &Part) -> Bits<'c> {
        let width = a.width();
        if width == 1 || self.delays.tree(width) <= self.bound {
            return a.any().called(part.result("any", width));
        }
        let half = width / 2;
        let upper = self.any(a.slice(width - 1, half), &part.above(half));
        (upper | self.any(a.low(half), part)).called(part.result("any", width))
    }
}

/// One adder. The carry in is the carry out of an extra bit below.
fn sum_with_carry<'c>(a: Bits<'c>, b: Bits<'c>, carry: Option<Bits<'c>>, name: &str) -> Bits<'c> {
    let Some(carry) = carry else { return a.add(b).called(name) };
    let one = a.circuit().constant(1, 1);
    concat(&[a, one]).add(concat(&[b, carry])).called(name).high(a.width())
}
