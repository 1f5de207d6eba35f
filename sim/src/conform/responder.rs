//! The RTL, ready to answer.

use crate::Subject;
use crate::engines::Engine;
use crate::engines::verilator::{CompiledModule, compile};
use crate::run::Watchdog;
use crate::verdict::Device;
use binade_gates::Program;
use binade_spec::Operation;
use binade_spec::contract::Pace;
use binade_stimulus::words::named;
use binade_stimulus::words::widths;
use binade_tools::{Error, Tools};

/// The seed of the bubbles, stalls and resets that a clocked module gets.
const SEED: u64 = 1;

/// A unit's RTL in an engine. Threads share it; each uses its own device.
pub struct Responder {
    operation: Operation,
    pace: Pace,
    is_clocked: bool,
    model: Prepared,
}

enum Prepared {
    Compiled(CompiledModule),
    Program(Program),
}

impl Responder {
    /// Prepares the module for the engine.
    ///
    /// # Errors
    /// When Verilator or the C++ compiler is missing or fails.
    pub fn new<'s>(tools: &Tools, subject: impl Into<Subject<'s>>, engine: Engine) -> Result<Responder, Error> {
        let subject = subject.into();
        let model = match engine {
            Engine::Verilator => Prepared::Compiled(compile(tools, subject)?),
            Engine::Lanes(gates) => Prepared::Program(Program::new(&gates.graph)),
        };
        Ok(Responder { operation: *subject.operation, pace: subject.pace, is_clocked: subject.is_clocked(), model })
    }

    /// A copy of the unit.
    pub(super) fn device(&self) -> Box<dyn Device + '_> {
        match &self.model {
            Prepared::Compiled(module) if self.is_clocked => Box::new(module.stream(SEED)),
            Prepared::Compiled(module) => Box::new(module.instance()),
            Prepared::Program(program) => {
                let [inputs, outputs] = [self.operation.inputs(), self.operation.outputs()];
                let [inputs, outputs] = [inputs, outputs].map(|ports| widths(&ports).collect::<Vec<_>>());
                Box::new(program.answers(&inputs, &outputs, self.pace))
            }
        }
    }

    /// Runs `work` while another thread watches a compiled model, which may loop forever. It reports a vector by the number of its line,
    /// which is right if the block has no blank lines.
    pub fn watched<Output>(&self, watchdog: Watchdog, work: impl FnOnce() -> Output) -> Output {
        let Prepared::Compiled(module) = &self.model else { return work() };
        let ports = self.operation.inputs();
        watchdog.over(module.watches(), |still| (still.block + still.vector, named(&ports, &still.operands)), work)
    }
}
