//! What makes a run resumable: the file that notes what it has checked, under a name that everything which decides the
//! run has a part in.

use super::chunks::ChunkLoop;
use super::ledger::{Done, Ledger, ResumeError};
use super::portion::{Chunks, Shard};
use super::verify::Run;
use crate::Subject;
use binade_generator::GeneratedUnit;
use binade_stimulus::Choice;
use binade_tools::Tools;
use binade_tools::checksummed;
use std::path::PathBuf;

/// One run, with its chunks and its ledger.
pub(crate) struct Campaign<'a> {
    run: Run<'a>,
    chunks: Chunks,
    earlier: Done,
    ledger: Ledger<'a>,
    /// What the user should know of an earlier run.
    note: Option<String>,
}

impl<'a> Campaign<'a> {
    /// `engine` is what evaluates the unit, with its version.
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

    /// The chunks that are left.
    pub fn chunk_loop<'s>(&'s self, progress: &'s (dyn Fn(u64) + Sync)) -> ChunkLoop<'s, 'a> {
        ChunkLoop {
            chunks: self.chunks,
            earlier: self.earlier.clone(),
            ledger: Some(&self.ledger),
            progress,
            observer: None,
        }
    }

    /// What is checked of the plan, in words.
    pub fn scope(&self) -> String {
        let (plan, shard) = (self.run.plan.describe(), self.run.portion.shard());
        match shard {
            Shard::WHOLE => plan,
            _ => format!("part {shard} ({} vectors) of {plan}", self.chunks.total()),
        }
    }

    /// What the user should know beside the result.
    pub fn notes(&self) -> Vec<String> {
        self.note.iter().cloned().chain(self.ledger.problem()).collect()
    }
}

/// What a run that was interrupted has left for `--resume`: how many vectors are checked, and the file that says so.
pub(crate) fn resumable(tools: &Tools, run: Run, engine: String) -> Option<(u64, PathBuf)> {
    let campaign = Campaign::open(tools, run, engine);
    match campaign.ledger.resume(&campaign.chunks) {
        Ok(done) => Some((done.vectors(&campaign.chunks), campaign.ledger.path())),
        Err(ResumeError::Nothing | ResumeError::Damaged(_) | ResumeError::Unreadable { .. }) => None,
    }
}

/// A word that is the same for the parts of one run, on any machine, and for nothing else: of the unit, what was asked
/// for, and the seed.
pub fn identity<'s>(subject: impl Into<Subject<'s>>, choice: &Choice, seed: u64) -> String {
    let Subject { operation, latency, interface, module, verilog, circuit, .. } = subject.into();
    let (asked, vectors) = (format!("{operation:?}, {latency}, {interface:?}"), format!("{choice:?}, seed {seed}"));
    let circuit = circuit.map_or(String::new(), |netlist| checksummed::digest(&(netlist, latency)));
    checksummed::key([env!("CARGO_PKG_VERSION"), &asked, module, verilog, &circuit, &vectors])
}

/// A word that only this circuit has, with its registers: two circuits might be printed as the same text.
pub fn circuit_identity(unit: &GeneratedUnit) -> String {
    checksummed::digest(&(&unit.netlist, unit.design.stages))
}

/// A word that is the same for the parts of several runs together, given the [`identity`] of each, and for nothing
/// else.
pub fn joint_identity(runs: &[&str]) -> String {
    checksummed::key(runs)
}
