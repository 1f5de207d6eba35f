//! Vectors with their right answers, for other benches.

use super::plan::Plan;
use super::stimulus::Stimulus;
use crate::columns::Columns;
use crate::reference::{Reference, widths};
use binade_golden::Model;
use binade_spec::Operation;
use binade_spec::Word;

/// Gives each vector of a plan to `take`, in order: the words of all inputs, then of all outputs; stops where `take` fails.
pub fn list<E>(
    operation: &Operation,
    plan: &Plan,
    take: impl FnMut(&[Word], &[Word]) -> Result<(), E>,
) -> Result<(), E> {
    list_in(&Model::new(operation), &Stimulus::counting(operation, plan), take)
}

/// The same of any reference.
pub(crate) fn list_in<E>(
    reference: &dyn Reference,
    stimulus: &Stimulus,
    mut take: impl FnMut(&[Word], &[Word]) -> Result<(), E>,
) -> Result<(), E> {
    let mut inputs = stimulus.columns();
    for block in 0..stimulus.blocks() {
        stimulus.fill(block, &mut inputs);
        let mut outputs = Columns::zeros(widths(&reference.outputs()), inputs.len());
        reference.evaluate_columns(&inputs.views(), &mut outputs.views_mut(inputs.len()));
        for vector in 0..inputs.len() {
            take(&inputs.vector(vector), &outputs.vector(vector))?;
        }
    }
    Ok(())
}
