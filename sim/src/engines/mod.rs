//! The engines that evaluate a unit.
//!
//! | file | what it holds |
//! |---|---|
//! | `engine.rs` | [`Engine`]: the choice of an engine, and a run of it |
//! | `verilator/` | the printed Verilog, compiled by Verilator |
//! | `lanes/` | the unit as gates, thousands of vectors at a time |
//! | `port.rs` | [`PortWidth`]: name and width of a port |

mod engine;
pub(crate) mod lanes;
mod port;
pub mod verilator;

#[cfg(test)]
pub(crate) use engine::run_lanes;
pub use engine::{Engine, Gates};
pub(crate) use engine::{Found, Prepared};
pub(crate) use port::Packed;
pub use port::PortWidth;
