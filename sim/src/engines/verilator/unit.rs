//! Compiles the module under test.

use super::{CompiledModule, VerilogModule};
use crate::Subject;
use crate::engines::PortWidth;
use binade_tools::{Error, Tools};

/// Compiles the module's Verilog.
///
/// # Errors
/// When Verilator or the C++ compiler is missing or fails.
pub fn compile<'s>(tools: &Tools, subject: impl Into<Subject<'s>>) -> Result<CompiledModule, Error> {
    let subject = subject.into();
    let [inputs, outputs] = PortWidth::of_operation(subject.operation);
    CompiledModule::build(tools, &VerilogModule::of(subject, &inputs, &outputs))
}

/// Compiles the Verilog of those modules that are not in the cache yet, together, so that [`compile`] finds them there. If one cannot be
/// compiled, none is. Returns for each module whether it was compiled.
///
/// # Errors
/// When Verilator or the C++ compiler is missing or fails.
pub fn build_together<'s, S: Into<Subject<'s>>>(
    tools: &Tools,
    subjects: impl IntoIterator<Item = S>,
) -> Result<Vec<bool>, Error> {
    let subjects: Vec<Subject> = subjects.into_iter().map(S::into).collect();
    let ports: Vec<[Vec<PortWidth>; 2]> =
        subjects.iter().map(|subject| PortWidth::of_operation(subject.operation)).collect();
    let modules: Vec<VerilogModule> = subjects
        .iter()
        .zip(&ports)
        .map(|(subject, [inputs, outputs])| VerilogModule::of(*subject, inputs, outputs))
        .collect();
    CompiledModule::build_together(tools, &modules)
}

impl<'a> VerilogModule<'a> {
    /// The Verilog of a module with these ports.
    pub(crate) fn of(subject: Subject<'a>, inputs: &'a [PortWidth], outputs: &'a [PortWidth]) -> VerilogModule<'a> {
        let Subject { operation, pace, interface, module: name, verilog, dut, .. } = subject;
        VerilogModule { name, verilog, inputs, outputs, pace, has_state: operation.has_state(), interface, dut }
    }
}
