//! Runs a generated unit and checks it against the golden model.
//!
//! | file | what it holds |
//! |---|---|
//! | `plan.rs` | [`Plan`]: which vectors are checked |
//! | `corners.rs` | directed vectors: class pairs, binade edges, ties and their neighbours, cancellation |
//! | `stimulus.rs` | the vectors of a plan, block by block |
//! | `scoreboard.rs` | unit against golden model, block by block, on all cores |
//! | `listing.rs` | vectors with their right answers, for other benches |
//! | `violation.rs` | [`Violation`]: what a pipelined unit can do wrong at a clock |
//! | `report.rs` | [`Verification`] and [`Mismatch`]: what came out |
//! | `verilator/` | the printed Verilog as a compiled model |

mod corners;
mod listing;
mod plan;
mod report;
mod scoreboard;
mod stimulus;
pub mod verilator;
mod violation;

pub use listing::list;
pub use plan::{Choice, Plan, PlanError};
pub use report::{Mismatch, Verification};
pub use scoreboard::{Counterexample, Device, compare};
pub use violation::{Fault, Violation};

use binade_generator::GeneratedUnit;
use binade_tools::{Error, Tools};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use verilator::{Design, Model, PortWidth};

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
    let counterexample = match unit.design.stages {
        0 => {
            let new_instance = || {
                let mut instance = model.instance();
                move |inputs: &[&[u64]], output: &mut [u64]| instance.evaluate(inputs, output)
            };
            compare(&unit.design.operation, plan, new_instance, &counted)?
        }
        _ => compare(&unit.design.operation, plan, || model.stream(plan.seed()), &counted)?,
    };
    let violation = counterexample.as_ref().and_then(|found| found.violation);
    let has_results = violation.is_none_or(|violation| violation.fault == Fault::Results);
    let seconds = started.elapsed().as_secs_f64();
    let checked = checked.into_inner();
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
        mismatch: counterexample.filter(|_| has_results).map(|found| Mismatch::new(&unit.design.operation, found)),
        options: plan.options(),
        violation,
    })
}

/// The unit's Verilog, compiled.
pub fn model(tools: &Tools, unit: &GeneratedUnit) -> Result<Model, Error> {
    let [inputs, outputs] = ports(unit);
    Model::build(tools, &design(unit, &inputs, &outputs))
}

/// Runs the unit on a mismatch again, with waves, which go to `path` (VCD).
pub fn trace(tools: &Tools, unit: &GeneratedUnit, mismatch: &Mismatch, path: &Path) -> Result<(), Error> {
    let [inputs, outputs] = ports(unit);
    verilator::trace(tools, &design(unit, &inputs, &outputs), mismatch.codes(), path)
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
