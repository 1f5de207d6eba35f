//! Names and widths of ports.

use binade_generator::GeneratedUnit;
use binade_spec::{Operation, Port};

/// A port of a module or netlist, with its width in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortWidth<'a> {
    /// The port's name in the module or netlist.
    pub name: &'a str,
    /// Bits of all lanes together.
    pub width: u32,
    /// The number of equal parts that waves show one by one, the first lowest.
    pub lanes: u32,
}

impl<'a> PortWidth<'a> {
    /// A port of one lane.
    pub fn new(name: &'a str, width: u32) -> PortWidth<'a> {
        PortWidth { name, width, lanes: 1 }
    }

    pub(crate) fn of(port: &Port) -> PortWidth<'static> {
        PortWidth { name: port.name, width: port.width(), lanes: port.lanes }
    }

    /// Operands and results of a unit.
    pub(crate) fn of_unit(unit: &GeneratedUnit) -> [Vec<PortWidth<'static>>; 2] {
        PortWidth::of_operation(&unit.design.operation)
    }

    /// Operands and results of an operation.
    pub(crate) fn of_operation(operation: &Operation) -> [Vec<PortWidth<'static>>; 2] {
        [operation.inputs(), operation.outputs()].map(|ports| ports.iter().map(PortWidth::of).collect())
    }

    /// Name, highest and lowest bit of each lane, if there are several.
    pub(crate) fn lane_ranges(&self) -> Vec<(String, u32, u32)> {
        let width = self.width / self.lanes;
        let lanes = if self.lanes == 1 { 0..0 } else { 0..self.lanes };
        lanes.map(|lane| (format!("{}_{lane}", self.name), lane * width + width - 1, lane * width)).collect()
    }
}
