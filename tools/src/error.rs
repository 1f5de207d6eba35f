//! Errors about external tools.

use std::io;
use std::path::{Path, PathBuf};

use crate::scratch::full_folder;

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

    /// The tool had no room for its temporary files.
    #[error(
        "{what} failed, because the file system of `{}` is full; free space there, or set TMPDIR to a folder with more",
        folder.display()
    )]
    Full {
        /// The run, as in "Verilator on `fmac.v`".
        what: String,
        /// The folder for temporary files.
        folder: PathBuf,
    },

    /// A file or folder could not be read or written.
    #[error("cannot {action}: {source}")]
    Io {
        /// The action, to be read after "cannot", as in "write `x.v`".
        action: String,
        /// The operating system's reason.
        source: io::Error,
    },

    /// A file that the user named could not be read or written, or must not be; the text says why.
    #[error("{0}")]
    File(String),

    /// The user pressed Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// The tool's output could not be parsed: [`Error::Full`] if there was no room for temporary files, else [`Error::Unparsed`] with
    /// these texts.
    pub fn unparsed(tool: String, expected: String, output: String) -> Error {
        match full_folder(&output) {
            Some(folder) => Error::Full { what: tool, folder },
            None => Error::Unparsed { tool, expected, output },
        }
    }

    /// A file or folder that the user named could not be read or written.
    pub fn file(action: &str, path: &Path, error: io::Error) -> Error {
        // Errors of temporary files contain an internal path that means nothing to the user.
        let why = if error.get_ref().is_some() { error.kind().to_string() } else { error.to_string() };
        Error::File(format!("cannot {action} `{}`: {why}", path.display()))
    }

    /// For `map_err`: an [`Error::Io`] with the action, as in "write `x.v`".
    pub fn io(action: impl Into<String>) -> impl FnOnce(io::Error) -> Error {
        let action = action.into();
        move |source| Error::Io { action, source }
    }
}
