//! From the sequence that a run found to a short one on which the unit is wrong, too.
//!
//! It ends at the step that fails. Then stretches are left out, long ones first, and then the operands of the steps
//! that are left get simpler one by one. Each sequence is tried with several kinds of bubbles and stalls.

use super::complexity::complexity_of_lanes;
use super::steps::{single_steps, steps};
use crate::reference::Reference;
use crate::verdict::scoreboard::{Bench, Counterexample, Device};
use crate::verdict::violation::Fault;
use binade_spec::Word;
use binade_stimulus::Columns;
use binade_stimulus::words::widths;
use binade_stimulus::{Place, join, places, split};

/// Steps that are evaluated, at most.
const STEPS: usize = 1 << 19;

/// Ways in which a sequence is disturbed by bubbles and stalls; long ones have enough in each.
const WAYS: u64 = 8;
const LONG: usize = 256;

/// Simpler operands that are tried at each step.
const CANDIDATES: usize = 64;

type Sequence = Vec<Vec<Word>>;

/// The shortest and simplest sequence that was found to fail, from a reset on; none if not even that of the run does.
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
    /// Steps that may still be evaluated.
    left: usize,
}

impl<Instance: Device> Search<'_, Instance> {
    /// The first step of a sequence that is wrong, with those before it.
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

    /// Without all stretches that can be left out.
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

    /// With simpler operands.
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

    /// With the simplest operands at a step that still fail.
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
