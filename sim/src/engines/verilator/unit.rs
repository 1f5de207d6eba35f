//! A generated unit, compiled.

use super::{CompiledModule, Dut, VerilogModule};
use crate::engines::PortWidth;
use binade_generator::GeneratedUnit;
use binade_tools::{Error, Tools};

/// The unit's Verilog, compiled.
///
/// # Errors
/// When Verilator or the C++ compiler is missing or fails.
pub fn compile(tools: &Tools, unit: &GeneratedUnit) -> Result<CompiledModule, Error> {
    compile_for(tools, unit, None)
}

/// The same; if the unit's Verilog is an adapter, with the user's module `dut`.
pub(crate) fn compile_for(tools: &Tools, unit: &GeneratedUnit, dut: Option<&Dut>) -> Result<CompiledModule, Error> {
    let [inputs, outputs] = PortWidth::of_unit(unit);
    CompiledModule::build(tools, &VerilogModule { dut, ..VerilogModule::of(unit, &inputs, &outputs) })
}

/// Compiles the Verilog of several units together, as far as it is not in the cache yet: [`compile`] finds it there. When one
/// cannot be compiled, none is. The answer is which of them were compiled.
///
/// # Errors
/// When Verilator or the C++ compiler is missing or fails.
pub fn build_together(tools: &Tools, units: &[&GeneratedUnit]) -> Result<Vec<bool>, Error> {
    let ports: Vec<[Vec<PortWidth>; 2]> = units.iter().map(|unit| PortWidth::of_unit(unit)).collect();
    let modules: Vec<VerilogModule> =
        units.iter().zip(&ports).map(|(unit, [inputs, outputs])| VerilogModule::of(unit, inputs, outputs)).collect();
    CompiledModule::build_together(tools, &modules)
}

impl<'a> VerilogModule<'a> {
    /// The Verilog of a unit with these ports.
    pub(crate) fn of(unit: &'a GeneratedUnit, inputs: &'a [PortWidth], outputs: &'a [PortWidth]) -> VerilogModule<'a> {
        let (latency, has_state) = (unit.design.stages, unit.design.operation.has_state());
        let (name, verilog, interface) = (&unit.module, &unit.verilog, unit.design.interface);
        VerilogModule { name, verilog, inputs, outputs, latency, has_state, interface, dut: None }
    }
}
