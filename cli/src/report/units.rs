//! `binade report units`.

use super::tensor;
use crate::failure::Failure;
use crate::names::named;
use crate::output;
use crate::page::{DataOptions, PageOptions, command};
use crate::prove;
use crate::selection::ToolOptions;
use crate::stages::StageOptions;
use crate::synth::part::PartOptions;
use crate::synth::pnr::{self, Seeds};
use crate::synth::{TargetOptions, UnitsOptions, beside_peers, measure};
use crate::verify;
use binade_campaign::{Peers, Suite};
use binade_generator::description::arguments as selection_words;
use binade_generator::{GeneratedUnit, generate};
use binade_report::Table;
use binade_report::tensor::Judgement;
use binade_report::units::{Accuracy, Clock, Cost, UnitFigures, page};
use binade_sim::{Choice, Engine, Gates, Plan, Run};
use binade_spec::Format;
use binade_synth::pnr::{Board, Fmax, RoutedReport};
use binade_synth::{Area, MappedReport, Target};
use binade_tools::Tools;
use binade_verdict::Verdict;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
#[command(
    override_usage = "binade report units [OPTIONS] --format <FORMATS> --unit <UNITS>\n       binade report units [OPTIONS] --suite <FILE>",
    after_help = "\
Each unit is checked with vectors by the lanes engine (with --interface by Verilator), proven if that takes no longer than
--prove-within, and mapped by Yosys.

Examples:
  binade report units --format e5m2,e4m3fn,e5m2b1,posit8_1 --unit fmac
  binade report units --format e5m2,e4m3fn,e5m2b1 --unit fmac --tensor weights.npy
  binade report units --format e5m2 --unit fmac --stages 4 --clock ice40-hx8k,ecp5-25k
  binade report units --suite testbench/suites/papers.toml"
)]
pub struct Arguments {
    #[command(flatten)]
    units: Option<UnitsOptions>,
    #[command(flatten)]
    stages: StageOptions,
    /// The suite file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["UnitOptions", "StageOptions"])]
    suite: Option<PathBuf>,
    #[command(flatten)]
    targets: TargetOptions,
    /// Also place and route on these devices, and show the fastest clock: ice40-hx8k, ecp5-25k, icebreaker, ulx3s
    #[arg(long, value_name = "DEVICES", value_delimiter = ',', value_parser = named::<Board>(&Board::NAMES))]
    clock: Vec<Board>,
    /// Judge formats by the numbers in this file (.npy, .npz, .safetensors) instead of by decimal digits: SQNR with the best scale
    #[arg(long, value_name = "FILE")]
    tensor: Option<PathBuf>,
    /// Stop the proof of a unit after this processor time
    #[arg(long, value_name = "SECONDS", default_value_t = 10, allow_negative_numbers = true, value_parser = verify::seconds::<0>)]
    prove_within: u32,
    #[command(flatten)]
    page: PageOptions,
    #[command(flatten)]
    data: DataOptions,
    #[command(flatten)]
    tools: ToolOptions,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.page.check()?;
    let (units, targets, peers) = match (&arguments.suite, &arguments.units) {
        (Some(path), _) => {
            output::check_not_read(&arguments.page.html, path)?;
            let suite = Suite::read(path, output::read_text)?;
            (suite.units()?, arguments.targets.or(&suite.targets), suite.peers)
        }
        (None, Some(options)) => {
            (options.generate(&arguments.stages, &arguments.targets.targets)?, arguments.targets.or(&[]), None)
        }
        (None, None) => unreachable!("clap demands one of the two"),
    };
    let accuracy = arguments.accuracy(&units)?;
    let tools = arguments.tools.tools();
    let reports = measure(&tools, &units, &targets)?;
    // A suite may name a unit twice, so reports are identified by position.
    let clocks = arguments.clocks(&tools, &units)?;
    let each = units.iter().zip(reports.chunks(targets.len())).zip(clocks);
    let figures = each.map(|((unit, reports), clocks)| arguments.figures(&tools, unit, reports, clocks));
    let figures = figures.collect::<Result<Vec<_>, _>>()?;
    let beside = peers.map(|peers| table_of_peers(&units, &reports, &peers));
    let title = arguments.suite.as_ref().map_or("Units".into(), |suite| {
        format!("Units of {}", suite.file_name().unwrap_or_default().to_string_lossy())
    });
    let page = page(&title, &figures, &accuracy, beside, &command());
    arguments.data.write(&page, &arguments.page)?;
    figures.iter().all(|figures| figures.verified != WRONG).then_some(()).ok_or(Failure::Mismatch)
}

/// The message for a unit that is not right.
const WRONG: &str = "WRONG";

impl Arguments {
    /// The accuracy of the units' formats.
    fn accuracy(&self, units: &[GeneratedUnit]) -> Result<Accuracy, Failure> {
        let mut formats: Vec<Format> = vec![];
        for format in units.iter().map(|unit| unit.design.operation.operand) {
            if !formats.contains(&format) {
                formats.push(format);
            }
        }
        let Some(path) = &self.tensor else { return Ok(Accuracy::most_digits(formats)) };
        output::check_not_read(&self.page.html, path)?;
        let analysis = tensor::analyzed(path, None, &formats)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let decibels = |judgement: &Judgement| (judgement.format, judgement.scaled.sqnr_db().unwrap_or(f64::INFINITY));
        Ok(Accuracy {
            title: format!("SQNR in dB on {name}, with the best scale"),
            formats: analysis.judgements.iter().map(decibels).collect(),
        })
    }

    /// The fastest clocks of each unit, one per device.
    fn clocks(&self, tools: &Tools, units: &[GeneratedUnit]) -> Result<Vec<Vec<Clock>>, Failure> {
        if self.clock.is_empty() {
            return Ok(vec![vec![]; units.len()]);
        }
        let boards = pnr::each_once(&self.clock);
        let all = units.iter().flat_map(|unit| boards.iter().map(move |&board| (unit, board))).collect();
        let measured = pnr::route(tools, all, Seeds::default(), "binade report units", &PartOptions::default())?;
        let clock = |report: &RoutedReport| {
            let Fmax { median, min, max } = report.fmax_mhz;
            Clock { device: report.target.to_string(), median, min, max }
        };
        Ok(measured.reports.chunks(boards.len()).map(|of_unit| of_unit.iter().map(clock).collect()).collect())
    }

    /// The results for a unit, with one report per target.
    fn figures(
        &self,
        tools: &Tools,
        unit: &GeneratedUnit,
        reports: &[MappedReport],
        clocks: Vec<Clock>,
    ) -> Result<UnitFigures, Failure> {
        let plan =
            Plan::new(&unit.design.operation, Choice::Default, 1).map_err(|error| Failure::Usage(error.to_string()))?;
        let gates = gates(unit);
        let engine = gates.as_ref().map_or(Engine::Verilator, Engine::Lanes);
        let verification = verify::check(tools, Run { engine, ..Run::new(unit, &plan) })?;
        let verified = if verification.is_right() { verification.scope.clone() } else { WRONG.into() };
        let mut proof = prove::within(tools, generate(unit.design), Duration::from_secs(self.prove_within.into()))?;
        if verification.is_right() {
            proof.take_vectors(&unit.design, &plan);
        }
        let limit = || format!("not in {} s of processor time", self.prove_within);
        let proven = match proof.verdict {
            Verdict::Proven => proof.extent(),
            Verdict::Wrong => WRONG.into(),
            _ => proof.reason.map_or_else(limit, String::from),
        };
        let costs = reports.iter().map(cost).collect();
        let (format, kind) = (unit.design.operation.operand, kind(unit));
        Ok(UnitFigures { module: unit.module.clone(), kind, format: Some(format), costs, clocks, verified, proven })
    }
}

/// The gates for the lanes engine; none for a shell, whose gates would be those of the unit inside.
fn gates(unit: &GeneratedUnit) -> Option<Gates> {
    unit.within_shell.is_none().then(|| Gates::of_circuit(unit))
}

/// The options that choose a unit, except its format.
fn kind(unit: &GeneratedUnit) -> String {
    let words = selection_words(&unit.design);
    let at = words.iter().position(|word| word == "--format");
    let left = words.iter().enumerate().filter(|(place, _)| at.is_none_or(|at| *place != at && *place != at + 1));
    let words: Vec<&str> = left.map(|(_, word)| word.as_str()).filter(|word| *word != "--unit").collect();
    words.join(" ").replace("--", "")
}

pub(super) fn cost(report: &MappedReport) -> Cost {
    let (area, counts) = match &report.area {
        Area::Generic(area) => (f64::from(area.gates), "gates"),
        Area::Ice40(area) => (f64::from(area.lut4), "LUT4"),
        Area::Ecp5(area) => (f64::from(area.luts), "LUT4"),
        Area::Xc7(area) => (f64::from(area.luts), "LUTs"),
        Area::Cyclonev(area) => (area.alm_lo, "ALMs at the least"),
        Area::Liberty(area) => (area.area_um2, "µm²"),
    };
    Cost { target: target(report.target), area, counts, text: report.area.to_string(), depth: report.depth }
}

fn target(target: Target) -> String {
    target.to_string()
}

fn table_of_peers(units: &[GeneratedUnit], reports: &[MappedReport], others: &Peers) -> Table {
    let families = beside_peers(units, reports, others);
    let rows = families.iter().flat_map(|family| {
        family.rows.iter().flat_map(|row| {
            row.figures.iter().map(|figure| {
                let (ours, best, ratio) =
                    (figure.ours.to_string(), figure.best.to_string(), format!("{:.2}", figure.ratio));
                vec![row.unit.clone(), figure.figure.to_string(), ours, best, figure.peer.clone(), ratio]
            })
        })
    });
    let columns = ["unit", "figure", "ours", "theirs", "whose", "ratio"];
    Table::new("Ours beside theirs", &columns, rows.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_circuit::Interface;
    use binade_generator::Design;

    /// The gates of a shell would be those of the unit inside, and not test valid and ready.
    #[test]
    fn shells_are_not_checked_by_lanes() {
        let operation = binade_spec::Selection::new(binade_spec::Unit::Mul, "e2m1f".parse().expect("a format"));
        let plain = Design::pipelined(operation.operation().expect("an operation"), 0);
        assert!(gates(&generate(plain)).is_some());
        assert!(gates(&generate(plain.spoken_to(Interface::ReadyValid))).is_none());
    }
}
