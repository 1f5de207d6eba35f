//! Vectors that reproduce a failure, for waves and for a testbench.

use super::counterexample::Counterexample;
use super::mismatch::Mismatch;
use crate::Subject;
use binade_spec::Word;
use binade_stimulus::Plan;
use binade_stimulus::Stimulus;
use std::collections::HashSet;

/// How many vectors before and after the one found are shown with it, in addition to one per rank of a pipelined unit.
const NEIGHBOURS: u64 = 4;

/// How many vectors after the first one are shown for a right unit.
const FIRST: u64 = 31;

/// Vectors that reproduce a failure.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// For waves: the operands of the run's vectors up to the one found, then of the simplest one.
    pub traced: Vec<Vec<Word>>,
    /// For a testbench: the simplest vector, the one found, and its neighbours in the run.
    pub listed: Vec<Vec<Word>>,
    /// A description of the vectors, as lines of a comment.
    pub remark: Vec<String>,
}

impl Evidence {
    /// The evidence for a counterexample of a run; `mismatch` explains it if results were wrong.
    pub(crate) fn new(subject: Subject, plan: &Plan, found: &Counterexample, mismatch: Option<&Mismatch>) -> Evidence {
        if !found.before.is_empty() || subject.operation.has_state() {
            return Evidence::of_sequence(found, mismatch);
        }
        let reach = NEIGHBOURS + u64::from(subject.pace.latency);
        let window = Stimulus::new(subject.operation, plan).window(found.index, reach);
        let at = found.index.min(reach) as usize;
        let mut traced = window[..=at].to_vec();
        let Some(mismatch) = mismatch.filter(|mismatch| mismatch.fails_alone) else {
            let remark = format!(
                "Vector {at} is vector {} of a verification, the others are its neighbours there.",
                found.index
            );
            // A failure at a clock may become visible only after it.
            return Evidence { traced: window.clone(), listed: window, remark: vec![remark] };
        };
        if mismatch.is_shrunk() {
            traced.push(mismatch.simplest.codes().to_vec());
        }
        let first = [mismatch.simplest.codes().to_vec(), found.operands.clone()];
        let mut seen = HashSet::new();
        let listed = first.into_iter().chain(window).filter(|codes| seen.insert(codes.clone())).collect();
        Evidence { traced, listed, remark: remark(mismatch) }
    }
}

impl Evidence {
    /// The first vectors of a run without failures.
    pub(crate) fn of_first(subject: Subject, plan: &Plan) -> Evidence {
        let first = Stimulus::new(subject.operation, plan).window(0, FIRST);
        let remark = vec!["The vectors are the first ones of a verification.".into()];
        Evidence { traced: first.clone(), listed: first, remark }
    }

    /// The evidence for a unit with state: one sequence from a reset on.
    fn of_sequence(found: &Counterexample, mismatch: Option<&Mismatch>) -> Evidence {
        let shrunk = mismatch.filter(|mismatch| mismatch.fails_alone);
        let (sequence, what) = match shrunk {
            Some(mismatch) if mismatch.is_shrunk() => {
                (mismatch.simplest.sequence(), "the shortest wrong one that was found")
            }
            Some(_) | None => (found.sequence(), "that of a verification, up to the vector found"),
        };
        let remark = vec![format!("The vectors are a sequence from a reset on, {what} (vector {}).", found.index)];
        Evidence { traced: sequence.clone(), listed: sequence, remark }
    }
}

fn remark(mismatch: &Mismatch) -> Vec<String> {
    let index = mismatch.found.index;
    if !mismatch.is_shrunk() {
        return vec![format!("Vector 0 is vector {index} of a verification; its neighbours there follow.")];
    }
    vec![
        "Vector 0 is the simplest wrong one that was found.".into(),
        format!("Vector 1 was found first, as vector {index} of a verification; its neighbours there follow."),
    ]
}
