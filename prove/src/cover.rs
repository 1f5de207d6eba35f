//! Proves with a SAT solver that the cases of a unit cover every input.
//!
//! A case builds inputs from free bits. For given inputs, the free bits that a case would need are known: they are read
//! from the codes. So a case contains the inputs if these bits build the same inputs and its conditions hold. Inputs
//! that no case contains must not exist.

use crate::case::{has_inputs, ports};
use crate::directions::of_all;
use crate::elements::element;
use crate::plans::{NotSpecified, Plan, plans, plans_of_shifted_product};
use crate::stages::stages;
use binade_gates::{Answer, Solver};
use binade_gates::{Graph, Literal};
use binade_spec::{Operation, Word};
use std::iter;

/// Conflicts after which the solver gives up; a few hundred are typical.
const MOST_CONFLICTS: u64 = 1_000_000;

/// Whether the cases of a unit cover its inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Some case contains each input.
    Whole,
    /// No case contains these inputs.
    Lacks(Vec<Word>),
    /// The solver gave up.
    Open,
}

/// Whether the cases used to compare a unit, or each of its roundings, cover every input.
///
/// # Errors
/// When the operation has no specification.
pub fn coverage(operation: &Operation) -> Result<Coverage, NotSpecified> {
    let mut compared = vec![];
    for operation in of_all(operation) {
        let operation = element(&operation).unwrap_or(operation);
        let stages: Vec<Operation> = stages(&operation).into_iter().flatten().map(|stage| stage.operation).collect();
        if stages.is_empty() || plans(&operation).is_ok() {
            compared.push(operation);
        }
        compared.extend(stages);
    }
    let mut all = Coverage::Whole;
    for operation in compared {
        for plans in iter::once(plans(&operation)?).chain(plans_of_shifted_product(&operation)) {
            if all == Coverage::Whole {
                all = coverage_of(&operation, &plans)?;
            }
        }
    }
    Ok(all)
}

/// Whether these cases cover every input.
pub fn coverage_of(operation: &Operation, plans: &[Plan]) -> Result<Coverage, NotSpecified> {
    let mut graph = Graph::new(ports(operation).iter().map(|port| port.width()));
    let mut solver = Solver::default();
    let mut lacking = vec![];
    for plan in plans {
        let has;
        (graph, has) = has_inputs(operation, plan, graph)?;
        lacking.push(!has);
    }
    Ok(match solver.solve(&graph, &lacking, MOST_CONFLICTS) {
        Answer::Unsatisfiable => Coverage::Whole,
        Answer::Open => Coverage::Open,
        Answer::Satisfiable => Coverage::Lacks(graph.inputs().iter().map(|bits| word(&solver, bits)).collect()),
    })
}

fn word(solver: &Solver, bits: &[Literal]) -> Word {
    let mut word = Word::ZERO;
    bits.iter().zip(0..).for_each(|(&bit, place)| word.set_bit(place, solver.value(bit)));
    word
}
