//! Thresholds at which the rounded result changes to the next code.
//!
//! Rounding is monotone: as the magnitude of a number grows, its result stays the same up to a threshold, and never returns. So few
//! evaluations of the golden model suffice: if two numbers of one sign have the same result, so do all numbers between them; otherwise the
//! interval is halved. A threshold is the first number with its result.
//!
//! To look up a number, its sign and exponent field select a segment, and the upper bits of its trailing significand select one of the
//! segment's buckets. All buckets of a segment have the same size, chosen so that each contains at most one threshold:
//!
//! ```text
//!   | sign, exponent field | trailing significand                     |
//!   | segment              | bucket | compared with the threshold ... |
//! ```

use crate::Code;
use binade_golden::Model;
use rayon::prelude::*;

/// The most buckets of a segment, as a power of two; a segment that needs more is searched by bisection.
const MOST_BUCKET_BITS: u32 = 16;

/// The results of all numbers in binary32 (`W` is `u32`, `T` 23) or binary64 (`u64`, 52) for a format of up to 16 bits.
pub(crate) struct Thresholds<W, const T: u32> {
    segments: Vec<Segment>,
    buckets: Vec<Bucket<W>>,
    /// The changes of the segments that are searched.
    searched: Vec<Change>,
}

/// The numbers with one sign and exponent field.
#[derive(Clone, Copy)]
struct Segment {
    /// The index of its first bucket, or of its first change.
    first: u32,
    /// The number of bits that select a number within a bucket.
    shift: u16,
    /// The number of changes to search; 0 if there are buckets.
    changes: u16,
}

/// Numbers with the same upper bits.
#[derive(Clone, Copy)]
struct Bucket<W> {
    /// The trailing significand from which on the result is `after`.
    threshold: W,
    before: u16,
    after: u16,
}

/// A change of the result: it is `code` from the trailing significand `place` on.
#[derive(Clone, Copy)]
struct Change {
    place: u64,
    code: u16,
}

impl<W: Code, const T: u32> Thresholds<W, T> {
    /// The thresholds of a conversion from the format of `W` and `T` without random bits.
    pub fn new(model: &Model) -> Thresholds<W, T> {
        let all: Vec<Vec<Change>> =
            (0..1_u64 << (W::BITS - T)).into_par_iter().map(|field| changes(model, field << T, T)).collect();
        let mut thresholds = Thresholds { segments: vec![], buckets: vec![], searched: vec![] };
        all.iter().for_each(|changes| thresholds.push(changes));
        thresholds
    }

    /// Adds the next segment.
    fn push(&mut self, changes: &[Change]) {
        let has_room = |&shift: &u32| is_apart(changes, shift);
        let segment = match (T.saturating_sub(MOST_BUCKET_BITS)..=T).rev().find(has_room) {
            Some(shift) => {
                let first = self.buckets.len() as u32;
                self.push_buckets(changes, shift);
                Segment { first, shift: shift as u16, changes: 0 }
            }
            None => {
                let first = self.searched.len() as u32;
                self.searched.extend(changes);
                let changes = u16::try_from(changes.len()).expect("fewer changes than codes of one sign");
                Segment { first, shift: 0, changes }
            }
        };
        self.segments.push(segment);
    }

    fn push_buckets(&mut self, changes: &[Change], shift: u32) {
        let mut left = changes.iter().peekable();
        let mut code = 0;
        for start in (0..1_u64 << (T - shift)).map(|bucket| bucket << shift) {
            if let Some(change) = left.next_if(|change| change.place == start) {
                code = change.code;
            }
            let before = code;
            let within = left.next_if(|change| change.place >> shift == start >> shift);
            if let Some(change) = within {
                code = change.code;
            }
            let threshold = W::of(within.map_or(start, |change| change.place));
            self.buckets.push(Bucket { threshold, before, after: code });
        }
    }

    /// The result of the number with this code.
    #[inline(always)]
    pub fn result(&self, number: W) -> u16 {
        let word = number.word();
        let place = word & ((1 << T) - 1);
        let segment = self.segments[(word >> T) as usize];
        if segment.changes > 0 {
            return self.search(segment, place);
        }
        let bucket = self.buckets[segment.first as usize + (place >> segment.shift) as usize];
        if place >= bucket.threshold.word() { bucket.after } else { bucket.before }
    }

    #[cold]
    fn search(&self, segment: Segment, place: u64) -> u16 {
        let changes = &self.searched[segment.first as usize..][..segment.changes.into()];
        changes[changes.partition_point(|change| change.place <= place) - 1].code
    }
}

/// The changes in the segment that starts at the number `first`; the first change is at its start.
fn changes(model: &Model, first: u64, trailing_bits: u32) -> Vec<Change> {
    let result = |place: u64| Change { place, code: model.first_result(&[(first + place).into()]) as u16 };
    let [low, high] = [0, (1 << trailing_bits) - 1].map(result);
    let mut changes = vec![low];
    halve(&result, low, high, &mut changes);
    changes
}

/// Adds the changes after `low`, up to and including `high`.
fn halve(result: &impl Fn(u64) -> Change, low: Change, high: Change, changes: &mut Vec<Change>) {
    if low.code == high.code {
        return;
    }
    if high.place - low.place == 1 {
        return changes.push(high);
    }
    let middle = result(low.place.midpoint(high.place));
    halve(result, low, middle, changes);
    halve(result, middle, high, changes);
}

/// Whether every bucket of this size has at most one change after its start.
fn is_apart(changes: &[Change], shift: u32) -> bool {
    let within = |change: &&Change| change.place & ((1 << shift) - 1) != 0;
    let buckets = || changes.iter().filter(within).map(|change| change.place >> shift);
    buckets().zip(buckets().skip(1)).all(|(one, next)| one != next)
}
