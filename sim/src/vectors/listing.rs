//! Vectors with their right answers, for other benches.

use super::plan::Plan;
use super::stimulus::Stimulus;
use crate::packed;
use binade_golden::Model;
use binade_spec::Operation;

/// Gives each vector of a plan to `take`, in order: the words of all inputs, then of all outputs; stops where `take` fails.
pub fn list<E>(
    operation: &Operation,
    plan: &Plan,
    mut take: impl FnMut(&[u64], &[u64]) -> Result<(), E>,
) -> Result<(), E> {
    let model = Model::new(operation);
    let stimulus = Stimulus::counting(operation, plan);
    let mut columns = vec![vec![]; operation.inputs().len()];
    for block in 0..stimulus.blocks() {
        stimulus.fill(block, &mut columns);
        for vector in 0..columns[0].len() {
            let inputs: Vec<u64> = columns.iter().map(|column| column[vector]).collect();
            take(&inputs, &packed::answers(&model, &inputs))?;
        }
    }
    Ok(())
}
