//! A user's module, checked in place of a generated one.
//!
//! | file | what it holds |
//! |---|---|
//! | `sources.rs` | [`Sources`]: the user's files, folders, macros and parameters |
//! | `flat.rs` | [`FlatText`]: the same as one text |
//! | `text.rs` | Verilog text, examined without a tool |
//! | `survey.rs` | [`Dut`]: the module's ports, as Verilator sees them |
//! | `wiring.rs` | [`Wiring`]: which of the module's ports is which port of the unit |
//! | `adapter.rs` | Verilog that gives the module the ports of the unit |
//! | `latency.rs` | its latency, measured |

mod adapter;
mod flat;
mod latency;
mod sources;
mod survey;
mod text;
mod wiring;

pub use flat::FlatText;
pub use latency::{LatencyError, Measured, measure_latency};
pub use sources::Sources;
pub use survey::{Direction, Dut, DutError, DutPort, is_closed};
pub use text::code;
pub use wiring::{Choices, PortChoice, Reset, Tie, Wiring, WiringError};
