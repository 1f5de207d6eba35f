//! What can go wrong, and the exit code for it.

use binade_synth::pnr::RouteError;
use std::io::{self, Write};
use std::process::ExitCode;

/// Why a command did not succeed.
#[derive(Debug)]
pub enum Failure {
    /// The command line asks for something impossible.
    Usage(String),
    /// A unit is wrong; what there is to say has been said.
    Mismatch,
    /// A unit got worse than it was; what there is to say has been said.
    Worse,
    /// Not everything could be proven; what there is to say has been said.
    Open,
    /// A file could not be read or written.
    File(String),
    Tool(binade_tools::Error),
    /// A device has too few cells for a unit, or is too slow for it.
    DoesNotFit(String),
    /// An external tool that is needed is not usable; what there is to say has been said.
    ToolUnusable,
}

impl Failure {
    /// Prints one message and gives the exit code.
    pub fn report(self) -> ExitCode {
        let code = match self {
            Failure::Mismatch | Failure::Worse | Failure::DoesNotFit(_) => 1,
            Failure::Usage(_) | Failure::File(_) => 2,
            Failure::Tool(binade_tools::Error::Interrupted) => 130,
            Failure::Tool(_) | Failure::ToolUnusable => 3,
            Failure::Open => 4,
        };
        if let Some(message) = self.message() {
            // That it cannot be heard changes no exit code.
            let _ = writeln!(anstream::stderr(), "error: {message}");
        }
        ExitCode::from(code)
    }

    /// What there is to say that has not been said.
    pub fn message(&self) -> Option<String> {
        match self {
            Failure::Usage(message) | Failure::File(message) | Failure::DoesNotFit(message) => Some(message.clone()),
            Failure::Tool(error) => Some(error.to_string()),
            Failure::Mismatch | Failure::Worse | Failure::Open | Failure::ToolUnusable => None,
        }
    }

    /// A usage failure, with the unit or entry that it is about.
    pub fn within(self, place: &str) -> Failure {
        match self {
            Failure::Usage(message) => Failure::Usage(format!("{place}: {message}")),
            other => other,
        }
    }

    /// A file or folder that could not be read or written.
    pub fn file(action: &str, path: &std::path::Path, error: io::Error) -> Failure {
        // Errors of temporary files name a path of their own, which says nothing to the user.
        let why = if error.get_ref().is_some() { error.kind().to_string() } else { error.to_string() };
        Failure::File(format!("cannot {action} `{}`: {why}", path.display()))
    }
}

impl From<binade_tools::Error> for Failure {
    fn from(error: binade_tools::Error) -> Failure {
        Failure::Tool(error)
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
