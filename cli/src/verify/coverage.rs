//! The option that counts coverage.

use clap::Args;

#[derive(Args, Clone, Debug)]
pub struct CoverageOptions {
    /// Count which kinds of vectors are checked, and show bins that are empty, rare, or cannot be reached (slower)
    #[arg(long)]
    pub coverage: bool,
}
