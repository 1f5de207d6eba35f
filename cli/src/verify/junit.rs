//! The option that writes the outcome as JUnit XML for build servers.

use crate::failure::Failure;
use binade_campaign::{SuiteReport, Totals, UnitResult};
use binade_verdict::Report;
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Args, Clone, Debug)]
pub struct JunitOptions {
    /// Also write the outcome as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

impl JunitOptions {
    /// The path of the report. Checked before a run that may take an hour, so that a misspelt folder fails early.
    pub fn file(&self) -> Result<Option<PathBuf>, Failure> {
        let Some(given) = &self.junit else { return Ok(None) };
        let path = std::path::absolute(given).map_err(|error| Failure::file("write", given, error))?;
        if path.parent().is_some_and(Path::is_dir) {
            return Ok(Some(path));
        }
        Err(Failure::File(format!("cannot write `{}`: there is no such folder", given.display())))
    }
}

/// The report of a single unit as a suite of one unit.
pub fn of_unit(report: &Report) -> String {
    let unit = UnitResult::of(report);
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
    suite.counted(verification.build_seconds + verification.seconds).junit(&[report.shown()])
}
