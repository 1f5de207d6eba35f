//! Runs a generated unit and checks it against the golden model.
//!
//! | file | what it holds |
//! |---|---|
//! | `plan.rs` | [`Plan`]: which vectors are checked |
//! | `coverage/` | [`Coverage`]: which kinds of vectors were checked |
//! | `corners.rs` | directed vectors: class pairs, binade edges, ties and their neighbours, cancellation |
//! | `stimulus.rs` | the vectors of a plan, block by block |
//! | `scoreboard.rs` | unit against golden model, block by block, on all cores |
//! | `listing.rs` | vectors with their right answers, for other benches |
//! | `report.rs` | [`Verification`] and [`Mismatch`]: what came out |
//! | `verilator/` | the printed Verilog as a compiled model |

mod corners;
pub mod coverage;
mod listing;
mod plan;
mod report;
mod scoreboard;
mod stimulus;
pub mod verilator;

pub use coverage::Coverage;
pub use listing::list;
pub use plan::{Choice, Plan, PlanError};
pub use report::{Mismatch, Verification};
pub use scoreboard::{Counterexample, compare};

use binade_generator::GeneratedUnit;
use binade_tools::{Error, Tools};
use coverage::Tally;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use verilator::{Model, PortWidth};

/// What is checked.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    pub unit: &'a GeneratedUnit,
    pub plan: &'a Plan,
    /// Whether coverage is counted, which makes the run slower.
    pub coverage: bool,
}

impl<'a> Run<'a> {
    /// The unit on these vectors.
    pub fn new(unit: &'a GeneratedUnit, plan: &'a Plan) -> Run<'a> {
        Run { unit, plan, coverage: false }
    }
}

/// Builds the unit's Verilog with Verilator and checks it against the golden model.
/// `progress` is told of vectors as they are checked, from several threads.
pub fn verify(tools: &Tools, run: Run, progress: &(dyn Fn(u64) + Sync)) -> Result<Verification, Error> {
    let Run { unit, plan, .. } = run;
    let started = Instant::now();
    let model = model(tools, unit)?;
    let build_seconds = started.elapsed().as_secs_f64();

    let started = Instant::now();
    let tally = run.coverage.then(|| Tally::new(&unit.design.operation));
    let new_instance = || {
        let mut instance = model.instance();
        let mut counter = tally.as_ref().map(Tally::counter);
        move |inputs: &[&[u64]], output: &mut [u64]| {
            counter.iter_mut().for_each(|counter| counter.count(inputs));
            instance.evaluate(inputs, output)
        }
    };
    // A run ends at the first mismatch, so what is counted is what was evaluated.
    let checked = AtomicU64::new(0);
    let counted = |vectors: u64| {
        checked.fetch_add(vectors, Ordering::Relaxed);
        progress(vectors);
    };
    let counterexample = compare(&unit.design.operation, plan, new_instance, &counted)?;
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
        coverage: tally.map(|tally| tally.coverage(plan.is_exhaustive() && counterexample.is_none())),
        mismatch: counterexample.map(|found| Mismatch::new(&unit.design.operation, found)),
    })
}

/// The unit's Verilog, compiled.
pub fn model(tools: &Tools, unit: &GeneratedUnit) -> Result<Model, Error> {
    let [inputs, outputs] = ports(unit);
    Model::build(tools, &unit.module, &unit.verilog, &inputs, &outputs)
}

/// Runs the unit on a mismatch again, with waves, which go to `path` (VCD).
pub fn trace(tools: &Tools, unit: &GeneratedUnit, mismatch: &Mismatch, path: &Path) -> Result<(), Error> {
    let [inputs, outputs] = ports(unit);
    verilator::trace(tools, &unit.module, &unit.verilog, [&inputs, &outputs], mismatch.codes(), path)
}

/// Inputs and outputs.
fn ports(unit: &GeneratedUnit) -> [Vec<PortWidth<'_>>; 2] {
    let inputs = unit.netlist.inputs.iter().map(PortWidth::of);
    let outputs = unit.netlist.outputs.iter().map(|(port, _)| PortWidth::of(port));
    [inputs.collect(), outputs.collect()]
}
