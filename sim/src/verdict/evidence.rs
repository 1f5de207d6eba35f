//! What shows a failure again: the vectors for waves and for a testbench.

use super::mismatch::Mismatch;
use super::scoreboard::Counterexample;
use crate::Subject;
use binade_spec::Word;
use binade_stimulus::Plan;
use binade_stimulus::Stimulus;
use std::collections::HashSet;

/// Vectors before and after the one found that are shown beside it, with as many more as a pipelined unit has ranks.
const NEIGHBOURS: u64 = 4;

/// Vectors behind the first one that are shown of a unit that is right.
const FIRST: u64 = 31;

/// Vectors that show a failure.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// For waves, the operands of each vector: the vectors of the run up to the one found, then the simplest one.
    pub traced: Vec<Vec<Word>>,
    /// For a testbench: the simplest vector, the one found, and its neighbours in the run.
    pub listed: Vec<Vec<Word>>,
    /// What these are, as lines of a comment.
    pub remark: Vec<String>,
}

impl Evidence {
    /// The evidence of what was found in a run; `mismatch` explains it, if results were wrong.
    pub(crate) fn new(subject: Subject, plan: &Plan, found: &Counterexample, mismatch: Option<&Mismatch>) -> Evidence {
        if !found.before.is_empty() || subject.operation.has_state() {
            return Evidence::of_sequence(found, mismatch);
        }
        let reach = NEIGHBOURS + u64::from(subject.latency);
        let window = Stimulus::new(subject.operation, plan).window(found.index, reach);
        let at = found.index.min(reach) as usize;
        let mut traced = window[..=at].to_vec();
        let Some(mismatch) = mismatch.filter(|mismatch| mismatch.fails_alone) else {
            let remark = format!(
                "Vector {at} is vector {} of a verification, the others are its neighbours there.",
                found.index
            );
            // What fails at a clock may show only behind it.
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
    /// The first vectors of a run in which nothing was wrong.
    pub(crate) fn of_first(subject: Subject, plan: &Plan) -> Evidence {
        let first = Stimulus::new(subject.operation, plan).window(0, FIRST);
        let remark = vec!["The vectors are the first ones of a verification.".into()];
        Evidence { traced: first.clone(), listed: first, remark }
    }

    /// The evidence of a unit with state: one sequence, from a reset on.
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
