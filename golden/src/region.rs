//! The regions of the number line, as a format divides it.

/// Where a nonzero exact magnitude lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// Between zero and the smallest value.
    BelowSmallest,
    /// From a subnormal up to the next value.
    Subnormal,
    /// From a power of two below the ordinary binades ([`Class::LowerSupernormal`](binade_spec::Class::LowerSupernormal))
    /// up to the next value.
    LowerSupernormal,
    /// From a value of full precision ([`Class::Normal`](binade_spec::Class::Normal)) up to the next value.
    Normal,
    /// From a power of two above the ordinary binades ([`Class::UpperSupernormal`](binade_spec::Class::UpperSupernormal))
    /// up to the next value.
    UpperSupernormal,
    /// Between minpos and maxpos, or between an ulp and the largest fixed-point value.
    Ordinary,
    /// Above the largest value, below the next place.
    AboveLargest,
    /// At or above the place after the largest value.
    Beyond,
}
