//! Classes of codes, which units treat differently.

use crate::{FieldZero, Fixed, Float, Infinity, Nan, Posit, Sign};

/// The kind of value that a code stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// 0 or -0.
    Zero,
    /// A code of field 0 that reads as zero (`e6m9n`).
    Flushed,
    /// A nonzero value below the normal ones, spaced evenly.
    Subnormal,
    /// A power of two below the ordinary binades.
    LowerSupernormal,
    /// A value of full precision in an ordinary binade.
    Normal,
    /// A power of two above the ordinary binades.
    UpperSupernormal,
    /// Either infinity.
    Infinity,
    /// NaN (a quiet one where signalling ones exist) or NaR.
    Nan,
    /// A NaN on which operations are invalid (IEEE 754).
    SignalingNan,
    /// The smallest posit above zero.
    Minpos,
    /// Any other posit except the largest.
    Ordinary,
    /// The largest posit.
    Maxpos,
    /// The fixed-point values next to zero, an ulp away.
    Ulp,
    /// Any other fixed-point value except the outermost.
    Fixed,
    /// The largest fixed-point value, and its negative.
    Largest,
    /// The lowest fixed-point value in two's complement, whose negative has no code.
    Lowest,
    /// A nonzero value of a codebook.
    Listed,
}

impl Class {
    /// The classes of floating-point formats.
    pub const FLOAT: [Class; 9] = [
        Class::Zero,
        Class::Flushed,
        Class::Subnormal,
        Class::LowerSupernormal,
        Class::Normal,
        Class::UpperSupernormal,
        Class::Infinity,
        Class::Nan,
        Class::SignalingNan,
    ];

    /// The classes of posits.
    pub const POSIT: [Class; 5] = [Class::Zero, Class::Minpos, Class::Ordinary, Class::Maxpos, Class::Nan];

    /// The classes of fixed-point formats.
    pub const FIXED: [Class; 5] = [Class::Zero, Class::Ulp, Class::Fixed, Class::Largest, Class::Lowest];

    /// The classes of codebooks.
    pub const CODEBOOK: [Class; 2] = [Class::Zero, Class::Listed];

    /// The name of the class in reports, as in `upper supernormal`.
    pub fn name(self) -> &'static str {
        match self {
            Class::Zero => "zero",
            Class::Flushed => "flushed",
            Class::Subnormal => "subnormal",
            Class::LowerSupernormal => "lower supernormal",
            Class::Normal => "normal",
            Class::UpperSupernormal => "upper supernormal",
            Class::Infinity => "infinity",
            Class::Nan => "NaN",
            Class::SignalingNan => "signalling NaN",
            Class::Minpos => "minpos",
            Class::Ordinary => "ordinary posit",
            Class::Maxpos => "maxpos",
            Class::Ulp => "one ulp",
            Class::Fixed => "fixed-point",
            Class::Largest => "largest",
            Class::Lowest => "lowest",
            Class::Listed => "listed",
        }
    }

    /// Whether it is a nonzero number.
    pub fn is_number(self) -> bool {
        !matches!(self, Class::Zero | Class::Flushed | Class::Infinity | Class::Nan | Class::SignalingNan)
    }

    /// Whether it is a NaN of either kind.
    pub fn is_nan(self) -> bool {
        matches!(self, Class::Nan | Class::SignalingNan)
    }
}

impl Float {
    /// The class of a magnitude code that is not NaN.
    pub fn class_of_magnitude(&self, magnitude: u128) -> Class {
        let is_field_zero = magnitude >> self.trailing_bits == 0 && self.binades_below == 0;
        match magnitude {
            0 if self.has_zero() => Class::Zero,
            _ if magnitude > self.max_code() => Class::Infinity,
            _ if magnitude < self.first_ordinary_code() => Class::LowerSupernormal,
            _ if magnitude >= self.first_upper_code() => Class::UpperSupernormal,
            _ if is_field_zero && self.field_zero == FieldZero::Subnormal => Class::Subnormal,
            _ if is_field_zero && self.field_zero == FieldZero::Zero => Class::Flushed,
            _ => Class::Normal,
        }
    }

    /// First and last code of a class; the first is greater than the last if there is none.
    pub(crate) fn class_codes(&self, class: Class) -> Option<[u128; 2]> {
        let first_normal = match self.field_zero {
            _ if self.binades_below > 0 => self.first_ordinary_code(),
            FieldZero::Subnormal | FieldZero::Zero => 1 << self.trailing_bits,
            FieldZero::Binade | FieldZero::NoZero => self.min_code(),
        };
        let only_field_zero =
            |kind| (self.binades_below == 0 && self.field_zero == kind).then(|| [1, first_normal - 1]);
        match class {
            Class::Zero => self.has_zero().then_some([0, 0]),
            Class::Flushed => only_field_zero(FieldZero::Zero),
            Class::Subnormal => only_field_zero(FieldZero::Subnormal),
            Class::LowerSupernormal => (self.binades_below > 0).then(|| [1, first_normal - 1]),
            Class::Normal => Some([first_normal, self.max_code().min(self.first_upper_code() - 1)]),
            Class::UpperSupernormal => Some([self.first_upper_code(), self.max_code()]),
            Class::Infinity => self.infinity_code().map(|code| [code, code]),
            Class::Nan if self.nan == Nan::TopField => self.nan_code().map(|code| [code, self.magnitude_mask()]),
            Class::Nan => self.nan_code().map(|code| [code, code]),
            Class::SignalingNan => {
                let has_payload = self.nan == Nan::TopField && self.infinity == Infinity::TopField;
                let quiet = has_payload.then(|| self.nan_code()).flatten()?;
                Some([self.infinity_magnitude() + 1, quiet - 1])
            }
            Class::Minpos | Class::Ordinary | Class::Maxpos => None,
            Class::Ulp | Class::Fixed | Class::Largest | Class::Lowest | Class::Listed => None,
        }
    }
}

impl Posit {
    /// The class of the magnitude code of a number or zero.
    pub fn class_of_magnitude(&self, magnitude: u128) -> Class {
        match magnitude {
            0 => Class::Zero,
            1 => Class::Minpos,
            _ if magnitude == self.max_code() => Class::Maxpos,
            _ => Class::Ordinary,
        }
    }

    pub(crate) fn class_codes(&self, class: Class) -> Option<[u128; 2]> {
        match class {
            Class::Zero => Some([0, 0]),
            Class::Minpos => Some([1, 1]),
            Class::Ordinary => Some([2, self.max_code() - 1]),
            Class::Maxpos => Some([self.max_code(); 2]),
            Class::Nan => Some([self.nar(); 2]),
            _ => None,
        }
    }
}

impl Fixed {
    /// The class of a magnitude.
    pub fn class_of_magnitude(&self, magnitude: u128) -> Class {
        match magnitude {
            0 => Class::Zero,
            _ if magnitude > self.max_code() => Class::Lowest,
            _ if magnitude == self.max_code() => Class::Largest,
            1 => Class::Ulp,
            _ => Class::Fixed,
        }
    }

    /// First and last code of a class; the first is greater than the last if there is none.
    pub(crate) fn class_codes(&self, class: Class) -> Option<[u128; 2]> {
        let largest = self.max_code();
        match class {
            Class::Zero => Some([0, 0]),
            Class::Ulp => Some([1, 1.min(largest - 1)]),
            Class::Fixed => Some([2, largest - 1]),
            Class::Largest => Some([largest; 2]),
            Class::Lowest => (self.sign == Sign::Signed).then_some([largest + 1; 2]),
            _ => None,
        }
    }
}
