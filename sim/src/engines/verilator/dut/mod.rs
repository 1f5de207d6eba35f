//! A user's module, checked in place of a generated one.
//!
//! | file | what it holds |
//! |---|---|
//! | `sources.rs` | [`Sources`]: the user's files, folders, macros and parameters |
//! | `expanded.rs` | the same with all macros expanded, and what is refused in them |
//! | `reader.rs` | [`SlangFiles`]: the same for Yosys, as synthesis or simulators read them |
//! | `text.rs` | Verilog text, examined without a tool |
//! | `survey.rs` | [`Dut`]: the module's ports, as Verilator sees them |
//! | `members.rs` | [`Member`]: a member of a packed structure among its ports |
//! | `wiring.rs` | [`Wiring`]: which of the module's ports is which port of the unit |
//! | `flags.rs` | [`FlagOrder`]: the order of its flags |
//! | `adapter.rs` | Verilog that gives the module the ports of the unit |
//! | `latency.rs` | its latency, measured |

mod adapter;
mod expanded;
mod flags;
mod latency;
mod members;
mod reader;
mod sources;
mod survey;
mod text;
mod wiring;

pub use flags::{Flag, FlagOrder};
pub use latency::{LatencyError, Measured, measure_latency};
pub use members::Member;
pub use reader::{Reader, SlangFiles};
pub use sources::Sources;
pub use survey::{Direction, Dut, DutError, DutPort, is_closed};
pub use text::code;
pub use wiring::{Beside, Choices, PortChoice, Reset, Tie, Wiring, WiringError};
