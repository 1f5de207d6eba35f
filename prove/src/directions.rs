//! Units whose port `rm` chooses the rounding: one proof for each value of the port. With a constant on the port, such a unit
//! must be the unit of that rounding.

use crate::{NotSpecified, Progress, Proof, Question, prove};
use binade_gates::{Graph, Literal};
use binade_spec::{Operation, Rounding, Word};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The values of port `rm`.
pub const VALUES: u64 = 8;

/// The operation for a value of port `rm`; `None` if there is no such port.
pub fn of_mode(operation: &Operation, rm: u64) -> Option<Operation> {
    (operation.rounding == Rounding::Any).then(|| Operation { rounding: Rounding::of_mode(rm), ..*operation })
}

/// The operations for all roundings that `rm` chooses; only this operation if there is no such port.
pub fn of_modes(operation: &Operation) -> Vec<Operation> {
    match of_mode(operation, 0) {
        Some(_) => Rounding::MODES.map(|rounding| Operation { rounding, ..*operation }).into(),
        None => vec![*operation],
    }
}

/// The plain operations that ports `fmt` and `rm` choose, with each rounding once.
pub fn of_all(operation: &Operation) -> Vec<Operation> {
    operation.choices().iter().flat_map(of_modes).collect()
}

/// Compares a unit with the specification for each value of `rm`. Values of one rounding that give the same gates are compared
/// once.
pub fn prove_directions(
    question: Question,
    progress: &(dyn Fn(Progress) + Sync),
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<Proof, NotSpecified> {
    let mut asked: Vec<(u64, Graph)> = vec![];
    for rm in 0..VALUES {
        let unit = with_constant(question.unit, rm);
        let is_known = |(other, known): &(u64, Graph)| {
            Rounding::of_mode(*other) == Rounding::of_mode(rm)
                && known.gates() == unit.gates()
                && known.outputs() == unit.outputs()
        };
        if !asked.iter().any(is_known) {
            asked.push((rm, unit));
        }
    }
    let hear = heard_of_parts(progress, asked.len());
    let mut whole = Proof::default();
    for (rm, unit) in &asked {
        let operation = of_mode(question.operation, *rm).expect("a unit with the port rm");
        let mut proof = prove(Question { unit, operation: &operation, ..question }, &hear, is_over)?;
        whole.differs = proof.differs.take().map(|operands| [operands, vec![Word::from(u128::from(*rm))]].concat());
        whole.join(proof, &format!("rm {rm}"));
        if whole.differs.is_some() {
            break;
        }
    }
    Ok(whole)
}

/// Passes on the progress of a proof in parts: the cases of the first part, times the number of parts.
pub fn heard_of_parts(progress: &(dyn Fn(Progress) + Sync), parts: usize) -> impl Fn(Progress) + Sync {
    let told = AtomicUsize::new(0);
    move |heard: Progress| match heard {
        Progress::Cases(cases) if told.swap(1, Ordering::Relaxed) == 0 => progress(Progress::Cases(cases * parts)),
        Progress::Cases(_) => {}
        done => progress(done),
    }
}

/// The unit with a constant on the last input, which is no input then.
pub fn with_constant(unit: &Graph, value: u64) -> Graph {
    let (rm, others) = unit.inputs().split_last().expect("the port rm");
    let mut graph = Graph::new(others.iter().map(|bits| bits.len() as u32));
    let undefined: Vec<Literal> = unit.undefined().iter().map(|_| graph.add_undefined()).collect();
    let constant = (0..rm.len()).map(|bit| if value >> bit & 1 == 1 { Literal::TRUE } else { Literal::FALSE });
    let sources: Vec<Literal> = graph.inputs().concat().into_iter().chain(constant).chain(undefined).collect();
    let images = graph.add_gates(unit, sources, None);
    images.of_words(unit.outputs()).into_iter().for_each(|bits| graph.add_output(bits));
    graph
}
