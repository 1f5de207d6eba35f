//! The unit against the golden model.

use crate::plan::Plan;
use crate::stimulus::{BLOCK, Stimulus};
use crate::sweep::Sweep;
use binade_golden::Operation;
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
    Instance: FnMut(&[&[u64]], &mut [u64]),
{
    compare_in(&Sweep::whole(plan, progress), operation, plan, new_instance)
}

/// The same over the chunks of a sweep.
pub(crate) fn compare_in<Instance>(
    sweep: &Sweep,
    operation: &Operation,
    plan: &Plan,
    new_instance: impl Fn() -> Instance + Sync,
) -> Result<Option<Counterexample>, Error>
where
    Instance: FnMut(&[&[u64]], &mut [u64]),
{
    let stimulus = Stimulus::new(operation, plan);
    sweep.run(
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
struct Bench<'o, Instance> {
    operation: &'o Operation,
    unit: Instance,
    operands: Vec<Vec<u64>>,
    got: Vec<u64>,
    want: Vec<u64>,
}

impl<'o, Instance: FnMut(&[&[u64]], &mut [u64])> Bench<'o, Instance> {
    fn new(operation: &'o Operation, unit: Instance) -> Self {
        let column = || Vec::with_capacity(BLOCK);
        let operands = operation.inputs().iter().map(|_| column()).collect();
        Bench { operation, unit, operands, got: vec![0; BLOCK], want: vec![0; BLOCK] }
    }

    /// The first vector of the block on which the two disagree.
    fn check(&mut self, block: u64) -> Option<Counterexample> {
        let count = self.operands[0].len();
        let inputs: Vec<&[u64]> = self.operands.iter().map(Vec::as_slice).collect();
        let (got, want) = (&mut self.got[..count], &mut self.want[..count]);
        (self.unit)(&inputs, got);
        self.operation.evaluate_columns(&inputs, want);
        if got == want {
            return None;
        }
        let at = (0..count).find(|&i| got[i] != want[i])?;
        Some(Counterexample {
            index: block * BLOCK as u64 + at as u64,
            operands: inputs.iter().map(|column| column[at]).collect(),
            got: got[at],
            want: want[at],
        })
    }
}
