//! Makes a run resumable: a ledger notes what has been checked, under a name derived from everything that determines the run.

use super::chunks::ChunkLoop;
use super::ledger::{Done, Ledger, ResumeError};
use super::portion::{Chunks, Shard};
use super::setup::Run;
use binade_tools::Tools;
use binade_tools::checksummed;
use std::path::PathBuf;

/// One run, with its chunks and its ledger.
pub(crate) struct Campaign<'a> {
    run: Run<'a>,
    chunks: Chunks,
    earlier: Done,
    ledger: Ledger<'a>,
    /// A note about an earlier run for the user.
    note: Option<String>,
}

impl<'a> Campaign<'a> {
    /// `engine` is the engine with its version.
    pub fn open(tools: &Tools, run: Run<'a>, engine: String) -> Campaign<'a> {
        let chunks = Chunks::of(run.plan, run.portion.shard());
        let key = move || {
            let shard = run.portion.shard().to_string();
            checksummed::key([run.identity().as_str(), checksummed::program(), &engine, &shard])
        };
        let ledger = Ledger::new(tools.cache().runs(), key);
        let mut campaign = Campaign { run, chunks, earlier: Done::default(), ledger, note: None };
        if run.portion.resumes() {
            match campaign.ledger.resume(&chunks) {
                Ok(done) => campaign.earlier = done,
                Err(ResumeError::Nothing) => {}
                Err(error) => campaign.note = Some(error.to_string()),
            }
        }
        campaign
    }

    /// Vectors that an earlier run has checked.
    pub fn resumed(&self) -> u64 {
        self.earlier.vectors(&self.chunks)
    }

    /// The remaining chunks.
    pub fn chunk_loop<'s>(&'s self, progress: &'s (dyn Fn(u64) + Sync)) -> ChunkLoop<'s, 'a> {
        ChunkLoop {
            chunks: self.chunks,
            earlier: self.earlier.clone(),
            ledger: Some(&self.ledger),
            progress,
            observer: None,
        }
    }

    /// The part of the plan that is checked, in words.
    pub fn scope(&self) -> String {
        let (plan, shard) = (self.run.plan.describe(), self.run.portion.shard());
        match shard {
            Shard::WHOLE => plan,
            _ => format!("part {shard} ({} vectors) of {plan}", self.chunks.total()),
        }
    }

    /// Notes for the user besides the result.
    pub fn notes(&self) -> Vec<String> {
        self.note.iter().cloned().chain(self.ledger.problem()).collect()
    }
}

/// What an interrupted run has left for `--resume`: the number of vectors checked, and the ledger.
pub(crate) fn resumable(tools: &Tools, run: Run, engine: String) -> Option<(u64, PathBuf)> {
    let campaign = Campaign::open(tools, run, engine);
    match campaign.ledger.resume(&campaign.chunks) {
        Ok(done) => Some((done.vectors(&campaign.chunks), campaign.ledger.path())),
        Err(ResumeError::Nothing | ResumeError::Damaged(_) | ResumeError::Unreadable { .. }) => None,
    }
}
