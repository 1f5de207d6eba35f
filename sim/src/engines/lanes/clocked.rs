//! Checks a pipelined unit's gates and registers against the golden model, clock by clock. A block of vectors, one per lane, moves through
//! the pipeline together, with bubbles, stalls and a mid-stream reset.

use super::driver::{Driver, Found, RankContent};
use super::operand_planes::Feed;
use super::result_planes::Wanted;
use crate::reference::Reference;
use crate::verdict::Counterexample;
use crate::verdict::{Fault, Violation};
use binade_gates::{Plane, Program, bit};
use binade_spec::Word;
use binade_spec::contract::Pace;
use binade_stimulus::words::widths;
use binade_stimulus::{BLOCK, Stimulus};
use std::ops::Range;

/// The unit is always stalled before each of this many first blocks of a chunk, so that every rank is stalled.
const STALLED: usize = 64;

/// How many lanes each block is rotated against the previous one. When all inputs are counted, vectors at the same position in two blocks
/// are much alike, so a register that captured the next one's bit too early would go unnoticed.
const SHIFT: usize = 1237;

/// The lanes and columns of one thread.
pub(crate) struct ClockedLanes<'a> {
    wanted: Wanted<'a>,
    stimulus: &'a Stimulus<'a>,
    driver: Driver<'a>,
    feed: Feed,
    seed: u64,
}

impl<'a> ClockedLanes<'a> {
    pub fn new(
        reference: &'a dyn Reference,
        stimulus: &'a Stimulus<'a>,
        program: &'a Program,
        pace: Pace,
        seed: u64,
    ) -> ClockedLanes<'a> {
        ClockedLanes {
            wanted: Wanted::new(reference),
            stimulus,
            driver: Driver::new(program, pace),
            feed: Feed::new(widths(&reference.inputs()).collect::<Vec<_>>()),
            seed,
        }
    }

    /// Checks against a specification instead of the reference.
    pub fn against(self, specification: Option<&'a Program>) -> ClockedLanes<'a> {
        ClockedLanes { wanted: self.wanted.against(specification), ..self }
    }

    /// The first violation on the vectors of the range, which starts at a block.
    pub fn check(&mut self, vectors: Range<u64>) -> Option<Counterexample> {
        self.driver.seed(self.seed ^ vectors.start);
        let first_block = vectors.start / BLOCK as u64;
        if let Some(found) = self.driver.start() {
            return Some(self.counterexample(found, first_block));
        }
        for (turn, block) in vectors.step_by(BLOCK).map(|first| first / BLOCK as u64).enumerate() {
            let stalled = if turn < STALLED { self.driver.stall() } else { None };
            if let Some(found) = self.taken(stalled, turn == 0, block) {
                return Some(self.counterexample(found, block));
            }
        }
        let found = self.driver.drain();
        found.map(|found| self.counterexample(found, first_block))
    }

    /// The clocks of a block, after a stall that may have been wrong.
    fn taken(&mut self, stalled: Option<Found>, is_first: bool, block: u64) -> Option<Found> {
        let before = stalled.or_else(|| self.driver.disturb()).or_else(|| self.driver.begin_in_vain(is_first));
        before.or_else(|| self.take(block)).or_else(|| self.driver.wait())
    }

    /// A clock in which the unit accepts a block of vectors.
    fn take(&mut self, block: u64) -> Option<Found> {
        let lanes = self.feed.read_from(self.stimulus, block, first_vector(block));
        self.feed.fill(self.driver.operands());
        let mut want = vec![Plane::of(u64::MAX); 1 + self.wanted.bits()];
        self.wanted.answer(&self.feed, block, &mut want[1..]);
        self.driver.take(RankContent { want, lanes, taken: Some(block) })
    }

    /// The finding with the vector it concerns, or else the last one accepted.
    fn counterexample(&mut self, found: Found, last_block: u64) -> Counterexample {
        let Found { lane, got, content } = found;
        let block = content.taken.unwrap_or(last_block);
        let lanes = self.feed.read_from(self.stimulus, block, first_vector(block));
        let lane = lane.min(lanes - 1);
        let vector = (first_vector(block) + lane) % lanes;
        let operands = self.feed.columns().vector(lane);
        let want: Vec<bool> = content.want.iter().map(|plane| bit(plane, found.lane)).collect();
        let (fault, [got, want]) = self.wanted.fault([&got, &want]);
        let (index, clock) = (block * BLOCK as u64 + vector as u64, self.driver.clock());
        let vector = vector as u64;
        let violation = Violation { fault, block, clock, vector, want: want.clone(), got: got.clone(), stop: None };
        Counterexample { index, operands, before: vec![], got, want, violation: Some(violation) }
    }
}

/// The vector of a block that stands in the first lane.
fn first_vector(block: u64) -> usize {
    (block % BLOCK as u64) as usize * SHIFT % BLOCK
}

impl Wanted<'_> {
    /// The fault in outputs that begin with `out_valid`, with the words got and wanted.
    pub(super) fn fault(&self, outputs: [&[bool]; 2]) -> (Fault, [Vec<Word>; 2]) {
        let is_valid_wrong = outputs[0][0] != outputs[1][0];
        let words = |bits: &[bool]| match is_valid_wrong {
            true => vec![Word::from(bits[0])],
            false => self.words(bits[1..].iter().copied()),
        };
        (if is_valid_wrong { Fault::OutValid } else { Fault::Results }, outputs.map(words))
    }
}
