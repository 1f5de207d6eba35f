//! `binade synth --pnr`: places and routes units on devices, with several seeds.

use crate::failure::Failure;
use crate::names::named;
use crate::output;
use crate::stages::StageOptions;
use crate::synth::TargetOptions;
use crate::synth::part::{self, PartOptions};
use binade_campaign::{Measured, Notes};
use binade_generator::GeneratedUnit;
use binade_synth::Target;
use binade_synth::pnr::{Board, Mapped, Routed, RoutedReport, csv, map, tables, tools};
use binade_tools::{Nextpnr, Tools};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;
use std::sync::Mutex;

/// The default boards for place and route.
pub const DEFAULT_BOARDS: [Board; 2] = [Board::Ice40Hx8k, Board::Ulx3s];

const DEFAULT_SEEDS: u32 = 5;

/// The most seeds; more add no information.
const MAX_SEEDS: u32 = 1000;

/// All words of `--target`.
const GOALS: [&str; 13] = [
    "generic",
    "ice40",
    "ecp5",
    "xc7",
    "up5k-dsp",
    "ecp5-dsp",
    "xc7-dsp",
    "cyclonev",
    "liberty",
    "ice40-hx8k",
    "icebreaker",
    "ecp5-25k",
    "ulx3s",
];

#[derive(Args, Clone, Debug)]
pub struct GoalOptions {
    /// Targets to map to, or with --pnr devices: ice40-hx8k, ecp5-25k, or the boards icebreaker and ulx3s (comma-separated or repeated)
    /// [default: generic,ice40, with --pnr ice40-hx8k,ecp5-25k]
    #[arg(long = "target", value_name = "TARGET", value_delimiter = ',', value_parser = named::<Goal>(&GOALS))]
    goals: Vec<Goal>,
    /// Place and route with nextpnr on real devices, between registers, and report the fastest clock
    #[arg(long)]
    pub pnr: bool,
    /// Map products that are the operator * to DSP blocks (ecp5, xc7, and for ice40 the UP5K), and count them. With --pnr, units of
    /// --multiplier operator have them anyway
    #[arg(long, conflicts_with = "pnr")]
    dsp: bool,
    /// With --pnr, place and route with the seeds 1 to N, and report the median clock [default: 5]
    #[arg(long, value_name = "N", requires = "pnr")]
    seeds: Option<Seeds>,
}

/// The meaning of a word of `--target`.
#[derive(Clone, Copy, Debug)]
enum Goal {
    Map(Target),
    Route(Board),
}

impl FromStr for Goal {
    type Err = String;

    fn from_str(word: &str) -> Result<Goal, String> {
        let target = word.parse().map(Goal::Map);
        target.or_else(|_| word.parse().map(Goal::Route)).map_err(|error| error.to_string())
    }
}

/// The seeds from 1 to this number.
#[derive(Clone, Copy, Debug)]
pub struct Seeds(u32);

impl Default for Seeds {
    fn default() -> Seeds {
        Seeds(DEFAULT_SEEDS)
    }
}

impl std::fmt::Display for Seeds {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Seeds, String> {
        match text.parse() {
            Ok(count) if (1..=MAX_SEEDS).contains(&count) => Ok(Seeds(count)),
            _ => Err(format!("a number of seeds from 1 to {MAX_SEEDS} is expected")),
        }
    }
}

impl GoalOptions {
    /// The targets of a run without `--pnr`.
    pub fn targets(&self) -> Result<TargetOptions, Failure> {
        let target = |goal: &Goal| match *goal {
            Goal::Map(target) if self.dsp => with_dsp_blocks(target),
            Goal::Map(target) => Ok(target),
            Goal::Route(board) => Err(Failure::Usage(format!(
                "--target {board} is a device to place and route on: add --pnr, or map to {}",
                board.target()
            ))),
        };
        let mut targets: Vec<Target> = self.goals.iter().map(target).collect::<Result<_, _>>()?;
        if self.dsp && targets.is_empty() {
            targets.push(Target::Ecp5Dsp);
        }
        Ok(TargetOptions { targets })
    }

    /// The boards that the user named.
    fn named_boards(&self) -> Result<Vec<Board>, Failure> {
        let board = |goal: &Goal| match *goal {
            Goal::Route(board) => Ok(board),
            Goal::Map(target) => Err(Failure::Usage(format!(
                "--pnr --target {target}: this is not a device to place and route on; use one of {}",
                Board::NAMES.join(", ")
            ))),
        };
        self.goals.iter().map(board).collect()
    }

    /// The target of `--target-mhz`, for a run with `--pnr`.
    pub fn clock_targets(&self, stages: &StageOptions) -> Result<Vec<Target>, Failure> {
        let boards = self.named_boards()?;
        if stages.names_a_clock() && boards.contains(&Board::Icebreaker) {
            let message = "--target-mhz: delays are known for ice40-hx8k and ecp5-25k, not for icebreaker";
            return Err(Failure::Usage(message.into()));
        }
        Ok(boards.into_iter().map(Board::target).collect())
    }
}

/// The target with its DSP blocks.
fn with_dsp_blocks(target: Target) -> Result<Target, Failure> {
    target.with_dsp_blocks().ok_or_else(|| {
        Failure::Usage(format!(
            "--dsp --target {target}: units are mapped to DSP blocks of ecp5, xc7 and ice40 (the UP5K)"
        ))
    })
}

/// Places and routes units with these options.
pub fn run(
    options: &GoalOptions,
    tools: &Tools,
    units: &[GeneratedUnit],
    part: &PartOptions,
) -> Result<Measured<RoutedReport>, Failure> {
    let boards = each_once(&options.named_boards()?);
    let all = units.iter().flat_map(|unit| boards.iter().map(move |&board| (unit, board))).collect();
    route(tools, all, options.seeds.unwrap_or_default(), "binade synth --pnr", part)
}

/// The reports in the requested output format.
pub fn text(measured: &Measured<RoutedReport>, json: bool, as_csv: bool) -> String {
    match (json, as_csv) {
        (true, _) => part::json(measured),
        (_, true) => csv(&measured.reports),
        _ => tables(&measured.reports),
    }
}

/// Prints a sentence on stderr.
pub fn conclude(reports: &[RoutedReport]) {
    let (runs, seeds) = (reports.len(), reports[0].seeds.len());
    let [runs, seeds] = [(runs, "design"), (seeds, "seed")].map(|(count, what)| output::counted(count, what));
    output::say(format_args!("{runs} placed and routed with {seeds} each, {}", tools(reports)));
}

/// The boards without duplicates, or the default.
pub fn each_once(named: &[Board]) -> Vec<Board> {
    let mut boards = vec![];
    for &board in if named.is_empty() { &DEFAULT_BOARDS } else { named } {
        if !boards.contains(&board) {
            boards.push(board);
        }
    }
    boards
}

/// Places and routes units on boards with all seeds, on all cores, or one part of them; results are in order.
///
/// # Errors
/// When a unit does not fit, or a tool fails: tables are complete.
pub fn route(
    tools: &Tools,
    all: Vec<(&GeneratedUnit, Board)>,
    seeds: Seeds,
    command: &str,
    options: &PartOptions,
) -> Result<Measured<RoutedReport>, Failure> {
    // Installs the tools once, before the threads start.
    let mut engine = format!("Yosys {}", tools.yosys()?.version);
    let boards: BTreeSet<Board> = all.iter().map(|(_, board)| *board).collect();
    let mut nextpnrs = BTreeMap::new();
    for board in boards {
        let nextpnr = tools.nextpnr(board.device())?;
        engine += &format!(", {}", nextpnr.title());
        nextpnrs.insert(board, nextpnr);
    }
    let jobs = part::jobs(all, &format!("{seeds} seeds"), options)?;
    jobs.measure(tools, command, &engine, |jobs, notes| route_all(tools, jobs, &nextpnrs, seeds, notes))
}

fn route_all(
    tools: &Tools,
    designs: &[(&GeneratedUnit, Board)],
    nextpnrs: &BTreeMap<Board, Nextpnr>,
    Seeds(seeds): Seeds,
    notes: &Notes,
) -> Result<Vec<RoutedReport>, Failure> {
    let bar = progress(designs.len() * (1 + seeds as usize));
    let mapped = designs.par_iter().map(|&(unit, board)| {
        let mapped = map(tools, unit, board);
        bar.inc(1);
        mapped
    });
    let mapped: Vec<Mapped> = mapped.collect::<Result<_, _>>()?;

    let routed: Vec<Mutex<Vec<(u32, Routed)>>> = designs.iter().map(|_| Mutex::default()).collect();
    let jobs: Vec<_> = (0..designs.len()).flat_map(|design| (1..=seeds).map(move |seed| (design, seed))).collect();
    let reports = jobs.par_iter().map(|&(design, seed)| {
        let nextpnr = &nextpnrs[&designs[design].1];
        let one = mapped[design].route(nextpnr, seed)?;
        bar.inc(1);
        let mut of_design = routed[design].lock().expect("no thread panics with the lock");
        of_design.push((seed, one));
        if of_design.len() < seeds as usize {
            return Ok(None);
        }
        of_design.sort_by_key(|(seed, _)| *seed);
        let report = mapped[design].report(nextpnr, of_design.drain(..).map(|(_, routed)| routed).collect())?;
        notes.note(design, &report);
        Ok(Some((design, report)))
    });
    let mut reports: Vec<_> = reports.filter_map(Result::transpose).collect::<Result<_, Failure>>()?;
    bar.finish_and_clear();
    reports.sort_by_key(|(design, _)| *design);
    Ok(reports.into_iter().map(|(_, report)| report).collect())
}

fn progress(runs: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} runs of Yosys and nextpnr, {elapsed}");
    ProgressBar::with_draw_target(Some(runs as u64), ProgressDrawTarget::stderr())
        .with_style(style.expect("the template is valid"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_and_board_is_a_word_of_the_option() {
        let words: Vec<&str> = Target::ALL.into_iter().map(Target::name).chain(Board::NAMES).collect();
        assert_eq!(words, GOALS);
        assert!(GOALS.iter().all(|word| word.parse::<Goal>().is_ok()));
    }

    #[test]
    fn there_is_at_least_one_seed() {
        assert!(["1", "5", "1000"].iter().all(|text| text.parse::<Seeds>().is_ok()));
        for text in ["0", "-1", "1001", "five", ""] {
            assert_eq!(text.parse::<Seeds>().unwrap_err(), "a number of seeds from 1 to 1000 is expected");
        }
    }

    #[test]
    fn boards_are_routed_once() {
        assert_eq!(each_once(&[]), DEFAULT_BOARDS);
        assert_eq!(each_once(&[Board::Ulx3s, Board::Icebreaker, Board::Ulx3s]), [Board::Ulx3s, Board::Icebreaker]);
    }
}
