//! The choices among architectures of a circuit: the optimization goal, and how products are built.

use std::{fmt, str::FromStr};

/// The optimization goal of a unit with several architectures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Optimize {
    /// Few gates and lookup tables.
    #[default]
    Area,
    /// Few gates and lookup tables in sequence: carries from prefix trees, and results computed in advance for both
    /// values of late signals.
    Depth,
}

impl Optimize {
    /// All goals, the default one first.
    pub const ALL: [Optimize; 2] = [Optimize::Area, Optimize::Depth];

    /// The word on the command line and in suites.
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

/// How products of significands are built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Multiplier {
    /// As an array of adders: lookup tables and carry chains.
    #[default]
    Logic,
    /// As the operator `*`: tools of FPGAs map it to their DSP blocks.
    Operator,
}

impl Multiplier {
    /// All kinds, the default one first.
    pub const ALL: [Multiplier; 2] = [Multiplier::Logic, Multiplier::Operator];

    /// The word on the command line and in suites.
    pub fn name(self) -> &'static str {
        match self {
            Multiplier::Logic => "logic",
            Multiplier::Operator => "operator",
        }
    }
}

impl fmt::Display for Multiplier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Multiplier {
    type Err = String;

    fn from_str(name: &str) -> Result<Multiplier, String> {
        let named = Multiplier::ALL.into_iter().find(|multiplier| multiplier.name() == name);
        named.ok_or_else(|| format!("logic or operator is expected, not `{name}`"))
    }
}

/// The choices among architectures of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Architecture {
    /// The optimization goal.
    pub optimize: Optimize,
    /// How products are built.
    pub multiplier: Multiplier,
    /// Whether ranks of registers will be placed in the unit. Then the rows of a multiplier are summed in pairs, which takes a little more
    /// area and fewer adders in sequence.
    pub has_ranks: bool,
}

impl From<Optimize> for Architecture {
    fn from(optimize: Optimize) -> Architecture {
        Architecture { optimize, ..Architecture::default() }
    }
}
