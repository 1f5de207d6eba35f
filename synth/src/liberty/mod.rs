//! What a unit costs in standard cells: Yosys and ABC map it to the cells of Liberty files, for as little area as they can and for as
//! little delay.
//!
//! Areas are the cells' own, without wires; delays are those of ABC's static timing analysis (`stime`) from input or register to output or
//! register, without wires, and without what the registers themselves take (setup, clock to output).
//!
//! | file | what it holds |
//! |---|---|
//! | `file.rs` | what a Liberty file says of itself: its name, its cells |
//! | `library.rs` | the cells of one or more files, ready for Yosys |
//! | `flow.rs` | the runs of Yosys and ABC |
//! | `curve.rs` | area against delay, as reports |
//! | `plot.rs` | the same as a picture |

mod curve;
mod file;
mod flow;
mod library;
mod plot;

pub use curve::{Curve, csv, table};
pub use flow::Point;
pub use library::{Conditions, Kit, LibertyError, Library};
pub use plot::plot;
