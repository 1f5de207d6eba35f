//! The unit against the golden model.

use super::violation::{Fault, Violation};
use crate::reference::Reference;
use crate::run::chunks::ChunkLoop;
use binade_golden::Model;
use binade_spec::Operation;
use binade_spec::{Column, ColumnMut, Word};
use binade_stimulus::Columns;
use binade_stimulus::Plan;
use binade_stimulus::words::widths;
use binade_stimulus::{BLOCK, Stimulus};
use binade_tools::Error;

/// A vector on which unit and golden model disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// Number of the vector in its plan.
    pub index: u64,
    /// Words of the operands.
    pub operands: Vec<Word>,
    /// The vectors of its sequence before it, from a reset on; none for a unit without state.
    pub before: Vec<Vec<Word>>,
    /// Words of all outputs, or the level of `out_valid`.
    pub got: Vec<Word>,
    /// Words of all outputs, or the level of `out_valid`, as the golden model has them.
    pub want: Vec<Word>,
    /// When a unit with a clock went wrong, and whether it is the results that are.
    pub violation: Option<Violation>,
}

impl Counterexample {
    /// The vectors from the reset on, this one included; of a unit without state it alone.
    pub fn sequence(&self) -> Vec<Vec<Word>> {
        self.before.iter().chain([&self.operands]).cloned().collect()
    }
}

/// What answers blocks of vectors: a unit in some simulator.
pub trait Device {
    /// Answers the vectors of a block: one column an input, and one to be filled for each output.
    ///
    /// # Errors
    /// What else than a wrong answer a clocked unit did; the answers are no good then. With [`Fault::Results`] a unit
    /// with state did not give the same results again for the same sequence: `want` are the earlier ones.
    fn evaluate(&mut self, block: u64, inputs: &[Column], outputs: &mut [ColumnMut]) -> Result<(), Violation>;

    /// The clock at which the last block's answer to a vector was there, of a pipelined unit.
    fn clock(&self, vector: usize) -> Option<u64>;
}

/// A unit without a clock.
impl<Answer: FnMut(&[Column], &mut [ColumnMut])> Device for Answer {
    fn evaluate(&mut self, _: u64, inputs: &[Column], outputs: &mut [ColumnMut]) -> Result<(), Violation> {
        self(inputs, outputs);
        Ok(())
    }

    fn clock(&self, _: usize) -> Option<u64> {
        None
    }
}

/// Evaluates all vectors of the plan on the unit and the golden model, on all cores; the first disagreement in the
/// order of the plan, if there is one. `new_instance` makes a copy of the unit for each thread.
///
/// # Errors
/// When the user interrupts it.
pub fn compare<Instance: Device>(
    operation: &Operation,
    plan: &Plan,
    new_instance: impl Fn() -> Instance + Sync,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Option<Counterexample>, Error> {
    let stimulus = Stimulus::new(operation, plan);
    compare_in(&ChunkLoop::whole(plan, progress), &Model::new(operation), &stimulus, new_instance)
}

/// The first disagreement of the unit and any reference in these chunks, as [`compare`] finds it.
pub(crate) fn compare_in<Instance: Device>(
    chunks: &ChunkLoop,
    reference: &dyn Reference,
    stimulus: &Stimulus,
    new_instance: impl Fn() -> Instance + Sync,
) -> Result<Option<Counterexample>, Error> {
    chunks.run(
        || Bench::new(reference, new_instance()),
        |bench, vectors| {
            let mut blocks = vectors.step_by(BLOCK).map(|first| first / BLOCK as u64);
            blocks.find_map(|block| {
                stimulus.fill(block, &mut bench.operands);
                bench.check(block)
            })
        },
    )
}

/// The first of so many vectors whose answer is not the wanted one, nor one that is right, too.
pub(super) fn first_wrong(
    reference: &dyn Reference,
    operands: &Columns,
    [got, want]: [&Columns; 2],
    count: usize,
) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = got.first_difference(want, from..count)?;
        if !reference.allows(&operands.vector(at), &got.vector(at), &want.vector(at)) {
            return Some(at);
        }
        from = at + 1;
    }
}

/// One thread's unit and columns.
pub(super) struct Bench<'r, Instance> {
    reference: &'r dyn Reference,
    unit: Instance,
    pub operands: Columns,
    got: Columns,
    want: Columns,
}

impl<'r, Instance: Device> Bench<'r, Instance> {
    pub fn new(reference: &'r dyn Reference, unit: Instance) -> Self {
        let results = Columns::zeros(widths(&reference.outputs()), BLOCK);
        let operands = Columns::new(widths(&reference.inputs()));
        Bench { reference, unit, operands, got: results.clone(), want: results }
    }

    /// The first vector of the block on which the two disagree.
    pub fn check(&mut self, block: u64) -> Option<Counterexample> {
        let (count, has_state) = (self.operands.len(), self.reference.has_state());
        let inputs = self.operands.views();
        let counterexample = |at: usize, got, want, violation| Counterexample {
            index: block * BLOCK as u64 + at as u64,
            operands: self.operands.vector(at),
            before: (0..at).filter(|_| has_state).map(|before| self.operands.vector(before)).collect(),
            got,
            want,
            violation,
        };
        if let Err(violation) = self.unit.evaluate(block, &inputs, &mut self.got.views_mut(count)) {
            let at = count.min(violation.vector as usize + 1) - 1;
            let mut violation = violation;
            match violation.fault {
                Fault::Results => {
                    self.reference.evaluate_columns(&inputs, &mut self.want.views_mut(count));
                    violation.settle(self.want.vector(at));
                }
                Fault::OutValid | Fault::OutputMoved | Fault::InReady | Fault::OfferMoved | Fault::Stopped => {}
            }
            return Some(counterexample(at, violation.got.clone(), violation.want.clone(), Some(violation)));
        }
        self.reference.evaluate_columns(&inputs, &mut self.want.views_mut(count));
        let at = first_wrong(self.reference, &self.operands, [&self.got, &self.want], count)?;
        let (got, want) = (self.got.vector(at), self.want.vector(at));
        let wrong = |clock| Violation {
            fault: Fault::Results,
            block,
            clock,
            vector: at as u64,
            want: want.clone(),
            got: got.clone(),
            stop: None,
        };
        let violation = self.unit.clock(at).map(wrong);
        Some(counterexample(at, got, want, violation))
    }
}
