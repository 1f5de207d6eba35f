//! The errors of formats on arrays of numbers, and their page.

mod element;
mod file;
mod measure;
mod page;
mod quantizer;
mod squares;
mod survey;

pub use element::{Element, MachineNumber};
pub use file::{Array, TensorFile};
pub use measure::{Analysis, Errors, Judgement, Measured, analyze};
pub use page::page;
pub use squares::Squares;
pub use survey::{Binade, Survey};

use binade_spec::Format;
use thiserror::Error;

/// The number of elements that share a scale, as in OCP MX.
pub const BLOCK: usize = 32;

/// Why there is no analysis. The text is shown to the user.
#[derive(Debug, Error)]
pub enum TensorError {
    /// A file of an unknown type.
    #[error("`{path}` is not an array file, which ends in .npy, .npz or .safetensors")]
    Kind {
        /// The file.
        path: String,
    },
    /// The file cannot be read.
    #[error("cannot read `{path}`: {source}")]
    Unreadable {
        /// The file.
        path: String,
        /// The operating system's reason.
        source: std::io::Error,
    },
    /// The file is malformed.
    #[error("`{path}` is damaged: {why}")]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// An archive, in an environment that cannot open archives.
    #[cfg(target_family = "wasm")]
    #[error("`{path}` is an archive, which cannot be opened here; unpack it, or use `binade report tensor`")]
    Archive {
        /// The file.
        path: String,
    },
    /// A format with values that binary64 cannot hold.
    #[error(
        "errors are computed in binary64, which cannot hold all values of {format}; use a format with up to 53 significand bits"
    )]
    TooWide {
        /// The format.
        format: Format,
    },
    /// The user stopped the analysis.
    #[error("stopped")]
    Stopped,
}
