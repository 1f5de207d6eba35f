//! What evaluates the unit.

use crate::lanes::{ClockedLanes, Graph, Lanes, Program};
use crate::scoreboard::{Counterexample, compare_in};
use crate::stimulus::Stimulus;
use crate::sweep::Sweep;
use crate::verilator::Model;
use crate::{Run, model};
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
