//! Errors about external tools.

use std::io;

/// An external tool is missing, too old, failed, or was interrupted. Every message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The tool is not available.
    #[error("{tool} is missing; {advice}")]
    Missing {
        /// The tool, as a sentence names it.
        tool: String,
        /// What the user can do.
        advice: String,
    },

    /// The tool is older than the versions tested.
    #[error("{tool} {found} is too old, {needed} or newer is needed; {advice}")]
    TooOld {
        /// The tool's name, as in `Yosys`.
        tool: String,
        /// The version found.
        found: String,
        /// The oldest version that is supported.
        needed: String,
        /// What the user can do.
        advice: String,
    },

    /// The tool reported failure.
    #[error("{what} failed ({status}); the end of its output:\n{output}")]
    Failed {
        /// The run, as in "Verilator on `fmac.v`".
        what: String,
        /// How the program ended: its exit status, or the signal that killed it.
        status: String,
        /// The last lines of its standard output and standard error.
        output: String,
    },

    /// The tool's output could not be parsed.
    #[error("{tool} said something unexpected ({expected} was expected); please report it: {output}")]
    Unparsed {
        /// The tool, with its version if known.
        tool: String,
        /// What was expected in the output.
        expected: String,
        /// The output, or the end of it.
        output: String,
    },

    /// A file or folder could not be read or written.
    #[error("cannot {action}: {source}")]
    Io {
        /// The action, to be read after "cannot", as in "write `x.v`".
        action: String,
        /// The operating system's reason.
        source: io::Error,
    },

    /// The user pressed Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// For `map_err`: an [`Error::Io`] with the action, as in "write `x.v`".
    pub fn io(action: impl Into<String>) -> impl FnOnce(io::Error) -> Error {
        let action = action.into();
        move |source| Error::Io { action, source }
    }
}
