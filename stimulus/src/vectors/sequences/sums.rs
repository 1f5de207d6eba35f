//! Directed and random sequences for running sums.

use crate::columns::Columns;
use crate::vectors::block::BLOCK;
use crate::vectors::corners::{edges, few_edges, one, ones, random_related, random_word};
use crate::words::widths;
use binade_golden::Model;
use binade_spec::word::{limbs, low_bits};
use binade_spec::{Column, Format, Operation, Overflow, Port, Unit, Word};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::iter::repeat;

/// The indices of the ports.
const X: usize = 0;
const CLEAR: usize = 1;

/// Vectors of the scenes that add a single value.
const RUN: usize = 512;

/// The most corners of the accumulator to visit.
const MOST_CORNERS: usize = 512;

/// The most sums on the way to a corner.
const MOST_SUMS: usize = 8;

/// The directed vectors, their limbs side by side: any prefix of them is a sequence, too.
pub(super) fn directed(operation: &Operation, seed: u64) -> Vec<u64> {
    let mut scenes = Scenes::new(operation, seed);
    scenes.control();
    scenes.pairs();
    scenes.corners();
    scenes.runs();
    let ports = operation.inputs();
    let limbs = |(&code, port): (&u128, &Port)| {
        let halves = [code as u64, (code >> 64) as u64].into_iter().chain(repeat(0));
        halves.take(limbs(port.width())).collect::<Vec<u64>>()
    };
    scenes.vectors.iter().zip(ports.iter().cycle()).flat_map(limbs).collect()
}

/// Scenes, one after the other; only those as long as a block cross its boundary.
struct Scenes<'o> {
    operation: &'o Operation,
    random: Xoshiro256PlusPlus,
    /// Inputs side by side.
    vectors: Vec<u128>,
    inputs: usize,
}

impl<'o> Scenes<'o> {
    fn new(operation: &'o Operation, seed: u64) -> Scenes<'o> {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        Scenes { operation, random, vectors: vec![], inputs: operation.inputs().len() }
    }

    fn push(&mut self, x: u128, clear: bool) {
        self.vectors.extend([x, clear.into()]);
        let bits = self.operation.rounding_port_bits();
        if bits > 0 {
            let word = match self.random.random_range(0..3) {
                0 => 0,
                1 => ones(bits),
                _ => random_word(&mut self.random, ones(bits)),
            };
            self.vectors.push(word);
        }
    }

    /// Fills the block with random vectors if the next scene would not fit.
    fn make_room(&mut self, vectors: usize) {
        let used = self.vectors.len() / self.inputs % BLOCK;
        if used + vectors > BLOCK {
            self.fill(BLOCK - used);
        }
    }

    /// This many vectors with random operands.
    fn fill(&mut self, vectors: usize) {
        let format = self.operation.operand;
        for _ in 0..vectors {
            let x = random_word(&mut self.random, ones(format.width()));
            let clear = self.random.random_range(0..8) == 0;
            self.push(x, clear);
        }
    }

    /// Tests clear: right after the reset or not, several times in a row, before and after each kind of operand.
    fn control(&mut self) {
        let format = self.operation.operand;
        let few = thinned(few_edges(&format), 32);
        let zero = format.zero_code(true);
        [zero, zero, one(&format)].into_iter().for_each(|x| self.push(x, false));
        for &x in &few {
            let other = few[self.random.random_range(0..few.len())];
            for (x, clear) in
                [(x, true), (other, false), (x, false), (other, true), (x, true), (x, true), (other, false)]
            {
                self.push(x, clear);
            }
        }
    }

    /// Adds two operands, and subtracts the first one.
    fn pairs(&mut self) {
        let format = self.operation.operand;
        let few = thinned(few_edges(&format), 24);
        for &a in &few {
            for &b in &few {
                self.make_room(3);
                self.push(a, true);
                self.push(b, false);
                self.push(format.negated(a), false);
            }
        }
    }

    /// Goes to the edges of the accumulator's binades, and adds operands that meet them.
    fn corners(&mut self) {
        let Operation { operand, result, .. } = *self.operation;
        let way = Way::new(self.operation);
        for target in thinned(edges(&result), MOST_CORNERS) {
            self.make_room(MOST_SUMS + 2);
            way.to(target).into_iter().enumerate().for_each(|(at, x)| self.push(x, at == 0));
            let near = way.operand(target);
            for _ in 0..2 {
                let x = random_related(&operand, near, &mut self.random);
                self.push(x, false);
            }
        }
    }

    /// Adds one value repeatedly, until the sum stops changing or is beyond the range; and a block without a clear.
    fn runs(&mut self) {
        let format = self.operation.operand;
        let [least, largest] = [format.smallest_code(), format.largest_code()];
        for x in [least, one(&format), largest] {
            for x in [x, format.negated(x)] {
                self.make_room(RUN);
                (0..RUN).for_each(|at| self.push(x, at == 0));
            }
        }
        self.make_room(RUN);
        (0..RUN).for_each(|at| self.push([largest, format.negated(largest), least][at % 3], at == 0));
        self.make_room(BLOCK);
        (0..BLOCK).for_each(|_| self.push(one(&format), false));
    }
}

/// At most `most` of them, evenly spaced.
fn thinned(codes: Vec<u128>, most: usize) -> Vec<u128> {
    let count = codes.len().min(most);
    (0..count).map(|at| codes[at * codes.len() / count]).collect()
}

/// Finds operands whose sum brings an accumulator to a value.
struct Way {
    accumulate: Model,
    /// From the accumulator's format to the operand's.
    convert: Model,
    /// In the accumulator's format.
    add: Model,
    result: Format,
}

impl Way {
    fn new(operation: &Operation) -> Way {
        let Operation { operand, result, .. } = *operation;
        let saturating = |operation: Operation| {
            let overflow = if operation.result.posit().is_some() { Overflow::Inf } else { Overflow::Saturate };
            Model::new(&Operation { overflow, ..operation })
        };
        Way {
            accumulate: Model::new(operation),
            convert: saturating(Operation::new(Unit::Convert, result, operand)),
            add: saturating(Operation::new(Unit::Add, result, result)),
            result,
        }
    }

    /// The operand nearest to a code of the accumulator.
    fn operand(&self, code: u128) -> u128 {
        self.convert.first_result(&[code])
    }

    /// The operands, the first with a clear, whose sum is the target or near it.
    fn to(&self, target: u128) -> Vec<u128> {
        let mut operands = vec![self.operand(target)];
        let mut acc = self.next(&self.accumulate.reset(), operands[0], true);
        while low_bits(&acc[0]) != target && operands.len() < MOST_SUMS {
            let rest = self.add.first_result(&[target, self.result.negated(low_bits(&acc[0]))]);
            let x = self.operand(rest);
            acc = self.next(&acc, x, false);
            operands.push(x);
        }
        operands
    }

    /// The next accumulator, with a random word of zeros if there is one.
    fn next(&self, acc: &[Word], x: u128, clear: bool) -> Vec<Word> {
        let mut inputs = vec![Word::from(x), Word::from(u8::from(clear))];
        inputs.extend((self.accumulate.operation().rounding_port_bits() > 0).then(Word::default));
        self.accumulate.step(acc, &inputs).0
    }
}

/// Turns random vectors into a sequence.
pub(in crate::vectors) struct Walks {
    way: Way,
    operation: Operation,
}

impl Walks {
    pub fn new(operation: &Operation) -> Walks {
        Walks { way: Way::new(operation), operation: *operation }
    }

    /// Sets the clears in the vectors of a block from the `first` random one on, with odds chosen per block; in one
    /// block in eight the operands meet the accumulator.
    pub fn shape(&self, first: usize, random: &mut Xoshiro256PlusPlus, columns: &mut Columns) {
        let odds = [0, 2, 8, 8, 64, 64, 1024, 1024][random.random_range(0..8)];
        for vector in first..columns.len() {
            let clear = odds > 0 && random.random_range(0..odds) == 0;
            columns.set_code(CLEAR, vector, clear.into());
        }
        if random.random_range(0..8) == 0 {
            self.meet(first, random, columns);
        }
    }

    /// Sets operands near the accumulator, in every other run of 32 vectors.
    fn meet(&self, first: usize, random: &mut Xoshiro256PlusPlus, columns: &mut Columns) {
        let operand = self.operation.operand;
        let mut state = Columns::of_vectors([self.operation.result.width()], &[self.way.accumulate.reset()]);
        let mut outputs = Columns::zeros(widths(&self.operation.outputs()), 1);
        for vector in 0..columns.len() {
            if vector >= first && vector / 32 % 2 == 1 {
                let near = self.way.operand(state.code(0, 0));
                let x = match random.next_u64() >> 62 {
                    0 => operand.negated(near),
                    _ => random_related(&operand, near, random),
                };
                columns.set_code(X, vector, x);
            }
            let inputs: Vec<Column> = columns.views().iter().map(|column| column.only(vector)).collect();
            self.way.accumulate.step_columns(&mut state.views_mut(1), &inputs, &mut outputs.views_mut(1));
        }
    }
}
