//! What decides a unit's Verilog.

use binade_golden::Operation;
use std::{fmt, str::FromStr};

/// What a unit is built for, where architectures differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Optimize {
    /// Few gates and lookup tables.
    #[default]
    Area,
    /// Few gates and lookup tables one behind the other: carries from prefix trees, work done beforehand for both
    /// outcomes of what is known late.
    Depth,
}

impl Optimize {
    pub const ALL: [Optimize; 2] = [Optimize::Area, Optimize::Depth];

    pub fn name(self) -> &'static str {
        match self {
            Optimize::Area => "area",
            Optimize::Depth => "depth",
        }
    }
}

impl fmt::Display for Optimize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Optimize {
    type Err = String;

    fn from_str(name: &str) -> Result<Optimize, String> {
        let named = Optimize::ALL.into_iter().find(|optimize| optimize.name() == name);
        named.ok_or_else(|| format!("area or depth is expected, not `{name}`"))
    }
}

/// An operation, and how its unit is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Design {
    pub operation: Operation,
    /// Ranks of registers: the latency in clock cycles; 0 for a combinational unit.
    pub stages: u32,
    pub optimize: Optimize,
}

impl Design {
    /// The operation with so many ranks of registers, small.
    pub fn pipelined(operation: Operation, stages: u32) -> Design {
        Design { operation, stages, optimize: Optimize::Area }
    }

    /// The same, built for something else.
    pub fn optimized(self, optimize: Optimize) -> Design {
        Design { optimize, ..self }
    }
}

/// The operation as a small combinational unit.
impl From<Operation> for Design {
    fn from(operation: Operation) -> Design {
        Design::pipelined(operation, 0)
    }
}

impl From<&Operation> for Design {
    fn from(operation: &Operation) -> Design {
        Design::from(*operation)
    }
}

impl From<&Design> for Design {
    fn from(design: &Design) -> Design {
        *design
    }
}
