//! Sequences for `loss-scaler`: overflows before, at and after a step, each code in each lane, and ways to the ends of
//! the scale.

use super::operands::Operands;
use crate::columns::Columns;
use crate::vectors::block::BLOCK;
use binade_spec::{LossScaler, Operation};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The indices of the ports.
const G: usize = 0;
const STEP: usize = 1;

/// Enough halvings to reach the smallest scale from anywhere, and some more.
const TO_SMALLEST: usize = 260;

/// A long run of clocks without a step.
const LONG: usize = 200;

/// The exponent of the largest scale.
const LARGEST: i32 = 127;

/// The directed vectors.
pub(super) fn directed(operation: &Operation, seed: u64) -> Vec<u64> {
    let mut scenes = Scenes {
        gradients: Operands::new(operation.inputs()[G]),
        operation,
        random: Xoshiro256PlusPlus::seed_from_u64(seed),
        vectors: vec![],
        count: 0,
    };
    scenes.order_of_events();
    scenes.due_steps();
    scenes.both_ends();
    scenes.each_code_in_each_lane();
    scenes.vectors
}

/// Scenes, one after the other.
struct Scenes<'o> {
    gradients: Operands,
    operation: &'o Operation,
    random: Xoshiro256PlusPlus,
    /// The limbs of all vectors.
    vectors: Vec<u64>,
    count: usize,
}

impl Scenes<'_> {
    /// A clock in which some lane overflows, or none.
    fn push(&mut self, overflows: bool, step: bool) {
        let mut codes = self.gradients.finite_codes(&mut self.random);
        if overflows {
            let lane = self.random.random_range(0..codes.len());
            codes[lane] = self.gradients.special(&mut self.random);
        }
        self.push_codes(&codes, step);
    }

    fn push_codes(&mut self, codes: &[u128], step: bool) {
        let start = self.vectors.len();
        self.vectors.resize(start + self.gradients.limbs, 0);
        self.gradients.put(codes, &mut self.vectors[start..]);
        self.vectors.push(step.into());
        self.count += 1;
    }

    /// Continues in the next block, from a reset, unless this one has room for `clocks` clocks.
    fn make_room(&mut self, clocks: usize) {
        while self.count % BLOCK + clocks > BLOCK {
            let step = self.random.random();
            self.push(false, step);
        }
    }

    /// All sequences of overflows and steps in a few clocks, and long runs without either.
    fn order_of_events(&mut self) {
        const CLOCKS: u32 = 4;
        for events in 0..1_u32 << (2 * CLOCKS) {
            (0..CLOCKS).for_each(|clock| self.push(events >> (2 * clock) & 1 == 1, events >> (2 * clock) & 2 == 2));
        }
        for overflows in [false, true] {
            self.push(overflows, false);
            (0..LONG).for_each(|_| self.push(false, false));
            self.push(false, true);
        }
    }

    /// The scale is due and doubles, or an overflow occurs in the step before, in the clock before, in the same clock,
    /// or right after it.
    fn due_steps(&mut self) {
        let interval = self.operation.settings::<LossScaler>().interval as usize;
        for early in [2, 1, 0] {
            for late in [false, true] {
                self.make_room((2 * interval + 8).min(BLOCK));
                self.push(true, true);
                (0..interval.saturating_sub(early)).for_each(|_| self.push(false, true));
                self.push(true, late);
                (0..interval + 2).for_each(|_| self.push(false, true));
            }
        }
        self.make_room((2 * interval + 8).min(BLOCK));
        (0..2 * interval + 1).for_each(|_| self.push(false, true));
    }

    /// Halvings until nothing changes, and some good steps; then as many doublings as fit.
    fn both_ends(&mut self) {
        let LossScaler { interval, start, .. } = self.operation.settings();
        let interval = interval as usize;
        self.make_room((TO_SMALLEST + 2 * interval).min(BLOCK));
        (0..TO_SMALLEST).for_each(|_| self.push(true, true));
        (0..2 * interval).for_each(|_| self.push(false, true));
        let doublings = (LARGEST - start) as usize + 3;
        let clocks = (doublings * interval).min(BLOCK - 2);
        self.make_room(BLOCK);
        (0..clocks).for_each(|_| self.push(false, true));
        (0..2).for_each(|_| self.push(true, true));
    }

    /// All edge codes, including those one bit away from an overflow and all kinds of overflow, alone in each lane.
    fn each_code_in_each_lane(&mut self) {
        let codes = [self.gradients.finite.clone(), self.gradients.specials.clone()].concat();
        for lane in 0..self.operation.lanes() as usize {
            for &code in &codes {
                let mut all = self.gradients.finite_codes(&mut self.random);
                all[lane] = code;
                self.push_codes(&all, true);
            }
        }
    }
}

/// Turns random vectors into a sequence.
pub(in crate::vectors) struct Walks(Operands);

impl Walks {
    pub fn new(operation: &Operation) -> Walks {
        Walks(Operands::new(operation.inputs()[G]))
    }

    /// Sets overflows and steps in the vectors of a block from the `first` random one on, with odds chosen per block.
    pub fn shape(&self, first: usize, random: &mut Xoshiro256PlusPlus, columns: &mut Columns) {
        let mut odds = |of: [u32; 8]| of[random.random_range(0..8)];
        let step_odds = odds([1, 1, 1, 2, 2, 8, 64, 1024]);
        let overflow_odds = odds([0, 0, 1, 3, 16, 64, 512, 2048]);
        for vector in first..columns.len() {
            let step = random.random_range(0..step_odds) == 0;
            columns.set_code(STEP, vector, step.into());
            let may_overflow = overflow_odds > 0 && random.random_range(0..overflow_odds) == 0;
            if !may_overflow {
                self.0.tame(columns.word_mut(G, vector), random);
            }
        }
    }
}
