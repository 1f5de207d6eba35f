//! Nodes of up to 128 bits that read no wider ones: a block of vectors at a time, in words.

use super::{BLOCK, Interpreter};
use crate::word::mask;
use crate::{NodeId, Op};

impl Interpreter<'_> {
    /// The values of a node of `width` bits; `result` is 0 so far.
    pub(super) fn run_narrow(&self, op: &Op, width: u32, result: &mut [u128; BLOCK]) {
        let ones = mask(width);
        match *op {
            Op::Input(_) | Op::Register(_) => unreachable!("inputs and registers are copied"),
            Op::Constant(ref value) => result.fill(value.try_into().expect("no more bits than the node")),
            Op::Not(a) => self.map(result, a, |x| !x & ones),
            Op::And(a, b) => self.map2(result, a, b, |x, y| x & y),
            Op::Or(a, b) => self.map2(result, a, b, |x, y| x | y),
            Op::Xor(a, b) => self.map2(result, a, b, |x, y| x ^ y),
            Op::Add(a, b) => self.map2(result, a, b, |x, y| x.wrapping_add(y) & ones),
            Op::Sub(a, b) => self.map2(result, a, b, |x, y| x.wrapping_sub(y) & ones),
            Op::Eq(a, b) => self.map2(result, a, b, |x, y| u128::from(x == y)),
            Op::Lt(a, b) => self.map2(result, a, b, |x, y| u128::from(x < y)),
            Op::Mul(a, b) => self.map2(result, a, b, |x, y| x.wrapping_mul(y)),
            Op::Mux { select, one, zero } => {
                let (one, zero) = (&self.narrow[one], &self.narrow[zero]);
                for (i, (word, &choice)) in result.iter_mut().zip(&self.narrow[select]).enumerate() {
                    *word = if choice == 1 { one[i] } else { zero[i] };
                }
            }
            Op::AnyOne(a) => self.map(result, a, |x| u128::from(x != 0)),
            Op::AllOnes(a) => {
                let all = mask(self.netlist.nodes[a].width);
                self.map(result, a, |x| u128::from(x == all));
            }
            Op::Slice { of, low } => self.map(result, of, |x| x >> low & ones),
            Op::Concat(ref parts) => {
                for &part in parts {
                    let width = self.netlist.nodes[part].width;
                    for (word, &low) in result.iter_mut().zip(&self.narrow[part]) {
                        *word = word.checked_shl(width).unwrap_or(0) | low;
                    }
                }
            }
            Op::Repeat(bit) => self.map(result, bit, |x| if x == 1 { ones } else { 0 }),
        }
    }

    fn map(&self, result: &mut [u128; BLOCK], a: NodeId, f: impl Fn(u128) -> u128) {
        for (word, &x) in result.iter_mut().zip(&self.narrow[a]) {
            *word = f(x);
        }
    }

    fn map2(&self, result: &mut [u128; BLOCK], a: NodeId, b: NodeId, f: impl Fn(u128, u128) -> u128) {
        for ((word, &x), &y) in result.iter_mut().zip(&self.narrow[a]).zip(&self.narrow[b]) {
            *word = f(x, y);
        }
    }
}
