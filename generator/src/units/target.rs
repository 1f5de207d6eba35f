//! What a result is rounded into.

use binade_spec::{Float, Format, Operation, Overflow, Posit, PositRange, Rounding, Tininess};

/// The result's format, how results are rounded into it, and what becomes of those beyond its range.
#[derive(Clone, Copy)]
pub struct Target {
    pub format: Format,
    pub rounding: Rounding,
    pub overflow: Overflow,
    pub posit_range: PositRange,
    /// Whether exception flags are asked for, and when a result counts as tiny.
    pub flags: Option<Tininess>,
}

/// A target of one family, with what counts there.
pub enum Family {
    Float(FloatTarget),
    Posit(PositTarget),
}

/// A target that is a floating-point format.
#[derive(Clone, Copy)]
pub struct FloatTarget {
    pub format: Float,
    pub rounding: Rounding,
    pub overflow: Overflow,
    pub flags: Option<Tininess>,
}

/// A target that is a posit.
#[derive(Clone, Copy)]
pub struct PositTarget {
    pub format: Posit,
    pub rounding: Rounding,
    pub range: PositRange,
}

impl From<&Operation> for Target {
    fn from(operation: &Operation) -> Target {
        let &Operation { result: format, rounding, overflow, posit_range, flags, .. } = operation;
        Target { format, rounding, overflow, posit_range, flags }
    }
}

impl Target {
    /// The target by its family.
    pub fn family(&self) -> Family {
        let Target { rounding, overflow, posit_range, flags, .. } = *self;
        match self.format {
            Format::Float(format) => Family::Float(FloatTarget { format, rounding, overflow, flags }),
            Format::Posit(format) => Family::Posit(PositTarget { format, rounding, range: posit_range }),
        }
    }
}
