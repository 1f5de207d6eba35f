//! The options that divide a run, or resume a killed one.

use crate::failure::Failure;
use crate::output;
use binade_sim::{Plan, Portion, Run, Shard};
use binade_tools::{Error, Tools};
use clap::Args;

#[derive(Args, Clone, Debug)]
pub struct CampaignOptions {
    /// Resume this run after a kill or an interrupt
    // Coverage bins of resumed chunks are not noted.
    #[arg(long, conflicts_with = "coverage")]
    pub resume: bool,
    /// Check one part, such as 2/4, of a unit's vectors or of a suite's units; `binade merge` merges the reports of all parts
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE, hide_default_value = true)]
    pub shard: Shard,
}

impl CampaignOptions {
    /// The part of a unit's vectors.
    pub fn portion(&self, plan: &Plan) -> Result<Portion, Failure> {
        Portion::new(plan, self.shard, self.resume).map_err(|error| Failure::Usage(error.to_string()))
    }
}

/// Tells the user about a run that ended early, before the failure is reported.
pub fn say_what_is_kept(tools: &Tools, run: Run, error: &Error) {
    if let Error::Interrupted = error
        && !run.coverage
        && let Ok(Some((vectors, file))) = binade_sim::resumable(tools, run)
    {
        output::say(format_args!(
            "{vectors} vectors of {} were checked, as `{}` notes; the same command with --resume goes on from there",
            run.plan.describe(),
            file.display()
        ));
    }
}

/// Tells the user what `--resume` found.
pub fn say_what_was_resumed(run: Run, resumed: u64) {
    match (run.portion.resumes(), resumed) {
        (false, _) => {}
        (true, 0) => output::say("note: there is no unfinished run to resume; everything was checked now"),
        (true, vectors) => output::say(format_args!("note: {vectors} vectors were checked by an earlier run")),
    }
}
