//! Proofs that a unit is right for all inputs, in all states, and for all sequences.
//!
//! | file | what it holds |
//! |---|---|
//! | `task.rs`, `loaded.rs` | [`Task`]: a unit and the source of its gates; [`Loaded`]: the gates |
//! | `foreign.rs` | a user's module, read by Yosys |
//! | `prover.rs` | [`Prover`]: what each tool reads, shells, and the rest |
//! | `attempt.rs` | one proof: cases, all inputs, registers, and the evidence files |
//! | `certificate.rs` | [`Certificate`]: files with which others can check a proof |
//! | `shell.rs` | the shell of a unit with valid and ready |
//! | `budget.rs`, `watch.rs` | [`Budget`]: the limit of a proof; [`Watch`]: who hears how it goes on |
//! | `report.rs`, `counterexample.rs`, `reason.rs` | [`ProofReport`]: the verdict; [`Counterexample`] and [`Reason`]: why |

mod attempt;
mod budget;
mod certificate;
mod counterexample;
mod foreign;
mod loaded;
mod prover;
mod reason;
mod report;
mod shell;
mod task;
mod watch;

pub use attempt::MOST_ENUMERATED_BITS;
pub use budget::Budget;
pub use certificate::{Certificate, check_certifiable};
pub use counterexample::Counterexample;
pub use foreign::mutated_module;
pub use loaded::{Loaded, Reading};
pub use prover::{Certificates, Prover};
pub use reason::Reason;
pub use report::{Method, ProofReport};
pub use task::Task;
pub use watch::{Silent, Watch};
