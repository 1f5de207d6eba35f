//! The targets of roundings, by family of the format.

pub use binade_spec::Target;
use binade_spec::{Codebook, Fixed, Float, Format, Overflow, Posit, PositRange, Rounding, Tininess};

/// A target of one family, with the settings that matter there.
pub enum FamilyTarget {
    Float(FloatTarget),
    Posit(PositTarget),
    Fixed(FixedTarget),
    Codebook(CodebookTarget),
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

/// A target that is a fixed-point format.
#[derive(Clone, Copy)]
pub struct FixedTarget {
    pub format: Fixed,
    pub rounding: Rounding,
    pub has_flags: bool,
    /// The code of NaN.
    pub nan: u128,
}

/// A target that is a codebook.
#[derive(Clone, Copy)]
pub struct CodebookTarget {
    pub format: Codebook,
    pub rounding: Rounding,
    pub overflow: Overflow,
}

impl From<&Target> for FamilyTarget {
    fn from(target: &Target) -> FamilyTarget {
        let Target { rounding, overflow, posit_range, flags, .. } = *target;
        match target.format {
            Format::Float(format) => FamilyTarget::Float(FloatTarget { format, rounding, overflow, flags }),
            Format::Posit(format) => FamilyTarget::Posit(PositTarget { format, rounding, range: posit_range }),
            Format::Fixed(format) => FamilyTarget::Fixed(FixedTarget {
                format,
                rounding,
                has_flags: flags.is_some(),
                nan: target.nan_code(),
            }),
            Format::Codebook(format) => FamilyTarget::Codebook(CodebookTarget { format, rounding, overflow }),
        }
    }
}
