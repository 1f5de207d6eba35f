//! How an exact result is rounded.

use binade_spec::{Inward, Overflow, PositRange, Rounding, Target};

/// Everything that determines how an exact result is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The rounding direction.
    pub rounding: Rounding,
    /// What floating-point results beyond the largest finite value become.
    pub overflow: Overflow,
    /// What posit results beyond the range become.
    pub posit_range: PositRange,
    /// The random integer of stochastic rounding, `R`.
    pub random: u64,
}

impl Policy {
    /// The policy of a target, with the part of the last input that its rounding reads: the random integer, or the value of port
    /// `rm`.
    pub fn of(target: &Target, word: u64) -> Policy {
        let Target { rounding, overflow, posit_range, .. } = *target;
        let random = if rounding == Rounding::Any { 0 } else { word };
        Policy { rounding: rounding.resolved(word), overflow, posit_range, random }
    }

    /// Rounding and overflow, with defaults for the rest.
    pub fn new(rounding: Rounding, overflow: Overflow) -> Policy {
        Policy { rounding, overflow, posit_range: PositRange::default(), random: 0 }
    }
    /// Whether a magnitude beyond the largest finite one is rounded back to it; in rounding to odd, if that code is odd.
    pub(crate) fn is_inward(&self, negative: bool, largest_is_odd: bool) -> bool {
        match self.rounding.facets().inward {
            Inward::Never => false,
            Inward::Always => true,
            Inward::IfNegative => negative,
            Inward::IfPositive => !negative,
            Inward::IfOdd => largest_is_odd,
            Inward::ByPort => unreachable!("a policy has the rounding that `rm` chooses"),
        }
    }
}
