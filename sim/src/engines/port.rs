//! Names and widths of ports.

use binade_generator::GeneratedUnit;

/// A port of a module or netlist, with its width in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortWidth<'a> {
    pub name: &'a str,
    pub width: u32,
}

impl PortWidth<'_> {
    fn of(port: &binade_circuit::Port) -> PortWidth<'_> {
        PortWidth { name: &port.name, width: port.width }
    }

    /// Operands and results of a unit.
    pub(crate) fn of_unit(unit: &GeneratedUnit) -> [Vec<PortWidth<'_>>; 2] {
        let inputs = unit.netlist.inputs.iter().map(PortWidth::of);
        let outputs = unit.netlist.outputs.iter().map(|(port, _)| PortWidth::of(port));
        [inputs.collect(), outputs.collect()]
    }
}
