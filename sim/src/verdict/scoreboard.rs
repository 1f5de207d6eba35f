//! The unit against the golden model.

use super::violation::{Fault, Violation};
use crate::packed;
use crate::run::chunks::ChunkLoop;
use crate::vectors::Plan;
use crate::vectors::stimulus::{BLOCK, Stimulus};
use binade_golden::Model;
use binade_spec::Operation;
use binade_tools::Error;

/// A vector on which unit and golden model disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// Number of the vector in its plan.
    pub index: u64,
    /// Codes of the operands.
    pub operands: Vec<u64>,
    pub got: u64,
    pub want: u64,
    /// Of a pipelined unit, when it was seen, and whether it is the results that are wrong.
    pub violation: Option<Violation>,
}

/// What answers blocks of vectors: a unit in some simulator.
pub trait Device {
    /// Answers the vectors of a block, one column an input: the outputs of each packed into a word, the first in the lowest bits.
    ///
    /// # Errors
    /// What else than a wrong answer a pipelined unit did; the answers are no good then.
    fn evaluate(&mut self, block: u64, inputs: &[&[u64]], output: &mut [u64]) -> Result<(), Violation>;

    /// The clock at which the last block's answer to a vector was there, of a pipelined unit.
    fn clock(&self, vector: usize) -> Option<u64>;
}

/// A unit without a clock.
impl<Answer: FnMut(&[&[u64]], &mut [u64])> Device for Answer {
    fn evaluate(&mut self, _: u64, inputs: &[&[u64]], output: &mut [u64]) -> Result<(), Violation> {
        self(inputs, output);
        Ok(())
    }

    fn clock(&self, _: usize) -> Option<u64> {
        None
    }
}

/// Evaluates all vectors of the plan on the unit and the golden model, on all cores; the first disagreement in the
/// order of the plan, if there is one. `new_instance` makes a copy of the unit for each thread.
pub fn compare<Instance>(
    operation: &Operation,
    plan: &Plan,
    new_instance: impl Fn() -> Instance + Sync,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Option<Counterexample>, Error>
where
    Instance: Device,
{
    compare_in(&ChunkLoop::whole(plan, progress), operation, plan, new_instance)
}

/// The same over the chunks of a chunks.
pub(crate) fn compare_in<Instance>(
    chunks: &ChunkLoop,
    operation: &Operation,
    plan: &Plan,
    new_instance: impl Fn() -> Instance + Sync,
) -> Result<Option<Counterexample>, Error>
where
    Instance: Device,
{
    let stimulus = Stimulus::new(operation, plan);
    chunks.run(
        || Bench::new(operation, new_instance()),
        |bench, vectors| {
            let mut blocks = vectors.step_by(BLOCK).map(|first| first / BLOCK as u64);
            blocks.find_map(|block| {
                stimulus.fill(block, &mut bench.operands);
                bench.check(block)
            })
        },
    )
}

/// One thread's unit and columns.
struct Bench<Instance> {
    model: Model,
    unit: Instance,
    operands: Vec<Vec<u64>>,
    got: Vec<u64>,
    want: Vec<u64>,
}

impl<Instance: Device> Bench<Instance> {
    fn new(operation: &Operation, unit: Instance) -> Self {
        let column = || Vec::with_capacity(BLOCK);
        let operands = operation.inputs().iter().map(|_| column()).collect();
        Bench { model: Model::new(operation), unit, operands, got: vec![0; BLOCK], want: vec![0; BLOCK] }
    }

    /// The first vector of the block on which the two disagree.
    fn check(&mut self, block: u64) -> Option<Counterexample> {
        let count = self.operands[0].len();
        let inputs: Vec<&[u64]> = self.operands.iter().map(Vec::as_slice).collect();
        let (got, want) = (&mut self.got[..count], &mut self.want[..count]);
        let counterexample = |at: usize, got, want, violation| Counterexample {
            index: block * BLOCK as u64 + at as u64,
            operands: inputs.iter().map(|column| column[at]).collect(),
            got,
            want,
            violation,
        };
        if let Err(violation) = self.unit.evaluate(block, &inputs, got) {
            let at = count.min(violation.vector as usize + 1) - 1;
            return Some(counterexample(at, violation.got, violation.want, Some(violation)));
        }
        packed::evaluate(&self.model, &inputs, want);
        if got == want {
            return None;
        }
        let at = (0..count).find(|&i| got[i] != want[i])?;
        let (got, want) = (got[at], want[at]);
        let wrong = |clock| Violation { fault: Fault::Results, block, clock, vector: at as u64, want, got };
        Some(counterexample(at, got, want, self.unit.clock(at).map(wrong)))
    }
}
