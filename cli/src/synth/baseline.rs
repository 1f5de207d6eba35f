//! `--baseline`: compares with an earlier run.

use crate::failure::Failure;
use crate::output;
use binade_synth::MappedReport;
use binade_synth::baseline::{self, Changes, Recorded};
use binade_synth::pnr::RoutedReport;
use std::path::{Path, PathBuf};

/// The number of hash digits shown.
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

    /// Prints what changed. Fails if something got worse, or if nothing can be compared.
    pub fn judge(&self, reports: &[MappedReport]) -> Result<(), Failure> {
        let path = self.path.display();
        let tool = &reports[0].tool;
        if let Some(other) = self.recorded.iter().find(|recorded| recorded.tool != *tool) {
            return Err(Failure::Usage(format!(
                "--baseline `{path}`: measured with {}, this run with {tool}; only figures of one version can be compared",
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
        conclude(&self.path, &baseline::changes(&self.recorded, reports), reports.len())
    }
}

/// An earlier run with `--pnr`.
pub struct Clocks {
    path: PathBuf,
    recorded: Vec<RoutedReport>,
}

impl Clocks {
    pub fn read(path: &Path) -> Result<Clocks, Failure> {
        let recorded = serde_json::from_str(&output::read_text(path)?).map_err(|error| {
            Failure::Usage(format!("--baseline `{}`: not what `synth --pnr --json` prints: {error}", path.display()))
        })?;
        Ok(Clocks { path: path.into(), recorded })
    }

    /// Prints which clocks changed. Fails if a clock got slower, or if nothing can be compared.
    pub fn judge(&self, reports: &[RoutedReport]) -> Result<(), Failure> {
        let how = |report: &RoutedReport| {
            let seeds = output::counted(report.seeds.len(), "seed");
            format!("{}, {} and {seeds}", report.yosys, report.nextpnr)
        };
        for report in reports {
            let same_device = |recorded: &&RoutedReport| recorded.target == report.target;
            let other = self.recorded.iter().filter(same_device).find(|recorded| how(recorded) != how(report));
            if let Some(other) = other {
                return Err(Failure::Usage(format!(
                    "--baseline `{}`: measured with {}, this run with {}; only clocks of the same versions and seeds can be compared",
                    self.path.display(),
                    how(other),
                    how(report)
                )));
            }
        }
        conclude(&self.path, &baseline::changes_of_clocks(&self.recorded, reports), reports.len())
    }
}

/// Prints what changed since the run in `path`, of `units` units.
fn conclude(path: &Path, changes: &Changes, units: usize) -> Result<(), Failure> {
    let path = path.display();
    let Changes { worse, better, new, gone } = changes;
    if new.len() == units {
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
