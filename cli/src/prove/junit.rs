//! Proofs as JUnit XML, which build servers show.

use super::report::{Report, Verdict};
use super::tally::{ProofSuite, Totals};
use crate::failure::Failure;
use crate::verify::{Document, Entry, Outcome};
use std::path::Path;

/// Writes the report of a single unit, as that of a suite of one.
pub fn write_unit(path: &Path, report: &Report) -> Result<(), Failure> {
    let suite = ProofSuite {
        version: env!("CARGO_PKG_VERSION").into(),
        suite: "binade prove".into(),
        shard: "1/1".into(),
        run: String::new(),
        total: 1,
        units: vec![report.clone()],
        totals: Totals::default(),
    };
    write(path, &suite.counted(report.seconds))
}

/// Writes the report: what is open is no failure of the unit, but not good either.
pub fn write(path: &Path, suite: &ProofSuite) -> Result<(), Failure> {
    let document = Document {
        command: "binade prove",
        suite: &suite.suite,
        properties: vec![("binade", suite.version.clone()), ("shard", suite.shard.clone())],
        seconds: suite.totals.seconds,
        units: suite.units.iter().map(entry).collect(),
    };
    document.write(path)
}

fn entry(unit: &Report) -> Entry<'_> {
    let outcome = match unit.verdict {
        Verdict::Proven => Outcome::Good,
        Verdict::Wrong => Outcome::Failure("differs from the golden model".into(), unit.shown()),
        Verdict::Open => Outcome::Error("not proven".into(), unit.shown()),
        Verdict::Error => Outcome::Error("a tool failed".into(), unit.reason.clone().unwrap_or_default()),
        Verdict::NotRun => Outcome::Skipped("interrupted before".into()),
    };
    Entry { module: &unit.module, outcome, seconds: unit.seconds, checked: unit.scope() }
}
