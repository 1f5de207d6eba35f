//! The option that counts coverage, and coverage in one line.

use clap::Args;
use serde_json::Value;

#[derive(Args, Clone, Debug)]
pub struct CoverageOptions {
    /// Count which kinds of vectors are checked, and show bins that are empty, rare, or cannot be reached (slower)
    #[arg(long)]
    pub coverage: bool,
}

/// Bins hit of those that can be, of a unit's report, for a cell of a table.
pub fn cell(coverage: &Value) -> String {
    let [hit, reachable, empty] = ["hit", "reachable", "empty"].map(|count| coverage[count].as_u64().unwrap_or(0));
    match empty {
        0 => format!("{hit}/{reachable}"),
        empty => format!("{hit}/{reachable}, {empty} empty"),
    }
}
