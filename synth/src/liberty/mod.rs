//! The cost of a unit in standard cells: Yosys and ABC map it to the cells of Liberty files, once for area and once for delay.
//!
//! Areas are those of the cells, without wires. Delays come from ABC's static timing analysis (`stime`), from input or register to output
//! or register, without wires and without the registers' own times (setup, clock to output).
//!
//! | file | what it holds |
//! |---|---|
//! | `file.rs` | the name and the cells of a Liberty file |
//! | `kit.rs` | [`Kit`]: the cells to which a unit was mapped, for reports |
//! | `library.rs` | [`Library`]: the cells of one or more files, ready for Yosys |
//! | `open.rs` | opens a library, with a trial |
//! | `flow.rs` | the runs of Yosys and ABC |
//! | `curve.rs` | area against delay, as reports |
//! | `plot.rs` | area against delay, as a picture |

mod curve;
mod file;
mod flow;
mod kit;
mod library;
mod open;
mod plot;

pub use curve::{Curve, csv, table};
pub use flow::Point;
pub use kit::Kit;
pub use library::{Conditions, LibertyError, Library};
pub use plot::plot;
