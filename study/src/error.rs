//! Why there is no such study.

use binade_spec::{Format, OperationError};
use thiserror::Error;

/// Widest format of a study.
const MOST_BITS: u32 = 16;

/// Why there is no such study. The text is what the user reads.
#[derive(Clone, Debug, Error)]
pub enum StudyError {
    /// Binary32, with which it is compared, has not all numbers of the format.
    #[error("{format} has {bits} bits; a study takes formats of up to {MOST_BITS}")]
    TooWide {
        /// The format.
        format: Format,
        /// Its bits.
        bits: u32,
    },
    /// One of the ways needs what the format has not.
    #[error("{format} is not rounded stochastically, as one of the ways of a study is; choose another format")]
    NotStochastic {
        /// The format.
        format: Format,
    },
    /// Weights and gradients have both signs.
    #[error("{format} has no negative values, as weights and gradients have; choose another format")]
    Unsigned {
        /// The format.
        format: Format,
    },
    /// The format has not the units that a training needs.
    #[error(transparent)]
    NoUnit(OperationError),
    /// A number that is none of steps, seeds or rates.
    #[error("{0}")]
    Setting(&'static str),
    /// It was told not to go on.
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

/// Whether a format is narrow enough.
///
/// # Errors
/// When it is not.
pub(crate) fn check_width(format: Format) -> Result<(), StudyError> {
    if format.width() > MOST_BITS {
        return Err(StudyError::TooWide { format, bits: format.width() });
    }
    Ok(())
}
