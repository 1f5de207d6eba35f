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
//! | `suite.rs`, `stages.rs` | [`Suite`]: a file that lists units, resolved to generated units |
//! | `run.rs` | [`check_all`]: the loop over the units of a suite |
//! | `lanes.rs` | [`verify_in_lanes`]: checks a suite without external tools |
//! | `ledger.rs` | [`SuiteLedger`]: the finished units of a suite, for a run that resumes it |
//! | `verdicts.rs`, `known.rs` | [`Verdicts`] kept from run to run; [`Known`]: all that is known about a suite before it runs |
//! | `tally.rs` | [`SuiteReport`]: the result of each unit, and totals |
//! | `proofs/` | [`ProofSuite`](proofs::ProofSuite): the same for proofs |
//! | `junit.rs` | both as JUnit XML |
//! | `merge.rs` | joins the reports of all parts of a run |
//! | `family.rs` | [`Family`]: families of formats, which reports count |

mod family;
mod junit;
mod known;
mod lanes;
mod ledger;
pub mod merge;
pub mod proofs;
mod run;
mod stages;
mod suite;
mod tally;
mod verdicts;

#[cfg(test)]
#[path = "../build/sources.rs"]
mod sources;

pub use family::Family;
pub use known::{Known, Recalled, verdicts};
pub use lanes::{LanesError, verify_in_lanes};
pub use ledger::SuiteLedger;
pub use run::{Checker, Job, Shown, Unchecked, check_all, check_parts};
pub use stages::Stages;
pub use suite::{DutWords, Peers, Suite, SuiteError};
pub use tally::{CHECKED, SuiteReport, Totals, UnitResult, Verdict};
pub use verdicts::{Judge, Verdicts};

/// A count with its noun, in the plural unless the count is 1.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
