//! Arithmetic units as circuits, and their Verilog.
//!
//! | room | what lives there |
//! |---|---|
//! | `circuit/` | the builder: signals with widths, folding, pruning, and an interpreter |
//! | `units/` | the units, one file each, and the stages they share |
//! | `description.rs` | module names, the command that makes a unit, its header |
//! | `verilog/` | printing a circuit as Verilog-2005 |
//!
//! Formats come from `binade_golden` as data; none of the golden model's arithmetic is used here.

pub mod circuit;
pub mod description;
pub mod units;
pub mod verilog;

use binade_golden::Operation;
use circuit::Netlist;

/// A unit: its circuit and its Verilog.
pub struct GeneratedUnit {
    /// Name of the module and, with `.v` and `.json`, of its files.
    pub module: String,
    pub netlist: Netlist,
    pub verilog: String,
}

/// Builds the unit for an operation.
pub fn generate(operation: &Operation) -> GeneratedUnit {
    let module = description::module_name(operation);
    let netlist = units::build(operation);
    let verilog = verilog::print(&netlist, &module, &description::command(operation), &description::about(operation));
    GeneratedUnit { module, netlist, verilog }
}
