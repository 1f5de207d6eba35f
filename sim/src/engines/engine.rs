//! What evaluates the unit.

use super::PortWidth;
use super::lanes::{ClockedLanes, Graph, Lanes, NetlistError, Program};
use super::verilator::{Model, model};
use crate::run::Run;
use crate::run::chunks::ChunkLoop;
use crate::vectors::stimulus::Stimulus;
use crate::verdict::Fault;
use crate::verdict::Mismatch;
use crate::verdict::explain;
use crate::verdict::{Counterexample, Device, compare_in};
use binade_generator::GeneratedUnit;
use binade_spec::Port;
use binade_tools::{Error, Tools};

/// What evaluates the unit.
#[derive(Clone, Copy)]
pub enum Engine<'a> {
    /// The printed Verilog, compiled by Verilator.
    Verilator,
    /// Gates, thousands of vectors at a time.
    Lanes(&'a Gates),
}

/// A unit's gates.
pub struct Gates {
    pub graph: Graph,
    /// What they are the gates of, as in `the circuit`.
    pub origin: String,
}

impl Gates {
    /// The gates of the unit's circuit, and its registers.
    pub fn of_circuit(unit: &GeneratedUnit) -> Gates {
        let graph = match &unit.pipeline {
            None => Graph::of_circuit(&unit.netlist),
            Some(pipeline) => Graph::of_pipeline(pipeline),
        };
        Gates { graph, origin: "the circuit".into() }
    }

    /// Those of a netlist that Yosys has made of the unit's Verilog and written with `write_json`.
    pub fn of_netlist(unit: &GeneratedUnit, json: &str, origin: String) -> Result<Gates, NetlistError> {
        let controls = |names: &[&'static str]| -> Vec<PortWidth> {
            names.iter().map(|name| PortWidth { name, width: 1 }).collect()
        };
        let [operands, results] = PortWidth::of_unit(unit);
        let [inputs, outputs] = match unit.pipeline {
            None => [operands, results],
            Some(_) => [
                [controls(&["rst_n", "en", "in_valid"]), operands].concat(),
                [controls(&["out_valid"]), results].concat(),
            ],
        };
        Ok(Gates { graph: Graph::of_netlist(json, &unit.module, &inputs, &outputs)?, origin })
    }
}

impl Engine<'_> {
    /// The engine with its version, as in `Verilator 5.48.0`.
    pub fn describe(&self, tools: &Tools) -> Result<String, Error> {
        Ok(match self {
            Engine::Verilator => format!("Verilator {}", tools.verilator()?.version),
            Engine::Lanes(gates) => format!("lanes on {}", gates.origin),
        })
    }
}

/// An engine ready to run.
pub(crate) enum Prepared {
    Model(Model),
    Program(Program),
}

impl Prepared {
    pub fn new(tools: &Tools, run: Run) -> Result<Prepared, Error> {
        Ok(match run.engine {
            Engine::Verilator => Prepared::Model(model(tools, run.unit)?),
            Engine::Lanes(gates) => Prepared::Program(Program::new(&gates.graph)),
        })
    }

    /// Whether an earlier run has prepared it.
    pub fn is_cached(&self) -> bool {
        match self {
            Prepared::Model(model) => model.from_cache(),
            Prepared::Program(_) => false,
        }
    }

    /// The first vector of a chunks on which unit and golden model disagree, and what it shows if it is the results that are
    /// wrong.
    pub fn check(&self, chunks: &ChunkLoop, run: Run) -> Result<(Option<Counterexample>, Option<Mismatch>), Error> {
        let (operation, plan, stages) = (&run.unit.design.operation, run.plan, run.unit.design.stages);
        match (self, stages) {
            (Prepared::Model(model), 0) => {
                let new_instance = || {
                    let mut instance = model.instance();
                    move |inputs: &[&[u64]], output: &mut [u64]| instance.evaluate(inputs, output)
                };
                let found = compare_in(chunks, operation, plan, new_instance)?;
                Ok(explained(run, found, new_instance))
            }
            (Prepared::Model(model), _) => {
                let new_instance = || model.stream(plan.seed());
                let found = compare_in(chunks, operation, plan, new_instance)?;
                Ok(explained(run, found, new_instance))
            }
            (Prepared::Program(program), _) => {
                let found = run_lanes(chunks, run, program)?;
                let widths: Vec<u32> = operation.inputs().iter().map(Port::width).collect();
                Ok(explained(run, found, || program.answers(widths.clone(), stages)))
            }
        }
    }
}

fn run_lanes(chunks: &ChunkLoop, run: Run, program: &Program) -> Result<Option<Counterexample>, Error> {
    let (operation, plan, stages) = (&run.unit.design.operation, run.plan, run.unit.design.stages);
    let stimulus = Stimulus::new(operation, plan);
    if stages > 0 {
        let lanes = || ClockedLanes::new(operation, &stimulus, program, stages, plan.seed());
        return chunks.run(lanes, |lanes, vectors| lanes.check(vectors));
    }
    chunks.run(|| Lanes::new(operation, &stimulus, program), |lanes, vectors| lanes.check(vectors))
}

/// What was found, with an explanation if it is the results that are wrong.
fn explained<Instance: Device>(
    run: Run,
    found: Option<Counterexample>,
    new_instance: impl Fn() -> Instance,
) -> (Option<Counterexample>, Option<Mismatch>) {
    let has_results = |found: &&Counterexample| found.violation.is_none_or(|it| it.fault == Fault::Results);
    let mismatch = found
        .as_ref()
        .filter(has_results)
        .map(|found| explain(&run.unit.design.operation, run.plan, found, new_instance));
    (found, mismatch)
}
