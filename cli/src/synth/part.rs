//! Measurements in parts: the options that divide a run, and what is printed of a part.

use crate::failure::Failure;
use crate::output;
use binade_campaign::{Division, Jobs, Measured};
use binade_generator::GeneratedUnit;
use binade_sim::Shard;
use clap::Args;
use serde::Serialize;
use std::fmt::Display;

#[derive(Args, Clone, Debug, Default)]
pub struct PartOptions {
    /// Resume this run after a kill or an interrupt
    #[arg(long)]
    resume: bool,
    /// Measure one part of the run, such as 2/4; `binade merge` merges the reports (--json) of all parts
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Whether to measure a suite anew; none if figures are not kept.
    #[arg(skip)]
    is_fresh: Option<bool>,
}

/// What to measure; `setting` contains everything else that affects the figures.
pub fn jobs<'u, Target: Copy + Display>(
    all: Vec<(&'u GeneratedUnit, Target)>,
    setting: &str,
    options: &PartOptions,
) -> Result<Jobs<'u, 'static, Target>, Failure> {
    let PartOptions { resume, shard, is_fresh } = *options;
    let division = Division { shard, resume, is_fresh, say: &|sentence| output::say(sentence) };
    Jobs::new(all, setting, division).map_err(Failure::Usage)
}

/// The reports as JSON; for a part, with its identity.
pub fn json<Report: Serialize + Clone>(measured: &Measured<Report>) -> String {
    match measured.part() {
        None => output::plain_json(&measured.reports),
        Some(part) => output::json(&part),
    }
}

impl PartOptions {
    /// The options for a suite, whose figures are kept; `is_fresh` measures them anew.
    pub fn of_suite(&self, is_fresh: bool) -> PartOptions {
        PartOptions { is_fresh: Some(is_fresh), ..self.clone() }
    }

    /// The requested part.
    pub fn shard(&self) -> Option<Shard> {
        self.shard
    }
}

/// Prints a sentence on stderr.
pub fn say_what_was_measured(shard: Shard, measured: usize, total: usize) {
    output::say(format_args!("part {shard}: {} of {total}", output::counted(measured, "measurement")));
}
