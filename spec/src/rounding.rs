//! Rounding directions, and policies beyond the range of a format.

use crate::alias::find_name;
use serde::Serialize;
use std::{fmt, str::FromStr};

/// How an exact value between two values of the format is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// To the nearest value; a tie goes to the even code (IEEE 754 roundTiesToEven).
    Rne,
    /// To the nearest value; a tie goes away from zero (IEEE 754 roundTiesToAway).
    Rna,
    /// Toward zero.
    Rtz,
    /// Toward +infinity.
    Rup,
    /// Toward -infinity.
    Rdn,
    /// To odd: an inexact result becomes the neighbour with the odd code.
    Rto,
    /// To the nearest value; a tie goes away from zero. This is DLFloat16's name for its only rounding, "nearest up".
    Rnu,
    /// Stochastic, with `k` random bits: at the fraction `f` of the way from the lower magnitude to the upper, and for
    /// a random integer `R < 2^k`, away from zero if `floor(f*2^k) + R >= 2^k` (IEEE P3109 StochasticA).
    Sr(u32),
    /// Like `Sr`, with `f*2^k` rounded to nearest, ties up, instead of down (IEEE P3109 StochasticB).
    Srb(u32),
    /// Like `Sr`, with `f*2^k` rounded to nearest, ties to even, instead of down (IEEE P3109 StochasticC).
    Src(u32),
    /// Supernormals as the MPTorch software rounds them: ordinary values like `Rne`, powers of two with ties away from
    /// zero; nonzero values below the smallest become +0, values above the largest infinity.
    Mptorch,
    /// As the port `rm` says at each operation, with RISC-V's codes: see [`Rounding::of_mode`].
    Any,
}

/// What holds of a rounding for every number, as data. A number lies between two neighbours, of which the inner one is nearer to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundingFacets {
    /// For roundings to nearest, the neighbour that a tie goes to.
    pub tie: Option<Ties>,
    /// When the result is the inner neighbour, however near the other one is.
    pub inward: Inward,
    /// Whether random bits decide.
    pub is_random: bool,
    /// Whether the port `rm` chooses the rounding.
    pub is_of_port: bool,
}

/// The neighbour that a tie goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The one with the even code.
    ToEven,
    /// The outer one.
    Away,
    /// The one with the even code among ordinary values, the outer one among powers of two: [`Rounding::Mptorch`].
    EvenOrAway,
}

/// When a rounding takes the inner neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inward {
    /// In no case: distances or random bits decide.
    Never,
    /// For every number.
    Always,
    /// For negative numbers; positive ones go to the outer neighbour.
    IfNegative,
    /// For positive numbers; negative ones go to the outer neighbour.
    IfPositive,
    /// If its code is odd; else the number goes to the outer neighbour.
    IfOdd,
    /// As the rounding that the port `rm` chooses.
    ByPort,
}

/// What a result beyond the largest finite value becomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Overflow {
    /// Infinity if the format has one and the rounding is not inward (IEEE 754 section 7.4), else NaN for `fn` formats
    /// and DLFloat16, else the largest finite value.
    #[default]
    Inf,
    /// The largest finite value, also for infinite operands (SatFinite of IEEE P3109).
    Saturate,
    /// The largest finite value; infinite operands stay infinite (SatPropagate of IEEE P3109).
    Propagate,
    /// Like [`Overflow::Inf`] for a rounding outward, in every rounding. No setting: sums with bulk normalization have it.
    #[serde(rename = "to-infinity")]
    ToInfinity,
}

/// What results beyond the range of a posit format become.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PositRange {
    /// minpos and maxpos (posit standard): no result is rounded to zero or NaR.
    #[default]
    Saturate,
    /// Zero below minpos/2, and NaR above maxpos.
    Float,
}

/// When a result counts as tiny; tiny results that are inexact signal underflow (IEEE 754 section 7.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tininess {
    /// If it is below the smallest normal value after rounding with unbounded exponent range.
    #[default]
    After,
    /// If it is below the smallest normal value before rounding.
    Before,
}

/// The most random bits of stochastic rounding.
const MAX_RANDOM_BITS: u32 = 32;

impl Rounding {
    /// The roundings with a fixed name: all except the stochastic ones.
    pub const NAMED: [Rounding; 9] = [
        Rounding::Rne,
        Rounding::Rna,
        Rounding::Rtz,
        Rounding::Rup,
        Rounding::Rdn,
        Rounding::Rto,
        Rounding::Rnu,
        Rounding::Mptorch,
        Rounding::Any,
    ];

    /// The roundings that port `rm` chooses, by its value up to 4.
    pub const MODES: [Rounding; 5] = [Rounding::Rne, Rounding::Rtz, Rounding::Rdn, Rounding::Rup, Rounding::Rna];

    /// What holds of the rounding for every number: the one table of all roundings.
    #[inline]
    pub fn facets(self) -> RoundingFacets {
        let none = RoundingFacets { tie: None, inward: Inward::Never, is_random: false, is_of_port: false };
        match self {
            Rounding::Rne => RoundingFacets { tie: Some(Ties::ToEven), ..none },
            Rounding::Rna | Rounding::Rnu => RoundingFacets { tie: Some(Ties::Away), ..none },
            Rounding::Mptorch => RoundingFacets { tie: Some(Ties::EvenOrAway), ..none },
            Rounding::Rtz => RoundingFacets { inward: Inward::Always, ..none },
            Rounding::Rup => RoundingFacets { inward: Inward::IfNegative, ..none },
            Rounding::Rdn => RoundingFacets { inward: Inward::IfPositive, ..none },
            Rounding::Rto => RoundingFacets { inward: Inward::IfOdd, ..none },
            Rounding::Sr(_) | Rounding::Srb(_) | Rounding::Src(_) => RoundingFacets { is_random: true, ..none },
            Rounding::Any => RoundingFacets { inward: Inward::ByPort, is_of_port: true, ..none },
        }
    }

    /// Random bits of one rounding.
    pub fn random_bits(self) -> u32 {
        match self {
            Rounding::Sr(bits) | Rounding::Srb(bits) | Rounding::Src(bits) => bits,
            _ => 0,
        }
    }

    /// Bits below a code that decide, beside whether any lower bit is 1: the guard bit; for stochastic rounding, those that random bits
    /// are added to, and the one by which they are rounded.
    pub fn tail_bits(self) -> u32 {
        match self {
            Rounding::Srb(bits) | Rounding::Src(bits) => bits + 1,
            _ => self.random_bits().max(1),
        }
    }

    /// Bits of the port that one rounding reads: its random bits, or the three bits of `rm`.
    pub fn port_bits(self) -> u32 {
        match self {
            Rounding::Any => 3,
            _ => self.random_bits(),
        }
    }

    /// The rounding that a value of port `rm` chooses (RISC-V unprivileged specification, table "Rounding mode encoding"). The
    /// values 5 to 7, which are reserved there, choose the same as 4, ties away from zero.
    pub fn of_mode(rm: u64) -> Rounding {
        Rounding::MODES[Rounding::place_of_mode(rm)]
    }

    /// The place in [`Rounding::MODES`] of the rounding that a value of port `rm` chooses.
    pub fn place_of_mode(rm: u64) -> usize {
        (rm & 7).min(4) as usize
    }

    /// This rounding; for [`Rounding::Any`], the one that a value of port `rm` chooses.
    pub fn resolved(self, rm: u64) -> Rounding {
        if self == Rounding::Any { Rounding::of_mode(rm) } else { self }
    }
}

impl Overflow {
    /// The policies that can be selected, the default one first.
    pub const ALL: [Overflow; 3] = [Overflow::Inf, Overflow::Saturate, Overflow::Propagate];

    /// The name of the policy on the command line and in suites.
    pub fn name(self) -> &'static str {
        match self {
            Overflow::Inf => "inf",
            Overflow::Saturate => "saturate",
            Overflow::Propagate => "propagate",
            Overflow::ToInfinity => "to-infinity",
        }
    }
}

impl fmt::Display for Rounding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Rounding::Rne => "rne",
            Rounding::Rna => "rna",
            Rounding::Rtz => "rtz",
            Rounding::Rup => "rup",
            Rounding::Rdn => "rdn",
            Rounding::Rto => "rto",
            Rounding::Rnu => "rnu",
            Rounding::Mptorch => "mptorch",
            Rounding::Any => "any",
            Rounding::Sr(bits) => return f.pad(&format!("sr{bits}")),
            Rounding::Srb(bits) => return f.pad(&format!("srb{bits}")),
            Rounding::Src(bits) => return f.pad(&format!("src{bits}")),
        })
    }
}

impl Serialize for Rounding {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Rounding {
    type Err = String;

    /// A name in any spelling, or `sr<k>`, `srb<k>` or `src<k>` with `k` from 1 to 32.
    fn from_str(name: &str) -> Result<Rounding, String> {
        let names = Rounding::NAMED.map(|rounding| rounding.to_string());
        let names = names.each_ref().map(String::as_str);
        let word = find_name(name, &names).map_or(name.to_lowercase(), str::to_string);
        let stochastic = [Rounding::Sr, Rounding::Srb, Rounding::Src].into_iter();
        let stochastic = stochastic.flat_map(|rounding| (1..=MAX_RANDOM_BITS).map(rounding));
        Rounding::NAMED.into_iter().chain(stochastic).find(|rounding| rounding.to_string() == word).ok_or_else(|| {
            format!(
                "one of {}, or sr<k>, srb<k> or src<k> with 1 to {MAX_RANDOM_BITS} random bits (sr8) is expected",
                names.join(", ")
            )
        })
    }
}

/// `Display` and `FromStr` of an enum with `ALL` and `name`, which it makes of a list.
macro_rules! named {
    ($(#[$all:meta])* $kind:ident { $($member:ident: $name:literal),+ $(,)? }) => {
        impl $kind {
            $(#[$all])*
            pub const ALL: [$kind; [$($name),+].len()] = [$($kind::$member),+];

            /// The name on the command line and in suites.
            pub fn name(self) -> &'static str {
                match self {
                    $($kind::$member => $name,)+
                }
            }
        }

        named!($kind);
    };
    ($kind:ty) => {
        impl fmt::Display for $kind {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $kind {
            type Err = String;
            fn from_str(name: &str) -> Result<Self, String> {
                by_name(name, &Self::ALL, |member| member.name())
            }
        }
    };
}

pub(crate) use named;

named!(Overflow);
named! {
    /// All policies, the default one first.
    PositRange { Saturate: "saturate", Float: "float" }
}
named! {
    /// All ways to detect tininess, the default one first.
    Tininess { After: "after", Before: "before" }
}

/// What a converted NaN becomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NanResult {
    /// Between IEEE 754 encodings, it keeps its sign and payload if the result has room for it (IEEE 754-2019 section 6.2.3); else the
    /// canonical NaN. In fixed point, zero.
    #[default]
    Payload,
    /// The canonical NaN; in fixed point, zero.
    Canonical,
    /// The canonical NaN; in fixed point, the largest value (RISC-V Unprivileged ISA, F extension, table of FCVT.int.fmt).
    Riscv,
}

named! {
    /// All of them, the default one first.
    NanResult { Payload: "payload", Canonical: "canonical", Riscv: "riscv" }
}

/// An instruction set whose rules a unit follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// RISC-V's extensions F, D, Q and Zfh (The RISC-V Instruction Set Manual, Volume I).
    Riscv,
}

named! {
    /// All of them.
    Profile { Riscv: "riscv" }
}

/// The member of `all` with this name in any spelling, or a message that lists the names.
pub fn by_name<T: Copy>(name: &str, all: &[T], name_of: fn(&T) -> &'static str) -> Result<T, String> {
    let names: Vec<&str> = all.iter().map(name_of).collect();
    let found = find_name(name, &names).and_then(|name| all.iter().find(|member| name_of(member) == name));
    found.copied().ok_or_else(|| format!("one of {} is expected", names.join(", ")))
}
