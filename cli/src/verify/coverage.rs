//! The option that counts coverage, and coverage in one line.

use binade_sim::{Coverage, Verification};
use clap::Args;

#[derive(Args, Clone, Debug)]
pub struct CoverageOptions {
    /// Count which kinds of vectors are checked, and show bins that are empty, rare, or cannot be reached (slower)
    #[arg(long)]
    pub coverage: bool,
}

/// Bins hit of those that can be, for a cell of a table.
pub fn cell(verification: &Verification) -> String {
    let Some(Coverage { hit, reachable, empty, .. }) = &verification.coverage else { return String::new() };
    match empty {
        0 => format!("{hit}/{reachable}"),
        empty => format!("{hit}/{reachable}, {empty} empty"),
    }
}
