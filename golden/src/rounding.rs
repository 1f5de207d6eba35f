//! Rounding directions and overflow policies.

use serde::Serialize;
use std::{fmt, str::FromStr};

/// How an exact value that is no value of the format is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
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
    /// To odd: a result that is not exact takes the neighbour with the odd code.
    Rto,
    /// As `Rna`, under the name that DLFloat16 has for its only rounding, "nearest up".
    Rnu,
}

/// What a result beyond the largest finite value becomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Overflow {
    /// Infinity where the format has one and the rounding is not inward (IEEE 754 section 7.4), else NaN for `fn` formats and DLFloat16, else the largest finite value.
    #[default]
    Inf,
    /// The largest finite value, for infinite operands, too (SatFinite of IEEE P3109).
    Saturate,
    /// The largest finite value; infinite operands stay infinite (SatPropagate of IEEE P3109).
    Propagate,
}

impl Rounding {
    pub const ALL: [Rounding; 7] =
        [Rounding::Rne, Rounding::Rna, Rounding::Rtz, Rounding::Rup, Rounding::Rdn, Rounding::Rto, Rounding::Rnu];

    pub fn name(self) -> &'static str {
        match self {
            Rounding::Rne => "rne",
            Rounding::Rna => "rna",
            Rounding::Rtz => "rtz",
            Rounding::Rup => "rup",
            Rounding::Rdn => "rdn",
            Rounding::Rto => "rto",
            Rounding::Rnu => "rnu",
        }
    }
}

impl Overflow {
    pub const ALL: [Overflow; 3] = [Overflow::Inf, Overflow::Saturate, Overflow::Propagate];

    pub fn name(self) -> &'static str {
        match self {
            Overflow::Inf => "inf",
            Overflow::Saturate => "saturate",
            Overflow::Propagate => "propagate",
        }
    }
}

impl fmt::Display for Rounding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Overflow {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Rounding {
    type Err = String;
    fn from_str(name: &str) -> Result<Rounding, String> {
        by_name(name, &Rounding::ALL, |rounding| rounding.name())
    }
}

impl FromStr for Overflow {
    type Err = String;
    fn from_str(name: &str) -> Result<Overflow, String> {
        by_name(name, &Overflow::ALL, |overflow| overflow.name())
    }
}

/// The member of `all` with this name, or a sentence that lists the names.
fn by_name<T: Copy>(name: &str, all: &[T], name_of: fn(&T) -> &'static str) -> Result<T, String> {
    let names: Vec<&str> = all.iter().map(name_of).collect();
    all.iter()
        .copied()
        .find(|member| name_of(member) == name)
        .ok_or_else(|| format!("one of {} is expected", names.join(", ")))
}
