//! Runs a generated unit and checks it against the golden model.
//!
//! | file | what it holds |
//! |---|---|
//! | `plan.rs` | [`Plan`]: which vectors are checked |
//! | `corners.rs` | directed vectors: class pairs, binade edges, ties and their neighbours, cancellation |
//! | `stimulus.rs` | the vectors of a plan, block by block |
//! | `portion.rs` | [`Portion`] and [`Shard`]: which part of a plan a run checks, in which chunks |
//! | `sweep.rs` | the loop over the chunks, on all cores |
//! | `ledger.rs`, `campaign.rs` | what a run has checked so far, and how a later one goes on from there |
//! | `roll.rs` | [`Roll`]: the same for the units of a suite |
//! | `scoreboard.rs` | unit against golden model, block by block |
//! | `listing.rs` | vectors with their right answers, for other benches |
//! | `report.rs` | [`Verification`] and [`Mismatch`]: what came out |
//! | `verilator/` | the printed Verilog as a compiled model |
//! | `sealed.rs` | files that say whether they are whole |

mod campaign;
mod corners;
mod ledger;
mod listing;
mod plan;
mod portion;
mod report;
mod roll;
mod scoreboard;
mod sealed;
mod stimulus;
mod sweep;
pub mod verilator;

pub use campaign::{identity, joint_identity};
pub use listing::list;
pub use plan::{Choice, Plan, PlanError};
pub use portion::{Portion, PortionError, Shard};
pub use report::{Mismatch, Verification};
pub use roll::Roll;
pub use scoreboard::{Counterexample, compare};

use binade_generator::GeneratedUnit;
use binade_tools::{Error, Tools};
use campaign::Campaign;
use scoreboard::compare_in;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use verilator::{Model, PortWidth, Source};

/// What is checked.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    pub unit: &'a GeneratedUnit,
    pub plan: &'a Plan,
    /// Which part of the plan.
    pub portion: Portion,
}

impl<'a> Run<'a> {
    /// The unit on all of these vectors.
    pub fn new(unit: &'a GeneratedUnit, plan: &'a Plan) -> Run<'a> {
        Run { unit, plan, portion: Portion::WHOLE }
    }

    fn identity(&self) -> String {
        identity(self.unit, self.plan.choice(), self.plan.seed())
    }
}

/// Builds the unit's Verilog with Verilator and checks it against the golden model.
/// `progress` is told of vectors as they are checked, from several threads.
///
/// A run of more than a second notes what it has checked below [`Tools::cache_dir`]; a run that is killed can be
/// resumed from there ([`Portion::new`]).
pub fn verify(tools: &Tools, run: Run, progress: &(dyn Fn(u64) + Sync)) -> Result<Verification, Error> {
    let Run { unit, plan, portion } = run;
    let started = Instant::now();
    let model = model(tools, unit)?;
    let build_seconds = started.elapsed().as_secs_f64();

    let started = Instant::now();
    let new_instance = || {
        let mut instance = model.instance();
        move |inputs: &[&[u64]], output: &mut [u64]| instance.evaluate(inputs, output)
    };
    let campaign = Campaign::open(tools, run, engine(tools)?);
    let resumed = campaign.resumed();
    progress(resumed);
    // A run ends at the first mismatch, so what is counted is what was evaluated.
    let checked = AtomicU64::new(0);
    let counted = |vectors: u64| {
        checked.fetch_add(vectors, Ordering::Relaxed);
        progress(vectors);
    };
    let counterexample = compare_in(&campaign.sweep(&counted), &unit.design.operation, plan, new_instance)?;
    let seconds = started.elapsed().as_secs_f64();
    let checked = checked.into_inner();
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
        cached: model.from_cache(),
        seed: plan.seed(),
        tool: engine(tools)?,
        mismatch: counterexample.map(|found| Mismatch::new(&unit.design.operation, found)),
        notes: campaign.notes(),
    })
}

/// What evaluates the unit.
fn engine(tools: &Tools) -> Result<String, Error> {
    Ok(format!("Verilator {}", tools.verilator()?.version))
}

/// What a run that was interrupted has left to be resumed: how many vectors are checked, and the file that says so.
pub fn kept(tools: &Tools, run: Run) -> Result<Option<(u64, PathBuf)>, Error> {
    Ok(campaign::kept(tools, run, engine(tools)?))
}

/// The unit's Verilog, compiled.
pub fn model(tools: &Tools, unit: &GeneratedUnit) -> Result<Model, Error> {
    let [inputs, outputs] = ports(unit);
    Model::build(tools, &unit.module, &unit.verilog, &inputs, &outputs)
}

/// Compiles the Verilog of several units together, as far as it is not in the cache yet: [`model`] finds it there. When one
/// cannot be compiled, none is.
pub fn build_together(tools: &Tools, units: &[&GeneratedUnit]) -> Result<(), Error> {
    let sources: Vec<Source> = units
        .iter()
        .map(|unit| {
            let [inputs, outputs] = ports(unit);
            Source { module: &unit.module, verilog: &unit.verilog, inputs, outputs }
        })
        .collect();
    Model::build_together(tools, &sources)
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
