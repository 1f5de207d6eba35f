//! `binade fuzz`: looks for faults in Binade itself.
//!
//! | file | what it holds |
//! |---|---|
//! | `words.rs` | the words that choose a unit, and how to simplify them |
//! | `draw.rs` | random words: the settings and their values |
//! | `covering.rs` | of random words, those that meet new pairs of settings |
//! | `formats.rs` | random formats of each family |
//! | `pairs.rs` | all units with all families and every pair of settings, instead of random words |
//! | `examine.rs` | one unit: generated, checked with vectors, proven, simulated |
//! | `fault.rs` | faults, and the commands that reproduce them |
//! | `panics.rs` | catches panics |
//! | `shrink.rs` | finds the simplest failing input |
//! | `report.rs` | the report of a run |

mod covering;
mod draw;
mod examine;
mod fault;
mod formats;
mod pairs;
mod panics;
mod report;
mod shrink;
mod words;

use crate::failure::Failure;
use crate::output::{self, counted};
use crate::selection::ToolOptions;
use crate::verify::{seconds, whole};
use binade_tools::Tools;
use clap::Args;
use covering::Covering;
use draw::Draw;
use examine::{Examiner, MOST_BITS, Outcome};
use fault::{Fault, Step};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pairs::pairs;
use report::{Finding, Report, Tried};
use shrink::shrink;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use words::Words;

/// One unit in this many is also simulated, which takes some seconds.
const SIMULATED: usize = 8;

/// Default length of a run in minutes.
const DEFAULT_MINUTES: u32 = 5;

/// The time spent on finding a simpler unit with the same fault.
const LONGEST_SHRINKING: Duration = Duration::from_secs(60);

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  binade fuzz --minutes 30
  binade fuzz --seed 7 --units 100 --json
  binade fuzz --replay \"--format e5m2 --unit dot --lanes 2 --flags\"

Exit codes: 0 no fault found, 1 a fault found.")]
pub struct Arguments {
    /// Seed of selections and vectors [default: days since 1970-01-01]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = whole)]
    seed: Option<u64>,
    /// Stop after this many minutes [default: 5; with --pairs, when all are checked]
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = some)]
    minutes: Option<u32>,
    /// Stop after this many units, however long they take
    #[arg(long, value_name = "N", conflicts_with = "minutes", allow_negative_numbers = true, value_parser = some)]
    units: Option<u32>,
    /// Check each unit with this many vectors, up to half of them directed, the others random
    #[arg(long, value_name = "N", default_value_t = 20_000, allow_negative_numbers = true, value_parser = some)]
    vectors: u32,
    /// Stop the proof of a unit after this time; 0 skips proofs
    #[arg(long, value_name = "SECONDS", default_value_t = 2, allow_negative_numbers = true, value_parser = seconds::<0>)]
    prove_within: u32,
    /// Instead of random units, check every unit with a small format of each family and every pair of its settings; all of them, unless
    /// --minutes or --units is given
    #[arg(long)]
    pairs: bool,
    /// Check only the unit that these options choose
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true, conflicts_with_all = ["minutes", "units", "pairs"])]
    replay: Option<String>,
    #[command(flatten)]
    tools: ToolOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Parses a number from 1.
fn some(text: &str) -> Result<u32, String> {
    let number = whole(text).ok().and_then(|number| u32::try_from(number).ok()).filter(|&number| number > 0);
    number.ok_or_else(|| format!("a whole number from 1 to {} is expected", u32::MAX))
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let replayed = arguments.replay.as_deref().map(Words::read).transpose().map_err(Failure::Usage)?;
    let tools = arguments.tools.tools();
    let mut hunt = Hunt::new(arguments, &tools, arguments.seed.unwrap_or_else(|| day(SystemTime::now())));
    let ended = match replayed {
        Some(words) => hunt.take(&words, true),
        None if arguments.pairs => hunt.pair(),
        None => hunt.draw(),
    };
    hunt.bar.finish_and_clear();
    hunt.report.seconds = hunt.started.elapsed().as_secs_f64();
    if arguments.json {
        output::print(&output::json(&hunt.report))?;
    }
    output::say(hunt.report.sentence());
    match (hunt.report.found(), hunt.report.tried()) {
        (1.., _) => Err(Failure::Mismatch),
        (0, 0) if ended.is_ok() => {
            Err(Failure::Usage("no unit was examined; give more --minutes, or another --seed".into()))
        }
        _ => ended,
    }
}

/// A run of the command.
struct Hunt<'a> {
    arguments: &'a Arguments,
    examiner: Examiner<'a>,
    bar: ProgressBar,
    started: Instant,
    report: Report,
}

impl<'a> Hunt<'a> {
    fn new(arguments: &'a Arguments, tools: &'a Tools, seed: u64) -> Hunt<'a> {
        let vectors = arguments.vectors.into();
        let limit = Duration::from_secs(arguments.prove_within.into());
        let most_bits = if arguments.replay.is_some() { u32::MAX } else { MOST_BITS };
        let length = arguments.units.map(u64::from).or(arguments.limit().map(|limit| limit.as_secs()));
        let style = ProgressStyle::with_template("{bar:40} {elapsed}, {msg}").expect("the template is valid");
        Hunt {
            arguments,
            examiner: Examiner { tools, seed, vectors, limit, most_bits },
            bar: ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr()).with_style(style),
            started: Instant::now(),
            report: Report::new(seed, vectors),
        }
    }

    /// Draws one unit after the other.
    fn draw(&mut self) -> Result<(), Failure> {
        let mut covering = Covering::new(Draw::new(self.examiner.seed));
        while !self.is_over() {
            let words = covering.next();
            let examined = self.report.tried();
            self.take(&words, self.is_simulated())?;
            if self.report.tried() > examined {
                covering.meet(&words);
            }
        }
        Ok(())
    }

    /// Takes the selections that cover all pairs, in an order that the seed determines.
    fn pair(&mut self) -> Result<(), Failure> {
        for words in pairs(&mut Draw::new(self.examiner.seed)) {
            if self.is_over() {
                break;
            }
            self.take(&words, self.is_simulated())?;
        }
        Ok(())
    }

    /// Whether the next unit is also simulated.
    fn is_simulated(&self) -> bool {
        self.report.tried() % SIMULATED == SIMULATED - 1
    }

    fn is_over(&self) -> bool {
        match self.arguments.units {
            Some(units) => self.report.tried() >= units as usize,
            None => self.arguments.limit().is_some_and(|limit| self.started.elapsed() >= limit),
        }
    }

    /// Examines the unit that these words choose, if they choose one.
    fn take(&mut self, words: &Words, is_simulated: bool) -> Result<(), Failure> {
        self.show(words);
        match self.examiner.examine(words, is_simulated)? {
            Outcome::Refused => self.report.refuse(),
            Outcome::TooLarge => self.report.leave_out(),
            Outcome::Right(verdict) => self.report.note(Tried::right(words, verdict)),
            Outcome::Wrong(fault) => self.find(words, fault)?,
        }
        Ok(())
    }

    /// Handles a fault in the unit that these words choose: simplifies it, and reports the command that reproduces it.
    fn find(&mut self, words: &Words, fault: Fault) -> Result<(), Failure> {
        self.bar.set_message(format!("looking for simpler words than {words}"));
        self.report.note(Tried::wrong(words, &fault));
        let finding = self.simplest(words, fault);
        if self.report.knows(&finding) {
            return Ok(());
        }
        let text = finding.text();
        if self.arguments.json {
            self.bar.suspend(|| output::say(text));
        } else {
            self.bar.suspend(|| output::print(&text))?;
        }
        self.report.add(finding);
        Ok(())
    }

    /// The same fault in a simpler unit.
    fn simplest(&self, words: &Words, fault: Fault) -> Finding {
        let (started, is_simulated) = (Instant::now(), fault.step == Step::Simulation);
        let mut simplest = fault;
        let fails = |candidate: &Words| {
            let is_late = started.elapsed() > LONGEST_SHRINKING;
            match (!is_late).then(|| self.examiner.examine(candidate, is_simulated)) {
                Some(Ok(Outcome::Wrong(fault))) if fault.is_like(&simplest) => {
                    simplest = fault;
                    true
                }
                _ => false,
            }
        };
        let spelt = words.with_numbers();
        let shrunk = shrink(spelt.clone(), Words::simpler, fails);
        Finding::new(words, if shrunk == spelt { words } else { &shrunk }, simplest)
    }

    /// The progress of the run.
    fn show(&self, words: &Words) {
        let tried = self.report.tried();
        let done = if self.arguments.units.is_some() { tried as u64 } else { self.started.elapsed().as_secs() };
        self.bar.set_position(done);
        let [units, faults] =
            [(tried, "unit"), (self.report.found(), "fault")].map(|(count, what)| counted(count, what));
        self.bar.set_message(format!("{units}, {faults}: {words}"));
    }
}

impl Arguments {
    /// The length of the run.
    fn limit(&self) -> Option<Duration> {
        let default = (!self.pairs).then_some(DEFAULT_MINUTES);
        self.minutes.or(default).map(|minutes| Duration::from_secs(60 * u64::from(minutes)))
    }
}

/// Days since 1970-01-01, in UTC.
fn day(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400)
}
