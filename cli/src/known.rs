//! The option that recomputes the verdicts of a suite, and the warnings when noting them fails.

use crate::failure::Failure;
use crate::output;
use binade_tools::Error;
use clap::Args;

#[derive(Args, Clone, Debug, Default)]
pub struct KnownOptions {
    /// Recompute all verdicts of the suite, including those known from earlier runs
    #[arg(long)]
    pub fresh: bool,
}

impl KnownOptions {
    /// Refuses `--fresh` where no verdicts are kept.
    pub fn check(&self, is_suite: bool) -> Result<(), Failure> {
        match self.fresh && !is_suite {
            true => Err(Failure::Usage(
                "--fresh is for a suite, whose verdicts are kept; add --suite FILE, or leave it out".into(),
            )),
            false => Ok(()),
        }
    }
}

/// Warns that a verdict could not be noted or kept, which changes no verdict.
pub fn say_problem(kept: Result<(), Error>) {
    if let Err(error) = kept {
        output::say(format_args!("note: {error}"));
    }
}
