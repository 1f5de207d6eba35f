//! How one exact result is rounded.

use binade_spec::{Overflow, PositRange, Rounding};
/// All that decides how one exact result is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    pub rounding: Rounding,
    pub overflow: Overflow,
    pub posit_range: PositRange,
    /// The random integer of stochastic rounding, `R`.
    pub random: u64,
}

impl Policy {
    /// Rounding and overflow; the rest as it is by default.
    pub fn new(rounding: Rounding, overflow: Overflow) -> Policy {
        Policy { rounding, overflow, posit_range: PositRange::default(), random: 0 }
    }
}
