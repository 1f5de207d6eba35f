//! What a result is rounded into.

use crate::{Format, Overflow, PositRange, Rounding, Tininess};

/// The format of a result, how results are rounded into it, and what becomes of those beyond its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// The format of the result.
    pub format: Format,
    /// The rounding direction.
    pub rounding: Rounding,
    /// What a result beyond the largest finite value becomes, in floating-point formats.
    pub overflow: Overflow,
    /// What a result beyond the ends of a posit becomes.
    pub posit_range: PositRange,
    /// Whether exception flags are asked for, and when a result counts as tiny.
    pub flags: Option<Tininess>,
}
