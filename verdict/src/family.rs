//! Families of formats: a family shares everything but widths and bias.

use binade_spec::{FieldZero, Format, Nan};
use std::fmt;

/// A family of formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// IEEE 754 interchange encodings, and other widths of them.
    Ieee,
    /// OCP formats with NaN and without infinities.
    OcpWithNan,
    /// Formats of finite values only.
    Finite,
    /// IEEE P3109.
    P3109,
    /// Formats with powers of two in place of the outer binades.
    Supernormal,
    /// Formats that read subnormals as zero.
    Flushed,
    /// Formats with a binade in place of the subnormals.
    NoSubnormals,
    /// DLFloat.
    DlFloat,
    /// Scales that are powers of two.
    PowersOfTwo,
    /// Unsigned scales with a trailing significand.
    Unsigned,
    /// Posits.
    Posit,
    /// Integers and fixed point.
    FixedPoint,
    /// Listed values.
    Codebook,
}

impl Family {
    /// All families.
    pub const ALL: [Family; 13] = [
        Family::Ieee,
        Family::OcpWithNan,
        Family::Finite,
        Family::P3109,
        Family::Supernormal,
        Family::Flushed,
        Family::NoSubnormals,
        Family::DlFloat,
        Family::PowersOfTwo,
        Family::Unsigned,
        Family::Posit,
        Family::FixedPoint,
        Family::Codebook,
    ];

    /// The family of a format.
    pub fn of(format: &Format) -> Family {
        let float = match format {
            Format::Float(float) => float,
            Format::Posit(_) => return Family::Posit,
            Format::Fixed(_) => return Family::FixedPoint,
            Format::Codebook(_) => return Family::Codebook,
        };
        if float.binades_below + float.binades_above > 0 {
            return Family::Supernormal;
        }
        match (float.field_zero, float.nan) {
            (FieldZero::NoZero, _) => Family::PowersOfTwo,
            (_, Nan::NanInfinity) => Family::DlFloat,
            (FieldZero::Zero, _) => Family::Flushed,
            (FieldZero::Binade, _) => Family::NoSubnormals,
            (FieldZero::Subnormal, Nan::TopField) => Family::Ieee,
            (FieldZero::Subnormal, Nan::AllOnes) => Family::OcpWithNan,
            (FieldZero::Subnormal, Nan::None) => Family::Finite,
            (FieldZero::Subnormal, Nan::SignAlone) => Family::P3109,
            (FieldZero::Subnormal, Nan::LastCode) => Family::Unsigned,
        }
    }

    /// A small format of the family.
    pub fn example(self) -> &'static str {
        match self {
            Family::Ieee => "e3m2",
            Family::OcpWithNan => "e3m2fn",
            Family::Finite => "e2m2f",
            Family::P3109 => "k5p3se",
            Family::Supernormal => "e3m2b1",
            Family::Flushed => "e3m2n",
            Family::NoSubnormals => "e3m2ns",
            Family::DlFloat => "dlfloat16",
            Family::PowersOfTwo => "e8m0",
            Family::Unsigned => "ue3m2",
            Family::Posit => "posit6_1",
            Family::FixedPoint => "fixed6_3",
            Family::Codebook => "hifloat8",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Family::Ieee => "IEEE 754",
            Family::OcpWithNan => "OCP with NaN",
            Family::Finite => "finite",
            Family::P3109 => "P3109",
            Family::Supernormal => "supernormal",
            Family::Flushed => "subnormals flushed",
            Family::NoSubnormals => "no subnormals",
            Family::DlFloat => "DLFloat",
            Family::PowersOfTwo => "powers of two",
            Family::Unsigned => "unsigned",
            Family::Posit => "posit",
            Family::FixedPoint => "fixed point",
            Family::Codebook => "codebook",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_example_is_of_its_family() {
        for family in Family::ALL {
            assert_eq!(Family::of(&family.example().parse().expect("a format")), family);
        }
    }
}
