//! Runs a generated unit and checks it against the golden model.
//!
//! | file | what it holds |
//! |---|---|
//! | `plan.rs` | [`Plan`]: which vectors are checked |
//! | `order.rs` | in which order all combinations come |
//! | `coverage/` | [`Coverage`]: which kinds of vectors were checked |
//! | `corners.rs` | directed vectors: class pairs, binade edges, ties and their neighbours, cancellation |
//! | `stimulus.rs` | the vectors of a plan, block by block |
//! | `portion.rs` | [`Portion`] and [`Shard`]: which part of a plan a run checks, in which chunks |
//! | `sweep.rs` | the loop over the chunks, on all cores |
//! | `ledger.rs`, `campaign.rs` | what a run has checked so far, and how a later one goes on from there |
//! | `roll.rs` | [`Roll`]: the same for the units of a suite |
//! | `scoreboard.rs` | unit against golden model, block by block |
//! | `violation.rs` | [`Violation`]: what a pipelined unit can do wrong at a clock |
//! | `shrink.rs` | from the vector found to a simple one that fails, too |
//! | `evidence.rs` | [`Evidence`]: the vectors that show a failure again |
//! | `report.rs` | [`Verification`] and [`Mismatch`]: what came out |
//! | `listing.rs` | vectors with their right answers, for other benches |
//! | `testbench.rs` | a Verilog testbench with its vectors inside |
//! | `waves.rs` | waves from VCD to FST |
//! | `engine.rs` | [`Engine`]: what evaluates the unit |
//! | `lanes/` | the unit as gates, thousands of vectors at a time |
//! | `mutate/` | broken circuits: whether the vectors notice |
//! | `verilator/` | the printed Verilog as a compiled model |
//! | `sealed.rs` | files that say whether they are whole |

mod campaign;
mod corners;
pub mod coverage;
mod engine;
mod evidence;
pub mod lanes;
mod ledger;
mod listing;
pub mod mutate;
mod order;
mod plan;
mod portion;
mod report;
mod roll;
mod scoreboard;
mod sealed;
mod shrink;
mod stimulus;
mod sweep;
mod testbench;
pub mod verilator;
mod violation;
mod waves;

pub use campaign::{identity, joint_identity};
pub use coverage::Coverage;
pub use engine::{Engine, Gates};
pub use evidence::Evidence;
pub use listing::list;
pub use plan::{Choice, Plan, PlanError};
pub use portion::{Portion, PortionError, Shard};
pub use report::{Disagreement, Mismatch, Verification};
pub use roll::Roll;
pub use scoreboard::{Counterexample, Device, compare};
pub use shrink::{complexity, shrink};
pub use testbench::{Files, commands, failing_testbench, testbench};
pub use violation::{Fault, Violation};

use binade_generator::GeneratedUnit;
use binade_spec::Operation;
use binade_tools::{Error, Tools};
use campaign::Campaign;
use coverage::Observer;
use engine::Prepared;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use sweep::Sweep;
use verilator::{Design, Model, PortWidth};
use waves::fst_from_vcd;

/// What is checked.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    pub unit: &'a GeneratedUnit,
    pub plan: &'a Plan,
    /// Which part of the plan.
    pub portion: Portion,
    pub engine: Engine<'a>,
    /// Whether coverage is counted, which makes the run slower.
    pub coverage: bool,
}

impl<'a> Run<'a> {
    /// The unit's Verilog on all of these vectors.
    pub fn new(unit: &'a GeneratedUnit, plan: &'a Plan) -> Run<'a> {
        Run { unit, plan, portion: Portion::WHOLE, engine: Engine::Verilator, coverage: false }
    }

    fn identity(&self) -> String {
        identity(self.unit, self.plan.choice(), self.plan.seed())
    }
}

/// Prepares the engine and checks the unit against the golden model.
/// `progress` is told of vectors as they are checked, from several threads.
///
/// A run of more than a second notes what it has checked below [`Tools::cache_dir`]; a run that is killed can be
/// resumed from there ([`Portion::new`]).
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
    let sweep = Sweep { observer: observer.as_ref(), ..campaign.sweep(&counted) };
    let (counterexample, mismatch) = prepared.check(&sweep, run)?;
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
pub fn kept(tools: &Tools, run: Run) -> Result<Option<(u64, PathBuf)>, Error> {
    Ok(campaign::kept(tools, run, run.engine.describe(tools)?))
}

/// What was found, decoded and, unless the run was of that vector alone, shrunk. `new_instance` gives the unit as the run
/// had it.
pub fn explain<Instance: Device>(
    operation: &Operation,
    plan: &Plan,
    found: &Counterexample,
    new_instance: impl Fn() -> Instance,
) -> Mismatch {
    let is_replay = plan.total() == 1;
    let simplest = if is_replay { Some(found.clone()) } else { shrink(operation, found, new_instance) };
    Mismatch::new(operation, found, simplest.as_ref())
}

/// The unit's Verilog, compiled.
pub fn model(tools: &Tools, unit: &GeneratedUnit) -> Result<Model, Error> {
    let [inputs, outputs] = ports(unit);
    Model::build(tools, &design(unit, &inputs, &outputs))
}

/// Compiles the Verilog of several units together, as far as it is not in the cache yet: [`model`] finds it there. When one
/// cannot be compiled, none is. The answer is which of them were compiled.
pub fn build_together(tools: &Tools, units: &[&GeneratedUnit]) -> Result<Vec<bool>, Error> {
    let ports: Vec<[Vec<PortWidth>; 2]> = units.iter().map(|unit| ports(unit)).collect();
    let designs: Vec<Design> =
        units.iter().zip(&ports).map(|(unit, [inputs, outputs])| design(unit, inputs, outputs)).collect();
    Model::build_together(tools, &designs)
}

/// Runs the unit again on the vectors that show what is wrong, with waves: the content of an FST file.
pub fn waves(tools: &Tools, unit: &GeneratedUnit, evidence: &Evidence) -> Result<Vec<u8>, Error> {
    let [inputs, outputs] = ports(unit);
    let vcd = verilator::trace(tools, &design(unit, &inputs, &outputs), &evidence.traced)?;
    fst_from_vcd(&vcd)
}

fn design<'a>(unit: &'a GeneratedUnit, inputs: &'a [PortWidth], outputs: &'a [PortWidth]) -> Design<'a> {
    Design { module: &unit.module, verilog: &unit.verilog, inputs, outputs, latency: unit.design.stages }
}

/// Inputs and outputs.
fn ports(unit: &GeneratedUnit) -> [Vec<PortWidth<'_>>; 2] {
    let inputs = unit.netlist.inputs.iter().map(PortWidth::of);
    let outputs = unit.netlist.outputs.iter().map(|(port, _)| PortWidth::of(port));
    [inputs.collect(), outputs.collect()]
}
