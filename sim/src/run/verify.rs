//! Compares one unit with the golden model.

use super::campaign::{self, Campaign};
use super::chunks::ChunkLoop;
use super::portion::Portion;
use super::setup::Run;
use crate::engines::lanes::SAMPLED;
use crate::engines::verilator::Standstill;
use crate::engines::{Found, Prepared};
use crate::verdict::{Evidence, Verification};
use binade_circuit::Interface;
use binade_spec::contract::ControlPorts;
use binade_spec::{Operation, Word};
use binade_stimulus::BLOCK;
use binade_stimulus::coverage::Observer;
use binade_stimulus::words::named;
use binade_tools::{Error, Tools};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Prepares the engine and compares the unit with the golden model. `progress` is called with numbers of checked vectors, from several
/// threads.
///
/// A run of more than a second notes what it has checked below [`Tools::cache`]; it can be resumed from there after a kill
/// ([`Portion::new`]).
///
/// # Errors
/// When a tool of the engine is missing or fails, and after Ctrl-C. A wrong unit is not an error.
pub fn verify(tools: &Tools, run: Run, progress: &(dyn Fn(u64) + Sync)) -> Result<Verification, Error> {
    let Run { subject, plan, portion, engine, coverage, .. } = run;
    let started = Instant::now();
    let prepared = Prepared::new(tools, run)?;
    let build_seconds = started.elapsed().as_secs_f64();

    let started = Instant::now();
    let tool = engine.describe(tools)?;
    let campaign = Campaign::open(tools, run, tool.clone());
    let resumed = campaign.resumed();
    progress(resumed);
    let observer = coverage.then(|| Observer::new(subject.operation, plan));
    // A run ends at the first mismatch, so the vectors counted are those evaluated.
    let checked = AtomicU64::new(0);
    let counted = |vectors: u64| {
        checked.fetch_add(vectors, Ordering::Relaxed);
        progress(vectors);
    };
    let chunks = ChunkLoop { observer: observer.as_ref(), ..campaign.chunk_loop(&counted) };
    let Found { counterexample, mismatch, dissent } = watched(run, &prepared, || prepared.check(&chunks, run))?;
    let is_everything = plan.is_exhaustive() && portion == Portion::WHOLE;
    let seconds = started.elapsed().as_secs_f64();
    let checked = checked.into_inner();
    let evidence = match &counterexample {
        Some(found) => Evidence::new(subject, plan, found, mismatch.as_ref()),
        None => Evidence::of_first(subject, plan),
    };
    Ok(Verification {
        version: env!("CARGO_PKG_VERSION"),
        module: subject.dut.map_or(subject.module, |dut| &dut.top).into(),
        plan: plan.describe(),
        scope: campaign.scope(),
        exhaustive: plan.is_exhaustive(),
        disturbances: disturbances(run),
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
        against: run.against.map(|_| format!("the specification circuit, 1 vector in {SAMPLED} the golden model, too")),
        dissent,
        mismatch,
        evidence: Some(evidence),
        found: counterexample.as_ref().map(|found| describe(subject.operation, found.index, &found.operands)),
        tolerance: run.tolerance,
        options: plan.options(),
        violation: counterexample.and_then(|found| found.violation),
        notes: campaign.notes(),
    })
}

/// The random disturbances of a clocked unit.
fn disturbances(run: Run) -> Option<String> {
    let subject = run.subject;
    match subject.interface {
        Interface::Plain if !subject.is_clocked() => None,
        Interface::Plain => {
            let ports = subject.dut.map_or(ControlPorts::ALL, |dut| dut.controls);
            ports.disturbances(subject.operation.has_state())
        }
        Interface::ReadyValid | Interface::AxiStream => Some("waits on both sides and resets".into()),
    }
}

/// Runs `work` while another thread watches the model.
fn watched<Output>(run: Run, prepared: &Prepared, work: impl FnOnce() -> Output) -> Output {
    let (Some(watchdog), Some(watches)) = (run.watchdog, prepared.watches()) else { return work() };
    let place =
        |still: Standstill| describe(run.subject.operation, still.block * BLOCK as u64 + still.vector, &still.operands);
    watchdog.over(watches, place, work)
}

/// A vector's number, and the names and codes of its operands.
pub(crate) fn describe(operation: &Operation, index: u64, operands: &[Word]) -> (u64, Vec<[String; 2]>) {
    (index, named(&operation.inputs(), operands))
}

/// What an interrupted run has left for resuming: the number of vectors checked, and the ledger.
///
/// # Errors
/// When Verilator is the engine and is missing or too old.
pub fn resumable(tools: &Tools, run: Run) -> Result<Option<(u64, PathBuf)>, Error> {
    Ok(campaign::resumable(tools, run, run.engine.describe(tools)?))
}
