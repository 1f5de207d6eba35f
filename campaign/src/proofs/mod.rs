//! The outcome of a suite of proofs.

mod run;
mod tally;

pub use run::{ProofJob, Proofs, prove_all};
pub use tally::{PROVEN, ProofSuite, Totals};
