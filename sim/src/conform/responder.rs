//! The RTL, ready to answer.

use crate::engines::Engine;
use crate::engines::verilator::{CompiledModule, Dut, compile_for};
use crate::run::Watchdog;
use crate::verdict::Device;
use binade_gates::Program;
use binade_generator::GeneratedUnit;
use binade_spec::Operation;
use binade_stimulus::words::named;
use binade_stimulus::words::widths;
use binade_tools::{Error, Tools};

/// Seed of the bubbles, stalls and resets that a module with a clock gets.
const SEED: u64 = 1;

/// A unit's RTL in an engine. Threads share it; each asks a device of its own.
pub struct Responder {
    operation: Operation,
    stages: u32,
    is_clocked: bool,
    model: Prepared,
}

enum Prepared {
    Compiled(CompiledModule),
    Program(Program),
}

impl Responder {
    /// Makes the unit ready in the engine; if the unit's Verilog is an adapter, with the user's module `dut`.
    ///
    /// # Errors
    /// When Verilator or the C++ compiler is missing or fails.
    pub fn new(tools: &Tools, unit: &GeneratedUnit, engine: Engine, dut: Option<&Dut>) -> Result<Responder, Error> {
        let model = match engine {
            Engine::Verilator => Prepared::Compiled(compile_for(tools, unit, dut)?),
            Engine::Lanes(gates) => Prepared::Program(Program::new(&gates.graph)),
        };
        let design = &unit.design;
        Ok(Responder { operation: design.operation, stages: design.stages, is_clocked: design.is_clocked(), model })
    }

    /// A copy of the unit.
    pub(super) fn device(&self) -> Box<dyn Device + '_> {
        match &self.model {
            Prepared::Compiled(module) if self.is_clocked => Box::new(module.stream(SEED)),
            Prepared::Compiled(module) => Box::new(module.instance()),
            Prepared::Program(program) => {
                let [inputs, outputs] = [self.operation.inputs(), self.operation.outputs()];
                let [inputs, outputs] = [inputs, outputs].map(|ports| widths(&ports).collect::<Vec<_>>());
                Box::new(program.answers(&inputs, &outputs, self.stages))
            }
        }
    }

    /// Does the work while another thread looks after a compiled model, which may loop for ever. What it says of a vector is
    /// the number of its line, if no line of the block is blank.
    pub fn watched<Output>(&self, watchdog: Watchdog, work: impl FnOnce() -> Output) -> Output {
        let Prepared::Compiled(module) = &self.model else { return work() };
        let ports = self.operation.inputs();
        watchdog.over(module.watches(), |still| (still.block + still.vector, named(&ports, &still.operands)), work)
    }
}
