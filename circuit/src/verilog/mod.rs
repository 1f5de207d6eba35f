//! Printing a circuit as Verilog-2005.
//!
//! Signals with a name become wires; the rest is written where it is used, unless it is used twice, is taken bits of, or
//! grows too long. Bits of a wire that nobody reads are gathered in `unused_bits`, so that lint needs no waiver.
//!
//! A clocked unit is printed segment by segment (`clocked.rs`), with the registers of its state (`state.rs`) and with a rank of
//! registers behind each but the last.

mod clocked;
mod expression;
mod layout;
mod print;
mod state;
mod syntax;
#[cfg(test)]
mod tests;

pub use clocked::print_pipelined;
pub use print::Heading;
pub use syntax::port_name;

use crate::Netlist;
use crate::pipeline::Pipeline;

/// The Verilog of a netlist; if it has registers, with the ports of a clocked unit, and with its results in the same clock as
/// their operands.
pub fn print(netlist: &Netlist, heading: &Heading) -> String {
    match netlist.registers.is_empty() {
        true => print::print_combinational(netlist, heading),
        false => print_pipelined(netlist, &Pipeline::new(netlist, 0), heading),
    }
}
