//! The outcome of a suite: a report for each unit, and totals.

use comfy_table::{Table, presets};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What came of one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No difference was found.
    Right,
    /// A difference was found, or the module does not answer.
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
    /// The module that was checked.
    pub module: String,
    /// What came of it.
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
    /// Which vectors were checked, in words.
    #[serde(default)]
    pub scope: String,
    /// How many vectors were checked.
    #[serde(default)]
    pub checked: u64,
    /// Vectors in a second.
    #[serde(default)]
    pub rate: f64,
    /// Seconds that the model took to build.
    #[serde(default)]
    pub build_seconds: f64,
    /// Seconds that the vectors took.
    #[serde(default)]
    pub seconds: f64,
    /// All the rest of the report.
    #[serde(flatten)]
    pub more: serde_json::Map<String, Value>,
}

impl UnitResult {
    /// From a report as `verify --json` gives it.
    ///
    /// # Panics
    /// When it has no module and verdict.
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
    /// All units.
    pub units: usize,
    /// Units that are right.
    pub right: usize,
    /// Units that are wrong.
    pub wrong: usize,
    /// Units for which a tool failed.
    pub errors: usize,
    /// Units that an interrupt has left.
    pub not_run: usize,
    /// Units among those that an earlier run has checked.
    pub earlier: usize,
    /// Units among those that were known from any run before.
    #[serde(default)]
    pub known: usize,
    /// Vectors of all units.
    pub vectors: u64,
    /// Seconds that models took to build.
    pub build_seconds: f64,
    /// Seconds that vectors took.
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

/// The columns of a table of units that were checked.
pub const CHECKED: [&str; 4] = ["unit", "verdict", "vectors", "checked"];

/// The outcome of a suite, or of one part of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SuiteReport {
    /// Version of Binade.
    pub version: String,
    /// The file that lists the units.
    pub suite: String,
    /// Seed of the random vectors.
    pub seed: u64,
    /// Which part of how many, as in `2/4`; `1/1` is all.
    pub shard: String,
    /// An identity that all parts of a run share, and no other run has.
    pub run: String,
    /// Units of the whole suite, of which this may be one part.
    pub total: usize,
    /// What came of each unit.
    pub units: Vec<UnitResult>,
    /// The units counted.
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
            let coverage = with_coverage.then(|| unit.more.get("coverage").map(bins).unwrap_or_default());
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

    /// A row for each unit under the columns [`CHECKED`], with what does not depend on the machine.
    pub fn rows(&self) -> impl Iterator<Item = Vec<String>> {
        self.units.iter().map(|unit| {
            vec![unit.module.clone(), word(unit.verdict).to_lowercase(), unit.scope.clone(), unit.checked.to_string()]
        })
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

/// Bins hit of those that can be, of a unit's report.
fn bins(coverage: &Value) -> String {
    let [hit, reachable, empty] = ["hit", "reachable", "empty"].map(|count| coverage[count].as_u64().unwrap_or(0));
    match empty {
        0 => format!("{hit}/{reachable}"),
        empty => format!("{hit}/{reachable}, {empty} empty"),
    }
}
