//! Printing a circuit as Verilog-2005.
//!
//! Signals with a name become wires; the rest is written where it is used, unless it is used twice, is taken bits of, or
//! grows too long. Bits of a wire that nobody reads are gathered in `unused_bits`, so that lint needs no waiver but one:
//! modules below the first one in a file are not called like it.
//!
//! Pieces that are there more than once are modules (`parts/`), below that of the unit.
//!
//! A clocked unit is printed segment by segment (`clocked.rs`), with the registers of its state (`state.rs`) and with a rank of
//! registers behind each but the last. A shell with valid and ready may be around it (`shell.rs`).

mod clocked;
mod expression;
mod layout;
mod parts;
mod print;
mod shell;
mod state;
mod syntax;
#[cfg(test)]
mod tests;

pub use crate::naming::is_reserved;
pub use clocked::print_pipelined;
pub use print::Heading;
pub use shell::{INSTANCE, Shell, below_shell, print_shell};
pub use syntax::port_name;

use crate::pipeline::Pipeline;
use crate::{Netlist, Port, clock_ports};

/// The ports of a netlist's module, and whether it drives them.
pub fn module_ports(netlist: &Netlist, is_clocked: bool) -> Vec<(bool, Port)> {
    let clocked = clock_ports(!netlist.registers.is_empty())
        .into_iter()
        .filter(|_| is_clocked)
        .map(|port| (port.is_output, Port { name: port.name.into(), width: 1, about: port.about.into() }));
    let inputs = netlist.inputs.iter().map(|port| (false, port.clone()));
    clocked.chain(inputs).chain(netlist.outputs.iter().map(|(port, _)| (true, port.clone()))).collect()
}

/// The Verilog of a netlist; if it has registers, with the ports of a clocked unit, and with its results in the same clock as
/// their operands.
pub fn print(netlist: &Netlist, heading: &Heading) -> String {
    match netlist.registers.is_empty() {
        true => print::print_combinational(netlist, heading),
        false => print_pipelined(netlist, &Pipeline::new(netlist, 0), heading),
    }
}
