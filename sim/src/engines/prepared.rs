//! An engine ready to run, and what a run of it finds.

use super::engine::Engine;
use super::lanes::{ClockedLanes, LaneDevice, Lanes, SequenceLanes};
use super::verilator::{CompiledModule, Watches, compile};
use crate::Subject;
use crate::reference::Reference;
use crate::run::Run;
use crate::run::chunks::ChunkLoop;
use crate::verdict::{Counterexample, Device, Dissent, Fault, Lenient, Mismatch, compare_in, explain_for};
use binade_gates::{Graph, Program};
use binade_spec::contract::Pace;
use binade_stimulus::Stimulus;
use binade_stimulus::words::widths;
use binade_tools::{Error, Tools};

/// The findings of a run.
pub(crate) struct Found {
    pub counterexample: Option<Counterexample>,
    /// The counterexample explained, if results are wrong.
    pub mismatch: Option<Mismatch>,
    /// A disagreement between specification and golden model.
    pub dissent: Option<Dissent>,
}

/// An engine ready to run.
pub(crate) enum Prepared {
    Compiled(CompiledModule),
    Program(Program),
}

impl Prepared {
    pub fn new(tools: &Tools, run: Run) -> Result<Prepared, Error> {
        Ok(match run.engine {
            Engine::Verilator => Prepared::Compiled(compile(tools, run.subject)?),
            Engine::Lanes(gates) => Prepared::Program(Program::new(&gates.graph)),
        })
    }

    /// Whether the model was already in the cache.
    pub fn is_cached(&self) -> bool {
        match self {
            Prepared::Compiled(module) => module.from_cache(),
            Prepared::Program(_) => false,
        }
    }

    /// The state of a compiled model's instances, for the watchdog.
    pub fn watches(&self) -> Option<&Watches> {
        match self {
            Prepared::Compiled(module) => Some(module.watches()),
            Prepared::Program(_) => None,
        }
    }

    /// The first vector of the chunks on which the unit differs from the golden model or from the specification.
    pub fn check(&self, chunks: &ChunkLoop, run: Run) -> Result<Found, Error> {
        let Subject { operation, pace, .. } = run.subject;
        let (plan, is_clocked) = (run.plan, run.subject.is_clocked());
        let (reference, stimulus) = (Lenient::new(operation, run.tolerance), Stimulus::new(operation, plan));
        match (self, is_clocked) {
            (Prepared::Compiled(module), false) => {
                let new_instance = || module.instance();
                let found = compare_in(chunks, &reference, &stimulus, new_instance)?;
                Ok(explained(run, &reference, found, new_instance))
            }
            (Prepared::Compiled(module), true) => {
                let new_instance = || module.stream(plan.seed());
                let found = compare_in(chunks, &reference, &stimulus, new_instance)?;
                Ok(explained(run, &reference, found, new_instance))
            }
            (Prepared::Program(program), _) => {
                let specification = run.against.map(Program::new);
                let found =
                    run_lanes(chunks, &reference, &stimulus, (program, specification.as_ref()), (pace, plan.seed()))?;
                if reference.has_state() {
                    return Ok(explained(run, &reference, found, || LaneDevice::new(&reference, program, pace)));
                }
                let [inputs, outputs] =
                    [operation.inputs(), operation.outputs()].map(|ports| widths(&ports).collect::<Vec<_>>());
                Ok(explained(run, &reference, found, || program.answers(&inputs, &outputs, pace)))
            }
        }
    }
}

/// Checks gates against a reference, or against a specification that answers in its place. In a clocked unit `seed` determines bubbles,
/// stalls and resets.
pub(crate) fn run_lanes(
    chunks: &ChunkLoop,
    reference: &dyn Reference,
    stimulus: &Stimulus,
    (program, specification): (&Program, Option<&Program>),
    (pace, seed): (Pace, u64),
) -> Result<Option<Counterexample>, Error> {
    if reference.has_state() {
        let lanes = || SequenceLanes::new(reference, stimulus, program, pace, seed);
        return chunks.run(lanes, |lanes, vectors| lanes.check(vectors));
    }
    if pace.latency > 0 {
        let lanes = || ClockedLanes::new(reference, stimulus, program, pace, seed).against(specification);
        return chunks.run(lanes, |lanes, vectors| lanes.check(vectors));
    }
    let lanes = || Lanes::new(reference, stimulus, program).against(specification);
    chunks.run(lanes, |lanes, vectors| lanes.check(vectors))
}

/// The finding, explained if results are wrong.
fn explained<Instance: Device>(
    run: Run,
    reference: &dyn Reference,
    mut counterexample: Option<Counterexample>,
    new_instance: impl Fn() -> Instance,
) -> Found {
    let has_results =
        |found: &&mut Counterexample| found.violation.as_ref().is_none_or(|it| it.fault == Fault::Results);
    let Some(found) = counterexample.as_mut().filter(has_results) else {
        return Found { counterexample, mismatch: None, dissent: None };
    };
    let dissent = run.against.and_then(|specification| settled(reference, specification, found));
    let is_wrong = dissent.as_ref().is_none_or(|dissent| !dissent.is_unit_right);
    let mismatch = is_wrong.then(|| explain_for(reference, run.plan, found, new_instance));
    Found { counterexample, mismatch, dissent }
}

/// Checks a counterexample with the golden model, which decides; returns a dissent if the specification does not agree with it.
fn settled(reference: &dyn Reference, specification: &Graph, found: &mut Counterexample) -> Option<Dissent> {
    found.want = reference.evaluate(&found.operands);
    let dissent =
        Dissent::new(reference, &found.operands, [&specification.answer(&found.operands), &found.want, &found.got]);
    match &dissent {
        Some(dissent) if dissent.is_unit_right => found.violation = None,
        _ => {
            if let Some(violation) = &mut found.violation {
                violation.want.clone_from(&found.want);
            }
        }
    }
    dissent
}
