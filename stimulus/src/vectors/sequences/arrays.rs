//! Sequences for systolic arrays: commands in every order, consecutive products with and without gaps, infinities and
//! NaN among numbers.

use super::operands::Operands;
use crate::columns::Columns;
use binade_spec::{Dataflow, Operation};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The number of command bits, which are the last ports; the first of them marks operands.
const COMMANDS: usize = 3;

/// The commands of a step.
type Commands = [bool; COMMANDS];

/// A step whose operands are not used.
const IDLE: Commands = [false; COMMANDS];

/// The directed vectors.
pub(super) fn directed(operation: &Operation, seed: u64) -> Vec<u64> {
    let random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut scenes = Scenes { operation, operands: operands(operation), random, vectors: vec![] };
    scenes.products();
    scenes.orders();
    scenes.specials();
    scenes.vectors
}

fn operands(operation: &Operation) -> Vec<Operands> {
    operation.inputs().into_iter().filter(|port| port.format().is_some()).map(Operands::new).collect()
}

struct Scenes<'o> {
    operation: &'o Operation,
    operands: Vec<Operands>,
    random: Xoshiro256PlusPlus,
    /// The limbs of all vectors.
    vectors: Vec<u64>,
}

impl Scenes<'_> {
    /// A step with numbers.
    fn step(&mut self, commands: Commands) {
        let codes: Vec<Vec<u128>> =
            self.operands.iter().map(|operands| operands.finite_codes(&mut self.random)).collect();
        self.step_with(&codes, commands);
    }

    fn step_with(&mut self, codes: &[Vec<u128>], commands: Commands) {
        for (operands, codes) in self.operands.iter().zip(codes) {
            let start = self.vectors.len();
            self.vectors.resize(start + operands.limbs, 0);
            operands.put(codes, &mut self.vectors[start..]);
        }
        self.vectors.extend(commands.map(u64::from));
    }

    /// Products of matrices of several sizes, as users feed them, one after the other: immediately, a step later, or
    /// when the rows of the first are out; with and without bubbles.
    fn products(&mut self) {
        let (rows, columns) = (self.operation.rows(), self.operation.columns());
        let through = self.operation.array_latency() + rows;
        for gap in [0, 1, rows, through] {
            for depth in [1, 2, rows, through + columns] {
                for has_bubbles in [false, true] {
                    self.product(depth, has_bubbles);
                    (0..gap).for_each(|_| self.step(IDLE));
                }
            }
        }
        (0..through).for_each(|_| self.step(IDLE));
    }

    /// A product over this many steps.
    fn product(&mut self, depth: u32, has_bubbles: bool) {
        if self.operation.array() == Some(Dataflow::WeightStationary) {
            for row in 1..=self.operation.rows() {
                let feeds = self.random.random();
                self.step([feeds, true, row == self.operation.rows()]);
            }
        }
        let sums_stay = self.operation.array() == Some(Dataflow::OutputStationary);
        for step in 1..=depth {
            while has_bubbles && self.random.random() {
                self.step(IDLE);
            }
            self.step([true, sums_stay && step == 1, sums_stay && step == depth]);
        }
    }

    /// All sequences of commands in three steps.
    fn orders(&mut self) {
        const STEPS: usize = 3;
        for commands in 0..1_u32 << (COMMANDS * STEPS) {
            for step in 0..STEPS {
                let command = |at: usize| commands >> (COMMANDS * step + at) & 1 == 1;
                self.step([command(0), command(1), command(2)]);
            }
        }
    }

    /// Each infinity and NaN in some lane of each operand, in a step that also loads and takes sums.
    fn specials(&mut self) {
        for port in 0..self.operands.len() {
            for special in self.operands[port].specials.clone() {
                let mut codes: Vec<Vec<u128>> =
                    self.operands.iter().map(|operands| operands.finite_codes(&mut self.random)).collect();
                let lane = self.random.random_range(0..codes[port].len());
                codes[port][lane] = special;
                self.step_with(&codes, [true, true, true]);
                self.step([true, false, true]);
                self.step([true, true, false]);
            }
        }
    }
}

/// Turns random vectors into a sequence.
pub(in crate::vectors) struct Walks {
    operands: Vec<Operands>,
}

impl Walks {
    pub fn new(operation: &Operation) -> Walks {
        Walks { operands: operands(operation) }
    }

    /// Sets commands and specials in the vectors of a block from the `first` random one on, with odds chosen per block.
    pub fn shape(&self, first: usize, random: &mut Xoshiro256PlusPlus, columns: &mut Columns) {
        let mut odds = |of: [u32; 4]| of[random.random_range(0..4)];
        let (idle_odds, special_odds) = (odds([0, 0, 2, 8]), odds([0, 0, 8, 512]));
        let command_odds = [odds([1, 4, 16, 64]), odds([1, 4, 16, 64])];
        for vector in first..columns.len() {
            let mut happens = |odds: u32| odds > 0 && random.random_range(0..odds) == 0;
            let commands = [!happens(idle_odds), happens(command_odds[0]), happens(command_odds[1])];
            let may_be_special = happens(special_odds);
            for (at, command) in commands.into_iter().enumerate() {
                columns.set_code(self.operands.len() + at, vector, command.into());
            }
            for (port, operands) in self.operands.iter().enumerate().filter(|_| !may_be_special) {
                operands.tame(columns.word_mut(port, vector), random);
            }
        }
    }
}
