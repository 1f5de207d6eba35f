//! Sequences for sums of products (`dot-exact`, `dot-stream`): small products between large ones that cancel, sums that carry far, infinities and NaN, and clears.

use super::operands::Operands;
use crate::columns::Columns;
use binade_spec::Operation;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The places of the ports.
const A: usize = 0;
const B: usize = 1;
const CLEAR: usize = 2;
const NEGATE: usize = 3;

/// Clocks in which one product is added again and again.
const RUN: usize = 300;

/// Scenes of random operands.
const SCENES: usize = 1000;

/// The directed vectors.
pub(super) fn directed(operation: &Operation, seed: u64) -> Vec<u64> {
    let ports = operation.inputs();
    let operands = [A, B].map(|port| Operands::new(ports[port]));
    let has_negate = ports.len() > NEGATE;
    let random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut scenes = Scenes { operands, has_negate, random, vectors: vec![] };
    scenes.far_apart();
    scenes.runs();
    scenes.specials();
    scenes.vectors
}

/// One code in all lanes of `a`, one in all lanes of `b`.
type Pair = [u128; 2];

struct Scenes {
    operands: [Operands; 2],
    /// Whether a port says that products are taken away; else the codes of `a` do.
    has_negate: bool,
    random: Xoshiro256PlusPlus,
    /// The limbs of all vectors.
    vectors: Vec<u64>,
}

impl Scenes {
    fn push(&mut self, [a, b]: Pair, clear: bool, negate: bool) {
        let a = if negate && !self.has_negate { self.operands[A].negated(a) } else { a };
        for (operands, code) in self.operands.iter().zip([a, b]) {
            let start = self.vectors.len();
            self.vectors.resize(start + operands.limbs, 0);
            operands.put_in_all(code, &mut self.vectors[start..]);
        }
        self.vectors.push(clear.into());
        self.vectors.extend(self.has_negate.then_some(u64::from(negate)));
    }

    fn finite(&mut self) -> Pair {
        [A, B].map(|port| self.operands[port].finite_code(&mut self.random))
    }

    /// A product, another one, and the first one taken away: the other one is left, in every place of the accumulator.
    fn far_apart(&mut self) {
        for scene in 0..SCENES {
            let (first, second) = (self.finite(), self.finite());
            self.push(first, true, scene % 2 == 1);
            self.push(second, false, scene % 4 == 2);
            self.push(first, false, scene % 2 == 0);
            self.push(second, false, scene % 4 != 2);
        }
    }

    /// The same product again and again, of both signs: carries go up, and borrows.
    fn runs(&mut self) {
        let last = self.operands.each_ref().map(|operands| operands.largest());
        let any = self.finite();
        for (pair, negate) in [(last, false), (last, true), (any, false), (any, true)] {
            self.push(pair, true, negate);
            (0..RUN).for_each(|_| self.push(pair, false, negate));
            (0..RUN + 2).for_each(|_| self.push(pair, false, !negate));
        }
    }

    /// Each infinity and NaN beside some number, in both orders and signs; it stays until a clear.
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

/// Makes random vectors a sequence.
pub(in crate::vectors) struct Walks {
    operands: [Operands; 2],
    has_negate: bool,
}

impl Walks {
    pub fn new(operation: &Operation) -> Walks {
        let ports = operation.inputs();
        Walks { operands: [A, B].map(|port| Operands::new(ports[port])), has_negate: ports.len() > NEGATE }
    }

    /// Gives the vectors of a block from the `first` random one on clears and specials, with odds that are the block's.
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
