//! Why a study is impossible.

use binade_spec::{Format, OperationError};
use thiserror::Error;

/// The widest format of a study.
const MOST_BITS: u32 = 16;

/// Why a study is impossible. The text is shown to the user.
#[derive(Clone, Debug, Error)]
pub enum StudyError {
    /// Binary32, the reference, does not hold all numbers of the format.
    #[error("{format} has {bits} bits; a study takes formats of up to {MOST_BITS}")]
    TooWide {
        /// The format.
        format: Format,
        /// Its bits.
        bits: u32,
    },
    /// A variant needs stochastic rounding, which the format does not have.
    #[error("{format} does not support stochastic rounding, which the study needs; choose another format")]
    NotStochastic {
        /// The format.
        format: Format,
    },
    /// Weights and gradients have both signs, but the format does not.
    #[error("{format} has no negative values, which weights and gradients need; choose another format")]
    Unsigned {
        /// The format.
        format: Format,
    },
    /// The format does not hold the data.
    #[error(
        "{format} holds numbers up to {largest}, and the {data} of this study are from 0 to {most}; choose a format with a larger range"
    )]
    Range {
        /// The format.
        format: Format,
        /// Its largest number.
        largest: f32,
        /// What is beyond it.
        data: &'static str,
        /// The bound of the data.
        most: f32,
    },
    /// All data become zero in the format.
    #[error(
        "the smallest number of {format} is {smallest}, and the {data} of this study are from 0 to {most}, which all become 0; choose a format with smaller numbers"
    )]
    Coarse {
        /// The format.
        format: Format,
        /// Its smallest positive number.
        smallest: f32,
        /// What becomes zero.
        data: &'static str,
        /// The bound of the data.
        most: f32,
    },
    /// Every training ended with infinities or NaN.
    #[error(
        "every training in {format} ended with infinities or NaN: errors and gradients are beyond its largest number, {largest}; choose a format with a larger range or a lower rate"
    )]
    Beyond {
        /// The format.
        format: Format,
        /// Its largest number.
        largest: f32,
    },
    /// The format lacks a unit that a training needs.
    #[error(transparent)]
    NoUnit(OperationError),
    /// An invalid number of steps or seeds, or an invalid rate.
    #[error("{0}")]
    Setting(&'static str),
    /// The study was stopped.
    #[error("stopped")]
    Stopped,
}

impl From<OperationError> for StudyError {
    fn from(error: OperationError) -> StudyError {
        match error {
            OperationError::RuleRounds { format, .. } => StudyError::NotStochastic { format },
            error => StudyError::NoUnit(error),
        }
    }
}

/// Checks that a format is narrow enough.
///
/// # Errors
/// When it is not.
pub(crate) fn check_width(format: Format) -> Result<(), StudyError> {
    if format.width() > MOST_BITS {
        return Err(StudyError::TooWide { format, bits: format.width() });
    }
    Ok(())
}
