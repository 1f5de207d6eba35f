//! Nodes of up to 128 bits that read no wider ones: a block of vectors at a time, in words of 64 or 128 bits.

use super::BLOCK;
use crate::{Netlist, NodeId, Op};
use num_bigint::BigUint;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shr};

/// The values of a node, one per vector.
pub type Column<Word> = [Word; BLOCK];

/// Unsigned words that hold the values of a node and of its operands.
pub trait Word:
    Copy
    + Ord
    + From<bool>
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shr<u32, Output = Self>
{
    const ZERO: Self;

    /// `width` ones.
    fn ones(width: u32) -> Self;
    fn of(value: &BigUint) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// 0 if all bits are shifted out.
    fn shifted_up(self, by: u32) -> Self;
}

macro_rules! word {
    ($word:ty) => {
        impl Word for $word {
            const ZERO: $word = 0;

            fn ones(width: u32) -> $word {
                <$word>::MAX.checked_shr(<$word>::BITS - width).unwrap_or(0)
            }

            fn of(value: &BigUint) -> $word {
                value.try_into().expect("no more bits than the node")
            }

            fn plus(self, other: $word) -> $word {
                self.wrapping_add(other)
            }

            fn minus(self, other: $word) -> $word {
                self.wrapping_sub(other)
            }

            fn times(self, other: $word) -> $word {
                self.wrapping_mul(other)
            }

            fn shifted_up(self, by: u32) -> $word {
                self.checked_shl(by).unwrap_or(0)
            }
        }
    };
}

word!(u64);
word!(u128);

/// The values of node `id`; `read` holds those of the nodes before it.
pub fn compute<W: Word>(netlist: &Netlist, id: NodeId, read: &[Column<W>], result: &mut Column<W>) {
    let width = |id: NodeId| netlist.nodes[id].width;
    let ones = W::ones(width(id));
    let truth = |truth: bool| W::from(truth);
    match netlist.nodes[id].op {
        Op::Input(_) | Op::Register(_) => unreachable!("inputs and registers are copied"),
        Op::Constant(ref value) => result.fill(W::of(value)),
        Op::Not(a) => map(result, &read[a], |x| !x & ones),
        Op::And(a, b) => map2(result, &read[a], &read[b], |x, y| x & y),
        Op::Or(a, b) => map2(result, &read[a], &read[b], |x, y| x | y),
        Op::Xor(a, b) => map2(result, &read[a], &read[b], |x, y| x ^ y),
        Op::Add(a, b) => map2(result, &read[a], &read[b], |x, y| x.plus(y) & ones),
        Op::Sub(a, b) => map2(result, &read[a], &read[b], |x, y| x.minus(y) & ones),
        Op::Eq(a, b) => map2(result, &read[a], &read[b], |x, y| truth(x == y)),
        Op::Lt(a, b) => map2(result, &read[a], &read[b], |x, y| truth(x < y)),
        Op::Mul(a, b) => map2(result, &read[a], &read[b], W::times),
        Op::Mux { select, one, zero } => {
            let (select, one, zero) = (&read[select], &read[one], &read[zero]);
            for (i, word) in result.iter_mut().enumerate() {
                *word = if select[i] == W::ZERO { zero[i] } else { one[i] };
            }
        }
        Op::AnyOne(a) => map(result, &read[a], |x| truth(x != W::ZERO)),
        Op::AllOnes(a) => {
            let all = W::ones(width(a));
            map(result, &read[a], |x| truth(x == all));
        }
        Op::Slice { of, low } => map(result, &read[of], |x| x >> low & ones),
        Op::Concat(ref parts) => {
            result.fill(W::ZERO);
            for &part in parts {
                let width = width(part);
                result.iter_mut().zip(&read[part]).for_each(|(word, &low)| *word = word.shifted_up(width) | low);
            }
        }
        Op::Repeat(bit) => map(result, &read[bit], |x| if x == W::ZERO { W::ZERO } else { ones }),
    }
}

fn map<W: Word>(result: &mut Column<W>, a: &Column<W>, f: impl Fn(W) -> W) {
    for (word, &x) in result.iter_mut().zip(a) {
        *word = f(x);
    }
}

fn map2<W: Word>(result: &mut Column<W>, a: &Column<W>, b: &Column<W>, f: impl Fn(W, W) -> W) {
    for ((word, &x), &y) in result.iter_mut().zip(a).zip(b) {
        *word = f(x, y);
    }
}
