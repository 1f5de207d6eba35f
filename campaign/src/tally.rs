//! The outcome of a suite: a report for each unit, and totals.

use crate::{Outcome, Recalled, Shown};
use binade_verdict::Verdict;
use comfy_table::{Table, presets};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a suite needs from a unit's report, whether from this run, an earlier run or another machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnitResult {
    /// The module under test.
    pub module: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The tool failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Whether an earlier run, which this one resumed, checked the unit.
    #[serde(default)]
    pub earlier: bool,
    /// Whether the verdict was kept from an earlier run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub known: bool,
    /// The vectors checked, in words.
    #[serde(default)]
    pub scope: String,
    /// The number of vectors checked.
    #[serde(default)]
    pub checked: u64,
    /// Vectors per second.
    #[serde(default)]
    pub rate: f64,
    /// Seconds to build the model.
    #[serde(default)]
    pub build_seconds: f64,
    /// Seconds to check the vectors.
    #[serde(default)]
    pub seconds: f64,
    /// The rest of the report.
    #[serde(flatten)]
    pub more: serde_json::Map<String, Value>,
}

impl UnitResult {
    /// What a suite needs of a unit's report, which is serialized as `verify --json` prints it.
    ///
    /// # Panics
    /// When it is no such report, or a path in it is no text.
    pub fn of(report: &impl Serialize) -> UnitResult {
        UnitResult::read(&serde_json::to_string(report).expect("reports are plain data"))
    }

    /// Reads a report that was written by this program.
    pub(crate) fn read(report: &str) -> UnitResult {
        serde_json::from_str(report).expect("a report has a module and a verdict")
    }

    fn of_earlier(&self) -> &'static str {
        match (self.earlier, self.known) {
            (true, _) => " (earlier)",
            (_, true) => " (known)",
            (false, false) => "",
        }
    }

    /// Whether the unit is wrong because it does not answer.
    pub fn hangs(&self) -> bool {
        self.more.contains_key("hang")
    }

    /// The result for a unit that could not be checked.
    pub fn without_report(module: &str, verdict: Verdict, error: Option<String>) -> UnitResult {
        UnitResult {
            module: module.into(),
            verdict,
            error,
            earlier: false,
            known: false,
            scope: String::new(),
            checked: 0,
            rate: 0.0,
            build_seconds: 0.0,
            seconds: 0.0,
            more: Default::default(),
        }
    }
}

/// A unit's report, with the text for the user.
impl Outcome for (UnitResult, Shown) {
    fn recalled(recalled: Recalled) -> (UnitResult, Shown) {
        let unit = match recalled {
            Recalled::Earlier(text) => UnitResult { earlier: true, ..UnitResult::read(&text) },
            Recalled::Known(text) => UnitResult { known: true, ..UnitResult::read(&text) },
        };
        (unit, None)
    }

    fn verdict(&self) -> Verdict {
        self.0.verdict
    }

    fn report(&self) -> String {
        serde_json::to_string(&self.0).expect("reports are plain data")
    }
}

/// The units of a suite counted by verdict, with their times summed; units run in parallel, so the sums exceed the elapsed time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// All units.
    pub units: usize,
    /// Right units.
    pub right: usize,
    /// Wrong units.
    pub wrong: usize,
    /// Units for which a tool failed.
    pub errors: usize,
    /// Units that an interrupt skipped.
    pub not_run: usize,
    /// Of these, units checked by an earlier run of this suite.
    pub earlier: usize,
    /// Of these, units known from earlier runs.
    #[serde(default)]
    pub known: usize,
    /// Vectors of all units.
    pub vectors: u64,
    /// Seconds to build models.
    pub build_seconds: f64,
    /// Seconds to check vectors.
    pub check_seconds: f64,
    /// Elapsed seconds; for merged parts, the sum.
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

/// The columns of the table of checked units.
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
    /// The part, such as `2/4`; `1/1` is the whole suite.
    pub shard: String,
    /// An identity that all parts of this run share and no other run has.
    pub run: String,
    /// The number of units in the whole suite.
    pub total: usize,
    /// The result of each unit.
    pub units: Vec<UnitResult>,
    /// The totals.
    pub totals: Totals,
}

impl SuiteReport {
    /// Computes the totals.
    pub fn counted(self, seconds: f64) -> SuiteReport {
        SuiteReport { totals: Totals::of(&self.units, seconds), ..self }
    }

    /// One line per unit, and one with totals.
    pub fn table(&self) -> String {
        let mut table = Table::new();
        let with_coverage = self.units.iter().any(|unit| unit.more.contains_key("coverage"));
        let header = ["unit", "", "checked", "million/s", "build s", "check s"];
        table.load_style(presets::ASCII_MARKDOWN);
        table.set_header(header.into_iter().chain(with_coverage.then_some("bins hit")));
        let row = |unit: &UnitResult| match unit.verdict.is_missing() {
            false => [
                unit.module.clone(),
                format!("{}{}", unit.verdict.word(), unit.of_earlier()),
                unit.scope.clone(),
                format!("{:.1}", unit.rate / 1e6),
                format!("{:.1}", unit.build_seconds),
                format!("{:.1}", unit.seconds),
            ],
            true => {
                let nothing = || "-".to_string();
                [unit.module.clone(), unit.verdict.word().into(), nothing(), nothing(), nothing(), nothing()]
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

    /// A row for each unit under the columns [`CHECKED`], without anything that depends on the machine.
    pub fn rows(&self) -> impl Iterator<Item = Vec<String>> {
        self.units.iter().map(|unit| {
            vec![unit.module.clone(), unit.verdict.word().to_lowercase(), unit.scope.clone(), unit.checked.to_string()]
        })
    }

    /// The number of units with each verdict.
    fn verdicts(&self) -> String {
        let Totals { right, known, wrong, errors, not_run, .. } = self.totals;
        let known = if known > 0 { format!(", of these {known} known") } else { String::new() };
        let others = [(wrong, "wrong"), (errors, "errors"), (not_run, "not run")];
        let others = others.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!(", {count} {what}"));
        format!("{right} right{known}{}", others.collect::<String>())
    }

    /// Tool failures: the first in full, since the others are often the same.
    pub fn errors(&self) -> Vec<String> {
        let errors = self.units.iter().filter_map(|unit| Some((&unit.module, unit.error.as_ref()?)));
        let text = |(number, (module, error)): (usize, (&String, &String))| {
            let shown = if number == 0 { error } else { error.lines().next().unwrap_or_default() };
            format!("error in {module}: {shown}")
        };
        errors.enumerate().map(text).collect()
    }

    /// The last line of the output.
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

/// Bins hit, and bins that can be hit, in a unit's report.
fn bins(coverage: &Value) -> String {
    let [hit, reachable, empty] = ["hit", "reachable", "empty"].map(|count| coverage[count].as_u64().unwrap_or(0));
    match empty {
        0 => format!("{hit}/{reachable}"),
        empty => format!("{hit}/{reachable}, {empty} empty"),
    }
}
