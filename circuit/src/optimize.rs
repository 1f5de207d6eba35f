//! The optimization goal of circuits.

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
