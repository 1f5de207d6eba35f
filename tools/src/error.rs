//! What can go wrong with an external tool.

use std::io;

/// An external tool is missing, too old, failed, or was interrupted. Every message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The tool is not there.
    #[error("{tool} is missing; {advice}")]
    Missing { tool: String, advice: String },

    /// The tool is older than what was tested.
    #[error("{tool} {found} is too old, {needed} or newer is needed; {advice}")]
    TooOld { tool: String, found: String, needed: String, advice: String },

    /// The tool ran and said no.
    #[error("{what} failed ({status}); the end of its output:\n{output}")]
    Failed { what: String, status: String, output: String },

    /// The tool said something that we do not understand.
    #[error("{tool} said something unexpected ({expected} was expected); please report it: {output}")]
    Unparsed { tool: String, expected: String, output: String },

    /// A file or folder could not be read or written.
    #[error("cannot {action}: {source}")]
    Io { action: String, source: io::Error },

    /// The user pressed Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// For `map_err`: an [`Error::Io`] that says what was tried, as in "write `x.v`".
    pub fn io(action: impl Into<String>) -> impl FnOnce(io::Error) -> Error {
        let action = action.into();
        move |source| Error::Io { action, source }
    }
}
