//! What a unit costs: Yosys maps the printed Verilog to a target, and what Yosys says is parsed into one [`Report`].
//!
//! The flows are those of the peers' figures, command for command, so that rows can be read side by side. Compare only
//! reports of one Yosys version: the same Verilog moves by up to 42 % between versions.

mod area;
pub mod baseline;
mod parse;
pub mod peers;
mod report;
mod run;
mod script;
mod target;

pub use area::{Area, CycloneVArea, Ecp5Area, GenericArea, Ice40Area, Xc7Area};
pub use report::{Report, csv, table};
pub use run::{netlist, synthesize};
pub use target::{Target, UnknownTarget};
