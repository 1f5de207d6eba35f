//! Compares the gates and registers of a unit with state with the golden model. A block of vectors is a sequence from a reset on and takes
//! one lane; many blocks run side by side, step by step, with bubbles, stalls and resets in mid-stream.

use super::driver::{Driver, Found, RankContent};
use super::result_planes::Wanted;
use crate::reference::Reference;
use crate::verdict::{Counterexample, Device, Fault, Violation};
use binade_gates::{LANES, Packing, Plane, Program, bit};
use binade_spec::contract::Pace;
use binade_spec::{Column, ColumnMut, Word};
use binade_stimulus::Columns;
use binade_stimulus::words::widths;
use binade_stimulus::{BLOCK, Stimulus};
use std::ops::Range;

/// Sequences start over only before this length, and at most this often.
const EARLY: usize = 64;
const RESETS: u32 = 6;

/// Sequences of up to this many steps run `PASSES` times, to catch faults that need a certain bubble or stall.
const SHORT: usize = 64;
const PASSES: u32 = 32;

/// The lanes of one thread.
pub(crate) struct SequenceLanes<'a> {
    reference: &'a dyn Reference,
    stimulus: &'a Stimulus<'a>,
    driver: Driver<'a>,
    wanted: Wanted<'a>,
    /// The operands and the results of a step.
    operands: Steps,
    results: Steps,
    /// The sequence in each lane.
    sequences: Vec<Sequence>,
    seed: u64,
}

struct Sequence {
    block: u64,
    operands: Columns,
    results: Columns,
}

/// One step of all lanes.
struct Steps {
    columns: Columns,
    packing: Packing,
}

impl Steps {
    fn new(widths: Vec<u32>) -> Steps {
        Steps { columns: Columns::new(widths.iter().copied()), packing: Packing::new(widths) }
    }

    /// Fills in a step of the first lanes; the others have none.
    fn take<'c>(&mut self, lanes: impl Iterator<Item = &'c Columns> + Clone, step: usize) {
        self.columns.clear();
        self.columns.gather(lanes, step);
    }
}

impl<'a> SequenceLanes<'a> {
    pub fn new(
        reference: &'a dyn Reference,
        stimulus: &'a Stimulus<'a>,
        program: &'a Program,
        pace: Pace,
        seed: u64,
    ) -> SequenceLanes<'a> {
        let steps = |ports: &[binade_spec::Port]| Steps::new(widths(ports).collect());
        SequenceLanes {
            reference,
            stimulus,
            driver: Driver::new(program, pace),
            wanted: Wanted::new(reference),
            operands: steps(&reference.inputs()),
            results: steps(&reference.outputs()),
            sequences: vec![],
            seed,
        }
    }

    /// The first violation on the vectors of the range, which starts at a block.
    pub fn check(&mut self, vectors: Range<u64>) -> Option<Counterexample> {
        self.driver.seed(self.seed ^ vectors.start);
        let blocks: Vec<u64> = vectors.step_by(BLOCK).map(|first| first / BLOCK as u64).collect();
        blocks.chunks(LANES).find_map(|blocks| {
            self.read(blocks);
            self.driver.narrow(blocks.len());
            let mut step = 0;
            self.run(&mut step).map(|found| self.counterexample(found, step.saturating_sub(1)))
        })
    }

    /// Reads the blocks and computes the right results.
    fn read(&mut self, blocks: &[u64]) {
        self.sequences.clear();
        for &block in blocks {
            let mut operands = self.stimulus.columns();
            self.stimulus.fill(block, &mut operands);
            let mut results = Columns::zeros(widths(&self.reference.outputs()), operands.len());
            self.reference.evaluate_columns(&operands.views(), &mut results.views_mut(operands.len()));
            self.sequences.push(Sequence { block, operands, results });
        }
    }

    /// Runs all steps of these sequences; `step` is the next one.
    fn run(&mut self, step: &mut usize) -> Option<Found> {
        // Only the last block of a plan is shorter.
        let steps = self.sequences[0].operands.len();
        let passes = if steps <= SHORT { PASSES } else { 1 };
        (0..passes).find_map(|_| self.pass(steps, step))
    }

    fn pass(&mut self, steps: usize, step: &mut usize) -> Option<Found> {
        let mut resets = RESETS;
        *step = 0;
        if let Some(found) = self.driver.start() {
            return Some(found);
        }
        while *step < steps {
            if resets > 0 && (1..EARLY).contains(step) && self.driver.is_chosen(EARLY as u32 / 4) {
                resets -= 1;
                if let Some(found) = self.driver.reset() {
                    return Some(found);
                }
                *step = 0;
            }
            if let Some(found) = self.driver.disturb().or_else(|| self.take(*step)) {
                return Some(found);
            }
            *step += 1;
        }
        self.driver.drain()
    }

    /// A clock in which the unit accepts a step of each sequence.
    fn take(&mut self, step: usize) -> Option<Found> {
        let lanes = self.sequences.iter().take_while(|sequence| sequence.operands.len() > step).count();
        let sequences = &self.sequences[..lanes];
        self.operands.take(sequences.iter().map(|sequence| &sequence.operands), step);
        self.operands.packing.fill_planes(&self.operands.columns.views(), lanes, self.driver.operands());
        self.results.take(sequences.iter().map(|sequence| &sequence.results), step);
        let mut want = vec![Plane::of(u64::MAX); 1 + self.wanted.bits()];
        self.results.packing.fill_planes(&self.results.columns.views(), lanes, &mut want[1..]);
        self.driver.take(RankContent { want, lanes, taken: Some(step as u64) })
    }

    /// The finding with the step it concerns, or else the last one accepted.
    fn counterexample(&self, found: Found, last_step: usize) -> Counterexample {
        let Found { lane, got, content } = found;
        let Sequence { block, operands, .. } = &self.sequences[lane.min(self.sequences.len() - 1)];
        let step = content.taken.map_or(last_step, |step| step as usize).min(operands.len() - 1);
        let want: Vec<bool> = content.want.iter().map(|plane| bit(plane, lane)).collect();
        let (fault, [got, want]) = self.wanted.fault([&got, &want]);
        let (block, vector, clock) = (*block, step as u64, self.driver.clock());
        let violation = Violation { fault, block, clock, vector, want: want.clone(), got: got.clone(), stop: None };
        Counterexample {
            index: block * BLOCK as u64 + step as u64,
            operands: operands.vector(step),
            before: (0..step).map(|before| operands.vector(before)).collect(),
            got,
            want,
            violation: Some(violation),
        }
    }
}

/// One lane of the gates as a device that answers sequences, with bubbles and stalls that depend on the block.
pub(crate) struct LaneDevice<'a> {
    driver: Driver<'a>,
    wanted: Wanted<'a>,
    packing: Packing,
}

impl<'a> LaneDevice<'a> {
    pub fn new(reference: &'a dyn Reference, program: &'a Program, pace: Pace) -> LaneDevice<'a> {
        let mut driver = Driver::new(program, pace);
        driver.narrow(1);
        LaneDevice { driver, wanted: Wanted::new(reference), packing: Packing::new(widths(&reference.inputs())) }
    }

    fn run(&mut self, inputs: &[Column], count: usize) -> Option<Found> {
        if let Some(found) = self.driver.start() {
            return Some(found);
        }
        self.driver.record();
        for step in 0..count {
            if let Some(found) = self.driver.disturb() {
                return Some(found);
            }
            let columns: Vec<Column> = inputs.iter().map(|column| column.only(step)).collect();
            self.packing.fill_planes(&columns, 1, self.driver.operands());
            if let Some(found) = self.driver.take(RankContent::unknown(step as u64)) {
                return Some(found);
            }
        }
        self.driver.drain()
    }
}

impl Device for LaneDevice<'_> {
    fn evaluate(&mut self, block: u64, inputs: &[Column], outputs: &mut [ColumnMut]) -> Result<(), Violation> {
        let count = outputs[0].words.len() / outputs[0].limbs;
        self.driver.seed(block);
        if let Some(Found { got, content, .. }) = self.run(inputs, count) {
            let [got, want] = [got[0], bit(&content.want[0], 0)].map(|level| vec![Word::from(level)]);
            let (vector, clock) = (content.taken.unwrap_or(0), self.driver.clock());
            return Err(Violation { fault: Fault::OutValid, block, clock, vector, want, got, stop: None });
        }
        for (vector, bits) in self.driver.recorded().into_iter().enumerate() {
            let words = self.wanted.words(bits[1..].iter().copied());
            outputs.iter_mut().zip(&words).for_each(|(column, word)| column.set(vector, word));
        }
        Ok(())
    }

    fn clock(&self, _: usize) -> Option<u64> {
        None
    }
}
