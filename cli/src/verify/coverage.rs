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
    /// Refuses a unit whose port chooses the formats: the bins are those of one format.
    pub fn check_unit(&self, unit: &GeneratedUnit) -> Result<(), Failure> {
        if !self.coverage || !unit.design.operation.has_choices() {
            return Ok(());
        }
        Err(Failure::Usage(format!(
            "--coverage counts vectors of units with one format on each port; port fmt chooses those of {}",
            unit.module
        )))
    }
}
