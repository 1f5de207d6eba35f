//! APFloat (crate rustc_apfloat): layouts of its own and its rounding directions.

use binade_spec::Rounding;
use rustc_apfloat::Round;
use rustc_apfloat::ieee::{IeeeFloat, Semantics};

/// Layouts of so many bits, so many of them exponent bits.
macro_rules! layouts {
    ($($name:ident = $semantics:ident($bits:literal : $exponent_bits:literal),)*) => {
        $(
            pub struct $semantics;
            impl Semantics for $semantics {
                const BITS: usize = $bits;
                const EXP_BITS: usize = $exponent_bits;
            }
            pub type $name = IeeeFloat<$semantics>;
        )*
    };
}

// The wide ones are named by their precision; 12 exponent bits hold every product of binary32 values.
layouts! {
    E3M2 = E3M2S(6:3),
    E4M3 = E4M3S(8:4),
    E5M3 = E5M3S(9:5),
    E6M9 = E6M9S(16:6),
    E7M8 = E7M8S(16:7),
    Tf32 = Tf32S(19:8),
    Wide3 = Wide3S(15:12),
    Wide4 = Wide4S(16:12),
    Wide8 = Wide8S(20:12),
    Wide10 = Wide10S(22:12),
    Wide11 = Wide11S(23:12),
    Wide24 = Wide24S(36:12),
}

/// APFloat's directions: all but to odd, and "nearest up" is another name for ties away.
pub const DIRECTIONS: [(Rounding, Round); 5] = [
    (Rounding::Rne, Round::NearestTiesToEven),
    (Rounding::Rna, Round::NearestTiesToAway),
    (Rounding::Rtz, Round::TowardZero),
    (Rounding::Rup, Round::TowardPositive),
    (Rounding::Rdn, Round::TowardNegative),
];
