//! Merges the reports of all parts of a run into the report of the whole run.

use crate::proofs::ProofSuite;
use crate::{SuiteReport, UnitResult};
use binade_sim::{Shard, Violation};
use binade_verdict::proof::ProofReport;
use binade_verdict::{Verdict, counted};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use thiserror::Error;

/// Why reports are not those of all parts of one run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct MergeError(String);

/// The fields that a merge needs from the report of one unit, and those that it prints.
#[derive(Clone, Serialize, Deserialize)]
pub struct UnitReport {
    version: String,
    /// The module that was checked.
    pub module: String,
    /// All vectors of the run, in words.
    pub plan: String,
    /// Whether the vectors are all inputs.
    pub exhaustive: bool,
    /// The stalls, bubbles and resets around the vectors of a module with a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disturbances: Option<String>,
    total: u64,
    shard: String,
    run: String,
    /// The number of vectors checked.
    pub checked: u64,
    resumed: u64,
    /// Seconds, summed over all parts.
    pub seconds: f64,
    build_seconds: f64,
    seed: u64,
    /// The engine that evaluated the unit; several if parts differ.
    pub tool: String,
    /// The reference used in place of the golden model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dissent: Option<Value>,
    /// The first wrong vector.
    pub mismatch: Option<Value>,
    /// The first time that the module broke its contract.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violation: Option<Violation>,
    /// The unit's verdict.
    pub verdict: Verdict,
    /// The command that reproduces the failure.
    pub replay: Option<String>,
}

impl UnitReport {
    /// Sort key by time of detection: the block of a violation, then the index of a mismatch.
    fn found_at(&self) -> (Option<u64>, Option<u64>) {
        let index = self.mismatch.as_ref().and_then(|mismatch| mismatch["found"]["index"].as_u64());
        (self.violation.as_ref().map(|violation| violation.block), index)
    }
}

/// What all parts of a run must share, and which part this is.
pub struct Identity<'a> {
    /// The file of the part's report.
    pub file: &'a Path,
    /// The part, as in `2/4`.
    pub shard: &'a str,
    /// What all parts must share: pairs of name and value.
    pub same: Vec<(&'static str, String)>,
    /// A hash of these values and more, such as the Verilog.
    pub run: &'a str,
    /// The command that writes such reports.
    pub command: &'a str,
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

/// Refuses parts of different runs, duplicate parts, and missing parts.
fn check_parts(parts: &[Identity]) -> Result<(), MergeError> {
    let first = &parts[0];
    let usage = |message| Err(MergeError(message));
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
        let shard: Shard = part.shard.parse().map_err(MergeError)?;
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

/// Merges the reports of all parts of one unit's run.
///
/// # Errors
/// When they are not the reports of all parts of one run; the message names the files.
pub fn merge_units(reports: &[(&Path, UnitReport)]) -> Result<UnitReport, MergeError> {
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
        return Err(MergeError(format!(
            "the parts of {module} have {checked} vectors, the whole has {total}: a report was changed"
        )));
    }
    Ok(merged)
}

/// One part of a suite.
pub struct Rows<'a, Unit> {
    /// The file of the part's report.
    pub file: &'a Path,
    /// The part, as in `2/4`.
    pub shard: &'a str,
    /// The reports of the part's units.
    pub units: &'a [Unit],
    /// The number of units that an interrupt skipped.
    pub not_run: usize,
}

/// The units of all parts in the order of the suite, which has `total` units.
fn in_order<Unit: Clone>(parts: &[Rows<Unit>], total: usize) -> Result<Vec<Unit>, MergeError> {
    let mut numbered: Vec<(u64, Unit)> = vec![];
    for Rows { file, shard, units, not_run } in parts {
        if *not_run > 0 {
            return Err(MergeError(format!(
                "`{}`: part {shard} was interrupted, {} not run; run it again with --resume",
                file.display(),
                counted(*not_run, "unit")
            )));
        }
        let shard = shard.parse::<Shard>().map_err(MergeError)?;
        let numbers = (0..).map(|row| row * shard.parts() + shard.part() - 1);
        numbered.extend(numbers.zip(units.iter().cloned()));
    }
    numbered.sort_by_key(|(number, _)| *number);
    if numbered.iter().map(|(number, _)| *number).ne(0..total as u64) {
        let found = numbered.len();
        return Err(MergeError(format!("the parts have {found} units, the whole has {total}: a report was changed")));
    }
    Ok(numbered.into_iter().map(|(_, unit)| unit).collect())
}

/// A report on the units of a suite, or of one part of it.
pub trait OnUnits: Clone {
    /// The report of one unit.
    type Unit: Clone;

    /// What all parts must share.
    fn identity<'a>(&'a self, file: &'a Path) -> Identity<'a>;

    /// The units of this part.
    fn part<'a>(&'a self, file: &'a Path) -> Rows<'a, Self::Unit>;

    /// The number of units in the whole suite.
    fn total(&self) -> usize;

    /// Elapsed seconds.
    fn seconds(&self) -> f64;

    /// The report on the whole suite; `self` is the report of one part.
    fn whole(self, units: Vec<Self::Unit>, seconds: f64) -> Self;
}

impl OnUnits for SuiteReport {
    type Unit = UnitResult;

    fn identity<'a>(&'a self, file: &'a Path) -> Identity<'a> {
        let same = vec![("the version", self.version.clone()), ("the seed", self.seed.to_string())];
        Identity { file, shard: &self.shard, same, run: &self.run, command: "binade verify" }
    }

    fn part<'a>(&'a self, file: &'a Path) -> Rows<'a, UnitResult> {
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
    type Unit = ProofReport;

    fn identity<'a>(&'a self, file: &'a Path) -> Identity<'a> {
        let same = vec![("the version", self.version.clone())];
        Identity { file, shard: &self.shard, same, run: &self.run, command: "binade prove" }
    }

    fn part<'a>(&'a self, file: &'a Path) -> Rows<'a, ProofReport> {
        Rows { file, shard: &self.shard, units: &self.units, not_run: self.totals.not_run }
    }

    fn total(&self) -> usize {
        self.total
    }

    fn seconds(&self) -> f64 {
        self.totals.seconds
    }

    fn whole(self, units: Vec<ProofReport>, seconds: f64) -> ProofSuite {
        ProofSuite { units, shard: Shard::WHOLE.to_string(), ..self }.counted(seconds)
    }
}

/// Merges the reports of all parts of a suite.
///
/// # Errors
/// When they are not the reports of all parts of one run; the message names the files.
pub fn merge_suite<Report: OnUnits>(reports: &[(&Path, Report)]) -> Result<Report, MergeError> {
    check_parts(&reports.iter().map(|(file, report)| report.identity(file)).collect::<Vec<_>>())?;
    let parts: Vec<_> = reports.iter().map(|(file, report)| report.part(file)).collect();
    let whole = reports[0].1.clone();
    let units = in_order(&parts, whole.total())?;
    Ok(whole.whole(units, reports.iter().map(|(_, report)| report.seconds()).sum()))
}
