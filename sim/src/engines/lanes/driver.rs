//! Drives the gates of a clocked unit clock by clock, and checks the outputs against the contract. All lanes share `rst_n`, `en` and
//! `in_valid`.

use binade_gates::{LANES, Machine, Plane, Program, all_if, bit};
use binade_spec::contract::{Due, Levels, Line, Pace};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The inputs before the operands: `rst_n`, `en`, `in_valid`.
const CONTROLS: usize = 3;

/// What enters the unit at one clock and moves from rank to rank.
#[derive(Clone)]
pub(super) struct RankContent {
    /// The expected outputs: `out_valid`, then the results if they are known.
    pub want: Vec<Plane>,
    /// The number of lanes that hold it.
    pub lanes: usize,
    /// Its number, unless it is junk.
    pub taken: Option<u64>,
}

/// A lane in which the outputs are wrong.
pub(super) struct Found {
    pub lane: usize,
    /// The outputs in that lane.
    pub got: Vec<bool>,
    pub content: RankContent,
}

const RESET: Levels = Levels { rst_n: false, en: true, in_valid: true };
const TAKE: Levels = Levels { rst_n: true, en: true, in_valid: true };
const BUBBLE: Levels = Levels { rst_n: true, en: true, in_valid: false };
const STALL: Levels = Levels { rst_n: true, en: false, in_valid: true };

/// The clocked gates of one thread.
pub(super) struct Driver<'a> {
    machine: Machine<'a>,
    /// The number of lanes in use.
    lanes: usize,
    /// What is in the pipeline.
    line: Line<RankContent>,
    pace: Pace,
    /// The expected outputs when nothing is due.
    empty: RankContent,
    random: Xoshiro256PlusPlus,
    /// Clocks since the last reset.
    clock: u64,
    /// The outputs in the first lane for each number accepted, if recorded.
    recorded: Option<Vec<Vec<bool>>>,
}

impl<'a> Driver<'a> {
    pub fn new(program: &'a Program, pace: Pace) -> Driver<'a> {
        Driver {
            machine: Machine::new(program),
            lanes: LANES,
            line: Line::new(pace),
            pace,
            empty: RankContent::all_lanes(false),
            random: Xoshiro256PlusPlus::seed_from_u64(0),
            clock: 0,
            recorded: None,
        }
    }

    /// Starts bubbles, stalls and junk over from this seed.
    pub fn seed(&mut self, seed: u64) {
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed);
    }

    /// Uses only this many lanes from now on.
    pub fn narrow(&mut self, lanes: usize) {
        self.lanes = lanes;
        self.machine.narrow(lanes);
    }

    /// Records the outputs in the first lane from now on.
    pub fn record(&mut self) {
        self.recorded = Some(vec![]);
    }

    /// The recorded outputs in the first lane, in input order: `out_valid`, then the results.
    pub fn recorded(&mut self) -> Vec<Vec<bool>> {
        self.recorded.take().unwrap_or_default()
    }

    /// Clocks since the last reset.
    pub fn clock(&self) -> u64 {
        self.clock
    }

    /// True with a probability of one in `one_in`.
    pub fn is_chosen(&mut self, one_in: u32) -> bool {
        self.random.random_range(0..one_in) == 0
    }

    /// The planes of the operands.
    pub fn operands(&mut self) -> &mut [Plane] {
        &mut self.machine.inputs()[CONTROLS..]
    }

    /// Sets registers to any state, resets for one clock, fills the pipeline with junk, and resets for two clocks in mid-stream.
    pub fn start(&mut self) -> Option<Found> {
        let random = &mut self.random;
        self.machine
            .flip_flops()
            .iter_mut()
            .flat_map(|plane| plane.iter_mut())
            .for_each(|word| *word = random.next_u64());
        self.set(RESET);
        self.advance(RESET, RankContent::all_lanes(true));
        let full = (0..self.line.latency() + 1).find_map(|_| self.junk(TAKE));
        full.or_else(|| self.reset()).or_else(|| self.reset()).or_else(|| self.idle())
    }

    /// A clock of reset, with valid junk at the inputs.
    pub fn reset(&mut self) -> Option<Found> {
        let en = self.random.random();
        self.junk(Levels { en, ..RESET })
    }

    /// Occasional bubbles and stalls, with junk on the operands.
    pub fn disturb(&mut self) -> Option<Found> {
        while self.random.random() {
            let levels = if self.random.random_range(0..4) == 0 { BUBBLE } else { STALL };
            let in_valid = if levels.en { levels.in_valid } else { self.random.random() };
            if let Some(found) = self.junk(Levels { in_valid, ..levels }) {
                return Some(found);
            }
        }
        None
    }

    /// A stall, with valid junk at the inputs.
    pub fn stall(&mut self) -> Option<Found> {
        self.junk(STALL)
    }

    /// A clock in which the unit accepts the operands.
    pub fn take(&mut self, content: RankContent) -> Option<Found> {
        self.step(TAKE, content)
    }

    /// The clocks until operands no longer replace those taken, with occasional disturbances.
    pub fn wait(&mut self) -> Option<Found> {
        (1..self.pace.interval).find_map(|_| self.disturb_shortly().or_else(|| self.junk(BUBBLE)))
    }

    /// Junk that is taken, and replaced some clocks later, if operands can replace others: always, or one time in four.
    pub fn begin_in_vain(&mut self, always: bool) -> Option<Found> {
        if !self.pace.is_iterated() || !(always || self.is_chosen(4)) {
            return None;
        }
        let clocks = self.random.random_range(0..self.pace.interval - 1);
        self.junk(TAKE).or_else(|| (0..clocks).find_map(|_| self.junk(BUBBLE)))
    }

    /// A stall, one time in eight.
    fn disturb_shortly(&mut self) -> Option<Found> {
        if self.is_chosen(8) { self.junk(STALL) } else { None }
    }

    /// Empties the pipeline; the last vector is stalled in each rank.
    pub fn drain(&mut self) -> Option<Found> {
        let emptied = (0..=self.line.latency()).find_map(|_| self.junk(STALL).or_else(|| self.junk(BUBBLE)));
        emptied.or_else(|| self.idle())
    }

    /// Clocks without an operation, for a unit that counts the clocks of one: twice as many, so that any counter has come around.
    fn idle(&mut self) -> Option<Found> {
        let clocks = if self.pace.is_iterated() { 2 * self.pace.interval } else { 0 };
        (0..clocks).find_map(|_| self.junk(BUBBLE))
    }

    /// A clock with operands that belong to no vector: all bits are 0 in a quarter of the lanes and 1 in another quarter.
    fn junk(&mut self, levels: Levels) -> Option<Found> {
        let random = &mut self.random;
        let same: Vec<[u64; 2]> = (0..LANES / 64).map(|_| [random.next_u64(), random.next_u64()]).collect();
        for plane in &mut self.machine.inputs()[CONTROLS..] {
            for (word, [is_same, level]) in plane.iter_mut().zip(&same) {
                *word = random.next_u64() & !is_same | is_same & level;
            }
        }
        self.step(levels, RankContent::all_lanes(true))
    }

    /// Checks the outputs before the clock edge, then advances.
    fn step(&mut self, levels: Levels, offered: RankContent) -> Option<Found> {
        self.set(levels);
        let due = match self.line.due(levels, &offered) {
            Due::Free => None,
            Due::Empty => Some(&self.empty),
            Due::Results(taken) => Some(taken),
        };
        if let Some(due) = due {
            if let Some(lane) = self.machine.first_wrong(&due.want, due.lanes.min(self.lanes)) {
                let got = (0..due.want.len()).map(|output| bit(self.machine.output(output), lane)).collect();
                return Some(Found { lane, got, content: due.clone() });
            }
            if let (Some(recorded), Some(number)) = (&mut self.recorded, due.taken) {
                let outputs = 0..self.machine.output_bits();
                let got = outputs.map(|output| bit(self.machine.output(output), 0)).collect();
                recorded.truncate(number as usize);
                recorded.push(got);
            }
        }
        self.advance(levels, offered);
        None
    }

    fn set(&mut self, Levels { rst_n, en, in_valid }: Levels) {
        for (plane, level) in self.machine.inputs().iter_mut().zip([rst_n, en, in_valid]) {
            plane.fill(all_if(level));
        }
        self.machine.run();
    }

    /// The clock edge, in the registers and in the expected content.
    fn advance(&mut self, levels: Levels, offered: RankContent) {
        self.machine.clock();
        self.line.clock(levels, offered);
        self.clock = if levels.rst_n { self.clock + 1 } else { 0 };
    }
}

impl RankContent {
    /// Junk in all lanes, valid or not.
    fn all_lanes(is_valid: bool) -> RankContent {
        RankContent { want: vec![Plane::of(all_if(is_valid))], lanes: LANES, taken: None }
    }

    /// An accepted vector with this number whose right results are not known.
    pub fn unknown(taken: u64) -> RankContent {
        RankContent { taken: Some(taken), ..RankContent::all_lanes(true) }
    }
}
