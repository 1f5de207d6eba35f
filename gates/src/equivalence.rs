//! Whether two circuits compute the same function: a SAT solver decides, and if it gives up, all inputs are tried.

use crate::graph::{Graph, Literal};
use crate::program::{LANES, Machine, Program};
use crate::solver::{Answer, Solver};
use binade_spec::Word;

/// Conflicts after which the solver gives up, a few seconds.
const MOST_CONFLICTS: u64 = 10_000;

/// The most input bits for which all combinations are tried after that.
const MOST_BITS: u32 = 32;

/// The result of comparing two circuits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Equivalence {
    /// The circuits give the same outputs for all inputs.
    Proven,
    /// Input words for which an output differs.
    Differs(Vec<Word>),
    /// Undecided within the limits, or when the work was over.
    Open,
}

/// Compares two circuits with the same inputs and outputs. Equal gates are shared first, so that little is left to
/// prove. Soon after `is_over` returns true, they are left undecided.
pub fn equivalence(one: &Graph, other: &Graph, is_over: &dyn Fn() -> bool) -> Equivalence {
    let mut graph = Graph::new(one.inputs().iter().map(|bits| bits.len() as u32));
    let [one, other] = [one, other].map(|each| graph.add_graph(each).concat());
    let differing: Vec<Literal> = one.iter().zip(&other).map(|(&one, &other)| graph.xor(one, other)).collect();
    let differs = graph.any(&differing);
    graph.add_output(vec![differs]);
    match differs {
        Literal::FALSE => return Equivalence::Proven,
        _ => match solve(&graph, differs, is_over) {
            Equivalence::Open => {}
            found => return found,
        },
    }
    let bits: u32 = graph.inputs().iter().map(|port| port.len() as u32).sum();
    if bits <= MOST_BITS { try_all(&graph, bits, is_over) } else { Equivalence::Open }
}

/// Asks the solver for inputs that make a literal true.
fn solve(graph: &Graph, wanted: Literal, is_over: &dyn Fn() -> bool) -> Equivalence {
    let mut solver = Solver::new(is_over);
    match solver.solve(graph, &[wanted], MOST_CONFLICTS) {
        Answer::Unsatisfiable => return Equivalence::Proven,
        Answer::Open => return Equivalence::Open,
        Answer::Satisfiable => {}
    }
    let word = |bits: &Vec<Literal>| {
        let mut word = Word::ZERO;
        bits.iter().zip(0..).for_each(|(&literal, place)| word.set_bit(place, solver.value(literal)));
        word
    };
    Equivalence::Differs(graph.inputs().iter().map(word).collect())
}

/// Evaluates the only output on all inputs.
fn try_all(graph: &Graph, bits: u32, is_over: &dyn Fn() -> bool) -> Equivalence {
    let program = Program::new(graph);
    let mut machine = Machine::new(&program);
    let widths: Vec<u32> = graph.inputs().iter().map(|port| port.len() as u32).collect();
    let total = 1_u64 << bits;
    for block in 0..total.div_ceil(LANES as u64) {
        if is_over() {
            return Equivalence::Open;
        }
        machine.count(block);
        machine.run();
        let lane = machine
            .output(0)
            .iter()
            .position(|&word| word != 0)
            .map(|word| (word * 64) as u64 + u64::from(machine.output(0)[word].trailing_zeros()));
        if let Some(index) = lane.map(|lane| block * LANES as u64 + lane)
            && index < total
        {
            return Equivalence::Differs(words(index, &widths));
        }
    }
    Equivalence::Proven
}

/// The input words with this index, the first input in the lowest bits.
fn words(index: u64, widths: &[u32]) -> Vec<Word> {
    let mut rest = index;
    let mut word = |width: u32| {
        let word = rest & (u64::MAX >> (64 - width));
        rest = rest.checked_shr(width).unwrap_or(0);
        Word::from(word)
    };
    widths.iter().map(|&width| word(width)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parity of these bits of a word, one after the other.
    fn parity(bits: impl Iterator<Item = usize>) -> Graph {
        let mut graph = Graph::new([20]);
        let word = graph.inputs()[0].clone();
        let parity = bits.fold(Literal::FALSE, |parity, bit| graph.xor(parity, word[bit]));
        graph.add_output(vec![parity]);
        graph
    }

    /// The solver gives up on the parity of many bits in two orders, and all words are tried, unless the work is over before.
    #[test]
    fn work_that_is_over_decides_nothing() {
        let (one, other, less) = (parity(0..20), parity((0..20).rev()), parity(0..19));
        assert_eq!(equivalence(&one, &other, &|| false), Equivalence::Proven);
        assert_eq!(equivalence(&one, &other, &|| true), Equivalence::Open);
        assert!(matches!(equivalence(&one, &less, &|| false), Equivalence::Differs(_)));
        assert_eq!(equivalence(&one, &one, &|| true), Equivalence::Proven, "these are the same gates");
    }
}
