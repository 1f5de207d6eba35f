//! The option that counts coverage.

use clap::Args;

#[derive(Args, Clone, Debug)]
pub struct CoverageOptions {
    /// Count the kinds of vectors checked, and show bins that are empty, rare or unreachable (slower)
    #[arg(long)]
    pub coverage: bool,
}
