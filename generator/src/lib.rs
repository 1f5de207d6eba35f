//! Arithmetic units as circuits, and their Verilog.
//!
//! | room | what lives there |
//! |---|---|
//! | `circuit/` | the builder: signals with widths, folding, pruning, and an interpreter |
//! | `units/` | the units, one file each, and the stages they share |
//! | `design.rs` | [`Design`]: an operation and how it is built |
//! | `description.rs` | module names, the command that makes a unit, its header |
//! | `verilog/` | printing a circuit as Verilog-2005 |
//!
//! Formats come from `binade_golden` as data; none of the golden model's arithmetic is used here.

pub mod circuit;
pub mod description;
mod design;
pub mod units;
pub mod verilog;

pub use design::Design;

use circuit::Netlist;

/// A unit: its circuit and its Verilog.
pub struct GeneratedUnit {
    pub design: Design,
    /// Name of the module and, with `.v` and `.json`, of its files.
    pub module: String,
    pub netlist: Netlist,
    pub verilog: String,
}

/// Builds a unit.
pub fn generate(design: impl Into<Design>) -> GeneratedUnit {
    let design = design.into();
    let module = description::module_name(&design);
    let netlist = units::build(&design.operation);
    let verilog = verilog::print(&netlist, &module, &description::command(&design), &description::about(&design));
    GeneratedUnit { design, module, netlist, verilog }
}
