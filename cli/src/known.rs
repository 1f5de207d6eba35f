//! The option that makes verdicts of a suite anew, and the failures of those who note them.

use crate::failure::Failure;
use crate::output;
use binade_tools::Error;
use clap::Args;

#[derive(Args, Clone, Debug, Default)]
pub struct KnownOptions {
    /// Make every verdict of the suite anew, those that are known from earlier runs, too
    #[arg(long)]
    pub fresh: bool,
}

impl KnownOptions {
    /// Refuses to make anew what is not kept.
    pub fn check(&self, is_suite: bool) -> Result<(), Failure> {
        match self.fresh && !is_suite {
            true => Err(Failure::Usage(
                "--fresh is for a suite, whose verdicts are kept; add --suite FILE, or leave it out".into(),
            )),
            false => Ok(()),
        }
    }
}

/// That a verdict could not be noted or kept changes no verdict.
pub fn say_problem(kept: Result<(), Error>) {
    if let Err(error) = kept {
        output::say(format_args!("note: {error}"));
    }
}
