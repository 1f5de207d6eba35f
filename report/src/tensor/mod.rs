//! What formats make of arrays of numbers, and the page of it.

mod element;
mod file;
mod measure;
mod page;
mod quantizer;
mod squares;
mod survey;

pub use element::{Element, Number};
pub use file::{Array, TensorFile};
pub use measure::{Analysis, Errors, Judgement, Measured, analyze};
pub use page::page;
pub use squares::Squares;
pub use survey::{Binade, Survey};

use binade_spec::Format;
use thiserror::Error;

/// Elements of a block that share a scale, as of OCP MX.
pub const BLOCK: usize = 32;

/// Why there is no analysis. The text is what the user reads.
#[derive(Debug, Error)]
pub enum TensorError {
    /// A file of another kind.
    #[error("`{path}` is no array: files end in .npy, .npz or .safetensors")]
    Kind {
        /// The file.
        path: String,
    },
    /// The file cannot be read.
    #[error("cannot read `{path}`: {source}")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is not as its kind has to be.
    #[error("`{path}` is damaged: {why}")]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// An archive, where none are opened.
    #[cfg(target_family = "wasm")]
    #[error("`{path}` is an archive, which is not opened here; unpack it, or use `binade report tensor`")]
    Archive {
        /// The file.
        path: String,
    },
    /// A format whose values binary64 does not hold.
    #[error(
        "{format} has values that binary64 does not hold, in which errors are computed; use a format with up to 53 significand bits"
    )]
    TooWide {
        /// The format.
        format: Format,
    },
    /// The user has stopped it.
    #[error("stopped")]
    Stopped,
}
