//! Which part of a plan a run checks, and in which chunks.

use binade_stimulus::Plan;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use thiserror::Error;

/// Vectors per chunk in a long run: some milliseconds for the fastest engine, under a second for the slowest.
const MAX_CHUNK: u64 = 1 << 20;

/// The least vectors per chunk: a block of the stimulus.
const MIN_CHUNK: u64 = 1 << 12;

/// The number of chunks in a shorter run, so that all cores finish together.
const ENOUGH_CHUNKS: u64 = 256;

/// The least vectors per chunk for units with state: a sequence takes one lane of the lanes engine, and an additional lane costs little.
const MIN_SEQUENCES: u64 = 1 << 18;
const MAX_SEQUENCES: u64 = 1 << 21;
const ENOUGH_SEQUENCES: u64 = 8;

/// One of several equal parts of a run, as in `2/4`; parts are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    part: u64,
    parts: u64,
}

impl Shard {
    /// The whole run.
    pub const WHOLE: Shard = Shard { part: 1, parts: 1 };

    /// All parts of a run that is divided into so many.
    pub fn all(parts: u64) -> impl Iterator<Item = Shard> {
        (1..=parts).map(move |part| Shard { part, parts })
    }

    /// The number of the part, from 1.
    pub fn part(self) -> u64 {
        self.part
    }

    /// How many parts there are.
    pub fn parts(self) -> u64 {
        self.parts
    }

    /// Whether this part contains item number `index`. Items are dealt round-robin, not in contiguous ranges: expensive inputs are
    /// neighbours, and every part sees a mistake that affects a range.
    pub fn holds(self, index: u64) -> bool {
        index % self.parts == self.part - 1
    }

    /// How many of `count` items this part contains.
    pub fn share(self, count: u64) -> u64 {
        count / self.parts + u64::from(self.part <= count % self.parts)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.parts)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let expected = || format!("`{text}` is not a part of a run; 1/4 to 4/4 are the parts when there are four");
        let (part, parts) = text.split_once('/').ok_or_else(expected)?;
        let number = |word: &str| word.parse::<u64>().map_err(|_| expected());
        let (part, parts) = (number(part)?, number(parts)?);
        if part == 0 || part > parts { Err(expected()) } else { Ok(Shard { part, parts }) }
    }
}

/// A part that does not exist. The text is shown to the user.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("--shard {shard}: {vectors} vectors are checked in {chunks} chunks, so there are at most {chunks} parts")]
pub struct PortionError {
    shard: Shard,
    vectors: u64,
    chunks: u64,
}

/// What a run checks of its plan: one part, without what an earlier run checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portion {
    shard: Shard,
    resume: bool,
}

impl Portion {
    /// Everything, from the start.
    pub const WHOLE: Portion = Portion { shard: Shard::WHOLE, resume: false };

    /// One part of `plan`; with `resume`, the rest of a killed run of the same part.
    ///
    /// # Errors
    /// When there are more parts than chunks.
    pub fn new(plan: &Plan, shard: Shard, resume: bool) -> Result<Portion, PortionError> {
        let chunks = Chunks::of(plan, Shard::WHOLE).count();
        if shard.parts > chunks {
            return Err(PortionError { shard, vectors: plan.total(), chunks });
        }
        Ok(Portion { shard, resume })
    }

    /// Which part of the run it is.
    pub fn shard(self) -> Shard {
        self.shard
    }

    /// Whether it skips what an earlier run checked.
    pub fn resumes(self) -> bool {
        self.resume
    }
}

/// The chunks of one part of a run: contiguous vectors that one thread checks and notes as a whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunks {
    /// Vectors of the whole run.
    vectors: u64,
    /// Vectors per chunk, a power of two; only the last chunk of the run may be shorter.
    size: u64,
    shard: Shard,
}

impl Chunks {
    /// The chunks of a plan.
    pub fn of(plan: &Plan, shard: Shard) -> Chunks {
        let vectors = plan.total();
        if !plan.has_sequences() {
            return Chunks::new(vectors, shard);
        }
        let size = (vectors / ENOUGH_SEQUENCES).clamp(MIN_SEQUENCES, MAX_SEQUENCES);
        Chunks { vectors, size: 1 << size.ilog2(), shard }
    }

    /// The chunks of independent vectors.
    pub fn new(vectors: u64, shard: Shard) -> Chunks {
        let size = (vectors / ENOUGH_CHUNKS).clamp(MIN_CHUNK, MAX_CHUNK);
        Chunks { vectors, size: 1 << size.ilog2(), shard }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.shard.share(self.vectors.div_ceil(self.size))
    }

    /// The vectors of a chunk, by their numbers in the plan.
    pub fn vectors(&self, chunk: u64) -> Range<u64> {
        let first = (chunk * self.shard.parts + self.shard.part - 1) * self.size;
        first..self.vectors.min(first + self.size)
    }

    /// Vectors of this part.
    pub fn total(&self) -> u64 {
        match self.count() {
            0 => 0,
            count => {
                let last = self.vectors(count - 1);
                (count - 1) * self.size + (last.end - last.start)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shard(text: &str) -> Shard {
        text.parse().unwrap()
    }

    #[test]
    fn parts_are_written_from_1_to_n() {
        assert_eq!(shard("4/4").to_string(), "4/4");
        for wrong in ["", "1", "0/4", "5/4", "1/0", "-1/4", "a/b", "1/4/4"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    /// Every vector is in exactly one chunk of one part, for runs of any size.
    #[test]
    fn the_parts_hold_everything_once() {
        for (vectors, parts) in [(1, 1), (4096, 1), (4097, 2), (65536, 16), (1_000_001, 3), ((1 << 28) + 5, 7)] {
            let mut stretches = vec![];
            let mut total = 0;
            for part in 1..=parts {
                let chunks = Chunks::new(vectors, shard(&format!("{part}/{parts}")));
                stretches.extend((0..chunks.count()).map(|chunk| chunks.vectors(chunk)));
                total += chunks.total();
            }
            stretches.sort_by_key(|stretch| stretch.start);
            assert!(stretches.iter().all(|stretch| !stretch.is_empty()));
            assert!(stretches.windows(2).all(|pair| pair[0].end == pair[1].start));
            assert_eq!((stretches[0].start, stretches[stretches.len() - 1].end, total), (0, vectors, vectors));
        }
    }

    #[test]
    fn long_runs_have_chunks_of_2_to_the_20() {
        let chunks = Chunks::new(1 << 32, Shard::WHOLE);
        assert_eq!((chunks.count(), chunks.vectors(1)), (4096, 1 << 20..2 << 20));
        // A short run still has some for every core.
        assert_eq!(Chunks::new(1 << 23, Shard::WHOLE).count(), 256);
    }
}
