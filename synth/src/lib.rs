//! The cost of a unit: Yosys maps the printed Verilog to a target, and its output is parsed into a [`MappedReport`]; nextpnr places and routes it
//! ([`pnr`]), which gives the fastest clock. Standard cells are described by Liberty files ([`liberty`]).
//!
//! The flows are those used for the peers' figures, command for command, so that rows can be compared. Compare only reports of the same
//! Yosys version: the figures of one Verilog file change by up to 42 % between versions.
//!
//! [`synthesize`] makes a report, and [`baseline`] finds what got worse since an earlier one:
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use binade_synth::{Area, Ice40Area, MappedReport, Target, baseline};
//!
//! // The result of `synthesize(&tools, "adder", verilog, Target::Ice40)?`, written out so that no Yosys is needed here.
//! let report = |lut4, depth| MappedReport {
//!     target: Target::Ice40,
//!     module: "adder".to_string(),
//!     kit: None,
//!     tool: "Yosys 0.70".to_string(),
//!     script: vec![],
//!     area: Area::Ice40(Ice40Area { lut4, carry: 8, sb_mac16: 0 }),
//!     flip_flops: 0,
//!     depth,
//!     cells: BTreeMap::from([("SB_CARRY".to_string(), 8), ("SB_LUT4".to_string(), lut4)]),
//! };
//! assert_eq!(report(60, 12).headline(), "ice40: 60 LUT4 + 8 carry, depth 12");
//!
//! let earlier = baseline::read(&serde_json::to_string(&[report(60, 12)])?)?;
//! let changes = baseline::changes(&earlier, &[report(66, 12)]);
//! assert_eq!(changes.worse[0].to_string(), "adder, ice40: lut4 60 -> 66 (+10.0 %)");
//! # Ok::<(), serde_json::Error>(())
//! ```

mod area;
pub mod baseline;
pub mod liberty;
mod netlist;
mod parse;
pub mod peers;
pub mod pnr;
mod report;
mod run;
mod script;
mod target;
mod unsettled;

pub use area::{Area, CycloneVArea, Ecp5Area, GenericArea, Ice40Area, LibertyArea, Xc7Area};
pub use netlist::Netlist;
pub use report::{MappedReport, csv, table};
pub use run::{ForeignNetlist, foreign_netlist, foreign_verilog, netlist, shell_netlist, synthesize};
pub use target::{Target, UnknownTarget};
pub use unsettled::Unsettled;
