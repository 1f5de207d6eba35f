//! Operators that take longer than a segment may, in parts between which there can be registers.

use super::delay::{Delays, Time};
use super::timing::Timing;
use crate::rebuild::{Instead, rebuild};
use crate::{Bits, Netlist, NodeId, Op, concat};

/// The netlist with each operator that alone takes longer than `bound` in parts that take no longer, as far as it can be parted;
/// nothing if there is no such operator.
pub fn split(netlist: &Netlist, timing: &Timing, delays: &Delays, bound: Time) -> Option<Netlist> {
    let is_slow: Vec<bool> = (0..netlist.nodes.len()).map(|id| timing.alone(id) > bound).collect();
    is_slow.contains(&true).then(|| rebuild(netlist, &Parts { netlist, is_slow, delays, bound }))
}

struct Parts<'n> {
    netlist: &'n Netlist,
    is_slow: Vec<bool>,
    delays: &'n Delays,
    bound: Time,
}

impl Instead for Parts<'_> {
    fn build<'c>(&self, id: NodeId, operands: &[Bits<'c>]) -> Option<Bits<'c>> {
        if !self.is_slow[id] {
            return None;
        }
        match (&self.netlist.nodes[id].op, operands) {
            (Op::Mul(..), &[a, b]) => Some(if a.width() < b.width() { self.product(b, a) } else { self.product(a, b) }),
            (Op::Add(..), &[a, b]) => Some(self.sum(a, b, None)),
            // a - b is a + ~b + 1.
            (Op::Sub(..), &[a, b]) => Some(self.sum(a, !b, Some(a.circuit().constant(1, 1)))),
            (Op::Lt(..), &[a, b]) => Some(self.less(a, b)),
            (Op::Eq(..), &[a, b]) => Some(self.equal(a, b)),
            (Op::AnyOne(_), &[a]) => Some(self.any(a)),
            (Op::AllOnes(_), &[a]) => Some(!self.any(!a)),
            _ => None,
        }
    }
}

impl Parts<'_> {
    /// The product of `a` and the halves of `b`, added up.
    fn product<'c>(&self, a: Bits<'c>, b: Bits<'c>) -> Bits<'c> {
        let (rows, width) = (b.width(), a.width() + b.width());
        if rows == 1 || self.delays.product(rows) + self.delays.carry * Time::from(width - 1) <= self.bound {
            return a.mul(b);
        }
        let half = rows / 2;
        let (high, low) = (self.product(a, b.slice(rows - 1, half)), self.product(a, b.low(half)));
        // The low bits are those of the product with the low half.
        let above = low.slice(low.width() - 1, half);
        concat(&[self.sum(high, above.zext(high.width()), None), low.low(half)])
    }

    /// Sum modulo 2^width with a carry into the lowest bit: one adder for so many bits as there is time for, then the next.
    fn sum<'c>(&self, a: Bits<'c>, b: Bits<'c>, carry: Option<Bits<'c>>) -> Bits<'c> {
        // A chain is two bits longer than its part of the sum: the carries in and out.
        let longest = ((self.bound - self.delays.adder()) / self.delays.carry - 1).max(1) as u32;
        if a.width() <= longest {
            return sum_with_carry(a, b, carry);
        }
        let part = |bits: Bits<'c>| bits.low(longest).zext(longest + 1);
        let low = sum_with_carry(part(a), part(b), carry);
        let rest = |bits: Bits<'c>| bits.slice(bits.width() - 1, longest);
        concat(&[self.sum(rest(a), rest(b), Some(low.msb())), low.low(longest)])
    }

    fn less<'c>(&self, a: Bits<'c>, b: Bits<'c>) -> Bits<'c> {
        let width = a.width();
        if width == 1 || self.delays.adder() + self.delays.carry * Time::from(width - 1) <= self.bound {
            return a.less_than(b);
        }
        let half = width / 2;
        let (a_high, b_high) = (a.slice(width - 1, half), b.slice(width - 1, half));
        self.less(a_high, b_high) | (self.equal(a_high, b_high) & self.less(a.low(half), b.low(half)))
    }

    fn equal<'c>(&self, a: Bits<'c>, b: Bits<'c>) -> Bits<'c> {
        let width = a.width();
        if width == 1 || self.delays.tree(2 * width) <= self.bound {
            return a.equals(b);
        }
        let half = width / 2;
        self.equal(a.slice(width - 1, half), b.slice(width - 1, half)) & self.equal(a.low(half), b.low(half))
    }

    fn any<'c>(&self, a: Bits<'c>) -> Bits<'c> {
        let width = a.width();
        if width == 1 || self.delays.tree(width) <= self.bound {
            return a.any();
        }
        let half = width / 2;
        self.any(a.slice(width - 1, half)) | self.any(a.low(half))
    }
}

/// One adder. A carry comes in as the carry out of a bit below.
fn sum_with_carry<'c>(a: Bits<'c>, b: Bits<'c>, carry: Option<Bits<'c>>) -> Bits<'c> {
    let Some(carry) = carry else { return a.add(b) };
    let one = a.circuit().constant(1, 1);
    concat(&[a, one]).add(concat(&[b, carry])).high(a.width())
}
