//! APFloat (crate rustc_apfloat): custom layouts, and its rounding directions.

use binade_spec::Rounding;
use rustc_apfloat::Round;
use rustc_apfloat::ieee::{IeeeFloat, Semantics};

/// Layouts with these numbers of bits and exponent bits.
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

// The wide ones are named by their precision; 18 exponent bits hold every product of binary128 values.
layouts! {
    E3M2 = E3M2S(6:3),
    E4M3 = E4M3S(8:4),
    E5M3 = E5M3S(9:5),
    E6M9 = E6M9S(16:6),
    E7M8 = E7M8S(16:7),
    Tf32 = Tf32S(19:8),
    E9M2 = E9M2S(12:9),
    E11M1 = E11M1S(13:11),
    E15M2 = E15M2S(18:15),
    E8M40 = E8M40S(49:8),
    E2M60 = E2M60S(63:2),
    E15M48 = E15M48S(64:15),
    E3M112 = E3M112S(116:3),
    Wide3 = Wide3S(21:18),
    Wide4 = Wide4S(22:18),
    Wide8 = Wide8S(26:18),
    Wide10 = Wide10S(28:18),
    Wide11 = Wide11S(29:18),
    Wide24 = Wide24S(42:18),
    Wide49 = Wide49S(67:18),
    Wide53 = Wide53S(71:18),
    Wide61 = Wide61S(79:18),
    Wide113 = Wide113S(131:18),
}

/// APFloat's directions: all except to odd; "nearest up" is another name for ties away.
pub const DIRECTIONS: [(Rounding, Round); 5] = [
    (Rounding::Rne, Round::NearestTiesToEven),
    (Rounding::Rna, Round::NearestTiesToAway),
    (Rounding::Rtz, Round::TowardZero),
    (Rounding::Rup, Round::TowardPositive),
    (Rounding::Rdn, Round::TowardNegative),
];
