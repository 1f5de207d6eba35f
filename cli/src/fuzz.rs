//! `binade fuzz`: looks for faults in Binade itself.

use crate::failure::Failure;
use crate::output::{self, counted};
use crate::selection::{DEFAULT_OUT, ToolOptions};
use crate::verify::{seconds, whole};
use binade_fuzz::{Examiner, Finding, FuzzReport, Hunt, MOST_BITS, Watch, Way, Words};
use binade_tools::Error;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Default length of a run in minutes.
const DEFAULT_MINUTES: u32 = 5;

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
    let examiner = Examiner {
        tools: &arguments.tools.tools(),
        seed: arguments.seed.unwrap_or_else(|| day(SystemTime::now())),
        vectors: arguments.vectors.into(),
        limit: Duration::from_secs(arguments.prove_within.into()),
        most_bits: if replayed.is_some() { u32::MAX } else { MOST_BITS },
        out: Path::new(DEFAULT_OUT),
    };
    let way = match replayed {
        Some(words) => Way::Only(words),
        None if arguments.pairs => Way::Pairs,
        None => Way::Drawn,
    };
    let shown = Shown::new(arguments);
    let units = arguments.units.map(|units| units as usize);
    let (report, ended) = Hunt::new(examiner, (units, arguments.limit()), &shown).run(&way);
    shown.bar.finish_and_clear();
    if arguments.json {
        output::print(&output::json(&report))?;
    }
    output::say(report.sentence());
    match (report.found(), report.tried()) {
        (1.., _) => Err(Failure::Mismatch),
        (0, 0) if ended.is_ok() => {
            Err(Failure::Usage("no unit was examined; give more --minutes, or another --seed".into()))
        }
        _ => Ok(ended?),
    }
}

/// What the user sees of a run.
struct Shown<'a> {
    arguments: &'a Arguments,
    bar: ProgressBar,
}

impl Shown<'_> {
    fn new(arguments: &Arguments) -> Shown<'_> {
        let length = arguments.units.map(u64::from).or(arguments.limit().map(|limit| limit.as_secs()));
        let style = ProgressStyle::with_template("{bar:40} {elapsed}, {msg}").expect("the template is valid");
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr()).with_style(style);
        Shown { arguments, bar }
    }
}

impl Watch for Shown<'_> {
    fn work(&self, report: &FuzzReport, elapsed: Duration, doing: &str) {
        let tried = report.tried();
        self.bar.set_position(if self.arguments.units.is_some() { tried as u64 } else { elapsed.as_secs() });
        let [units, faults] = [(tried, "unit"), (report.found(), "fault")].map(|(count, what)| counted(count, what));
        self.bar.set_message(format!("{units}, {faults}: {doing}"));
    }

    fn find(&self, finding: &Finding) -> Result<(), Error> {
        let text = finding.text();
        let tell = || match self.arguments.json {
            true => {
                output::say(&text);
                Ok(())
            }
            false => output::print(&text),
        };
        self.bar.suspend(tell).map_err(|failure| Error::File(failure.message().unwrap_or_default()))
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
