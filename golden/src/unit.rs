//! The kinds of units, and what their ports carry.

use crate::Format;
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

/// An input or output of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    pub name: &'static str,
    pub content: Content,
}

/// What a port carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A code of a format.
    Code(Format),
    /// A word of so many bits.
    Word { width: u32, kind: WordKind },
}

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// Random bits, `k` for each rounding, those of the first in the lowest places.
    Random,
    /// invalid, overflow, underflow, inexact, from the top bit down.
    Flags,
    /// A truth value.
    Bit,
    /// A number in two's complement.
    Signed,
    /// The leading one, fraction bits below it.
    Significand,
    /// Whether anything is below the significand.
    Sticky,
}

impl WordKind {
    /// What it is, in words.
    pub fn about(self) -> &'static str {
        match self {
            WordKind::Random => "random bits, those of the first rounding lowest",
            WordKind::Flags => "invalid, overflow, underflow, inexact",
            WordKind::Bit => "truth value",
            WordKind::Signed => "two's complement",
            WordKind::Significand => "leading one and fraction",
            WordKind::Sticky => "1 if anything is below the significand",
        }
    }
}

impl Port {
    pub(crate) fn code(name: &'static str, format: Format) -> Port {
        Port { name, content: Content::Code(format) }
    }

    pub(crate) fn word(name: &'static str, width: u32, kind: WordKind) -> Port {
        Port { name, content: Content::Word { width, kind } }
    }

    /// Bits of the port.
    pub fn width(&self) -> u32 {
        match self.content {
            Content::Code(format) => format.width(),
            Content::Word { width, .. } => width,
        }
    }

    /// The format whose codes it carries.
    pub fn format(&self) -> Option<Format> {
        match self.content {
            Content::Code(format) => Some(format),
            Content::Word { .. } => None,
        }
    }

    /// The format, or what the word is.
    pub fn about(&self) -> String {
        match self.content {
            Content::Code(format) => format.to_string(),
            Content::Word { kind, .. } => kind.about().into(),
        }
    }
}
