//! That the cases of a unit have every input together, shown by a SAT solver.
//!
//! A case makes inputs of bits that are free. Of any inputs, the bits are known that a case could make them of: they are read off
//! the codes. So a case has inputs if what it makes of these bits are the same inputs, and its conditions hold. That none of
//! the cases has them must be impossible.

use crate::case::{has_inputs, ports};
use crate::plans::{NotSpecified, Plan, plans};
use crate::stages::stages;
use binade_gates::{Answer, Solver};
use binade_gates::{Graph, Literal};
use binade_spec::{Operation, Word};

/// Conflicts after which the solver gives up; a few hundred are usual.
const MOST_CONFLICTS: u64 = 1_000_000;

/// What is known of the cases of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Every input is in one of them.
    Whole,
    /// These inputs are in none.
    Lacks(Vec<Word>),
    /// The solver gave up.
    Open,
}

/// Whether the cases that a unit is compared in, or each of its roundings, have every input.
///
/// # Errors
/// When there is no specification of the operation.
pub fn coverage(operation: &Operation) -> Result<Coverage, NotSpecified> {
    let mut compared: Vec<Operation> = stages(operation).into_iter().flatten().map(|stage| stage.operation).collect();
    if compared.is_empty() || plans(operation).is_ok() {
        compared.push(*operation);
    }
    let mut all = Coverage::Whole;
    for operation in compared {
        if all == Coverage::Whole {
            all = coverage_of(&operation, &plans(&operation)?);
        }
    }
    Ok(all)
}

/// Whether these cases have every input.
pub fn coverage_of(operation: &Operation, plans: &[Plan]) -> Coverage {
    let mut graph = Graph::new(ports(operation).iter().map(|port| port.width()));
    let mut solver = Solver::default();
    let mut lacking = vec![];
    for plan in plans {
        let has;
        (graph, has) = has_inputs(operation, plan, graph);
        lacking.push(!has);
    }
    match solver.solve(&graph, &lacking, MOST_CONFLICTS) {
        Answer::Unsatisfiable => Coverage::Whole,
        Answer::Open => Coverage::Open,
        Answer::Satisfiable => Coverage::Lacks(graph.inputs().iter().map(|bits| word(&solver, bits)).collect()),
    }
}

fn word(solver: &Solver, bits: &[Literal]) -> Word {
    let mut word = Word::ZERO;
    bits.iter().zip(0..).for_each(|(&bit, place)| word.set_bit(place, solver.value(bit)));
    word
}
