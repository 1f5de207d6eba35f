//! A vector on which unit and golden model disagree.

use super::violation::Violation;
use binade_spec::Word;

/// A vector on which unit and golden model disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The number of the vector in its plan.
    pub index: u64,
    /// The words of the operands.
    pub operands: Vec<Word>,
    /// The vectors of its sequence before it since the reset; none for a unit without state.
    pub before: Vec<Vec<Word>>,
    /// The words of all outputs, or the level of `out_valid`.
    pub got: Vec<Word>,
    /// The same from the golden model.
    pub want: Vec<Word>,
    /// When a clocked unit failed, and whether its results are wrong.
    pub violation: Option<Violation>,
}

impl Counterexample {
    /// The vectors since the reset, including this one; for a unit without state this one alone.
    pub fn sequence(&self) -> Vec<Vec<Word>> {
        self.before.iter().chain([&self.operands]).cloned().collect()
    }
}
