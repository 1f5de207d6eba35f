//! Nodes that have or read more than 128 bits: vector by vector, in limbs.

use super::limbs::{add, bitwise, cut, is_less, multiply, place, shift_down};
use super::{BLOCK, Interpreter, MAX_DOUBLE, MAX_SINGLE};
use crate::word::limbs;
use crate::{NodeId, Op};
use std::ops::Deref;

/// One vector's value of a node.
enum Value<'i> {
    Narrow([u64; 2]),
    Wide(&'i [u64]),
}

impl Deref for Value<'_> {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        match self {
            Value::Narrow(limbs) => limbs,
            Value::Wide(limbs) => limbs,
        }
    }
}

pub fn split(word: u128) -> [u64; 2] {
    [word as u64, (word >> 64) as u64]
}

pub fn join(limbs: &[u64]) -> u128 {
    limbs.iter().rev().fold(0, |word, &limb| word << 64 | u128::from(limb))
}

impl Interpreter<'_> {
    /// A node's values for the first `count` vectors of the block.
    pub(super) fn run_wide(&mut self, id: NodeId, count: usize) {
        let width = self.netlist.nodes[id].width;
        let mut column = std::mem::take(&mut self.wide[id]);
        column.resize(limbs(width) * BLOCK, 0);
        for (vector, result) in column.chunks_exact_mut(limbs(width)).take(count).enumerate() {
            result.fill(0);
            self.compute(id, vector, result);
            cut(result, width);
            match width {
                ..=MAX_SINGLE => self.single[id][vector] = result[0],
                65..=MAX_DOUBLE => self.double[id][vector] = join(result),
                _ => {}
            }
        }
        self.wide[id] = column;
        if width <= MAX_SINGLE {
            self.widen(id);
        }
    }

    /// The result may have ones above its width.
    fn compute(&self, id: NodeId, vector: usize, result: &mut [u64]) {
        let of = |id: NodeId| self.value(id, vector);
        let is_one = |id: NodeId| of(id)[0] == 1;
        let identity = |limb: u64| limb;
        match self.netlist.nodes[id].op {
            Op::Input(_) | Op::Register(_) => unreachable!("inputs and registers are copied"),
            Op::Constant(ref value) => value.iter_u64_digits().zip(result).for_each(|(digit, limb)| *limb = digit),
            Op::Not(a) => bitwise(result, &of(a), &[], |x, _| !x),
            Op::And(a, b) => bitwise(result, &of(a), &of(b), |x, y| x & y),
            Op::Or(a, b) => bitwise(result, &of(a), &of(b), |x, y| x | y),
            Op::Xor(a, b) => bitwise(result, &of(a), &of(b), |x, y| x ^ y),
            Op::Add(a, b) => add(result, &of(a), &of(b), identity, false),
            // a - b is a + ~b + 1.
            Op::Sub(a, b) => add(result, &of(a), &of(b), |limb| !limb, true),
            Op::Eq(a, b) => result[0] = (*of(a) == *of(b)).into(),
            Op::Lt(a, b) => result[0] = is_less(&of(a), &of(b)).into(),
            Op::Mul(a, b) => multiply(result, &of(a), &of(b)),
            Op::Mux { select, one, zero } => {
                bitwise(result, &of(if is_one(select) { one } else { zero }), &[], |x, _| x);
            }
            Op::AnyOne(a) => result[0] = of(a).iter().any(|&limb| limb != 0).into(),
            Op::AllOnes(a) => {
                let ones: u32 = of(a).iter().map(|limb| limb.count_ones()).sum();
                result[0] = (ones == self.netlist.nodes[a].width).into();
            }
            Op::Slice { of: whole, low } => shift_down(result, &of(whole), low),
            Op::Concat(ref parts) => {
                let mut low = 0;
                for &part in parts.iter().rev() {
                    place(result, &of(part), low);
                    low += self.netlist.nodes[part].width;
                }
            }
            Op::Repeat(bit) => result.fill(if is_one(bit) { u64::MAX } else { 0 }),
        }
    }

    fn value(&self, id: NodeId, vector: usize) -> Value<'_> {
        let width = self.netlist.nodes[id].width;
        match width {
            ..=MAX_SINGLE => Value::Narrow([self.single[id][vector], 0]),
            65..=MAX_DOUBLE => Value::Narrow(split(self.double[id][vector])),
            _ => Value::Wide(&self.wide[id][vector * limbs(width)..][..limbs(width)]),
        }
    }
}
