//! What can go wrong with an external tool.

use std::io;

/// An external tool is missing, too old, failed, or was interrupted. Every message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The tool is not there.
    #[error("{tool} is missing; {advice}")]
    Missing {
        /// The tool, as a sentence names it.
        tool: String,
        /// What the user can do.
        advice: String,
    },

    /// The tool is older than what was tested.
    #[error("{tool} {found} is too old, {needed} or newer is needed; {advice}")]
    TooOld {
        /// The tool's own name for itself, as in `Yosys`.
        tool: String,
        /// The version that is there.
        found: String,
        /// The oldest version that will do.
        needed: String,
        /// What the user can do.
        advice: String,
    },

    /// The tool ran and said no.
    #[error("{what} failed ({status}); the end of its output:\n{output}")]
    Failed {
        /// The run, as in "Verilator on `fmac.v`".
        what: String,
        /// How the program ended: its exit status, or the signal that killed it.
        status: String,
        /// The last lines of its standard output and standard error.
        output: String,
    },

    /// The tool said something that we do not understand.
    #[error("{tool} said something unexpected ({expected} was expected); please report it: {output}")]
    Unparsed {
        /// The tool, with its version where that is known.
        tool: String,
        /// What was looked for in the output.
        expected: String,
        /// What the tool said, or the end of it.
        output: String,
    },

    /// A file or folder could not be read or written.
    #[error("cannot {action}: {source}")]
    Io {
        /// What was tried, to be read after "cannot", as in "write `x.v`".
        action: String,
        /// The operating system's reason.
        source: io::Error,
    },

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
