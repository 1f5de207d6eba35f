//! `binade sweep`: area and clock of a unit against its ranks of registers, placed and routed.

use crate::failure::Failure;
use crate::output;
use crate::selection::{ToolOptions, UnitOptions, named, one_name_for_many};
use crate::stages::{StageOptions, Stages};
use crate::synth::part::PartOptions;
use crate::synth::pnr::{self, Seeds};
use binade_generator::GeneratedUnit;
use binade_synth::pnr::{Board, plot};
use clap::Args;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io, path, str::FromStr};

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  binade sweep --format e5m2b1 --unit fmac --stages 0,1,2,4,6,8 --svg sweep.svg\n  \
                        binade sweep --format posit8_2 --unit mul --stages 0..4 --target ecp5-25k --seeds 9 --csv"
)]
pub struct Arguments {
    #[command(flatten)]
    unit: UnitOptions,
    /// Ranks of registers: numbers and ranges, with commas; 0..8 is 0 to 8
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "0..8")]
    stages: Vec<Span>,
    /// The devices, or the boards icebreaker and ulx3s; several may be given, with commas or by repetition [default: ice40-hx8k,ecp5-25k]
    #[arg(long = "target", value_name = "TARGET", value_delimiter = ',', value_parser = named::<Board>(&Board::NAMES))]
    boards: Vec<Board>,
    /// Place and route with the seeds 1 to N; the clock is the median of all
    #[arg(long, value_name = "N", default_value_t)]
    seeds: Seeds,
    /// Draw clock and area against ranks of registers into this file
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    part: PartOptions,
    #[command(flatten)]
    tools: ToolOptions,
    /// Print JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values
    #[arg(long)]
    csv: bool,
}

/// Numbers of ranks, from one to another.
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
    let units = arguments.units()?;
    let boards = pnr::each_once(&arguments.boards);
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

impl Arguments {
    /// The unit with each number of ranks, the fewest first.
    fn units(&self) -> Result<Vec<GeneratedUnit>, Failure> {
        let depths: BTreeSet<Stages> =
            self.stages.iter().flat_map(|span| Stages::between(span.first, span.last)).collect();
        if let Some(name) = self.unit.build.module.filter(|_| depths.len() > 1) {
            return Err(one_name_for_many(name, depths.len()));
        }
        depths.into_iter().map(|stages| self.unit.generate(&StageOptions::ranks(stages), &[])).collect()
    }
}

/// The place of a file that can be written, found out before the work rather than after it.
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
