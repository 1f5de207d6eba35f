//! The specification as one circuit: any code on any port, with variable shifts.

use crate::case::undivided;
use crate::directions::of_modes;
use crate::plans::{self, NotSpecified};
use crate::words::Multiplier;
use binade_gates::{Graph, Literal};
use binade_spec::{Operation, Port, Rounding};

/// A circuit with the ports of a unit that computes the expected results.
///
/// # Errors
/// When the operation has no specification.
pub fn specification(operation: &Operation) -> Result<Graph, NotSpecified> {
    if operation.rounding == Rounding::Any {
        return specification_of_modes(operation);
    }
    let plan = plans::undivided(operation)?;
    Ok(undivided(operation, &plan, Multiplier::Tree))
}

/// The specification as one circuit: those of all roundings, of which `rm` chooses one.
fn specification_of_modes(operation: &Operation) -> Result<Graph, NotSpecified> {
    let mut graph = Graph::new(operation.inputs().iter().map(Port::width));
    let (rm, operands) = graph.inputs().split_last().expect("the port rm");
    let (rm, operands) = (rm.clone(), operands.concat());
    let mut chosen: Option<Vec<Vec<Literal>>> = None;
    // From ties away, which any value with the highest bit chooses, down to the first.
    for (value, operation) in of_modes(operation).iter().enumerate().rev() {
        let one = specification(operation)?;
        let words = graph.add_gates(&one, operands.clone(), None).of_words(one.outputs());
        let is_here: Vec<Literal> = rm
            .iter()
            .enumerate()
            .map(|(bit, &literal)| if value >> bit & 1 == 1 { literal } else { !literal })
            .collect();
        let is_here = graph.all(&is_here);
        chosen = Some(match chosen {
            None => words,
            Some(others) => {
                let mut mux = |(one, zero): (&Literal, &Literal)| graph.mux(is_here, *one, *zero);
                words.iter().zip(&others).map(|(word, other)| word.iter().zip(other).map(&mut mux).collect()).collect()
            }
        });
    }
    chosen.into_iter().flatten().for_each(|bits| graph.add_output(bits));
    Ok(graph)
}
