//! The verdict on a unit.

use serde::{Deserialize, Serialize};

/// The verdict on a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Vectors show no difference.
    Right,
    /// Right for all inputs.
    Proven,
    /// Wrong for some inputs, or the module does not answer.
    Wrong,
    /// Neither proven nor wrong.
    Open,
    /// None, because a tool failed.
    Error,
    /// None, because the run was interrupted before this unit.
    NotRun,
}

impl Verdict {
    /// The verdict of vectors.
    pub fn of_vectors(is_right: bool) -> Verdict {
        if is_right { Verdict::Right } else { Verdict::Wrong }
    }

    /// Whether there is none: a tool failed, or the run was interrupted.
    pub fn is_missing(self) -> bool {
        match self {
            Verdict::Right | Verdict::Proven | Verdict::Wrong | Verdict::Open => false,
            Verdict::Error | Verdict::NotRun => true,
        }
    }

    /// The verdict in a table; what needs attention is in capitals.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Right => "right",
            Verdict::Proven => "proven",
            Verdict::Wrong => "WRONG",
            Verdict::Open => "open",
            Verdict::Error => "ERROR",
            Verdict::NotRun => "not run",
        }
    }
}
