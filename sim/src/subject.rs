//! The subject under test.

use crate::engines::verilator::Dut;
use binade_circuit::{Interface, Netlist};
use binade_generator::GeneratedUnit;
use binade_spec::Operation;
use binade_spec::contract::Pace;

/// A module and its operation.
#[derive(Clone, Copy)]
pub struct Subject<'s> {
    /// What it should compute.
    pub operation: &'s Operation,
    /// When it takes operands and answers.
    pub pace: Pace,
    /// The protocol for operands and results.
    pub interface: Interface,
    /// The name of the module.
    pub module: &'s str,
    /// The text of the Verilog file: the module and its submodules.
    pub verilog: &'s str,
    /// The circuit from which the text is printed; none for a user's module.
    pub circuit: Option<&'s Netlist>,
    /// The user's module, if the text is an adapter around it.
    pub dut: Option<&'s Dut>,
}

impl Subject<'_> {
    /// Whether the module has a clock.
    pub fn is_clocked(&self) -> bool {
        self.pace.latency > 0 || self.interface != Interface::Plain || self.operation.has_state()
    }
}

impl<'s> From<&'s GeneratedUnit> for Subject<'s> {
    fn from(unit: &'s GeneratedUnit) -> Subject<'s> {
        Subject {
            operation: &unit.design.operation,
            pace: unit.design.pace(),
            interface: unit.design.interface,
            module: &unit.module,
            verilog: &unit.verilog,
            circuit: Some(unit.circuit()),
            dut: None,
        }
    }
}
