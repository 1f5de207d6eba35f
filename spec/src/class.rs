//! Classes of codes, which units treat differently.

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
    /// NaN (a quiet one where signaling ones exist) or NaR.
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
    pub const CODEBOOK: [Class; 4] = [Class::Zero, Class::Listed, Class::Infinity, Class::Nan];

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
            Class::SignalingNan => "signaling NaN",
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
