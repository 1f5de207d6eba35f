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
    let mut cases = TestSuite::new(suite.suite.as_str());
    cases.set_time(seconds(suite.totals.seconds));
    cases.add_property(("binade", suite.version.as_str()));
    cases.add_property(("seed", suite.seed.to_string().as_str()));
    cases.add_property(("shard", suite.shard.as_str()));
    cases.add_test_cases(suite.units.iter().zip(shown).map(|(unit, shown)| case(suite, unit, shown.as_deref())));
    let mut report = Report::new("binade verify");
    report.set_time(seconds(suite.totals.seconds));
    report.add_test_suite(cases);
    let text = report.to_string().expect("the report is written into memory");
    output::write_files(&[(path, text.as_bytes())])
}

fn case(suite: &SuiteReport, unit: &UnitResult, shown: Option<&str>) -> TestCase {
    let status = match unit.verdict {
        Verdict::Right => TestCaseStatus::success(),
        Verdict::Wrong => {
            let message = if unit.hangs() { "does not answer" } else { "differs from the golden model" };
            failed(NonSuccessKind::Failure, message, shown.unwrap_or_default())
        }
        Verdict::Error => failed(NonSuccessKind::Error, "a tool failed", unit.error.as_deref().unwrap_or_default()),
        Verdict::NotRun => {
            let mut status = TestCaseStatus::skipped();
            status.set_message("interrupted before");
            status
        }
    };
    let mut case = TestCase::new(unit.module.as_str(), status);
    case.set_classname(suite.suite.as_str()).set_time(seconds(unit.build_seconds + unit.seconds));
    if !unit.scope.is_empty() {
        case.add_property(("checked", unit.scope.as_str()));
    }
    case
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
