//! A pipelined unit's gates and registers against the golden model, clock by clock. All lanes have the same `rst_n`, `en` and
//! `in_valid`, so a block of vectors goes through the pipeline together, with bubbles, stalls and a reset in mid-stream.

use super::feed::Feed;
use super::pattern::all_if;
use super::program::{LANES, Machine, Plane, Program, bit};
use super::wanted::Wanted;
use crate::reference::{Reference, widths};
use crate::vectors::stimulus::{BLOCK, Stimulus};
use crate::verdict::Counterexample;
use crate::verdict::{Fault, Violation};
use binade_spec::Word;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::VecDeque;
use std::ops::Range;

/// The inputs before the operands: `rst_n`, `en`, `in_valid`.
const CONTROLS: usize = 3;

/// Blocks of a chunk after which the unit stalls for sure, so that they do in every rank.
const STALLED: usize = 64;

/// What one rank of registers holds.
#[derive(Clone)]
struct Rank {
    /// `out_valid` once it is at the outputs, then the results, if they are known.
    want: Vec<Plane>,
    /// In how many lanes.
    lanes: usize,
    /// The block of vectors, if it is one.
    block: Option<u64>,
}

/// The levels of the controls at a clock.
#[derive(Clone, Copy)]
struct Controls {
    rst_n: bool,
    en: bool,
    in_valid: bool,
}

const RESET: Controls = Controls { rst_n: false, en: true, in_valid: true };
const TAKE: Controls = Controls { rst_n: true, en: true, in_valid: true };
const BUBBLE: Controls = Controls { rst_n: true, en: true, in_valid: false };
const STALL: Controls = Controls { rst_n: true, en: false, in_valid: true };

/// One thread's lanes and columns.
pub(crate) struct ClockedLanes<'a> {
    wanted: Wanted<'a>,
    stimulus: &'a Stimulus<'a>,
    machine: Machine<'a>,
    feed: Feed,
    /// What each rank of registers should hold, the first one first.
    ranks: VecDeque<Rank>,
    random: Xoshiro256PlusPlus,
    seed: u64,
    /// Since the last reset.
    clock: u64,
}

impl<'a> ClockedLanes<'a> {
    pub fn new(
        reference: &'a dyn Reference,
        stimulus: &'a Stimulus<'a>,
        program: &'a Program,
        latency: u32,
        seed: u64,
    ) -> ClockedLanes<'a> {
        ClockedLanes {
            wanted: Wanted::new(reference),
            stimulus,
            machine: Machine::new(program),
            feed: Feed::new(widths(&reference.inputs()).collect::<Vec<_>>()),
            ranks: vec![Rank::all_lanes(false); latency as usize].into(),
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            seed,
            clock: 0,
        }
    }

    /// The first violation found on the vectors of the range, which starts with a block.
    pub fn check(&mut self, vectors: Range<u64>) -> Option<Counterexample> {
        self.random = Xoshiro256PlusPlus::seed_from_u64(self.seed ^ vectors.start);
        let first_block = vectors.start / BLOCK as u64;
        if let Some(found) = self.start() {
            return Some(self.counterexample(found, first_block));
        }
        for (turn, block) in vectors.step_by(BLOCK).map(|first| first / BLOCK as u64).enumerate() {
            let stalled = if turn < STALLED { self.junk(STALL) } else { None };
            if let Some(found) = stalled.or_else(|| self.disturb()).or_else(|| self.take(block)) {
                return Some(self.counterexample(found, block));
            }
        }
        // The last block stalls at each rank.
        let found = (0..=self.ranks.len()).find_map(|_| self.junk(STALL).or_else(|| self.junk(BUBBLE)));
        found.map(|found| self.counterexample(found, first_block))
    }

    /// Registers in any state, a reset, a pipeline full of junk, and a reset in mid-stream.
    fn start(&mut self) -> Option<Found> {
        let random = &mut self.random;
        self.machine.flip_flops().iter_mut().flatten().for_each(|word| *word = random.next_u64());
        self.set(RESET);
        self.advance(RESET, Rank::all_lanes(false));
        let full = (0..self.ranks.len() + 1).find_map(|_| self.junk(TAKE));
        let en = self.random.random();
        full.or_else(|| self.junk(Controls { en, ..RESET }))
    }

    /// Now and then bubbles and stalls, with junk on the operands.
    fn disturb(&mut self) -> Option<Found> {
        while self.random.random() {
            let controls = if self.random.random_range(0..4) == 0 { BUBBLE } else { STALL };
            let in_valid = if controls.en { controls.in_valid } else { self.random.random() };
            if let Some(found) = self.junk(Controls { in_valid, ..controls }) {
                return Some(found);
            }
        }
        None
    }

    /// A clock with operands of no vector.
    fn junk(&mut self, controls: Controls) -> Option<Found> {
        let random = &mut self.random;
        self.machine.inputs()[CONTROLS..].iter_mut().flatten().for_each(|word| *word = random.next_u64());
        self.step(controls, Rank::all_lanes(controls.in_valid))
    }

    /// A clock that takes a block of vectors.
    fn take(&mut self, block: u64) -> Option<Found> {
        let lanes = self.feed.read(self.stimulus, block);
        self.feed.fill(&mut self.machine.inputs()[CONTROLS..]);
        let mut want = vec![[u64::MAX; LANES / 64]; 1 + self.wanted.bits()];
        self.wanted.answer(&self.feed, &mut want[1..]);
        self.step(TAKE, Rank { want, lanes, block: Some(block) })
    }

    /// Checks what is at the outputs before the clock, and goes on to the next.
    fn step(&mut self, controls: Controls, content: Rank) -> Option<Found> {
        self.set(controls);
        let last = self.ranks.back().expect("a pipeline has ranks");
        if let Some(lane) = self.machine.first_wrong(&last.want, last.lanes) {
            let got = (0..last.want.len()).map(|output| bit(self.machine.output(output), lane)).collect();
            return Some(Found { lane, got, content: last.clone() });
        }
        self.advance(controls, content);
        None
    }

    fn set(&mut self, controls: Controls) {
        let levels = [controls.rst_n, controls.en, controls.in_valid];
        for (plane, level) in self.machine.inputs().iter_mut().zip(levels) {
            plane.fill(all_if(level));
        }
        self.machine.run();
    }

    /// The clock edge, in the registers and in what they should hold.
    fn advance(&mut self, controls: Controls, content: Rank) {
        self.machine.clock();
        self.clock += 1;
        if !controls.rst_n {
            self.ranks.iter_mut().for_each(|rank| *rank = Rank::all_lanes(false));
            self.clock = 0;
        } else if controls.en {
            self.ranks.push_front(content);
            self.ranks.pop_back();
        }
    }

    /// The finding, with the vector that it is about, or that was taken last.
    fn counterexample(&mut self, found: Found, last_block: u64) -> Counterexample {
        let Found { lane, got, content } = found;
        let block = content.block.unwrap_or(last_block);
        let lane = lane.min(self.feed.read(self.stimulus, block) - 1);
        let operands = self.feed.columns().vector(lane);
        let want: Vec<bool> = content.want.iter().map(|plane| bit(plane, found.lane)).collect();
        let is_valid_wrong = got[0] != want[0];
        let words = |bits: &[bool]| match is_valid_wrong {
            true => vec![Word::from(bits[0])],
            false => self.wanted.words(bits[1..].iter().copied()),
        };
        let [got, want] = [words(&got), words(&want)];
        let fault = if is_valid_wrong { Fault::OutValid } else { Fault::Results };
        let (vector, clock) = (lane as u64, self.clock);
        let violation = Violation { fault, block, clock, vector, want: want.clone(), got: got.clone() };
        Counterexample { index: block * BLOCK as u64 + lane as u64, operands, got, want, violation: Some(violation) }
    }
}

/// A lane in which the outputs are not what they should be.
struct Found {
    lane: usize,
    /// The outputs there.
    got: Vec<bool>,
    content: Rank,
}

impl Rank {
    /// Junk, valid or not.
    fn all_lanes(is_valid: bool) -> Rank {
        Rank { want: vec![[all_if(is_valid); LANES / 64]], lanes: LANES, block: None }
    }
}
