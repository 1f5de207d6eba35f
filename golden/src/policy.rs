//! How one exact result is rounded.

use binade_spec::{Overflow, PositRange, Rounding};

/// All that decides how one exact result is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The rounding direction.
    pub rounding: Rounding,
    /// What a result beyond the largest finite value becomes, in floating-point formats.
    pub overflow: Overflow,
    /// What a result beyond the ends of a posit becomes.
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
