//! The outcome as JUnit XML for build servers: one test case per unit.

use crate::proofs::ProofSuite;
use crate::{SuiteReport, UnitResult};
use binade_verdict::Verdict;
use binade_verdict::proof::{ProofReport, Reason};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

impl SuiteReport {
    /// The report as JUnit XML. `shown` is what the user saw of each wrong unit, in the order of the units.
    pub fn junit(&self, shown: &[Option<String>]) -> String {
        let properties =
            vec![("binade", self.version.clone()), ("seed", self.seed.to_string()), ("shard", self.shard.clone())];
        let units = self.units.iter().zip(shown).map(|(unit, shown)| entry(unit, shown.as_deref())).collect();
        let (suite, seconds) = (&self.suite, self.totals.seconds);
        Document { command: "binade verify", suite, properties, seconds, units }.xml()
    }
}

impl ProofSuite {
    /// The report as JUnit XML. An open unit is an error: it is neither right nor wrong.
    pub fn junit(&self) -> String {
        let properties = vec![("binade", self.version.clone()), ("shard", self.shard.clone())];
        let units = self.units.iter().map(entry_of_proof).collect();
        let (suite, seconds) = (&self.suite, self.totals.seconds);
        Document { command: "binade prove", suite, properties, seconds, units }.xml()
    }
}

/// A report before it is written as XML.
struct Document<'a> {
    command: &'a str,
    /// The suite file.
    suite: &'a str,
    properties: Vec<(&'a str, String)>,
    seconds: f64,
    units: Vec<Entry<'a>>,
}

/// The outcome of one unit.
struct Entry<'a> {
    module: &'a str,
    outcome: Outcome,
    seconds: f64,
    /// How the unit was checked, if it was.
    checked: String,
}

/// The result of a unit: a message and a longer text.
enum Outcome {
    Good,
    Failure(String, String),
    Error(String, String),
    Skipped(String),
}

impl Document<'_> {
    fn xml(&self) -> String {
        let mut cases = TestSuite::new(self.suite);
        cases.set_time(seconds(self.seconds));
        self.properties.iter().for_each(|(name, value)| _ = cases.add_property((*name, value.as_str())));
        cases.add_test_cases(self.units.iter().map(|unit| unit.case(self.suite)));
        let mut report = Report::new(self.command);
        report.set_time(seconds(self.seconds));
        report.add_test_suite(cases);
        report.to_string().expect("the report is written into memory")
    }
}

impl Entry<'_> {
    fn case(&self, suite: &str) -> TestCase {
        let status = match &self.outcome {
            Outcome::Good => TestCaseStatus::success(),
            Outcome::Failure(message, text) => failed(NonSuccessKind::Failure, message, text),
            Outcome::Error(message, text) => failed(NonSuccessKind::Error, message, text),
            Outcome::Skipped(message) => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(message.as_str());
                status
            }
        };
        let mut case = TestCase::new(self.module, status);
        case.set_classname(suite).set_time(seconds(self.seconds));
        if !self.checked.is_empty() {
            case.add_property(("checked", self.checked.as_str()));
        }
        case
    }
}

fn entry<'a>(unit: &'a UnitResult, shown: Option<&str>) -> Entry<'a> {
    let how = if unit.hangs() { "does not answer" } else { "differs from the golden model" };
    let outcome = outcome(unit.verdict, how, shown.unwrap_or_default().into(), unit.error.clone().unwrap_or_default());
    let seconds = unit.build_seconds + unit.seconds;
    Entry { module: &unit.module, outcome, seconds, checked: unit.scope.clone() }
}

fn entry_of_proof(unit: &ProofReport) -> Entry<'_> {
    let error = unit.reason.as_ref().map(Reason::to_string).unwrap_or_default();
    let outcome = outcome(unit.verdict, "differs from the golden model", unit.shown(), error);
    Entry { module: &unit.module, outcome, seconds: unit.seconds, checked: unit.scope() }
}

/// The outcome of a unit; `how` and `shown` tell how it is wrong, `error` what a tool said.
fn outcome(verdict: Verdict, how: &str, shown: String, error: String) -> Outcome {
    match verdict {
        Verdict::Right | Verdict::Proven => Outcome::Good,
        Verdict::Wrong => Outcome::Failure(how.into(), shown),
        Verdict::Open => Outcome::Error("not proven".into(), shown),
        Verdict::Error => Outcome::Error("a tool failed".into(), error),
        Verdict::NotRun => Outcome::Skipped("interrupted before".into()),
    }
}

fn failed(kind: NonSuccessKind, message: &str, description: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(message).set_description(description);
    status
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Totals;

    #[test]
    fn every_verdict_has_its_entry() {
        let unit = |module: &str, verdict, error: Option<&str>| {
            UnitResult::without_report(module, verdict, error.map(String::from))
        };
        let units = vec![
            unit("one", Verdict::Right, None),
            unit("two", Verdict::Wrong, None),
            unit("three", Verdict::Error, Some("the compiler <said> no")),
            unit("four", Verdict::NotRun, None),
        ];
        let suite = SuiteReport {
            version: "1".into(),
            suite: "s.toml".into(),
            seed: 1,
            shard: "1/1".into(),
            run: String::new(),
            total: 4,
            units,
            totals: Totals::default(),
        };
        let text = suite.counted(1.5).junit(&[None, Some("mismatch in two".into()), None, None]);
        for part in [
            r#"tests="4" skipped="1" failures="1" errors="1" time="1.500""#,
            r#"<failure message="differs from the golden model">mismatch in two</failure>"#,
            r#"<error message="a tool failed">the compiler &lt;said&gt; no</error>"#,
            r#"<skipped message="interrupted before"/>"#,
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
    }
}
