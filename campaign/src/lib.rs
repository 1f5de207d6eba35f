//! Runs over many units: suite files, parts of a run, results of earlier runs, and reports.
//!
//! ```
//! use binade_campaign::{Suite, SuiteError};
//!
//! let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../testbench/suites");
//! let read = |path: &std::path::Path| std::fs::read_to_string(path).map_err(|error| SuiteError::Impossible(error.to_string()));
//! let suite = Suite::read(&folder.join("cells.toml"), read)?;
//! assert!(!suite.designs.is_empty());
//! # Ok::<(), SuiteError>(())
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `suite.rs` | [`Suite`]: a file that lists units, resolved to generated units |
//! | `run.rs` | [`check_all`]: the loop over the units of a suite |
//! | `ledger.rs` | [`SuiteLedger`]: the finished units of a suite, for a run that resumes it |
//! | `verdicts.rs`, `known.rs` | [`Verdicts`] kept from run to run; [`Known`]: all that is known about a suite before it runs |
//! | `measured.rs` | [`Jobs`]: measurements, in parts and resumed |
//! | `tally.rs` | [`SuiteReport`]: the result of each unit, and totals |
//! | `proofs/` | [`ProofSuite`](proofs::ProofSuite): the same for proofs |
//! | `junit.rs` | both as JUnit XML |
//! | `merge.rs` | joins the reports of all parts of a run |

mod junit;
mod known;
mod ledger;
mod measured;
pub mod merge;
pub mod proofs;
mod run;
#[cfg(test)]
mod schema;
mod suite;
mod tally;
mod verdicts;

#[cfg(test)]
#[path = "../build/sources.rs"]
mod sources;

pub use known::{Known, Recalled, verdicts};
pub use ledger::SuiteLedger;
pub use measured::{Division, Jobs, Measured, MeasuredPart, Notes};
pub use run::{Inspector, Job, Outcome, Shown, Unchecked, check_all, check_parts};
pub use suite::{DutWords, Peers, Suite, SuiteError};
pub use tally::{CHECKED, SuiteReport, Totals, UnitResult};
pub use verdicts::{Judge, Verdicts};
