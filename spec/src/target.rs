//! The format and policies of a rounding.

use crate::{Format, NanResult, Overflow, PositRange, Rounding, Tininess};

/// The format of a result, how results are rounded to it, and what results beyond its range become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// The format of the result.
    pub format: Format,
    /// The rounding direction.
    pub rounding: Rounding,
    /// What floating-point results beyond the largest finite value become.
    pub overflow: Overflow,
    /// What posit results beyond the range become.
    pub posit_range: PositRange,
    /// Whether exception flags are computed, and when a result counts as tiny.
    pub flags: Option<Tininess>,
    /// What a converted NaN becomes.
    pub nan: NanResult,
}

impl Target {
    /// The code of a NaN without payload; zero in formats without NaN, except for RISC-V's integers.
    pub fn nan_code(&self) -> u128 {
        match (self.nan, self.format) {
            (NanResult::Riscv, Format::Fixed(_)) => self.format.max_code(),
            _ => self.format.nan_or_zero_code(),
        }
    }
}
