//! Runs a generated unit and checks it against the golden model.
//!
//! | file | what it holds |
//! |---|---|
//! | `plan.rs` | [`Plan`]: which vectors are checked |
//! | `corners.rs` | directed vectors: class pairs, binade edges, ties and their neighbours, cancellation |
//! | `stimulus.rs` | the vectors of a plan, block by block |
//! | `scoreboard.rs` | unit against golden model, block by block, on all cores |
//! | `shrink.rs` | from the vector found to a simple one that fails, too |
//! | `evidence.rs` | [`Evidence`]: the vectors that show a failure again |
//! | `listing.rs` | vectors with their right answers, for other benches |
//! | `violation.rs` | [`Violation`]: what a pipelined unit can do wrong at a clock |
//! | `report.rs` | [`Verification`] and [`Mismatch`]: what came out |
//! | `testbench.rs` | a Verilog testbench with its vectors inside |
//! | `waves.rs` | waves from VCD to FST |
//! | `verilator/` | the printed Verilog as a compiled model |

mod corners;
mod evidence;
mod listing;
mod plan;
mod report;
mod scoreboard;
mod shrink;
mod stimulus;
mod testbench;
pub mod verilator;
mod violation;
mod waves;

pub use evidence::Evidence;
pub use listing::list;
pub use plan::{Choice, Plan, PlanError};
pub use report::{Disagreement, Mismatch, Verification};
pub use scoreboard::{Counterexample, Device, compare};
pub use shrink::{complexity, shrink};
pub use testbench::{Files, commands, failing_testbench, testbench};
pub use violation::{Fault, Violation};

use binade_generator::GeneratedUnit;
use binade_golden::Operation;
use binade_tools::{Error, Tools};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use verilator::{Design, Model, PortWidth};
use waves::fst_from_vcd;

/// What is checked.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    pub unit: &'a GeneratedUnit,
    pub plan: &'a Plan,
}

impl<'a> Run<'a> {
    /// The unit on these vectors.
    pub fn new(unit: &'a GeneratedUnit, plan: &'a Plan) -> Run<'a> {
        Run { unit, plan }
    }
}

/// Builds the unit's Verilog with Verilator and checks it against the golden model.
/// `progress` is told of vectors as they are checked, from several threads.
pub fn verify(tools: &Tools, run: Run, progress: &(dyn Fn(u64) + Sync)) -> Result<Verification, Error> {
    let Run { unit, plan } = run;
    let started = Instant::now();
    let model = model(tools, unit)?;
    let build_seconds = started.elapsed().as_secs_f64();

    let started = Instant::now();
    // A run ends at the first mismatch, so what is counted is what was evaluated.
    let checked = AtomicU64::new(0);
    let counted = |vectors: u64| {
        checked.fetch_add(vectors, Ordering::Relaxed);
        progress(vectors);
    };
    let operation = &unit.design.operation;
    let combinational = || {
        let mut instance = model.instance();
        move |inputs: &[&[u64]], output: &mut [u64]| instance.evaluate(inputs, output)
    };
    let (counterexample, mismatch) = match unit.design.stages {
        0 => check(operation, plan, combinational, &counted)?,
        _ => check(operation, plan, || model.stream(plan.seed()), &counted)?,
    };
    let seconds = started.elapsed().as_secs_f64();
    let checked = checked.into_inner();
    let evidence = counterexample.as_ref().map(|found| Evidence::new(&unit.design, plan, found, mismatch.as_ref()));
    Ok(Verification {
        module: unit.module.clone(),
        scope: plan.describe(),
        checked,
        seconds,
        rate: checked as f64 / seconds,
        build_seconds,
        cached: model.from_cache(),
        seed: plan.seed(),
        tool: format!("Verilator {}", tools.verilator()?.version),
        mismatch,
        evidence,
        options: plan.options(),
        violation: counterexample.and_then(|found| found.violation),
    })
}

/// Compares, and explains results that are wrong.
fn check<Instance: Device>(
    operation: &Operation,
    plan: &Plan,
    new_instance: impl Fn() -> Instance + Copy + Sync,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(Option<Counterexample>, Option<Mismatch>), Error> {
    let found = compare(operation, plan, new_instance, progress)?;
    let has_results = |found: &&Counterexample| found.violation.is_none_or(|it| it.fault == Fault::Results);
    let mismatch = found.as_ref().filter(has_results).map(|found| explain(operation, plan, found, new_instance));
    Ok((found, mismatch))
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
