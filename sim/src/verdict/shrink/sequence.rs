//! Shrinks a failing sequence to a short one on which the unit is also wrong.
//!
//! The sequence is cut after the failing step. Then stretches are removed, long ones first, and the operands of the remaining steps are
//! simplified one by one. Each sequence is tried with several patterns of bubbles and stalls.

use super::complexity::complexity_of_lanes;
use super::steps::{single_steps, steps};
use crate::reference::Reference;
use crate::verdict::counterexample::Counterexample;
use crate::verdict::scoreboard::{Bench, Device};
use crate::verdict::violation::Fault;
use binade_spec::Word;
use binade_stimulus::Columns;
use binade_stimulus::words::widths;
use binade_stimulus::{Place, join, places, split};

/// The most steps that are evaluated.
const STEPS: usize = 1 << 19;

/// How many patterns of bubbles and stalls a sequence is tried with; a long sequence meets enough in a single one.
const WAYS: u64 = 8;
const LONG: usize = 256;

/// How many simpler operands are tried at each step.
const CANDIDATES: usize = 64;

type Sequence = Vec<Vec<Word>>;

/// The shortest and simplest sequence from a reset on that was found to fail; none if even that of the run does not.
pub(super) fn shrink<Instance: Device>(
    reference: &dyn Reference,
    found: &Counterexample,
    unit: Instance,
) -> Option<Counterexample> {
    let places = places(&reference.inputs());
    let mut search = Search { bench: Bench::new(reference, unit), input_widths: vec![], places, left: STEPS };
    search.input_widths = widths(&reference.inputs()).collect();
    let mut simplest = search.failing(found.sequence())?;
    loop {
        let before = simplest.sequence();
        simplest = search.shortened(simplest);
        simplest = search.simplified(simplest);
        if simplest.sequence() == before {
            return Some(Counterexample { index: found.index, ..simplest });
        }
    }
}

struct Search<'r, Instance> {
    bench: Bench<'r, Instance>,
    input_widths: Vec<u32>,
    places: Vec<Place>,
    /// How many steps may still be evaluated.
    left: usize,
}

impl<Instance: Device> Search<'_, Instance> {
    /// The first wrong step of a sequence, with the steps before it.
    fn failing(&mut self, sequence: Sequence) -> Option<Counterexample> {
        let ways = if sequence.len() > LONG { 1 } else { WAYS };
        for way in 0..ways {
            self.left = self.left.checked_sub(sequence.len())?;
            self.bench.operands = Columns::of_vectors(self.input_widths.iter().copied(), &sequence);
            let is_of_results =
                |found: &Counterexample| found.violation.as_ref().is_none_or(|it| it.fault == Fault::Results);
            if let Some(found) = self.bench.check(way).filter(is_of_results) {
                return Some(found);
            }
        }
        None
    }

    /// Removes all stretches that are not needed.
    fn shortened(&mut self, mut simplest: Counterexample) -> Counterexample {
        let mut size = simplest.before.len().div_ceil(2);
        while size > 0 {
            let mut start = 0;
            while start < simplest.before.len() {
                let mut sequence = simplest.sequence();
                sequence.drain(start..(start + size).min(simplest.before.len()));
                match self.failing(sequence) {
                    Some(shorter) => simplest = shorter,
                    None => start += size,
                }
            }
            size /= 2;
        }
        simplest
    }

    /// Simplifies the operands.
    fn simplified(&mut self, mut simplest: Counterexample) -> Counterexample {
        let mut at = 0;
        while at <= simplest.before.len() {
            match self.simpler_at(&simplest, at) {
                Some(simpler) => simplest = simpler,
                None => at += 1,
            }
        }
        simplest
    }

    /// Finds the simplest operands for a step with which the sequence still fails.
    fn simpler_at(&mut self, simplest: &Counterexample, at: usize) -> Option<Counterexample> {
        let sequence = simplest.sequence();
        let lanes = split(&self.places, &sequence[at]);
        let limit = complexity_of_lanes(&self.places, lanes.clone());
        let candidates = single_steps(&lanes, &steps(&self.places, &lanes));
        let mut keyed: Vec<_> = candidates.into_iter().map(|lanes| complexity_of_lanes(&self.places, lanes)).collect();
        keyed.retain(|key| *key < limit);
        keyed.sort();
        keyed.dedup();
        keyed.into_iter().take(CANDIDATES).find_map(|(_, lanes)| {
            let mut changed = sequence.clone();
            changed[at] = join(&self.places, &lanes);
            self.failing(changed)
        })
    }
}
