//! `binade merge`: merges the reports of all parts of a run.

mod measurements;

use crate::failure::Failure;
use crate::failure::{conclude_proof, conclude_totals};
use crate::output;
use binade_campaign::MeasuredPart;
use binade_campaign::merge::{MergeError, UnitReport, merge_suite, merge_units};
use binade_campaign::proofs::{PROVEN, ProofSuite};
use binade_campaign::{CHECKED, SuiteReport};
use binade_sim::{Violation, nothing_wrong};
use binade_synth::MappedReport;
use binade_synth::liberty::Curve;
use binade_synth::pnr::RoutedReport;
use binade_verdict::Verdict;
use clap::Args;
use serde::Deserialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(
    after_help = "Example, on four machines and then on one:\n  binade verify --format e5m2b1 --unit fmac --exhaustive \
                        --shard 1/4 --json > 1.json\n  binade merge 1.json 2.json 3.json 4.json"
)]
pub struct Arguments {
    /// Reports of `binade verify --shard I/N --json`, or of `prove`, `synth` or `sweep`, one per part
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print CSV without times and anything else that depends on the machine, the same for any number of parts
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

impl Arguments {
    /// The output for a merged report.
    fn text(
        &self,
        json: impl FnOnce() -> String,
        csv: impl FnOnce() -> String,
        table: impl FnOnce() -> String,
    ) -> String {
        match (self.json, self.csv) {
            (true, _) => json(),
            (_, true) => csv(),
            (false, false) => table(),
        }
    }
}

/// A report as printed by `verify --json` (suite or unit), `prove --json` (suite), or `synth` or `sweep` with `--shard`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Part {
    Suite(SuiteReport),
    Proofs(ProofSuite),
    Measured(MeasuredPart<MappedReport>),
    Routed(MeasuredPart<RoutedReport>),
    Curves(MeasuredPart<Curve>),
    Unit(Box<UnitReport>),
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (mut suites, mut proofs, mut measured) = (vec![], vec![], vec![]);
    let (mut routed, mut curves, mut units) = (vec![], vec![], vec![]);
    for path in &arguments.files {
        match read(path)? {
            Part::Suite(report) => suites.push((path.as_path(), report)),
            Part::Proofs(report) => proofs.push((path.as_path(), report)),
            Part::Measured(report) => measured.push((path.as_path(), report)),
            Part::Routed(report) => routed.push((path.as_path(), report)),
            Part::Curves(report) => curves.push((path.as_path(), report)),
            Part::Unit(report) => units.push((path.as_path(), *report)),
        }
    }
    let kinds = [
        ("of a suite", suites.first().map(|(path, _)| *path)),
        ("of a suite of proofs", proofs.first().map(|(path, _)| *path)),
        ("of measurements", measured.first().map(|(path, _)| *path)),
        ("of measurements with place and route", routed.first().map(|(path, _)| *path)),
        ("of area against delay", curves.first().map(|(path, _)| *path)),
        ("of one unit", units.first().map(|(path, _)| *path)),
    ];
    let there: Vec<(&str, &Path)> = kinds.iter().filter_map(|(kind, path)| Some((*kind, (*path)?))).collect();
    if let [(kind, path), (other_kind, other), ..] = there[..] {
        return Err(Failure::Usage(format!(
            "`{}` is {kind}, and `{}` {other_kind}: only parts of one run can be merged",
            path.display(),
            other.display()
        )));
    }
    match kinds.iter().position(|(_, path)| path.is_some()) {
        Some(0) => conclude_suite(&merge_suite(&suites)?, arguments),
        Some(1) => conclude_proofs(&merge_suite(&proofs)?, arguments),
        Some(2) => measurements::conclude(&merge_suite(&measured)?, arguments),
        Some(3) => measurements::conclude_routed(&merge_suite(&routed)?, arguments),
        Some(4) => measurements::conclude_curves(&merge_suite(&curves)?, arguments),
        _ => conclude_unit(&merge_units(&units)?, arguments),
    }
}

impl From<MergeError> for Failure {
    fn from(error: MergeError) -> Failure {
        Failure::Usage(error.to_string())
    }
}

fn read(path: &Path) -> Result<Part, Failure> {
    let text = output::read_text(path)?;
    serde_json::from_str(&text).map_err(|_| {
        Failure::Usage(format!(
            "`{}` is not a report of `binade verify --json`, nor of `binade prove --suite .. --json`, nor of `synth` or `sweep` with \
             --shard and --json",
            path.display()
        ))
    })
}

fn conclude_unit(report: &UnitReport, arguments: &Arguments) -> Result<(), Failure> {
    let UnitReport { module, plan, checked, seconds, tool, replay, .. } = report;
    let parts = arguments.files.len();
    let (verdict, headline) = match report.verdict {
        Verdict::Right => ("right", nothing_wrong(report.exhaustive, *checked, report.disturbances.as_deref())),
        _ => ("wrong", "WRONG".into()),
    };
    let text =
        format!("{module}: {headline}\n  checked  {checked} vectors in {parts} parts, of {plan}\n  with     {tool}");
    let row = || vec![module.clone(), verdict.into(), plan.clone(), checked.to_string()];
    output::print(&arguments.text(|| output::json(report), || output::csv(&CHECKED, [row()]), || text))?;
    if report.verdict == Verdict::Right {
        let other = if report.against.is_some() { "its specification" } else { "the golden model" };
        output::say(format_args!("{module} agrees with {other} on {plan} ({parts} parts, {seconds:.1} s in all)"));
        return Ok(());
    }
    shown(module, report.violation.as_ref(), report.mismatch.as_ref()).iter().for_each(output::say);
    replay.iter().for_each(|replay| output::say(format_args!("  replay {replay}")));
    output::say(format_args!("{module} differs from the golden model; {checked} vectors were checked of {plan}"));
    Err(Failure::Mismatch)
}

/// The failure in a report, in words.
fn shown(module: &str, violation: Option<&Violation>, mismatch: Option<&Value>) -> Vec<String> {
    let violation = violation.map(|violation| format!("wrong in {module}, {violation}"));
    violation.into_iter().chain(mismatch.map(|mismatch| shown_mismatch(module, mismatch))).collect()
}

/// The simplest wrong vector: its operands, expected and actual results, and where it was found.
fn shown_mismatch(module: &str, mismatch: &Value) -> String {
    let operands = mismatch["operands"].as_array().into_iter().flatten();
    let rows = operands.chain([&mismatch["want"], &mismatch["got"]]).map(|row| {
        let text = |key: &str| row[key].as_str().unwrap_or("?").to_string();
        format!("\n  {:<4} {}  {}  {}  ({})", text("name"), text("code"), text("fields"), text("value"), text("format"))
    });
    format!("mismatch in {module}, vector {}:{}", mismatch["found"]["index"], rows.collect::<String>())
}

fn conclude_proofs(report: &ProofSuite, arguments: &Arguments) -> Result<(), Failure> {
    output::print(&arguments.text(|| output::json(report), || output::csv(&PROVEN, report.rows()), || report.table()))?;
    report.units.iter().filter(|unit| unit.verdict != Verdict::Proven).for_each(|unit| output::say(unit.sentence()));
    output::say(report.sentence());
    conclude_proof(report.totals.worst())
}

fn conclude_suite(report: &SuiteReport, arguments: &Arguments) -> Result<(), Failure> {
    output::print(&arguments.text(
        || output::json(report),
        || output::csv(&CHECKED, report.rows()),
        || report.table(),
    ))?;
    for unit in &report.units {
        let violation = unit.more.get("violation").and_then(|violation| Violation::deserialize(violation).ok());
        let mismatch = unit.more.get("mismatch").filter(|mismatch| !mismatch.is_null());
        shown(&unit.module, violation.as_ref(), mismatch).iter().for_each(output::say);
    }
    report.errors().iter().for_each(output::say);
    output::say(report.sentence());
    conclude_totals(&report.totals)
}
