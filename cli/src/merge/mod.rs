//! `binade merge`: the reports of all parts of a run become the report of the whole.

mod measurements;

use crate::failure::Failure;
use crate::output;
use crate::prove::{ProofSuite, Report as Proof, Verdict as Proved};
use crate::synth::part::Part as Measurements;
use crate::verify::{CHECKED, SuiteReport, UnitResult, Verdict};
use binade_sim::{Shard, Violation, nothing_wrong};
use binade_synth::Report;
use binade_synth::liberty::Curve;
use binade_synth::pnr::RoutedReport;
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(
    after_help = "Example, on four machines and then on one:\n  binade verify --format e5m2b1 --unit fmac --exhaustive \
                        --shard 1/4 --json > 1.json\n  binade merge 1.json 2.json 3.json 4.json"
)]
pub struct Arguments {
    /// Reports of `binade verify --shard I/N --json`, or of `prove`, `synth` or `sweep`, one of each part
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print comma-separated values: what does not depend on machines and times, so that it is the same for any number of parts
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

impl Arguments {
    /// What is printed of a report.
    fn text(&self, report: &impl Serialize, csv: impl FnOnce() -> String, table: impl FnOnce() -> String) -> String {
        match (self.json, self.csv) {
            (true, _) => output::json(report),
            (_, true) => csv(),
            (false, false) => table(),
        }
    }
}

/// A report as `verify --json` prints it, of a suite or of one unit, or `prove --json` of a suite, or `synth` or `sweep` with
/// `--shard`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Part {
    Suite(SuiteReport),
    Proofs(ProofSuite),
    Measured(Measurements<Report>),
    Routed(Measurements<RoutedReport>),
    Curves(Measurements<Curve>),
    Unit(Box<UnitReport>),
}

/// What is needed of the report of one unit, and what is printed when all parts are put together.
#[derive(Clone, Serialize, Deserialize)]
struct UnitReport {
    version: String,
    module: String,
    plan: String,
    exhaustive: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    disturbances: Option<String>,
    total: u64,
    shard: String,
    run: String,
    checked: u64,
    resumed: u64,
    seconds: f64,
    build_seconds: f64,
    seed: u64,
    tool: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dissent: Option<Value>,
    mismatch: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    violation: Option<Violation>,
    verdict: Verdict,
    replay: Option<String>,
}

impl UnitReport {
    /// What was found first comes first: the block of a violation, then the number of a mismatch.
    fn found_at(&self) -> (Option<u64>, Option<u64>) {
        let index = self.mismatch.as_ref().and_then(|mismatch| mismatch["found"]["index"].as_u64());
        (self.violation.as_ref().map(|violation| violation.block), index)
    }
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

/// What must be the same in all parts of a run, and which part it is.
struct Identity<'a> {
    file: &'a Path,
    shard: &'a str,
    same: Vec<(&'static str, String)>,
    /// A hash of these and more, of the Verilog for one.
    run: &'a str,
    /// The command that makes such reports.
    command: &'a str,
}

impl<'a> Identity<'a> {
    fn of_unit(file: &'a Path, report: &'a UnitReport) -> Identity<'a> {
        let same = vec![
            ("the module", report.module.clone()),
            ("the version", report.version.clone()),
            ("the seed", report.seed.to_string()),
            ("the vectors", report.plan.clone()),
        ];
        Identity { file, shard: &report.shard, same, run: &report.run, command: "binade verify" }
    }
}

/// Refuses parts of different runs, parts that are there twice, and parts that are not there.
fn check_parts(parts: &[Identity]) -> Result<(), Failure> {
    let first = &parts[0];
    let usage = |message| Err(Failure::Usage(message));
    let mut seen: Vec<(Shard, &Path)> = vec![];
    for part in parts {
        for ((what, value), (_, expected)) in part.same.iter().zip(&first.same) {
            if value != expected {
                let (file, other) = (part.file.display(), first.file.display());
                return usage(format!(
                    "`{file}` has {what} {value}, `{other}` has {expected}: only parts of one run can be merged"
                ));
            }
        }
        if part.run != first.run {
            let (file, other) = (part.file.display(), first.file.display());
            return usage(format!("`{file}` and `{other}` are of different runs: the Verilog or the design differs"));
        }
        let shard: Shard = part.shard.parse().map_err(Failure::Usage)?;
        if let Some((_, other)) = seen.iter().find(|(other, _)| *other == shard) {
            return usage(format!("`{}` and `{}` are both part {shard}", other.display(), part.file.display()));
        }
        seen.push((shard, part.file));
    }
    let (parts, command) = (seen[0].0.parts(), first.command);
    if let Some((shard, file)) = seen.iter().find(|(shard, _)| shard.parts() != parts) {
        return usage(format!("`{}` is part {shard}, the others are of {parts} parts", file.display()));
    }
    let there: BTreeSet<u64> = seen.iter().map(|(shard, _)| shard.part()).collect();
    let missing = (1..=parts).filter(|part| !there.contains(part));
    let missing: Vec<String> = missing.map(|part| format!("{part}/{parts}")).collect();
    match missing.as_slice() {
        [] => Ok(()),
        [part] => usage(format!("part {part} is missing; `{command} --shard {part} --json` makes its report")),
        [part, ..] => usage(format!(
            "parts {} are missing; `{command} --shard {part} --json` makes the report of the first",
            missing.join(", ")
        )),
    }
}

fn merge_units(reports: &[(&Path, UnitReport)]) -> Result<UnitReport, Failure> {
    check_parts(&reports.iter().map(|(file, report)| Identity::of_unit(file, report)).collect::<Vec<_>>())?;
    let all = || reports.iter().map(|(_, report)| report);
    let worst = all().filter(|report| report.verdict != Verdict::Right).min_by_key(|report| report.found_at());
    let tools: BTreeSet<&str> = all().map(|report| report.tool.as_str()).collect();
    let merged = UnitReport {
        shard: Shard::WHOLE.to_string(),
        checked: all().map(|report| report.checked).sum(),
        resumed: all().map(|report| report.resumed).sum(),
        seconds: all().map(|report| report.seconds).sum(),
        build_seconds: all().map(|report| report.build_seconds).sum(),
        tool: tools.into_iter().collect::<Vec<_>>().join(", "),
        ..worst.unwrap_or(&reports[0].1).clone()
    };
    if worst.is_none() && merged.checked != merged.total {
        let UnitReport { module, checked, total, .. } = merged;
        return Err(Failure::Usage(format!(
            "the parts of {module} have {checked} vectors, the whole has {total}: a report was changed"
        )));
    }
    Ok(merged)
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
    output::print(&arguments.text(report, || output::csv(&CHECKED, [row()]), || text))?;
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

/// What is wrong, by a report.
fn shown(module: &str, violation: Option<&Violation>, mismatch: Option<&Value>) -> Vec<String> {
    let violation = violation.map(|violation| format!("wrong in {module}, {violation}"));
    violation.into_iter().chain(mismatch.map(|mismatch| shown_mismatch(module, mismatch))).collect()
}

/// The simplest vector that is wrong: its operands, what was expected and what came; and where it was found.
fn shown_mismatch(module: &str, mismatch: &Value) -> String {
    let operands = mismatch["operands"].as_array().into_iter().flatten();
    let rows = operands.chain([&mismatch["want"], &mismatch["got"]]).map(|row| {
        let text = |key: &str| row[key].as_str().unwrap_or("?").to_string();
        format!("\n  {:<4} {}  {}  {}  ({})", text("name"), text("code"), text("fields"), text("value"), text("format"))
    });
    format!("mismatch in {module}, vector {}:{}", mismatch["found"]["index"], rows.collect::<String>())
}

/// One part of a suite.
struct Rows<'a, Unit> {
    file: &'a Path,
    shard: &'a str,
    units: &'a [Unit],
    not_run: usize,
}

/// The units of all parts in the order of the suite, which has `total` of them.
fn in_order<Unit: Clone>(parts: &[Rows<Unit>], total: usize) -> Result<Vec<Unit>, Failure> {
    let mut numbered: Vec<(u64, Unit)> = vec![];
    for Rows { file, shard, units, not_run } in parts {
        if *not_run > 0 {
            return Err(Failure::Usage(format!(
                "`{}`: part {shard} was interrupted, {} not run; run it again with --resume",
                file.display(),
                output::counted(*not_run, "unit")
            )));
        }
        let shard = shard.parse::<Shard>().map_err(Failure::Usage)?;
        let numbers = (0..).map(|row| row * shard.parts() + shard.part() - 1);
        numbered.extend(numbers.zip(units.iter().cloned()));
    }
    numbered.sort_by_key(|(number, _)| *number);
    if numbered.iter().map(|(number, _)| *number).ne(0..total as u64) {
        let found = numbered.len();
        return Err(Failure::Usage(format!(
            "the parts have {found} units, the whole has {total}: a report was changed"
        )));
    }
    Ok(numbered.into_iter().map(|(_, unit)| unit).collect())
}

/// A report on the units of a suite, or of a part of it.
trait OnUnits: Clone {
    /// What is said of one unit.
    type Unit: Clone;

    fn identity<'a>(&'a self, file: &'a Path) -> Identity<'a>;

    fn rows<'a>(&'a self, file: &'a Path) -> Rows<'a, Self::Unit>;

    /// Units of the whole suite.
    fn total(&self) -> usize;

    fn seconds(&self) -> f64;

    /// The report on the whole suite, of which this is one on a part.
    fn whole(self, units: Vec<Self::Unit>, seconds: f64) -> Self;
}

impl OnUnits for SuiteReport {
    type Unit = UnitResult;

    fn identity<'a>(&'a self, file: &'a Path) -> Identity<'a> {
        let same = vec![("the version", self.version.clone()), ("the seed", self.seed.to_string())];
        Identity { file, shard: &self.shard, same, run: &self.run, command: "binade verify" }
    }

    fn rows<'a>(&'a self, file: &'a Path) -> Rows<'a, UnitResult> {
        Rows { file, shard: &self.shard, units: &self.units, not_run: self.totals.not_run }
    }

    fn total(&self) -> usize {
        self.total
    }

    fn seconds(&self) -> f64 {
        self.totals.seconds
    }

    fn whole(self, units: Vec<UnitResult>, seconds: f64) -> SuiteReport {
        SuiteReport { units, shard: Shard::WHOLE.to_string(), ..self }.counted(seconds)
    }
}

impl OnUnits for ProofSuite {
    type Unit = Proof;

    fn identity<'a>(&'a self, file: &'a Path) -> Identity<'a> {
        let same = vec![("the version", self.version.clone())];
        Identity { file, shard: &self.shard, same, run: &self.run, command: "binade prove" }
    }

    fn rows<'a>(&'a self, file: &'a Path) -> Rows<'a, Proof> {
        Rows { file, shard: &self.shard, units: &self.units, not_run: self.totals.not_run }
    }

    fn total(&self) -> usize {
        self.total
    }

    fn seconds(&self) -> f64 {
        self.totals.seconds
    }

    fn whole(self, units: Vec<Proof>, seconds: f64) -> ProofSuite {
        ProofSuite { units, shard: Shard::WHOLE.to_string(), ..self }.counted(seconds)
    }
}

fn merge_suite<Report: OnUnits>(reports: &[(&Path, Report)]) -> Result<Report, Failure> {
    check_parts(&reports.iter().map(|(file, report)| report.identity(file)).collect::<Vec<_>>())?;
    let parts: Vec<_> = reports.iter().map(|(file, report)| report.rows(file)).collect();
    let whole = reports[0].1.clone();
    let units = in_order(&parts, whole.total())?;
    Ok(whole.whole(units, reports.iter().map(|(_, report)| report.seconds()).sum()))
}

fn conclude_proofs(report: &ProofSuite, arguments: &Arguments) -> Result<(), Failure> {
    output::print(&arguments.text(report, || report.csv(), || report.table()))?;
    report.units.iter().filter(|unit| unit.verdict != Proved::Proven).for_each(|unit| output::say(unit.sentence()));
    output::say(report.sentence());
    report.totals.conclude()
}

fn conclude_suite(report: &SuiteReport, arguments: &Arguments) -> Result<(), Failure> {
    output::print(&arguments.text(report, || report.csv(), || report.table()))?;
    for unit in &report.units {
        let violation = unit.more.get("violation").and_then(|violation| Violation::deserialize(violation).ok());
        let mismatch = unit.more.get("mismatch").filter(|mismatch| !mismatch.is_null());
        shown(&unit.module, violation.as_ref(), mismatch).iter().for_each(output::say);
    }
    report.errors().iter().for_each(output::say);
    output::say(report.sentence());
    report.totals.conclude()
}
