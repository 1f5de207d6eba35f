//! The option that counts coverage.

use crate::failure::Failure;
use binade_generator::GeneratedUnit;
use clap::Args;

#[derive(Args, Clone, Debug)]
pub struct CoverageOptions {
    /// Count the kinds of vectors checked, and show bins that are empty, rare or unreachable (slower)
    #[arg(long)]
    pub coverage: bool,
}

impl CoverageOptions {
    /// Refuses a unit whose port chooses the formats, or whose codes are boxed: the bins are those of one format.
    pub fn check_unit(&self, unit: &GeneratedUnit) -> Result<(), Failure> {
        if !self.coverage || !unit.design.operation.is_wrapped() {
            return Ok(());
        }
        Err(Failure::Usage(format!(
            "--coverage counts vectors of units with the codes of one format on each port; those of {} are boxed, or port fmt chooses their format",
            unit.module
        )))
    }
}
