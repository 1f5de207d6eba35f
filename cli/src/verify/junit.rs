//! The outcome as JUnit XML, which build servers show: a test case for each unit.

use super::tally::{SuiteReport, Totals, UnitResult, Verdict};
use crate::failure::Failure;
use crate::output;
use clap::Args;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args, Clone, Debug)]
pub struct JunitOptions {
    /// Write the outcome as JUnit XML, too
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

impl JunitOptions {
    /// Where the report goes. Asked before a run that may take an hour, so that a misspelt folder is seen.
    pub fn file(&self) -> Result<Option<PathBuf>, Failure> {
        let Some(given) = &self.junit else { return Ok(None) };
        let path = std::path::absolute(given).map_err(|error| Failure::file("write", given, error))?;
        if path.parent().is_some_and(Path::is_dir) {
            return Ok(Some(path));
        }
        Err(Failure::File(format!("cannot write `{}`: there is no such folder", given.display())))
    }
}

/// Writes the report of a single unit, as that of a suite of one.
pub fn write_unit(path: &Path, report: &super::Report) -> Result<(), Failure> {
    let unit = UnitResult::of(serde_json::to_value(report).expect("reports are plain data"));
    let verification = &report.verification;
    let suite = SuiteReport {
        version: verification.version.into(),
        suite: "binade verify".into(),
        seed: verification.seed,
        shard: verification.shard.clone(),
        run: verification.run.clone(),
        total: 1,
        units: vec![unit],
        totals: Totals::default(),
    };
    write(path, &suite.counted(verification.build_seconds + verification.seconds), &[report.shown()])
}

/// Writes the report. `shown` is what the user saw of each unit that is wrong, in the order of the units.
pub fn write(path: &Path, suite: &SuiteReport, shown: &[Option<String>]) -> Result<(), Failure> {
    let document = Document {
        command: "binade verify",
        suite: &suite.suite,
        properties: vec![
            ("binade", suite.version.clone()),
            ("seed", suite.seed.to_string()),
            ("shard", suite.shard.clone()),
        ],
        seconds: suite.totals.seconds,
        units: suite.units.iter().zip(shown).map(|(unit, shown)| entry(unit, shown.as_deref())).collect(),
    };
    document.write(path)
}

/// A report before it is XML.
pub struct Document<'a> {
    pub command: &'a str,
    /// The file of the suite.
    pub suite: &'a str,
    pub properties: Vec<(&'a str, String)>,
    pub seconds: f64,
    pub units: Vec<Entry<'a>>,
}

/// What there is to say of one unit.
pub struct Entry<'a> {
    pub module: &'a str,
    pub outcome: Outcome,
    pub seconds: f64,
    /// How it was checked, if it was.
    pub checked: String,
}

/// What came of a unit: a message, and a longer text.
pub enum Outcome {
    Good,
    Failure(String, String),
    Error(String, String),
    Skipped(String),
}

impl Document<'_> {
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        let mut cases = TestSuite::new(self.suite);
        cases.set_time(seconds(self.seconds));
        self.properties.iter().for_each(|(name, value)| _ = cases.add_property((*name, value.as_str())));
        cases.add_test_cases(self.units.iter().map(|unit| unit.case(self.suite)));
        let mut report = Report::new(self.command);
        report.set_time(seconds(self.seconds));
        report.add_test_suite(cases);
        let text = report.to_string().expect("the report is written into memory");
        output::write_files(&[(path, text.as_bytes())])
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
    let text = |text: Option<&str>| text.unwrap_or_default().to_string();
    let outcome = match unit.verdict {
        Verdict::Right => Outcome::Good,
        Verdict::Wrong => {
            let message = if unit.hangs() { "does not answer" } else { "differs from the golden model" };
            Outcome::Failure(message.into(), text(shown))
        }
        Verdict::Error => Outcome::Error("a tool failed".into(), text(unit.error.as_deref())),
        Verdict::NotRun => Outcome::Skipped("interrupted before".into()),
    };
    let seconds = unit.build_seconds + unit.seconds;
    Entry { module: &unit.module, outcome, seconds, checked: unit.scope.clone() }
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
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.xml");
        write(&path, &suite.counted(1.5), &[None, Some("mismatch in two".into()), None, None]).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
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
