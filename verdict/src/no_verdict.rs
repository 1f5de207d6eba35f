//! Why there is no verdict.

use binade_tools::Error;
use thiserror::Error as ThisError;

/// Why there is no verdict.
#[derive(Debug, ThisError)]
pub enum NoVerdict {
    /// What was asked for is impossible, or the user's module cannot be judged; the text says why.
    #[error("{0}")]
    Usage(String),
    /// A tool or a file failed, or the user pressed Ctrl-C.
    #[error(transparent)]
    Tool(#[from] Error),
}

impl NoVerdict {
    /// Whether the user pressed Ctrl-C.
    pub fn is_interrupt(&self) -> bool {
        matches!(self, NoVerdict::Tool(Error::Interrupted))
    }
}
