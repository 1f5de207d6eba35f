//! What results depend on: as functions of operands alone, for any value of the other inputs and of undefined bits.

use crate::case::Case;
use crate::sweep::{Effort, Outcome, sweep};
use crate::words::word_of;
use binade_gates::{Answer, Graph, Literal, Solver};
use binade_spec::Word;
use binade_spec::contract::Property;

/// Inputs before the operands: `rst_n`, `en`, `in_valid`.
pub(crate) const CONTROLS: usize = 3;

/// Conflicts after which the solver gives up: a second or so.
const MOST_CONFLICTS: u64 = 10_000;

/// Effort for proving two circuits of the unit's size equal.
const EFFORT: Effort = Effort { guess: 1_000, again: 0, left: usize::MAX, goal: 20_000 };

/// Why no unit without registers was extracted.
#[derive(Debug)]
pub enum FlowFault {
    /// The property does not hold, or could not be proven.
    Broken(Property),
    /// The results depend on undefined bits.
    Undefined(Box<Undefined>),
}

/// Operands for which undefined bits decide the results.
#[derive(Debug)]
pub struct Undefined {
    /// The words of the operands.
    pub operands: Vec<Word>,
    /// The results as functions of the operands, for two choices of these bits; they differ on these operands.
    pub choices: [Graph; 2],
}

impl From<Property> for FlowFault {
    fn from(property: Property) -> FlowFault {
        FlowFault::Broken(property)
    }
}

/// Results as a function of the first inputs, with these widths; `None` if they depend on others as well, or if the work is over before
/// they are known not to.
pub(crate) fn alone(
    graph: &Graph,
    results: &[Vec<Literal>],
    widths: &[u32],
    is_over: &dyn Fn() -> bool,
) -> Option<Graph> {
    let own = widths.iter().sum::<u32>() as usize;
    let left = with_others(graph, results, widths, |_| false);
    (!depends_on_others(graph, results, own) || are_those_of(graph, results, own, &left, is_over)).then_some(left)
}

/// Results as a function of the first inputs, with these widths; `others` gives each bit of the other inputs.
fn with_others(graph: &Graph, results: &[Vec<Literal>], widths: &[u32], others: impl Fn(Literal) -> bool) -> Graph {
    let own = widths.iter().sum::<u32>() as usize;
    let mut left = Graph::new(widths.iter().copied());
    let constant = |&source: &Literal| if others(source) { Literal::TRUE } else { Literal::FALSE };
    let sources = left.sources().into_iter().chain(graph.sources()[own..].iter().map(constant)).collect::<Vec<_>>();
    let images = left.add_gates(graph, sources, None);
    images.of_words(results).into_iter().for_each(|bits| left.add_output(bits));
    left
}

/// Why results are not functions of the first inputs alone. If the undefined bits are the cause, returns inputs for
/// which two choices of these bits give different results with all other sources 0, if there are any.
pub(crate) fn undefined(
    graph: &Graph,
    results: &[Vec<Literal>],
    widths: &[u32],
    is_free: impl Fn(Literal) -> bool,
    is_over: &dyn Fn() -> bool,
) -> FlowFault {
    let own = widths.iter().sum::<u32>() as usize;
    let others = graph.sources()[own..].to_vec();
    let free: Vec<Literal> = others.iter().copied().filter(|&source| is_free(source)).collect();
    let mut tied = graph.bare();
    let sources =
        graph.sources().into_iter().map(|source| if free.contains(&source) { Literal::FALSE } else { source });
    let of_tied = tied.add_gates(graph, sources, None).of_words(results);
    if alone(&tied, &of_tied, widths, is_over).is_none() {
        return Property::Results.into();
    }
    let mut both = Graph::new(widths.iter().copied().chain([free.len() as u32; 2]));
    let choices = [0, 1].map(|choice| both.inputs()[widths.len() + choice].clone());
    let [one, other] = [0, 1].map(|choice: usize| {
        let chosen = |source: &Literal| {
            let place = free.iter().position(|free| free == source);
            place.map_or(Literal::FALSE, |place| choices[choice][place])
        };
        let sources: Vec<Literal> = both.sources()[..own].iter().copied().chain(others.iter().map(chosen)).collect();
        both.add_gates(graph, sources, None).of_words(results).concat()
    });
    match compared(both.clone(), &one, &other, is_over) {
        Outcome::Proven | Outcome::Open => Property::Defined.into(),
        Outcome::Wrong(bits) => {
            let value = |literal: Literal| bits[literal.node() - 1];
            let operands = both.inputs()[..widths.len()].iter().map(|bits| word_of(bits, value)).collect();
            let choices = [0, 1].map(|choice: usize| {
                with_others(graph, results, widths, |source| {
                    let place = free.iter().position(|&free| free == source);
                    place.is_some_and(|place| value(choices[choice][place]))
                })
            });
            FlowFault::Undefined(Box::new(Undefined { operands, choices }))
        }
    }
}

/// Whether the results equal those of `left` on the first inputs, whatever the other inputs are.
fn are_those_of(graph: &Graph, results: &[Vec<Literal>], own: usize, left: &Graph, is_over: &dyn Fn() -> bool) -> bool {
    let mut graph = graph.clone();
    let mut sources = graph.sources();
    sources.truncate(own);
    let expected = graph.add_gates(left, sources, None).of_words(left.outputs());
    compared(graph, &results.concat(), &expected.concat(), is_over) == Outcome::Proven
}

/// Compares words of a combinational graph gate by gate, since they may be as large as the unit.
pub(crate) fn compared(mut graph: Graph, one: &[Literal], other: &[Literal], is_over: &dyn Fn() -> bool) -> Outcome {
    let differing: Vec<Literal> = one.iter().zip(other).map(|(&one, &other)| graph.xor(one, other)).collect();
    let differs = graph.any(&differing);
    sweep(&Case::of_graph(graph, Literal::TRUE, differs), EFFORT, is_over)
}

/// Whether some result is connected to an input after the first ones.
fn depends_on_others(graph: &Graph, results: &[Vec<Literal>], first: usize) -> bool {
    let mut needed = vec![false; graph.gates().len()];
    results.iter().flatten().for_each(|literal| needed[literal.node()] = true);
    for id in (1..needed.len()).rev() {
        if needed[id] {
            graph.gates()[id].operands().for_each(|operand| needed[operand.node()] = true);
        }
    }
    needed[first + 1..=graph.sources().len()].contains(&true)
}

/// Whether words are equal, structurally or by the solver.
pub(crate) fn are_equal(graph: &mut Graph, one: &[Literal], other: &[Literal], is_over: &dyn Fn() -> bool) -> bool {
    assert_eq!(one.len(), other.len(), "words of one width are compared");
    let differing: Vec<Literal> = one.iter().zip(other).map(|(&one, &other)| graph.xor(one, other)).collect();
    let differs = graph.any(&differing);
    differs == Literal::FALSE || Solver::new(is_over).solve(graph, &[differs], MOST_CONFLICTS) == Answer::Unsatisfiable
}
