//! The outcome of a suite: a report for each unit, and totals.

use super::coverage;
use crate::failure::Failure;
use crate::output;
use binade_tools::Error;
use comfy_table::{Table, presets};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What came of one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Right,
    Wrong,
    /// A tool failed.
    Error,
    /// The suite was interrupted before.
    NotRun,
}

impl Verdict {
    /// Whether the unit may still be right or wrong.
    pub fn is_open(self) -> bool {
        match self {
            Verdict::Right | Verdict::Wrong => false,
            Verdict::Error | Verdict::NotRun => true,
        }
    }
}

/// What a suite needs to know of a unit's report, whether it is of this run, of an earlier one, or of another machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnitResult {
    pub module: String,
    pub verdict: Verdict,
    /// What went wrong with the tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Whether an earlier run has checked it, which this one resumed.
    #[serde(default)]
    pub earlier: bool,
    /// Whether the verdict was kept from any run before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub known: bool,
    #[serde(default)]
    pub scope: String,
    #[serde(default)]
    pub checked: u64,
    #[serde(default)]
    pub rate: f64,
    #[serde(default)]
    pub build_seconds: f64,
    #[serde(default)]
    pub seconds: f64,
    /// All the rest of the report.
    #[serde(flatten)]
    pub more: serde_json::Map<String, Value>,
}

impl UnitResult {
    /// From a report as `verify --json` gives it.
    pub fn of(report: Value) -> UnitResult {
        serde_json::from_value(report).expect("a report has a module and a verdict")
    }

    fn of_earlier(&self) -> &'static str {
        match (self.earlier, self.known) {
            (true, _) => " (earlier)",
            (_, true) => " (known)",
            (false, false) => "",
        }
    }

    /// Whether it is wrong since it does not answer.
    pub fn hangs(&self) -> bool {
        self.more.contains_key("hang")
    }

    /// The result of a unit that could not be checked.
    pub fn without_report(module: &str, verdict: Verdict, error: Option<String>) -> UnitResult {
        UnitResult::of(json!({"module": module, "verdict": verdict, "error": error}))
    }
}

/// The units of a suite counted, and their times added up: of several at a time, so that the sum is more than what passed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    pub units: usize,
    pub right: usize,
    pub wrong: usize,
    pub errors: usize,
    pub not_run: usize,
    /// Units among those that an earlier run has checked.
    pub earlier: usize,
    /// Units among those that were known from any run before.
    #[serde(default)]
    pub known: usize,
    pub vectors: u64,
    pub build_seconds: f64,
    pub check_seconds: f64,
    /// What passed from the start to the end; in several parts, the sum.
    pub seconds: f64,
}

impl Totals {
    fn of(units: &[UnitResult], seconds: f64) -> Totals {
        let count = |verdict| units.iter().filter(|unit| unit.verdict == verdict).count();
        Totals {
            units: units.len(),
            right: count(Verdict::Right),
            wrong: count(Verdict::Wrong),
            errors: count(Verdict::Error),
            not_run: count(Verdict::NotRun),
            earlier: units.iter().filter(|unit| unit.earlier).count(),
            known: units.iter().filter(|unit| unit.known).count(),
            vectors: units.iter().map(|unit| unit.checked).sum(),
            build_seconds: units.iter().map(|unit| unit.build_seconds).sum(),
            check_seconds: units.iter().map(|unit| unit.seconds).sum(),
            seconds,
        }
    }
}

impl Totals {
    /// The exit code: a unit that is wrong is the worst that can be found.
    pub fn conclude(&self) -> Result<(), Failure> {
        match (self.not_run, self.wrong, self.errors) {
            (1.., _, _) => Err(Failure::Tool(Error::Interrupted)),
            (_, 1.., _) => Err(Failure::Mismatch),
            (_, _, 1..) => Err(Failure::ToolUnusable),
            (0, 0, 0) => Ok(()),
        }
    }
}

/// The columns of a table of units that were checked.
pub const CHECKED: [&str; 4] = ["unit", "verdict", "vectors", "checked"];

/// The outcome of a suite, or of one part of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SuiteReport {
    /// Version of Binade.
    pub version: String,
    /// The file that lists the units.
    pub suite: String,
    pub seed: u64,
    /// Which part of how many, as in `2/4`; `1/1` is all.
    pub shard: String,
    /// An identity that all parts of a run share, and no other run has.
    pub run: String,
    /// Units of the whole suite, of which this may be one part.
    pub total: usize,
    pub units: Vec<UnitResult>,
    pub totals: Totals,
}

impl SuiteReport {
    /// With the totals of its units.
    pub fn counted(self, seconds: f64) -> SuiteReport {
        SuiteReport { totals: Totals::of(&self.units, seconds), ..self }
    }

    /// One line a unit, and one of totals.
    pub fn table(&self) -> String {
        let mut table = Table::new();
        let with_coverage = self.units.iter().any(|unit| unit.more.contains_key("coverage"));
        let header = ["unit", "", "checked", "million/s", "build s", "check s"];
        table.load_style(presets::ASCII_MARKDOWN);
        table.set_header(header.into_iter().chain(with_coverage.then_some("bins hit")));
        let row = |unit: &UnitResult| match unit.verdict {
            Verdict::Right | Verdict::Wrong => [
                unit.module.clone(),
                format!("{}{}", word(unit.verdict), unit.of_earlier()),
                unit.scope.clone(),
                format!("{:.1}", unit.rate / 1e6),
                format!("{:.1}", unit.build_seconds),
                format!("{:.1}", unit.seconds),
            ],
            Verdict::Error | Verdict::NotRun => {
                let nothing = || "-".to_string();
                [unit.module.clone(), word(unit.verdict).into(), nothing(), nothing(), nothing(), nothing()]
            }
        };
        for unit in &self.units {
            let coverage = with_coverage.then(|| unit.more.get("coverage").map(coverage::cell).unwrap_or_default());
            table.add_row(row(unit).into_iter().chain(coverage));
        }
        let Totals { units, vectors, build_seconds, check_seconds, .. } = &self.totals;
        let (build, check) = (format!("{build_seconds:.1}"), format!("{check_seconds:.1}"));
        table.add_row([
            format!("{units} units"),
            self.verdicts(),
            format!("{vectors} vectors"),
            "".into(),
            build,
            check,
        ]);
        table.to_string()
    }

    /// One line a unit, with what does not depend on the machine.
    pub fn csv(&self) -> String {
        let row = |unit: &UnitResult| {
            vec![unit.module.clone(), word(unit.verdict).to_lowercase(), unit.scope.clone(), unit.checked.to_string()]
        };
        output::csv(&CHECKED, self.units.iter().map(row))
    }

    /// How many units are what.
    fn verdicts(&self) -> String {
        let Totals { right, known, wrong, errors, not_run, .. } = self.totals;
        let known = if known > 0 { format!(", of these {known} known") } else { String::new() };
        let others = [(wrong, "wrong"), (errors, "errors"), (not_run, "not run")];
        let others = others.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!(", {count} {what}"));
        format!("{right} right{known}{}", others.collect::<String>())
    }

    /// What went wrong with the tools: the first in full, since others are often the same.
    pub fn errors(&self) -> Vec<String> {
        let errors = self.units.iter().filter_map(|unit| Some((&unit.module, unit.error.as_ref()?)));
        let text = |(number, (module, error)): (usize, (&String, &String))| {
            let shown = if number == 0 { error } else { error.lines().next().unwrap_or_default() };
            format!("error in {module}: {shown}")
        };
        errors.enumerate().map(text).collect()
    }

    /// The last line.
    pub fn sentence(&self) -> String {
        let Totals { units, known, wrong, errors, not_run, earlier, vectors, seconds, .. } = self.totals;
        let part = if self.shard == "1/1" { String::new() } else { format!("part {} of {}: ", self.shard, self.total) };
        let failed =
            if errors > 0 { format!(", {errors} without a verdict since a tool failed") } else { String::new() };
        let not_run = if not_run > 0 { format!(", {not_run} not run") } else { String::new() };
        let earlier = if earlier > 0 { format!(", {earlier} right by an earlier run") } else { String::new() };
        let known = if known > 0 { format!(", {known} known") } else { String::new() };
        format!(
            "{part}{units} units, {wrong} wrong{failed}{not_run}{earlier}{known}: {vectors} vectors checked against the golden \
             model, seed {}, in {seconds:.0} s",
            self.seed
        )
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Right => "right",
        Verdict::Wrong => "WRONG",
        Verdict::Error => "ERROR",
        Verdict::NotRun => "not run",
    }
}
