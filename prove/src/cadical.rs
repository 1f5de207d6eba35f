//! A second SAT solver (CaDiCaL) for whole cases. Its answers depend neither on the first solver nor on the sweeping,
//! and the gates are encoded by other code.

use crate::Question;
use crate::case::Case;
use crate::plans::{NotSpecified, plans};
use crate::words::Multiplier;
use binade_gates::{Gate, Graph, Literal};
use binade_spec::Operation;
use cadical::Solver;
use rayon::prelude::*;

/// The second solver's answers for a set of cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opinion {
    /// Cases in which unit and specification agree.
    pub agree: usize,
    /// Cases in which they differ.
    pub differ: Vec<String>,
    /// Cases on which it gave up.
    pub open: Vec<String>,
}

/// Asks a second solver about one in `every` cases, each with a limit of `most_conflicts` conflicts.
///
/// # Errors
/// When the operation has no specification.
///
/// # Panics
/// When the unit does not have the ports of the operation.
pub fn second_opinion(
    unit: &Graph,
    operation: &Operation,
    every: usize,
    most_conflicts: i32,
) -> Result<Opinion, NotSpecified> {
    let asked: Vec<_> = plans(operation)?.into_iter().step_by(every).collect();
    let said: Vec<Option<bool>> = asked
        .par_iter()
        .map(|plan| {
            let case = Case::new(Question::new(unit, operation), plan, Multiplier::Rows)?;
            Ok(has_solution(&case.graph, [case.valid, case.differs], most_conflicts))
        })
        .collect::<Result<_, NotSpecified>>()?;
    let mut opinion = Opinion::default();
    for (plan, said) in asked.iter().zip(said) {
        match said {
            Some(false) => opinion.agree += 1,
            Some(true) => opinion.differ.push(plan.to_string()),
            None => opinion.open.push(plan.to_string()),
        }
    }
    Ok(opinion)
}

/// Whether some inputs make the literals 1; `None` if the solver gave up.
fn has_solution(graph: &Graph, wanted: [Literal; 2], most_conflicts: i32) -> Option<bool> {
    let mut solver: Solver = Solver::new();
    solver.set_limit("conflicts", most_conflicts).expect("a limit that the solver has");
    for (node, &gate) in graph.gates().iter().enumerate() {
        let out = number(Literal::of(node));
        // For each row of the gate's truth table: these inputs imply this output.
        match gate {
            Gate::Input => {}
            Gate::False => solver.add_clause([-out]),
            Gate::And(a, b) => rows(&mut solver, out, &[a, b], |bits| bits[0] && bits[1]),
            Gate::Xor(a, b) => rows(&mut solver, out, &[a, b], |bits| bits[0] != bits[1]),
            Gate::Mux { select, one, zero } => {
                rows(&mut solver, out, &[select, one, zero], |bits| if bits[0] { bits[1] } else { bits[2] });
            }
        }
    }
    wanted.iter().for_each(|&literal| solver.add_clause([number(literal)]));
    solver.solve()
}

fn rows(solver: &mut Solver, out: i32, operands: &[Literal], gate: impl Fn(&[bool]) -> bool) {
    for row in 0..1_u32 << operands.len() {
        let bits: Vec<bool> = (0..operands.len()).map(|place| row >> place & 1 == 1).collect();
        let output = if gate(&bits) { out } else { -out };
        let others =
            operands.iter().zip(&bits).map(|(&operand, &bit)| if bit { -number(operand) } else { number(operand) });
        solver.add_clause(others.chain([output]));
    }
}

/// A literal in the numbering of the solver: from 1, negative if inverted.
fn number(literal: Literal) -> i32 {
    let variable = i32::try_from(literal.node() + 1).expect("fewer than 2^31 gates");
    if literal.is_inverted() { -variable } else { variable }
}
