//! What a result is rounded into.

use crate::{Format, Overflow, PositRange, Rounding, Tininess};

/// The format of a result, how results are rounded into it, and what becomes of those beyond its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    pub format: Format,
    pub rounding: Rounding,
    pub overflow: Overflow,
    pub posit_range: PositRange,
    /// Whether exception flags are asked for, and when a result counts as tiny.
    pub flags: Option<Tininess>,
}
