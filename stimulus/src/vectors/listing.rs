//! Vectors with their expected results, for other testbenches.

use super::plan::Plan;
use super::stimulus::Stimulus;
use crate::columns::Columns;
use crate::words::widths;
use binade_golden::Model;
use binade_spec::{Operation, Word};

/// Passes each vector of a plan to `take`, in order: the words of all inputs, then of all outputs. Stops at an error of
/// `take`.
///
/// # Errors
/// Those of `take`.
pub fn list<E>(
    operation: &Operation,
    plan: &Plan,
    mut take: impl FnMut(&[Word], &[Word]) -> Result<(), E>,
) -> Result<(), E> {
    let (model, stimulus) = (Model::new(operation), Stimulus::counting(operation, plan));
    let mut inputs = stimulus.columns();
    for block in 0..stimulus.blocks() {
        stimulus.fill(block, &mut inputs);
        let mut outputs = Columns::zeros(widths(&operation.outputs()), inputs.len());
        model.evaluate_columns(&inputs.views(), &mut outputs.views_mut(inputs.len()));
        for vector in 0..inputs.len() {
            take(&inputs.vector(vector), &outputs.vector(vector))?;
        }
    }
    Ok(())
}
