//! Compares one unit with the golden model.

use super::campaign::{self, Campaign, identity};
use super::chunks::ChunkLoop;
use super::portion::Portion;
use crate::Subject;
use crate::engines::lanes::SAMPLED;
use crate::engines::verilator::{Dut, Standstill, Watches};
use crate::engines::{Engine, Found, Prepared};
use crate::verdict::{Evidence, Tolerance, Verification};
use binade_circuit::Interface;
use binade_gates::Graph;
use binade_spec::contract::ControlPorts;
use binade_spec::{Operation, Word};
use binade_stimulus::BLOCK;
use binade_stimulus::coverage::Observer;
use binade_stimulus::words::named;
use binade_stimulus::{Choice, Plan};
use binade_tools::checksummed;
use binade_tools::{Error, Tools, interrupted};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often a compiled model is inspected.
const LOOK: Duration = Duration::from_millis(50);

/// How long a vector may take after Ctrl-C.
const PATIENCE: Duration = Duration::from_secs(1);

/// What a run checks, and how.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The module and its operation.
    pub subject: Subject<'a>,
    /// The vectors.
    pub plan: &'a Plan,
    /// Which part of the plan is checked.
    pub portion: Portion,
    /// How the unit is evaluated.
    pub engine: Engine<'a>,
    /// For gates only: a specification with the unit's operands and results as ports, without registers. It answers in place of the golden
    /// model, which then checks one vector in a million. The vectors of [`Plan::in_planes`] are fast then.
    pub against: Option<&'a Graph>,
    /// Whether coverage is counted, which slows the run down.
    pub coverage: bool,
    /// Which results are right besides the golden model's.
    pub tolerance: Tolerance,
    /// Watches a compiled model.
    pub watchdog: Option<Watchdog<'a>>,
}

/// An identifier that all parts of one run share and no other run has, like [`identity`], with a user's module and policies.
pub fn identity_of<'s>(subject: impl Into<Subject<'s>>, choice: &Choice, seed: u64, tolerance: Tolerance) -> String {
    let subject = subject.into();
    let identity = identity(subject, choice, seed);
    if subject.dut.is_none() && tolerance.is_none() {
        return identity;
    }
    checksummed::key([identity.as_str(), subject.dut.map_or("", Dut::key), &tolerance.to_string()])
}

/// Watches a compiled model that may loop forever, or longer than a user waits after Ctrl-C.
#[derive(Clone, Copy)]
pub struct Watchdog<'a> {
    /// How long a vector may take.
    pub limit: Duration,
    /// Called when a vector takes longer. A model cannot be stopped, so the process must be.
    pub bark: &'a (dyn Fn(&Hang) + Sync),
}

/// A vector that a model does not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hang {
    /// Number of the vector in its plan.
    pub index: u64,
    /// Names and codes of the operands; none before the first vector.
    pub operands: Vec<[String; 2]>,
    /// How long the watchdog waited.
    pub limit: Duration,
    /// Whether the user has pressed Ctrl-C.
    pub is_interrupted: bool,
}

impl<'a> Run<'a> {
    /// A run of all these vectors on the module's Verilog.
    pub fn new(subject: impl Into<Subject<'a>>, plan: &'a Plan) -> Run<'a> {
        Run {
            subject: subject.into(),
            plan,
            portion: Portion::WHOLE,
            engine: Engine::Verilator,
            against: None,
            coverage: false,
            tolerance: Tolerance::default(),
            watchdog: None,
        }
    }

    pub(super) fn identity(&self) -> String {
        let identity = identity_of(self.subject, self.plan.choice(), self.plan.seed(), self.tolerance);
        match self.against {
            None => identity,
            Some(_) => checksummed::key([identity.as_str(), "against the specification"]),
        }
    }
}

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
        Interface::Plain => subject.dut.map_or(ControlPorts::ALL, |dut| dut.controls).disturbances(),
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

impl Watchdog<'_> {
    /// Runs `work` while another thread watches the instances; `place` gives the number and the operands of the vector at which an instance
    /// is stuck.
    pub(crate) fn over<Output>(
        self,
        watches: &Watches,
        place: impl Fn(Standstill) -> (u64, Vec<[String; 2]>) + Send,
        work: impl FnOnce() -> Output,
    ) -> Output {
        let (done, is_done) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                while is_done.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                    let is_interrupted = interrupted();
                    let limit = if is_interrupted { self.limit.min(PATIENCE) } else { self.limit };
                    if let Some(still) = watches.standstill(limit) {
                        let (index, operands) = place(still);
                        (self.bark)(&Hang { index, operands, limit, is_interrupted });
                    }
                }
            });
            let output = work();
            drop(done);
            output
        })
    }
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
