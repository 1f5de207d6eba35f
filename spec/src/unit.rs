//! The kinds of units.

use crate::rounding::by_name;
use serde::Serialize;
use std::{fmt, str::FromStr};

/// The kinds of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// The format to binary32.
    Decode,
    /// binary32 to the format.
    Encode,
    /// One format to another.
    Convert,
    /// `a * b`.
    Mul,
    /// `a + b`.
    Add,
    /// `a * b + c`, `c` and the result in the accumulator format, rounded once.
    Fmac,
    /// The same with the product rounded to the accumulator format before `c` is added.
    Mac,
    /// A posit to sign, exponent and significand.
    PositDecoder,
    /// The reverse, rounded.
    PositEncoder,
}

impl Unit {
    pub const ALL: [Unit; 9] = [
        Unit::Decode,
        Unit::Encode,
        Unit::Convert,
        Unit::Mul,
        Unit::Add,
        Unit::Fmac,
        Unit::Mac,
        Unit::PositDecoder,
        Unit::PositEncoder,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Unit::Decode => "decode",
            Unit::Encode => "encode",
            Unit::Convert => "convert",
            Unit::Mul => "mul",
            Unit::Add => "add",
            Unit::Fmac => "fmac",
            Unit::Mac => "mac",
            Unit::PositDecoder => "posit-decoder",
            Unit::PositEncoder => "posit-encoder",
        }
    }

    /// Whether there is an accumulator.
    pub fn accumulates(self) -> bool {
        matches!(self, Unit::Fmac | Unit::Mac)
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Unit {
    type Err = String;
    fn from_str(name: &str) -> Result<Unit, String> {
        by_name(name, &Unit::ALL, |unit| unit.name())
    }
}
