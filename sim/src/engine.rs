//! What evaluates the unit.

use crate::lanes::{ClockedLanes, Graph, Lanes, NetlistError, NetlistPort, Program};
use crate::scoreboard::{Counterexample, compare_in};
use crate::stimulus::Stimulus;
use crate::sweep::Sweep;
use crate::verilator::Model;
use crate::{Run, model};
use binade_generator::GeneratedUnit;
use binade_generator::circuit::Port;
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
        fn named(port: &Port) -> NetlistPort<'_> {
            (port.name.as_str(), port.width)
        }
        let [mut inputs, mut outputs]: [Vec<NetlistPort>; 2] = match unit.pipeline {
            None => [vec![], vec![]],
            Some(_) => [vec![("rst_n", 1), ("en", 1), ("in_valid", 1)], vec![("out_valid", 1)]],
        };
        inputs.extend(unit.netlist.inputs.iter().map(named));
        outputs.extend(unit.netlist.outputs.iter().map(|(port, _)| named(port)));
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

    /// The first vector of a sweep on which unit and golden model disagree.
    pub fn check(&self, sweep: &Sweep, run: Run) -> Result<Option<Counterexample>, Error> {
        let Run { unit, plan, .. } = run;
        let operation = &unit.design.operation;
        match self {
            Prepared::Model(model) if unit.design.stages > 0 => {
                compare_in(sweep, operation, plan, || model.stream(plan.seed()))
            }
            Prepared::Model(model) => {
                let new_instance = || {
                    let mut instance = model.instance();
                    move |inputs: &[&[u64]], output: &mut [u64]| instance.evaluate(inputs, output)
                };
                compare_in(sweep, operation, plan, new_instance)
            }
            Prepared::Program(program) => {
                let stimulus = Stimulus::new(operation, plan);
                if unit.design.stages > 0 {
                    let lanes = || ClockedLanes::new(operation, &stimulus, program, unit.design.stages, plan.seed());
                    return sweep.run(lanes, |lanes, vectors| lanes.check(vectors));
                }
                let lanes = || Lanes::new(operation, &stimulus, program);
                sweep.run(lanes, |lanes, vectors| lanes.check(vectors))
            }
        }
    }
}
