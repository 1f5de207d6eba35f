//! Sequences for sums of products (`dot-exact`, `dot-stream`): the lowest and the largest sum of an accumulator, small
//! products between large ones that cancel, sums with long carries, infinities and NaN, and clears.

use super::operands::Operands;
use crate::columns::Columns;
use crate::vectors::block::BLOCK;
use binade_golden::{Codec, Exact, Value};
use binade_spec::{Class, Operation, Overflow, Unit};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The indices of the ports.
const A: usize = 0;
const B: usize = 1;
const CLEAR: usize = 2;
const NEGATE: usize = 3;

/// Clocks in which one product is added repeatedly.
const RUN: usize = 300;

/// The number of scenes with random operands.
const SCENES: usize = 1000;

/// The directed vectors.
pub(super) fn directed(operation: &Operation, seed: u64) -> Vec<u64> {
    let ports = operation.inputs();
    let operands = [A, B].map(|port| Operands::new(ports[port]));
    let has_negate = ports.len() > NEGATE;
    let random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut scenes = Scenes { operands, has_negate, random, vectors: vec![] };
    if operation.unit == Unit::DotExact {
        scenes.ends(operation);
    }
    scenes.far_apart();
    scenes.runs();
    scenes.specials();
    scenes.vectors
}

/// One code for all lanes of `a`, and one for all lanes of `b`.
type Pair = [u128; 2];

struct Scenes {
    operands: [Operands; 2],
    /// Whether a port says that products are subtracted; otherwise the codes of `a` are negated.
    has_negate: bool,
    random: Xoshiro256PlusPlus,
    /// The limbs of all vectors.
    vectors: Vec<u64>,
}

impl Scenes {
    fn push(&mut self, [a, b]: Pair, clear: bool, negate: bool) {
        let a = if negate && !self.has_negate { self.operands[A].negated(a) } else { a };
        let lanes = self.operands[A].lanes();
        self.push_lanes([vec![a; lanes], vec![b; lanes]], clear, negate);
    }

    fn push_lanes(&mut self, codes: [Vec<u128>; 2], clear: bool, negate: bool) {
        for (operands, codes) in self.operands.iter().zip(codes) {
            let start = self.vectors.len();
            self.vectors.resize(start + operands.limbs, 0);
            operands.put(&codes, &mut self.vectors[start..]);
        }
        self.vectors.push(clear.into());
        self.vectors.extend(self.has_negate.then_some(u64::from(negate)));
    }

    fn finite(&mut self) -> Pair {
        [A, B].map(|port| self.operands[port].finite_code(&mut self.random))
    }

    /// If a sequence can reach them, the lowest and the largest sum of the accumulator, which are adjacent modulo its
    /// width: both are reached from both sides, by products of powers of two and one of the smallest values.
    fn ends(&mut self, operation: &Operation) {
        let accumulator = operation.accumulator();
        let formats = operation.factors();
        let exponents = formats.map(|format| format.largest_exponent());
        let products = i64::from(accumulator.width) - 1 + accumulator.lowest - exponents[A] - exponents[B];
        let (lanes, zeros) = (self.operands[A].lanes(), formats.map(|format| format.zero_code(false)));
        // Both ways fit in the first block.
        let most = (BLOCK / 4).ilog2() + lanes.ilog2();
        let has_zeros = formats.iter().all(|format| format.class_codes(Class::Zero).is_some());
        if products > i64::from(most) || !has_zeros {
            return;
        }
        let powers = [A, B].map(|port| {
            let power = Value::Finite(Exact { negative: false, n: 1, k: exponents[port] as i32 });
            formats[port].encode(power, formats[port].default_rounding(), Overflow::Inf)
        });
        let products = 1_usize << products;
        let smallest = formats.map(|format| format.smallest_code());
        // A pair in `count` lanes, and zeros in the others.
        let in_lanes = |pair: Pair, count: usize| {
            [A, B].map(|port| [vec![pair[port]; count], vec![zeros[port]; lanes - count]].concat())
        };
        for negate in [true, false] {
            for first in (0..products).step_by(lanes) {
                self.push_lanes(in_lanes(powers, lanes.min(products - first)), first == 0, negate);
            }
            for negate in [true, false, false, true] {
                self.push_lanes(in_lanes(smallest, 1), false, negate);
            }
        }
    }

    /// Adds a product and another one, and subtracts the first one: the other one remains, at every place of the
    /// accumulator.
    fn far_apart(&mut self) {
        for scene in 0..SCENES {
            let (first, second) = (self.finite(), self.finite());
            self.push(first, true, scene % 2 == 1);
            self.push(second, false, scene % 4 == 2);
            self.push(first, false, scene % 2 == 0);
            self.push(second, false, scene % 4 != 2);
        }
    }

    /// Adds the same product repeatedly, with both signs, for long carries and borrows.
    fn runs(&mut self) {
        let last = self.operands.each_ref().map(|operands| operands.largest());
        let any = self.finite();
        for (pair, negate) in [(last, false), (last, true), (any, false), (any, true)] {
            self.push(pair, true, negate);
            (0..RUN).for_each(|_| self.push(pair, false, negate));
            (0..RUN + 2).for_each(|_| self.push(pair, false, !negate));
        }
    }

    /// Each infinity and NaN with some number, in both orders and signs; it stays until a clear.
    fn specials(&mut self) {
        for port in [A, B] {
            for special in self.operands[port].specials.clone() {
                for negate in [false, true] {
                    let mut pair = self.finite();
                    let after = self.finite();
                    pair[port] = special;
                    self.push(after, true, false);
                    self.push(pair, false, negate);
                    self.push(after, false, false);
                    self.push(pair, false, !negate);
                    self.push(after, true, negate);
                }
            }
        }
    }
}

/// Turns random vectors into a sequence.
pub(in crate::vectors) struct Walks {
    operands: [Operands; 2],
    has_negate: bool,
}

impl Walks {
    pub fn new(operation: &Operation) -> Walks {
        let ports = operation.inputs();
        Walks { operands: [A, B].map(|port| Operands::new(ports[port])), has_negate: ports.len() > NEGATE }
    }

    /// Sets clears and specials in the vectors of a block from the `first` random one on, with odds chosen per block.
    pub fn shape(&self, first: usize, random: &mut Xoshiro256PlusPlus, columns: &mut Columns) {
        let mut odds = |of: [u32; 4]| of[random.random_range(0..4)];
        let (clear_odds, special_odds) = (odds([1, 4, 64, 4096]), odds([0, 0, 8, 512]));
        for vector in first..columns.len() {
            let clear = random.random_range(0..clear_odds) == 0;
            columns.set_code(CLEAR, vector, clear.into());
            if self.has_negate {
                columns.set_code(NEGATE, vector, random.random_range(0..2));
            }
            let may_be_special = special_odds > 0 && random.random_range(0..special_odds) == 0;
            for port in [A, B].into_iter().filter(|_| !may_be_special) {
                self.operands[port].tame(columns.word_mut(port, vector), random);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_golden::Model;
    use binade_spec::word::{limbs, low_bits};
    use binade_spec::{Selection, Word};
    use std::collections::BTreeSet;

    /// The accumulator's digits after each of the first directed vectors, up to the next reset.
    fn sums(operation: &Operation) -> BTreeSet<u128> {
        let model = Model::new(operation);
        let ports = operation.inputs();
        let limbs: Vec<usize> = ports.iter().map(|port| limbs(port.width())).collect();
        let vectors = directed(operation, 1);
        let mut state = model.reset();
        let step = |vector: &[u64]| {
            let mut rest = vector;
            let inputs = limbs.iter().map(|&count| {
                let (word, others) = rest.split_at(count);
                rest = others;
                word.iter().rev().fold(Word::ZERO, |word, &limb| word << 64 | Word::from(limb))
            });
            state = model.step(&state, &inputs.collect::<Vec<_>>()).0;
            low_bits(&state[0])
        };
        vectors.chunks_exact(limbs.iter().sum()).take(BLOCK).map(step).collect()
    }

    #[test]
    fn accumulators_are_filled() {
        for (name, guard, lanes) in
            [("e2m1f", 0, 3), ("e5m2", 5, 1), ("e4m3fn", 3, 2), ("posit8_2", 4, 2), ("int8", 6, 3)]
        {
            let format = name.parse().expect("a format");
            let plain = Selection::new(Unit::DotExact, format);
            let selection = Selection { lanes: Some(lanes), guard_bits: Some(guard), ..plain };
            let operation = selection.operation().expect("an accumulator");
            let (sums, lowest) = (sums(&operation), 1 << (operation.accumulator().width - 1));
            for sum in [lowest, lowest + 1, lowest - 1] {
                assert!(sums.contains(&sum), "{name}, {guard} guard bits, {lanes} lanes: {sum:#x}");
            }
        }
    }
}
