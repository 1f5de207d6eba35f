//! The ports and valid bits of clocked units.

use std::{fmt, str::FromStr};

/// How registers are reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reset {
    /// At a rising edge of the clock at which the reset is low.
    #[default]
    Sync,
    /// As soon as the reset is low.
    Async,
}

impl Reset {
    /// Both kinds, the default one first.
    pub const ALL: [Reset; 2] = [Reset::Sync, Reset::Async];

    /// The word on the command line and in suites.
    pub fn name(self) -> &'static str {
        match self {
            Reset::Sync => "sync",
            Reset::Async => "async",
        }
    }
}

impl fmt::Display for Reset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Reset {
    type Err = String;

    fn from_str(name: &str) -> Result<Reset, String> {
        let named = Reset::ALL.into_iter().find(|reset| reset.name() == name);
        named.ok_or_else(|| format!("sync or async is expected, not `{name}`"))
    }
}

/// Most ranks of registers that a unit can have.
pub const MAX_STAGES: u32 = 16;

/// A one-bit port that only clocked units have.
#[derive(Clone, Copy, Debug)]
pub struct ClockPort {
    /// The port's name in Verilog.
    pub name: &'static str,
    /// Whether the unit drives it.
    pub is_output: bool,
    /// Comment in the Verilog.
    pub about: &'static str,
}

const fn clock_port(name: &'static str, is_output: bool, about: &'static str) -> ClockPort {
    ClockPort { name, is_output, about }
}

/// The ports of a pipelined unit that precede those of its operation.
pub const CLOCK_PORTS: [ClockPort; 5] = clock_ports(false);

/// The ports of a clocked unit, with or without state, that precede those of its operation.
pub const fn clock_ports(has_state: bool) -> [ClockPort; 5] {
    let reset = match has_state {
        false => "active-low synchronous reset; drops operations",
        true => "active-low synchronous reset: drops operations, clears state",
    };
    [
        clock_port("clk", false, "clock, rising edge"),
        clock_port("rst_n", false, reset),
        clock_port("en", false, "clock enable: while low, all registers hold"),
        clock_port("in_valid", false, "operands are valid"),
        clock_port("out_valid", true, "results are valid"),
    ]
}

/// The signal that is 1 when a segment holds operands.
pub(crate) fn valid_of(segment: u32) -> String {
    if segment == 0 { "in_valid".into() } else { valid_name(segment) }
}

/// The register that is 1 when a rank holds operands.
pub(crate) fn valid_name(rank: u32) -> String {
    format!("valid_s{rank}")
}
