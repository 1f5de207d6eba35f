//! Functional coverage: the kinds of vectors that a run has checked, and those it has not.
//!
//! A bin is a kind of vector, such as "subtraction whose leading 7 bits cancel"; a group holds the bins that answer one
//! question. The kind of a vector follows from the golden model's exact values ([`binade_golden::Facts`]), never from
//! the circuit.
//!
//! | file | what it holds |
//! |---|---|
//! | `subject.rs` | the covered unit: its formula, and the sources of its codes |
//! | `groups.rs` | the groups of a unit, and the bin of a vector in each |
//! | `axes.rs` | the axes that distinguish the bins of a group, with names |
//! | `magnitudes.rs` | sets of exact values, by exponent and finest bit |
//! | `exacts.rs` | the possible exact values of each term, and samples with every pattern of bits |
//! | `bound.rs` | upper bounds for their magnitudes |
//! | `reach.rs`, `operands.rs` | which bins can be reached, derived from these |
//! | `reasons.rs` | why bins cannot be reached, in words |
//! | `report.rs` | [`Coverage`]: the counts |
//! | `search.rs` | a search for vectors in empty bins |

mod axes;
mod bound;
mod exacts;
mod groups;
mod magnitudes;
mod operands;
mod reach;
mod reasons;
mod report;
mod search;
mod subject;
#[cfg(test)]
mod tests;

pub use report::{BinCount, Coverage, GroupCoverage, Unreachable};

use crate::places::Place;
use crate::vectors::{BLOCK, Choice, Plan, PlanError, Stimulus};
use binade_golden::{Examination, Facts};
use binade_spec::{Class, Column, Operation, Word};
use exacts::{Numbers, exacts};
use groups::{Group, Vector, groups};
use reach::reach;
use search::fill_empty_bins;
use std::ops::Range;
use std::sync::Mutex;
use subject::{Classifier, CoveredUnit};

impl Plan {
    /// The vectors for `operation`; if they are sampled, bins that the directed ones leave empty get additional
    /// vectors. The same seed gives the same vectors.
    ///
    /// # Errors
    /// When the choice is impossible for this operation.
    pub fn new(operation: &Operation, choice: Choice, seed: u64) -> Result<Plan, PlanError> {
        Plan::with(operation, choice, seed, fill_empty_bins)
    }
}

/// The bins of a unit, and how to count a vector.
pub(crate) struct Bins {
    subject: CoveredUnit,
    /// The possible values of its terms.
    exacts: Vec<Numbers>,
    /// The classifier of each source of codes.
    classifiers: Vec<Option<Classifier>>,
    /// The classifier of the result, if there is one.
    of_result: Option<Classifier>,
    groups: Vec<Group>,
    /// The index of each group's first bin.
    first: Vec<usize>,
}

impl Bins {
    fn new(subject: CoveredUnit) -> Bins {
        let exacts = exacts(&subject);
        let groups = groups(&subject, &exacts);
        let mut next = 0;
        let first = groups.iter().map(|group| {
            let first = next;
            next += group.len();
            first
        });
        Bins {
            first: first.collect(),
            groups,
            exacts,
            classifiers: subject.sources.iter().map(|source| source.format().map(Classifier::new)).collect(),
            of_result: subject.result().map(|result| Classifier::new(subject.format(result))),
            subject,
        }
    }

    /// The number of bins.
    fn len(&self) -> usize {
        self.groups.iter().map(Group::len).sum()
    }

    /// Whether each bin can be reached, group by group.
    fn reach(&self) -> Vec<Vec<bool>> {
        reach(&self.subject, &self.exacts, &self.groups)
    }
}

/// Finds the bins of vectors, one after the other, in reused storage.
#[derive(Default)]
struct Look {
    examination: Examination,
    /// Class and sign of each source of codes.
    classes: Vec<Option<(Class, bool)>>,
}

impl Look {
    /// Passes the indices of a vector's bins to `take`; `sources` are its codes and words, source by source.
    fn each(&mut self, bins: &Bins, sources: &[u128], take: impl FnMut(usize)) {
        let facts = bins.subject.examine(&mut self.examination, sources);
        each_of(bins, &mut self.classes, sources, facts, take);
    }
}

/// Passes the indices of a vector's bins, for given facts.
fn each_of(
    bins: &Bins,
    classes: &mut Vec<Option<(Class, bool)>>,
    sources: &[u128],
    facts: &Facts,
    mut take: impl FnMut(usize),
) {
    let class = |(classifier, &code): (&Option<Classifier>, &u128)| Some(classifier.as_ref()?.class(code));
    classes.clear();
    classes.extend(bins.classifiers.iter().zip(sources).map(class));
    let result = bins.of_result.as_ref().map(|classifier| classifier.class(facts.outputs[0]).0);
    let vector = Vector { subject: &bins.subject, sources, classes, result, facts };
    for (group, first) in bins.groups.iter().zip(&bins.first) {
        if let Some(bin) = vector.bin(group) {
            take(first + bin);
        }
    }
}

/// Counts the vectors of a plan while any engine checks them.
pub struct Observer<'p> {
    stimulus: Stimulus<'p>,
    tally: Tally,
}

impl<'p> Observer<'p> {
    /// An observer with no counts.
    pub fn new(operation: &'p Operation, plan: &'p Plan) -> Observer<'p> {
        Observer { stimulus: Stimulus::new(operation, plan), tally: Tally::new(operation) }
    }

    /// Counts vectors of the plan; the range starts at a block.
    pub fn count(&self, vectors: Range<u64>) {
        let mut counter = self.tally.counter();
        let mut columns = self.stimulus.columns();
        for first in vectors.step_by(BLOCK) {
            self.stimulus.fill(first / BLOCK as u64, &mut columns);
            counter.count(&columns.views());
        }
    }

    /// The coverage, as in [`Tally::coverage`].
    pub fn coverage(self, is_all: bool) -> Coverage {
        self.tally.coverage(is_all)
    }
}

/// The counts of a run, on any number of threads.
pub struct Tally {
    bins: Bins,
    /// The number of counted vectors, and the number in each bin.
    counts: Mutex<(u64, Vec<u64>)>,
}

/// The counts of one thread, which are added to those of the run when dropped.
pub struct Counter<'t> {
    tally: &'t Tally,
    vectors: u64,
    counts: Vec<u64>,
    /// The codes and words of a vector: the lanes of its inputs, then the registers.
    sources: Vec<u128>,
    look: Look,
}

impl Tally {
    /// A tally with no counts.
    pub fn new(operation: &Operation) -> Tally {
        let bins = Bins::new(CoveredUnit::of(operation));
        let counts = (0, vec![0; bins.len()]);
        Tally::of(bins, counts)
    }

    /// A tally with these counts: of vectors, and of vectors in each bin.
    fn of(bins: Bins, counts: (u64, Vec<u64>)) -> Tally {
        Tally { bins, counts: Mutex::new(counts) }
    }

    /// A counter for one thread.
    pub fn counter(&self) -> Counter<'_> {
        let sources = vec![0; self.bins.subject.sources.len()];
        Counter { tally: self, vectors: 0, counts: vec![0; self.bins.len()], sources, look: Look::default() }
    }

    /// The coverage. If every input combination was counted (`is_all`), bins without vectors are unreachable.
    ///
    /// # Panics
    /// When a thread panicked while it added its counts.
    pub fn coverage(self, is_all: bool) -> Coverage {
        let (vectors, counts) = self.counts.into_inner().expect("no thread panics with the lock");
        Coverage::new(&self.bins, vectors, &counts, is_all)
    }
}

impl Counter<'_> {
    /// Counts vectors, with one column per input. Those of a unit with state are a sequence from a reset.
    pub fn count(&mut self, columns: &[Column]) {
        let Counter { tally, vectors, counts, sources, look } = self;
        let (bins, subject) = (&tally.bins, &tally.bins.subject);
        let lanes = subject.places.len();
        sources[lanes..].copy_from_slice(&subject.reset());
        for vector in 0..columns[0].len() {
            let word = |place: &Place| &columns[place.port].words[vector * columns[place.port].limbs..];
            sources.iter_mut().zip(&subject.places).for_each(|(lane, place)| *lane = place.low_bits_of(word(place)));
            let Look { examination, classes } = look;
            let facts = if subject.is_split() {
                let words: Vec<Word> = columns.iter().map(|column| column.word(vector)).collect();
                let state: Vec<Word> = sources[lanes..].iter().copied().map(Word::from).collect();
                subject.model.examine_in(examination, &state, &words)
            } else {
                let (inputs, state) = sources.split_at(lanes);
                subject.model.examine_in(examination, state, inputs)
            };
            each_of(bins, classes, sources, facts, |bin| counts[bin] += 1);
            sources[lanes..].copy_from_slice(&facts.next);
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
