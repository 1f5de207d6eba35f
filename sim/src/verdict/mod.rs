//! The outcome of a run, and the evidence for a failure.
//!
//! | file | what it holds |
//! |---|---|
//! | `dissent.rs` | [`Dissent`]: specification and golden model disagree |
//! | `counterexample.rs` | [`Counterexample`]: a vector on which the two disagree |
//! | `scoreboard.rs` | compares unit and golden model, block by block |
//! | `violation.rs` | [`Violation`]: a clock at which a clocked unit breaks its contract |
//! | `shrink.rs` | shrinks a failing vector to a simple one that also fails |
//! | `report.rs` | [`Verification`]: the outcome |
//! | `mismatch.rs` | [`Mismatch`]: a wrong result, explained |
//! | `evidence.rs` | [`Evidence`]: vectors that reproduce a failure |
//! | `tolerance.rs` | [`Tolerance`]: which results are right besides the golden model's |
//! | `policy.rs` | [`Policy`]: what a module makes of operands and results otherwise |
//! | `rules.rs` | the tolerance as Verilog functions |
//! | `testbench.rs` | a Verilog testbench that contains its vectors |
//! | `vhdl.rs` | the same in VHDL |
//! | `waves.rs` | waves of a failure, converted from VCD to FST |

mod counterexample;
mod dissent;
mod evidence;
mod mismatch;
mod policy;
mod report;
mod rules;
mod scoreboard;
mod shrink;
mod testbench;
mod tolerance;
mod vhdl;
mod violation;
mod waves;

pub use counterexample::Counterexample;
pub use dissent::Dissent;
pub use evidence::Evidence;
pub use mismatch::{Disagreement, Explained, Mismatch};
pub use policy::{Policies, Policy};
pub use report::{Verification, nothing_wrong};
pub(crate) use scoreboard::compare_in;
pub use scoreboard::{Device, compare};
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
