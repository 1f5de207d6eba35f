//! The engines that evaluate a unit.

use super::lanes::{ClockedLanes, LaneDevice, Lanes, SequenceLanes};
use super::verilator::{CompiledModule, Watches, compile};
use crate::Subject;
use crate::reference::Reference;
use crate::run::Run;
use crate::run::chunks::ChunkLoop;
use crate::verdict::{Counterexample, Device, Dissent, Fault, Lenient, Mismatch, compare_in, explain_for};
use binade_gates::{Graph, NetlistError, Program};
use binade_generator::GeneratedUnit;
use binade_spec::{Operation, Port};
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

/// How the unit is evaluated.
#[derive(Clone, Copy)]
pub enum Engine<'a> {
    /// Verilator compiles the printed Verilog.
    Verilator,
    /// Evaluates gates, thousands of vectors at a time.
    Lanes(&'a Gates),
}

/// A unit's gates.
pub struct Gates {
    /// The gates, with the unit's ports as inputs and outputs.
    pub graph: Graph,
    /// The source of the gates, as in `the circuit`.
    pub origin: String,
}

impl Gates {
    /// The gates and registers of the unit's circuit.
    pub fn of_circuit(unit: &GeneratedUnit) -> Gates {
        let graph = match &unit.pipeline {
            None => Graph::of_circuit(&unit.netlist),
            Some(pipeline) => Graph::of_pipeline(pipeline),
        };
        Gates { graph, origin: "the circuit".into() }
    }

    /// The gates of a netlist that Yosys made from the unit's Verilog and wrote with `write_json`.
    ///
    /// # Errors
    /// When the text is not such a netlist, or has an unknown cell.
    pub fn of_netlist<'s>(subject: impl Into<Subject<'s>>, json: &str, origin: String) -> Result<Gates, NetlistError> {
        let subject = subject.into();
        Gates::of_module(subject.module, subject.operation, subject.is_clocked(), json, origin)
    }

    /// Like [`Self::of_netlist`], for a module with the ports of a unit of this operation, clocked or combinational.
    ///
    /// # Errors
    /// When the text is not such a netlist, or has an unknown cell.
    pub fn of_module(
        module: &str,
        operation: &Operation,
        is_clocked: bool,
        json: &str,
        origin: String,
    ) -> Result<Gates, NetlistError> {
        let ports = |controls: &[&'static str], ports: Vec<Port>| -> Vec<(&str, u32)> {
            let controls = controls.iter().filter(|_| is_clocked).map(|&name| (name, 1));
            controls.chain(ports.iter().map(|port| (port.name, port.width()))).collect()
        };
        let inputs = ports(&["rst_n", "en", "in_valid"], operation.inputs());
        let outputs = ports(&["out_valid"], operation.outputs());
        Ok(Gates { graph: Graph::of_netlist(json, module, &inputs, &outputs)?, origin })
    }
}

impl Engine<'_> {
    /// The engine with its version, as in `Verilator 5.48.0`.
    ///
    /// # Errors
    /// When Verilator is the engine and is missing or too old.
    pub fn describe(&self, tools: &Tools) -> Result<String, Error> {
        Ok(match self {
            Engine::Verilator => format!("Verilator {}", tools.verilator()?.version),
            Engine::Lanes(gates) => format!("lanes on {}", gates.origin),
        })
    }
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
        let Subject { operation, latency: stages, .. } = run.subject;
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
                    run_lanes(chunks, &reference, &stimulus, (program, specification.as_ref()), (stages, plan.seed()))?;
                if reference.has_state() {
                    return Ok(explained(run, &reference, found, || LaneDevice::new(&reference, program, stages)));
                }
                let [inputs, outputs] =
                    [operation.inputs(), operation.outputs()].map(|ports| widths(&ports).collect::<Vec<_>>());
                Ok(explained(run, &reference, found, || program.answers(&inputs, &outputs, stages)))
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
    (stages, seed): (u32, u64),
) -> Result<Option<Counterexample>, Error> {
    if reference.has_state() {
        let lanes = || SequenceLanes::new(reference, stimulus, program, stages, seed);
        return chunks.run(lanes, |lanes, vectors| lanes.check(vectors));
    }
    if stages > 0 {
        let lanes = || ClockedLanes::new(reference, stimulus, program, stages, seed).against(specification);
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
