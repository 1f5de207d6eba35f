//! `binade sweep`: area and clock of a unit against its ranks of registers, placed and routed; in standard cells, area against delay.

use crate::failure::Failure;
use crate::names::named;
use crate::output;
use crate::selection::{ToolOptions, UnitOptions, one_name_for_many};
use crate::stages::StageOptions;
use crate::synth::liberty::{self, LibertyOptions};
use crate::synth::part::PartOptions;
use crate::synth::pnr::{self, Seeds};
use binade_generator::GeneratedUnit;
use binade_generator::Stages;
use binade_synth::pnr::{Board, UnknownBoard, plot};
use clap::Args;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io, path, str::FromStr};

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  binade sweep --format e5m2b1 --unit fmac --stages 0,1,2,4,6,8 --svg sweep.svg\n  \
                        binade sweep --format posit8_2 --unit mul --stages 0..4 --target ecp5-25k --seeds 9 --csv\n  \
                        binade sweep --format e5m2b1 --unit fmac --target liberty --liberty cells.lib.gz --svg curve.svg"
)]
pub struct Arguments {
    #[command(flatten)]
    unit: UnitOptions,
    /// Ranks of registers: comma-separated numbers and ranges; 0..8 is 0 to 8 [default: 0..8, with --target liberty 0]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    stages: Vec<Span>,
    /// Devices, or the boards icebreaker and ulx3s (comma-separated or repeated); or liberty, for area against delay in standard cells
    /// [default: ice40-hx8k,ecp5-25k]
    #[arg(long = "target", value_name = "TARGET", value_delimiter = ',', value_parser = named::<Place>(&PLACES))]
    places: Vec<Place>,
    #[command(flatten)]
    liberty: LibertyOptions,
    /// With --liberty, number of delays to map for [default: 8]
    #[arg(long, value_name = "N", requires = "files", value_parser = clap::value_parser!(u32).range(2..=100))]
    points: Option<u32>,
    /// Place and route with the seeds 1 to N, and report the median clock
    #[arg(long, value_name = "N", default_value_t)]
    seeds: Seeds,
    /// Plot clock and area against ranks of registers into this file; with --target liberty, area against delay
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    part: PartOptions,
    #[command(flatten)]
    tools: ToolOptions,
    /// Print JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV
    #[arg(long)]
    csv: bool,
}

const DEFAULT_POINTS: u32 = 8;

/// All words of `--target`.
const PLACES: [&str; 5] = ["ice40-hx8k", "icebreaker", "ecp5-25k", "ulx3s", "liberty"];

/// The target of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Board(Board),
    Liberty,
}

impl FromStr for Place {
    type Err = String;

    fn from_str(name: &str) -> Result<Place, String> {
        match name {
            "liberty" => Ok(Place::Liberty),
            _ => name.parse().map(Place::Board).map_err(|error: UnknownBoard| error.to_string()),
        }
    }
}

/// A range of rank numbers, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    first: Stages,
    last: Stages,
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Span, String> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let span = Span { first: first.parse()?, last: last.parse()? };
        if span.first <= span.last { Ok(span) } else { Err("a range begins with the smaller number".into()) }
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let picture = arguments.svg.as_deref().map(writable).transpose()?;
    let boards = arguments.boards()?;
    arguments.liberty.check(boards.is_none())?;
    let Some(boards) = boards else { return delays(arguments, picture.as_deref()) };
    let units = arguments.units("0..8")?;
    let all = boards.iter().flat_map(|&board| units.iter().map(move |unit| (unit, board))).collect();
    let measured = pnr::route(&arguments.tools.tools(), all, arguments.seeds, "binade sweep", &arguments.part)?;
    if let Some(path) = &picture {
        let svg = plot(&measured.reports, &format!("{}, pipelined", units[0].module));
        output::write_files(&[(path, svg.as_bytes())])?;
    }
    output::print(&pnr::text(&measured, arguments.json, arguments.csv))?;
    pnr::conclude(&measured.reports);
    Ok(())
}

/// Area against delay in standard cells.
fn delays(arguments: &Arguments, picture: Option<&Path>) -> Result<(), Failure> {
    let units = arguments.units("0")?;
    let tools = arguments.tools.tools();
    let Some(library) = arguments.liberty.open(&tools, true)? else { unreachable!("standard cells are needed") };
    let measured =
        liberty::curves(&tools, &library, &units, arguments.points.unwrap_or(DEFAULT_POINTS), &arguments.part)?;
    if let Some(path) = picture {
        let svg = binade_synth::liberty::plot(&measured.reports, &units[0].module);
        output::write_files(&[(path, svg.as_bytes())])?;
    }
    output::print(&liberty::text(&measured, arguments.json, arguments.csv))?;
    liberty::conclude(&measured.reports);
    Ok(())
}

impl Arguments {
    /// The boards to place and route on; none for standard cells.
    fn boards(&self) -> Result<Option<Vec<Board>>, Failure> {
        let boards = self.places.iter().filter_map(|place| match place {
            Place::Board(board) => Some(*board),
            Place::Liberty => None,
        });
        let boards: Vec<Board> = boards.collect();
        match (self.places.contains(&Place::Liberty), boards.first()) {
            (false, _) => Ok(Some(pnr::each_once(&boards))),
            (true, None) => Ok(None),
            (true, Some(board)) => Err(Failure::Usage(format!(
                "--target liberty,{board}: on devices, a sweep varies the ranks of registers, in standard cells the delay; run one sweep for each"
            ))),
        }
    }

    /// The unit with each number of ranks, fewest first.
    fn units(&self, default: &str) -> Result<Vec<GeneratedUnit>, Failure> {
        let default = [default.parse().expect("a span")];
        let spans = if self.stages.is_empty() { &default[..] } else { &self.stages };
        let depths: BTreeSet<Stages> = spans.iter().flat_map(|span| Stages::between(span.first, span.last)).collect();
        if let Some(name) = self.unit.build.choices.name().filter(|_| depths.len() > 1) {
            return Err(one_name_for_many(name, depths.len()));
        }
        depths.into_iter().map(|stages| self.unit.generate(&StageOptions::ranks(stages), &[])).collect()
    }
}

/// The path of a file; checks before the work that it can be written.
fn writable(file: &Path) -> Result<PathBuf, Failure> {
    let cannot = |error| Failure::file("write", file, error);
    let path = path::absolute(file).map_err(cannot)?;
    if path.is_dir() {
        return Err(cannot(io::ErrorKind::IsADirectory.into()));
    }
    let folder = path.parent().expect("a file has a folder");
    match fs::metadata(folder).map_err(cannot)?.is_dir() {
        true => Ok(path),
        false => Err(cannot(io::ErrorKind::NotADirectory.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_is_a_place() {
        assert_eq!(PLACES[..4], Board::NAMES);
        assert!(PLACES.iter().all(|name| name.parse::<Place>().is_ok()));
    }

    fn numbers(text: &str) -> Result<Vec<String>, String> {
        let Span { first, last } = text.parse()?;
        Ok(Stages::between(first, last).map(|stages| stages.to_string()).collect())
    }

    #[test]
    fn a_range_has_both_its_ends() {
        assert_eq!(numbers("4").unwrap(), ["4"]);
        assert_eq!(numbers("0..3").unwrap(), ["0", "1", "2", "3"]);
        assert_eq!(numbers("16..16").unwrap(), ["16"]);
    }

    #[test]
    fn what_is_no_range_is_refused() {
        assert_eq!(numbers("3..1").unwrap_err(), "a range begins with the smaller number");
        assert_eq!(numbers("0..17").unwrap_err(), "17 ranks of registers; a unit can have up to 16");
        for text in ["", "..", "1..", "..3", "1-3", "1...3", "-1"] {
            let error = numbers(text).unwrap_err();
            assert_eq!(error, "a number of ranks of registers from 0 to 16 is expected", "{text}");
        }
    }
}
