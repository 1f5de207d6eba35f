//! Certificates of units with few inputs that have no cases, such as functions: a case is a range of inputs, and its specification a table of
//! their results.

use super::{Certified, Certifier, Frame, Results, settled};
use crate::case::{Expected, ports};
use crate::plans::NotSpecified;
use crate::sweep::{Effort, Outcome};
use crate::time::ThreadTime;
use crate::words::{Word, literal, word_of};
use crate::{Files, Progress, Proof, Question};
use binade_gates::{Graph, Literal};
use binade_spec::Port;
use rayon::prelude::*;

/// The most input bits of such a unit.
pub const MOST_INPUT_BITS: u32 = 16;

/// The most free bits of a case.
const MOST_FREE_BITS: usize = 8;

/// A range has few inputs, so the solver needs few conflicts.
const EFFORT: Effort = Effort { guess: 2_000, again: 0, left: usize::MAX, goal: 1_000_000 };

/// The certificate of a unit by the table of its results.
pub fn of_table(
    question: Question,
    results: &Results,
    files: &dyn Files,
    progress: &(dyn Fn(Progress) + Sync),
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<Certified, NotSpecified> {
    let bits = question.operation.input_bits() as usize;
    let free = bits.min(MOST_FREE_BITS);
    let count = 1_usize << (bits - free);
    let unit = settled(&question);
    let certifier = Certifier::new(Frame::plain(question.operation), &unit, files);
    certifier.write_unit();
    progress(Progress::Cases(count));
    let decided = (0..count).into_par_iter().with_max_len(1).map(|range| {
        let (first, last) = (range << free, ((range + 1) << free) - 1);
        let name = format!("inputs {first:#x} to {last:#x}, the first port lowest");
        if is_over() {
            return (name, Outcome::Open, None, 0.0);
        }
        let started = ThreadTime::now();
        let expected = expected(&question, results, range, free);
        let inputs = expected.inputs.clone();
        let stem = format!("case-{:04}", range + 1);
        let (outcome, case) = certifier.decide(&stem, &name, None, expected, EFFORT, &is_over);
        progress(Progress::Done { is_open: outcome == Outcome::Open });
        let wrong = match &outcome {
            Outcome::Wrong(bits) => Some(words_of(&inputs, |place| bits[place])),
            Outcome::Proven | Outcome::Open => None,
        };
        (name, outcome, case.map(Ok).or(wrong.map(Err)), started.elapsed().as_secs_f64())
    });
    let (mut proof, mut cases) = (Proof { cases: count, ..Proof::default() }, vec![]);
    for (name, outcome, found, seconds) in decided.collect::<Vec<_>>() {
        proof.seconds += seconds;
        if seconds > proof.slowest_seconds {
            (proof.slowest, proof.slowest_seconds) = (name.clone(), seconds);
        }
        match found {
            Some(Ok(case)) => cases.push(case),
            Some(Err(words)) => _ = proof.differs.get_or_insert(words),
            None => {}
        }
        if outcome == Outcome::Open {
            proof.open.push(name);
        }
    }
    certifier.covered(proof, cases, is_over)
}

/// The specification of the inputs whose lowest bits are free: their results from the table.
fn expected(question: &Question, results: &Results, range: usize, free: usize) -> Expected {
    let operation = question.operation;
    let mut graph = Graph::new([free as u32]);
    let sources = graph.sources();
    let bits = operation.input_bits() as usize;
    let fixed = (free..bits).map(|place| literal(range >> (place - free) & 1 == 1));
    let mut all = sources.iter().copied().chain(fixed);
    let inputs: Vec<Word> =
        ports(operation).iter().map(|port| all.by_ref().take(port.width() as usize).collect()).collect();
    let operands: Vec<_> = (0..1_usize << free).map(|row| words_of(&inputs, |place| row >> place & 1 == 1)).collect();
    let rows = results(operation, &operands);
    let outputs: Vec<Word> = operation
        .outputs()
        .iter()
        .enumerate()
        .map(|(output, port)| of_output(&mut graph, &sources, &rows, output, port))
        .collect();
    let outputs = question.tolerance.settled_words(&mut graph, operation, &outputs);
    Expected { graph, valid: Literal::TRUE, inputs, outputs, draws: vec![] }
}

/// The words of the unit's inputs, whose bits are constants and free bits.
fn words_of(inputs: &[Word], free: impl Fn(usize) -> bool) -> Vec<binade_spec::Word> {
    let value = |bit: Literal| bit.node().checked_sub(1).is_some_and(&free) != bit.is_inverted();
    inputs.iter().map(|word| word_of(word, value)).collect()
}

/// The bits of an output.
fn of_output(
    graph: &mut Graph,
    sources: &[Literal],
    rows: &[Vec<binade_spec::Word>],
    output: usize,
    port: &Port,
) -> Word {
    (0..u64::from(port.width()))
        .map(|place| {
            let column: Vec<bool> = rows.iter().map(|row| row[output].bit(place)).collect();
            looked_up(graph, sources, &column)
        })
        .collect()
}

/// The bit of a table that these literals choose, the last of them its half.
fn looked_up(graph: &mut Graph, address: &[Literal], table: &[bool]) -> Literal {
    match address.split_last() {
        _ if table.iter().all(|&bit| bit == table[0]) => literal(table[0]),
        None => unreachable!("a table of one bit"),
        Some((&select, rest)) => {
            let (zero, one) = table.split_at(table.len() / 2);
            let (zero, one) = (looked_up(graph, rest, zero), looked_up(graph, rest, one));
            graph.mux(select, one, zero)
        }
    }
}
