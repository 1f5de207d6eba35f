//! Functional coverage: which kinds of vectors a run has checked, and which it has not.
//!
//! A bin is a kind of vector, such as "subtraction whose leading 7 bits cancel"; groups hold the bins of one question.
//! What kind a vector is follows from the golden model's exact values ([`binade_golden::Facts`]), never from the circuit.
//!
//! | file | what it holds |
//! |---|---|
//! | `groups.rs` | the groups of an operation, and the bin of a vector in each |
//! | `axes.rs` | what distinguishes the bins of a group, with names |
//! | `magnitudes.rs` | which exact values an operation can meet |
//! | `exacts.rs` | which of them come to each rounding, and samples with every pattern of bits |
//! | `reach.rs`, `operands.rs` | which bins can be reached, argued from these |
//! | `reasons.rs` | the argument in words |
//! | `report.rs` | [`Coverage`]: what was counted |
//! | `search.rs` | vectors for bins that are still empty |

mod axes;
mod exacts;
mod groups;
mod magnitudes;
mod operands;
mod reach;
mod reasons;
mod report;
mod search;

pub use report::{BinCount, Coverage, GroupCoverage, Unreachable};

use crate::places::{Place, join, places};
use crate::vectors::stimulus::{BLOCK, Stimulus};
use crate::vectors::{Choice, Plan, PlanError};
use binade_golden::{Facts, Model};
use binade_spec::{Column, Operation, Word};
use groups::{Anatomy, Group, Vector, groups};
use reach::Reach;
use search::fill_empty_bins;
use std::ops::Range;
use std::sync::Mutex;

impl Plan {
    /// The vectors for `operation`; where they are sampled, bins that the directed ones leave empty get vectors of their own.
    /// The same seed gives the same vectors.
    ///
    /// # Errors
    /// When the choice cannot be had for this operation.
    pub fn new(operation: &Operation, choice: Choice, seed: u64) -> Result<Plan, PlanError> {
        Plan::with(operation, choice, seed, fill_empty_bins)
    }
}

/// The bins of an operation, and how to count a vector.
pub(crate) struct Bins {
    operation: Operation,
    model: Model,
    anatomy: Anatomy,
    places: Vec<Place>,
    /// Whether lanes are parts of words, or words have more than 128 bits.
    is_split: bool,
    groups: Vec<Group>,
    /// The number of each group's first bin.
    first: Vec<usize>,
}

impl Bins {
    fn new(operation: &Operation) -> Bins {
        let groups = groups(operation);
        let mut next = 0;
        let first = groups.iter().map(|group| {
            let first = next;
            next += group.len();
            first
        });
        let places = places(&operation.inputs());
        Bins {
            operation: *operation,
            model: Model::new(operation),
            anatomy: Anatomy::of(operation),
            is_split: places.iter().any(|place| place.is_one_of_many || place.width > u128::BITS),
            places,
            first: first.collect(),
            groups,
        }
    }

    /// How many bins there are.
    fn len(&self) -> usize {
        self.groups.iter().map(Group::len).sum()
    }

    /// Gives the numbers of the bins that a vector is in to `take`; `lanes` are its codes and words, lane by lane.
    fn each(&self, lanes: &[u128], take: impl FnMut(usize)) {
        let facts = if self.is_split {
            let words: Vec<Word> = lanes.iter().copied().map(Word::from).collect();
            self.model.examine(&join(&self.places, &words))
        } else {
            self.model.examine(lanes)
        };
        self.each_of(lanes, facts, take);
    }

    /// Gives the numbers of the bins that a vector with these facts is in to `take`.
    fn each_of(&self, lanes: &[u128], facts: Facts, mut take: impl FnMut(usize)) {
        let Bins { operation, anatomy, places, .. } = self;
        let vector = Vector { operation, anatomy, places, lanes, facts };
        for (group, first) in self.groups.iter().zip(&self.first) {
            if let Some(bin) = vector.bin(group) {
                take(first + bin);
            }
        }
    }

    /// Whether each bin can be reached.
    fn possible(&self) -> Vec<bool> {
        Reach::new(&self.operation, &self.groups).possible.concat()
    }
}

/// Counts the vectors of a plan while they are checked, whatever engine does that.
pub(crate) struct Observer<'p> {
    stimulus: Stimulus<'p>,
    tally: Tally,
}

impl<'p> Observer<'p> {
    pub fn new(operation: &'p Operation, plan: &'p Plan) -> Observer<'p> {
        Observer { stimulus: Stimulus::new(operation, plan), tally: Tally::new(operation) }
    }

    /// Counts vectors of the plan; the range starts with a block.
    pub fn count(&self, vectors: Range<u64>) {
        let mut counter = self.tally.counter();
        let mut columns = self.stimulus.columns();
        for first in vectors.step_by(BLOCK) {
            self.stimulus.fill(first / BLOCK as u64, &mut columns);
            counter.count(&columns.views());
        }
    }

    /// What was counted, as [`Tally::coverage`].
    pub fn coverage(self, is_all: bool) -> Coverage {
        self.tally.coverage(is_all)
    }
}

/// The counts of a run, on any number of threads.
pub struct Tally {
    bins: Bins,
    /// How many vectors were counted, and how many of them are in each bin.
    counts: Mutex<(u64, Vec<u64>)>,
}

/// The counts of one thread; they join those of the run when it is dropped.
pub struct Counter<'t> {
    tally: &'t Tally,
    vectors: u64,
    counts: Vec<u64>,
    lanes: Vec<u128>,
}

impl Tally {
    /// Nothing counted yet.
    pub fn new(operation: &Operation) -> Tally {
        let bins = Bins::new(operation);
        let counts = Mutex::new((0, vec![0; bins.len()]));
        Tally { bins, counts }
    }

    /// A counter for one thread.
    pub fn counter(&self) -> Counter<'_> {
        let lanes = vec![0; self.bins.places.len()];
        Counter { tally: self, vectors: 0, counts: vec![0; self.bins.len()], lanes }
    }

    /// What was counted. If that was every input combination there is (`is_all`), what has no vector is unreachable.
    ///
    /// # Panics
    /// When a thread panicked while its counts joined those of the run.
    pub fn coverage(self, is_all: bool) -> Coverage {
        let (vectors, counts) = self.counts.into_inner().expect("no thread panics with the lock");
        Coverage::new(&self.bins, vectors, &counts, is_all)
    }
}

impl Counter<'_> {
    /// Counts vectors, one column an input.
    pub fn count(&mut self, columns: &[Column]) {
        let Counter { tally, vectors, counts, lanes } = self;
        let bins = &tally.bins;
        for vector in 0..columns[0].len() {
            let word = |place: &Place| &columns[place.port].words[vector * columns[place.port].limbs..];
            lanes.iter_mut().zip(&bins.places).for_each(|(lane, place)| *lane = place.low_bits_of(word(place)));
            if bins.is_split {
                let words: Vec<Word> = columns.iter().map(|column| column.word(vector)).collect();
                bins.each_of(lanes, bins.model.examine(&words), |bin| counts[bin] += 1);
            } else {
                bins.each_of(lanes, bins.model.examine(lanes), |bin| counts[bin] += 1);
            }
        }
        *vectors += columns[0].len() as u64;
    }
}

impl Drop for Counter<'_> {
    fn drop(&mut self) {
        // A thread that panicked with the lock ends the run anyway.
        if let Ok(mut all) = self.tally.counts.lock() {
            all.0 += self.vectors;
            all.1.iter_mut().zip(&self.counts).for_each(|(all, own)| *all += own);
        }
    }
}
