//! Results of proofs: of one unit, and of a suite.

mod report;
mod tally;

pub use report::{Counterexample, Method, Report, Verdict};
pub use tally::{PROVEN, ProofSuite, Totals};
