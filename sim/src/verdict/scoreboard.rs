//! Compares the unit with the golden model.

use super::counterexample::Counterexample;
use super::violation::{Fault, Violation};
use crate::reference::Reference;
use crate::run::chunks::ChunkLoop;
use binade_golden::Model;
use binade_spec::Operation;
use binade_spec::{Column, ColumnMut};
use binade_stimulus::Columns;
use binade_stimulus::Plan;
use binade_stimulus::words::widths;
use binade_stimulus::{BLOCK, Stimulus};
use binade_tools::Error;

/// A device that computes results for blocks of vectors: a unit in some simulator.
pub trait Device {
    /// Computes the results of a block: one column per input, and one column per output to fill in.
    ///
    /// # Errors
    /// When a clocked unit did something else than return a wrong result; the results are then invalid. [`Fault::Results`] means that a
    /// unit with state gave different results for the same sequence; `want` holds the earlier ones.
    fn evaluate(&mut self, block: u64, inputs: &[Column], outputs: &mut [ColumnMut]) -> Result<(), Violation>;

    /// For a pipelined unit, the clock at which the result of a vector of the last block arrived.
    fn clock(&self, vector: usize) -> Option<u64>;
}

/// A combinational unit.
impl<Answer: FnMut(&[Column], &mut [ColumnMut])> Device for Answer {
    fn evaluate(&mut self, _: u64, inputs: &[Column], outputs: &mut [ColumnMut]) -> Result<(), Violation> {
        self(inputs, outputs);
        Ok(())
    }

    fn clock(&self, _: usize) -> Option<u64> {
        None
    }
}

/// Evaluates all vectors of the plan on the unit and the golden model, on all cores, and returns the first disagreement in the order of the
/// plan. `new_instance` makes a copy of the unit for each thread.
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

/// The first disagreement between the unit and any reference in these chunks, like [`compare`].
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

/// The first of `count` vectors whose result is neither the wanted one nor allowed by the reference.
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

/// The unit and columns of one thread.
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
                Fault::OutValid
                | Fault::OutputMoved
                | Fault::InReady
                | Fault::OfferMoved
                | Fault::OfferGone
                | Fault::Lost
                | Fault::Refused
                | Fault::Tag
                | Fault::Stopped => {}
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
