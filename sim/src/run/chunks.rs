//! The loop over the chunks of a run: on all cores, interruptible, with a ledger of finished chunks.

use super::ledger::{Done, Ledger};
use super::portion::{Chunks, Shard};
use crate::verdict::Counterexample;
use binade_stimulus::Plan;
use binade_stimulus::coverage::Observer;
use binade_tools::{Error, interrupted};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The chunks that a run has to check.
pub(crate) struct ChunkLoop<'s, 'a> {
    pub chunks: Chunks,
    /// Chunks that an earlier run checked.
    pub earlier: Done,
    /// Where finished chunks are noted.
    pub ledger: Option<&'s Ledger<'a>>,
    /// Called with numbers of checked vectors, from several threads.
    pub progress: &'s (dyn Fn(u64) + Sync),
    /// Counts the vectors found right.
    pub observer: Option<&'s Observer<'s>>,
}

impl<'s> ChunkLoop<'s, '_> {
    /// All chunks of a plan, without a ledger.
    pub fn whole(plan: &Plan, progress: &'s (dyn Fn(u64) + Sync)) -> Self {
        ChunkLoop {
            chunks: Chunks::of(plan, Shard::WHOLE),
            earlier: Done::default(),
            ledger: None,
            progress,
            observer: None,
        }
    }

    /// Runs `work` on the vectors of every remaining chunk until one has a counterexample; returns the first one in the order of the plan.
    /// `new_state` is called once per thread.
    ///
    /// Chunks are handed out in order, so a run that fails early ends early, and the finished chunks are one contiguous range and a few
    /// more.
    pub fn run<State>(
        &self,
        new_state: impl Fn() -> State + Sync,
        work: impl Fn(&mut State, Range<u64>) -> Option<Counterexample> + Sync,
    ) -> Result<Option<Counterexample>, Error> {
        let count = self.chunks.count();
        let next = AtomicU64::new(self.earlier.stretch());
        let found: Mutex<Option<Counterexample>> = Mutex::new(None);
        let worker = || {
            let mut state = new_state();
            while !interrupted() {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                if chunk >= count {
                    break;
                }
                if self.earlier.holds(chunk) {
                    continue;
                }
                let vectors = self.chunks.vectors(chunk);
                if let Some(counterexample) = work(&mut state, vectors.clone()) {
                    // Chunks after this one no longer matter; those before it are done or in progress.
                    next.fetch_max(count, Ordering::Relaxed);
                    (self.progress)(counterexample.index + 1 - vectors.start);
                    keep_first(&found, counterexample);
                } else {
                    self.observer.inspect(|observer| observer.count(vectors.clone()));
                    (self.progress)(vectors.end - vectors.start);
                    self.ledger.inspect(|ledger| ledger.note(chunk));
                }
            }
        };
        let workers = count.min(rayon::current_num_threads() as u64);
        rayon::in_place_scope(|scope| (0..workers).for_each(|_| scope.spawn(|_| worker())));
        if next.into_inner() < count {
            self.ledger.inspect(|ledger| ledger.keep());
            return Err(Error::Interrupted);
        }
        self.ledger.inspect(|ledger| ledger.remove());
        Ok(found.into_inner().expect("no thread panics with the lock"))
    }
}

fn keep_first(found: &Mutex<Option<Counterexample>>, counterexample: Counterexample) {
    let mut found = found.lock().expect("no thread panics with the lock");
    if found.as_ref().is_none_or(|other| counterexample.index < other.index) {
        *found = Some(counterexample);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    const VECTORS: u64 = 300 << 12;

    fn chunk_loop<'s>(progress: &'s (dyn Fn(u64) + Sync), shard: &str, earlier: Done) -> ChunkLoop<'s, 'static> {
        ChunkLoop {
            chunks: Chunks::new(VECTORS, shard.parse().unwrap()),
            earlier,
            ledger: None,
            progress,
            observer: None,
        }
    }

    fn counterexample(index: u64) -> Counterexample {
        Counterexample { index, operands: vec![], before: vec![], got: vec![], want: vec![], violation: None }
    }

    #[test]
    fn every_vector_of_a_part_is_worked_on_once() {
        let (told, seen) = (AtomicU64::new(0), Mutex::new(vec![]));
        let progress = |count| _ = told.fetch_add(count, Ordering::Relaxed);
        for part in ["1/3", "2/3", "3/3"] {
            let work = |_: &mut (), vectors: Range<u64>| {
                seen.lock().unwrap().extend(vectors.step_by(1 << 12));
                None
            };
            assert_eq!(chunk_loop(&progress, part, Done::default()).run(|| (), work).unwrap(), None);
        }
        let mut seen = seen.into_inner().unwrap();
        seen.sort();
        assert!(seen.into_iter().eq((0..VECTORS).step_by(1 << 12)));
        assert_eq!(told.into_inner(), VECTORS);
    }

    #[test]
    fn the_first_counterexample_of_the_plan_wins() {
        let bad = [5 << 12, (5 << 12) + 1, 7 << 12, 200 << 12];
        for _ in 0..20 {
            let worked = AtomicUsize::new(0);
            let work = |_: &mut (), vectors: Range<u64>| {
                worked.fetch_add(1, Ordering::Relaxed);
                // The earlier chunk takes longer than the later ones.
                std::thread::sleep(std::time::Duration::from_millis(if vectors.contains(&bad[0]) { 3 } else { 0 }));
                bad.into_iter().find(|index| vectors.contains(index)).map(counterexample)
            };
            let found = chunk_loop(&|_| {}, "1/1", Done::default()).run(|| (), work).unwrap();
            assert_eq!(found.unwrap().index, bad[0]);
            assert!(worked.into_inner() < 300, "the run goes on after a mismatch");
        }
    }

    #[test]
    fn what_an_earlier_run_has_done_is_left_out() {
        let earlier: Done = serde_json::from_str(r#"{"stretch": 280, "beyond": [282, 299]}"#).unwrap();
        let seen = Mutex::new(vec![]);
        let work = |_: &mut (), vectors: Range<u64>| {
            seen.lock().unwrap().push(vectors.start >> 12);
            None
        };
        chunk_loop(&|_| {}, "1/1", earlier).run(|| (), work).unwrap();
        let mut seen = seen.into_inner().unwrap();
        seen.sort();
        assert!(seen.into_iter().eq([280, 281].into_iter().chain(283..299)));
    }
}
