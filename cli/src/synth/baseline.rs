//! `--baseline`: whether units got worse since an earlier run.

use crate::failure::Failure;
use crate::output;
use binade_synth::Report;
use binade_synth::baseline::{self, Changes, Recorded};
use std::path::{Path, PathBuf};

/// How much of a hash is shown.
const SHOWN_HASH: usize = 12;

/// An earlier run.
pub struct Baseline {
    path: PathBuf,
    recorded: Vec<Recorded>,
}

impl Baseline {
    pub fn read(path: &Path) -> Result<Baseline, Failure> {
        let text = output::read_text(path)?;
        let recorded = baseline::read(&text).map_err(|error| {
            Failure::Usage(format!("--baseline `{}`: not what `synth --json` prints: {error}", path.display()))
        })?;
        Ok(Baseline { path: path.into(), recorded })
    }

    /// Says what changed; a failure if something got worse, or if nothing can be compared.
    pub fn judge(&self, reports: &[Report]) -> Result<(), Failure> {
        let path = self.path.display();
        let tool = &reports[0].tool;
        if let Some(other) = self.recorded.iter().find(|recorded| recorded.tool != *tool) {
            return Err(Failure::Usage(format!(
                "--baseline `{path}`: measured with {}, this run with {tool}; only figures of one version compare",
                other.tool
            )));
        }
        let kit = reports.iter().find_map(|report| report.kit.as_ref());
        let other = self.recorded.iter().find_map(|recorded| recorded.kit.as_ref());
        if let (Some(kit), Some(other)) = (kit, other)
            && kit != other
        {
            return Err(Failure::Usage(format!(
                "--baseline `{path}`: measured with the cells of {other} (files {}), this run with {kit} (files {}); only figures of \
                 one kit, driver and load compare",
                &other.sha256[..SHOWN_HASH.min(other.sha256.len())],
                &kit.sha256[..SHOWN_HASH]
            )));
        }
        let Changes { worse, better, new, gone } = baseline::changes(&self.recorded, reports);
        if new.len() == reports.len() {
            return Err(Failure::Usage(format!("--baseline `{path}`: it has none of these units on these targets")));
        }
        worse.iter().for_each(|change| output::say(format_args!("worse: {change}")));
        better.iter().for_each(|change| output::say(format_args!("better: {change}")));
        new.iter().for_each(|unit| output::say(format_args!("not in the baseline: {unit}")));
        gone.iter().for_each(|unit| output::say(format_args!("only in the baseline: {unit}")));
        let (worse, better) = (worse.len(), better.len());
        output::say(format_args!("against `{path}`: {worse} figures worse by more than 2 %, {better} better"));
        if worse > 0 { Err(Failure::Worse) } else { Ok(()) }
    }
}
