//! The kinds of netlists that Yosys makes of a unit's Verilog.

use crate::target::{Target, UnknownTarget};
use std::fmt;
use std::str::FromStr;

/// How Yosys turns Verilog into gates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Netlist {
    /// The gates of the text: its operators bit by bit, without optimization.
    Printed,
    /// The cells of a target, after synthesis.
    Mapped(Target),
}

impl Netlist {
    /// The netlists that the lanes engine can run, in the order of a help text.
    pub const NAMES: [&str; 8] = ["printed", "generic", "ice40", "ecp5", "xc7", "up5k-dsp", "ecp5-dsp", "xc7-dsp"];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Netlist::Printed => "printed",
            Netlist::Mapped(target) => target.name(),
        }
    }

    /// A description, as in `the ice40 netlist of Yosys 0.70`; `tool` is Yosys with its version.
    pub fn described(self, tool: &str) -> String {
        match self {
            Netlist::Printed => format!("the Verilog as {tool} reads it"),
            Netlist::Mapped(target) => format!("the {target} netlist of {tool}"),
        }
    }
}

impl fmt::Display for Netlist {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl From<Target> for Netlist {
    fn from(target: Target) -> Netlist {
        Netlist::Mapped(target)
    }
}

impl FromStr for Netlist {
    type Err = UnknownTarget;

    fn from_str(name: &str) -> Result<Netlist, UnknownTarget> {
        match name {
            "printed" => Ok(Netlist::Printed),
            _ if Netlist::NAMES.contains(&name) => name.parse().map(Netlist::Mapped),
            _ => Err(UnknownTarget(name.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed() {
        for name in Netlist::NAMES {
            assert_eq!(name.parse().map(|netlist: Netlist| netlist.to_string()), Ok(name.to_string()));
        }
        assert!("print".parse::<Netlist>().is_err() && "liberty".parse::<Netlist>().is_err());
    }
}
