//! One unit against the golden model.

use super::campaign::{self, Campaign, identity};
use super::chunks::ChunkLoop;
use super::portion::Portion;
use crate::coverage::Observer;
use crate::engines::{Engine, Prepared};
use crate::vectors::Plan;
use crate::verdict::{Evidence, Verification};
use binade_generator::GeneratedUnit;
use binade_tools::{Error, Tools};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// What is checked.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The unit.
    pub unit: &'a GeneratedUnit,
    /// The vectors.
    pub plan: &'a Plan,
    /// Which part of the plan is checked.
    pub portion: Portion,
    /// What evaluates the unit.
    pub engine: Engine<'a>,
    /// Whether coverage is counted, which makes the run slower.
    pub coverage: bool,
}

impl<'a> Run<'a> {
    /// The unit's Verilog on all of these vectors.
    pub fn new(unit: &'a GeneratedUnit, plan: &'a Plan) -> Run<'a> {
        Run { unit, plan, portion: Portion::WHOLE, engine: Engine::Verilator, coverage: false }
    }

    pub(super) fn identity(&self) -> String {
        identity(self.unit, self.plan.choice(), self.plan.seed())
    }
}

/// Prepares the engine and checks the unit against the golden model.
/// `progress` is told of vectors as they are checked, from several threads.
///
/// A run of more than a second notes what it has checked below [`Tools::cache_dir`]; a run that is killed can be
/// resumed from there ([`Portion::new`]).
///
/// # Errors
/// When a tool of the engine is missing or fails, and after Ctrl-C. A unit that is wrong is no error.
pub fn verify(tools: &Tools, run: Run, progress: &(dyn Fn(u64) + Sync)) -> Result<Verification, Error> {
    let Run { unit, plan, portion, engine, coverage } = run;
    let started = Instant::now();
    let prepared = Prepared::new(tools, run)?;
    let build_seconds = started.elapsed().as_secs_f64();

    let started = Instant::now();
    let tool = engine.describe(tools)?;
    let campaign = Campaign::open(tools, run, tool.clone());
    let resumed = campaign.resumed();
    progress(resumed);
    let observer = coverage.then(|| Observer::new(&unit.design.operation, plan));
    // A run ends at the first mismatch, so what is counted is what was evaluated.
    let checked = AtomicU64::new(0);
    let counted = |vectors: u64| {
        checked.fetch_add(vectors, Ordering::Relaxed);
        progress(vectors);
    };
    let chunks = ChunkLoop { observer: observer.as_ref(), ..campaign.chunk_loop(&counted) };
    let (counterexample, mismatch) = prepared.check(&chunks, run)?;
    let is_everything = plan.is_exhaustive() && portion == Portion::WHOLE;
    let seconds = started.elapsed().as_secs_f64();
    let checked = checked.into_inner();
    let evidence = counterexample.as_ref().map(|found| Evidence::new(&unit.design, plan, found, mismatch.as_ref()));
    Ok(Verification {
        version: env!("CARGO_PKG_VERSION"),
        module: unit.module.clone(),
        plan: plan.describe(),
        scope: campaign.scope(),
        total: plan.total(),
        shard: portion.shard().to_string(),
        run: run.identity(),
        checked: resumed + checked,
        resumed,
        seconds,
        rate: checked as f64 / seconds,
        build_seconds,
        cached: prepared.is_cached(),
        seed: plan.seed(),
        tool,
        coverage: observer.map(|observer| observer.coverage(is_everything && counterexample.is_none())),
        mismatch,
        evidence,
        options: plan.options(),
        violation: counterexample.and_then(|found| found.violation),
        notes: campaign.notes(),
    })
}

/// What a run that was interrupted has left to be resumed: how many vectors are checked, and the file that says so.
///
/// # Errors
/// When Verilator is the engine and is missing or too old.
pub fn resumable(tools: &Tools, run: Run) -> Result<Option<(u64, PathBuf)>, Error> {
    Ok(campaign::resumable(tools, run, run.engine.describe(tools)?))
}
