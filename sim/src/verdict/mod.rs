//! What came out of a run, and what shows it again.
//!
//! | file | what it holds |
//! |---|---|
//! | `dissent.rs` | [`Dissent`]: specification and golden model differ |
//! | `scoreboard.rs` | unit against golden model, block by block |
//! | `violation.rs` | [`Violation`]: what a pipelined unit can do wrong at a clock |
//! | `shrink.rs` | from the vector found to a simple one that fails, too |
//! | `report.rs` | [`Verification`]: what came out |
//! | `mismatch.rs` | [`Mismatch`]: a wrong result, explained |
//! | `evidence.rs` | [`Evidence`]: the vectors that show a failure again |
//! | `tolerance.rs` | [`Tolerance`]: which answers are right beside the golden model's |
//! | `rules.rs` | the same as Verilog functions |
//! | `testbench.rs` | a Verilog testbench with its vectors inside |
//! | `vhdl.rs` | the same in VHDL |
//! | `waves.rs` | waves of a failure, from VCD to FST |

mod dissent;
mod evidence;
mod mismatch;
mod report;
mod rules;
mod scoreboard;
mod shrink;
mod testbench;
mod tolerance;
mod vhdl;
mod violation;
mod waves;

pub use dissent::Dissent;
pub use evidence::Evidence;
pub use mismatch::{Disagreement, Explained, Mismatch};
pub use report::{Verification, nothing_wrong};
pub(crate) use scoreboard::compare_in;
pub use scoreboard::{Counterexample, Device, compare};
pub(crate) use shrink::explain_for;
#[cfg(test)]
pub(crate) use shrink::shrink_for;
pub use shrink::{complexity, explain, shrink};
#[cfg(test)]
pub(crate) use testbench::render;
pub use testbench::{Files, commands, failing_testbench, testbench};
pub(crate) use tolerance::Lenient;
pub use tolerance::{NanRule, Tolerance};
pub use vhdl::vhdl_testbench;
pub use violation::{Fault, Violation};
pub use waves::waves;
