//! The engines that evaluate a unit.
//!
//! | file | what it holds |
//! |---|---|
//! | `engine.rs` | [`Engine`]: the choice of an engine |
//! | `prepared.rs` | an engine ready to run, and a run of it |
//! | `verilator/` | the printed Verilog, compiled by Verilator |
//! | `lanes/` | the unit as gates, thousands of vectors at a time |
//! | `port.rs` | [`PortWidth`]: name and width of a port |

mod engine;
pub(crate) mod lanes;
mod port;
mod prepared;
pub mod verilator;

pub use engine::{Engine, Gates};
pub(crate) use port::Packed;
pub use port::PortWidth;
#[cfg(test)]
pub(crate) use prepared::run_lanes;
pub(crate) use prepared::{Found, Prepared};
