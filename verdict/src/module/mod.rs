//! A user's module in place of a generated unit.
//!
//! | file | what it holds |
//! |---|---|
//! | `options.rs` | the files, and how the module is connected |
//! | `outline.rs` | the module with its ports connected, before it runs |
//! | `connected.rs` | the module in an adapter with the ports of a unit |
//! | `readings.rs` | the same as other tools than Verilator read it |
//! | `vhdl.rs` | VHDL among the files: GHDL makes Verilog of it |
//! | `declared.rs` | finds the modules that a text declares |

mod connected;
mod declared;
mod options;
mod outline;
pub mod readings;
mod vhdl;

pub use connected::{About, Connected};
pub use options::{Latency, MOST_LATENCY, ModuleOptions};
pub use outline::Outline;
pub(crate) use outline::{expect_module, rejected};
