//! Failures and their exit codes.

use binade_campaign::{SuiteError, Totals};
use binade_synth::pnr::RouteError;
use binade_tools::Error;
use binade_verdict::{NoVerdict, Verdict};
use std::io::{self, Write};

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The command line asks for something impossible.
    Usage(String),
    /// A unit is wrong; the user has already been told.
    Mismatch,
    /// A unit got worse; the user has already been told.
    Worse,
    /// A certificate does not show what it claims.
    Refused(String),
    /// A proof is open; the user has already been told.
    Open,
    /// A file could not be read or written.
    File(String),
    Tool(Error),
    /// A device has too few cells for a unit, or is too slow for it.
    DoesNotFit(String),
    /// A required external tool is unusable; the user has already been told.
    ToolUnusable,
}

impl Failure {
    /// Prints one message and returns the exit code.
    pub fn report(self) -> u8 {
        let code = match self {
            Failure::Mismatch | Failure::Worse | Failure::DoesNotFit(_) | Failure::Refused(_) => 1,
            Failure::Usage(_) | Failure::File(_) => 2,
            Failure::Tool(Error::Interrupted) => 130,
            Failure::Tool(_) | Failure::ToolUnusable => 3,
            Failure::Open => 4,
        };
        if let Some(message) = self.message() {
            // A failed write to stderr does not change the exit code.
            let _ = writeln!(anstream::stderr(), "error: {message}");
        }
        code
    }

    /// The message, unless the user has already been told.
    pub fn message(&self) -> Option<String> {
        match self {
            Failure::Usage(message)
            | Failure::File(message)
            | Failure::DoesNotFit(message)
            | Failure::Refused(message) => Some(message.clone()),
            Failure::Tool(error) => Some(error.to_string()),
            Failure::Mismatch | Failure::Worse | Failure::Open | Failure::ToolUnusable => None,
        }
    }

    /// Prepends the unit or entry to a usage failure.
    pub fn within(self, place: &str) -> Failure {
        match self {
            Failure::Usage(message) => Failure::Usage(format!("{place}: {message}")),
            other => other,
        }
    }
}

impl Failure {
    /// A file or folder that could not be read or written.
    pub fn file(action: &str, path: &std::path::Path, error: io::Error) -> Failure {
        Error::file(action, path, error).into()
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::File(why) => Failure::File(why),
            error => Failure::Tool(error),
        }
    }
}

impl From<NoVerdict> for Failure {
    fn from(why: NoVerdict) -> Failure {
        match why {
            NoVerdict::Usage(why) => Failure::Usage(why),
            NoVerdict::Tool(error) => error.into(),
        }
    }
}

impl From<RouteError> for Failure {
    fn from(error: RouteError) -> Failure {
        match error {
            RouteError::Tool(error) => Failure::Tool(error),
            error @ (RouteError::DoesNotFit { .. } | RouteError::TooSlow { .. }) => {
                Failure::DoesNotFit(error.to_string())
            }
        }
    }
}

impl From<SuiteError> for Failure {
    fn from(error: SuiteError) -> Failure {
        match error {
            SuiteError::Impossible(why) => Failure::Usage(why),
            SuiteError::Interrupted => Failure::Tool(Error::Interrupted),
        }
    }
}

/// The exit code of a suite; a wrong unit is the worst result.
pub fn conclude_totals(totals: &Totals) -> Result<(), Failure> {
    match (totals.not_run, totals.wrong, totals.errors) {
        (1.., _, _) => Err(Failure::Tool(Error::Interrupted)),
        (_, 1.., _) => Err(Failure::Mismatch),
        (_, _, 1..) => Err(Failure::ToolUnusable),
        (0, 0, 0) => Ok(()),
    }
}

/// The exit code of a proof.
pub fn conclude_proof(verdict: Verdict) -> Result<(), Failure> {
    match verdict {
        Verdict::Proven | Verdict::Right => Ok(()),
        Verdict::Wrong => Err(Failure::Mismatch),
        Verdict::Open => Err(Failure::Open),
        Verdict::Error => Err(Failure::ToolUnusable),
        Verdict::NotRun => Err(Failure::Tool(Error::Interrupted)),
    }
}
