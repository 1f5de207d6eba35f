//! The interface of a unit: the ports that announce operands and results and say that they are taken.

use std::{fmt, str::FromStr};

/// The ports of a unit besides its operands and results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interface {
    /// None for a combinational unit; `clk`, `rst_n`, `en`, `in_valid` and `out_valid` for a unit with a clock.
    #[default]
    Plain,
    /// Operands and results with `valid` and `ready` each: a shell around the unit.
    ReadyValid,
    /// The same with the names of AMBA AXI4-Stream; operands and results are packed into `tdata`.
    AxiStream,
}

impl Interface {
    /// All interfaces, the default one first.
    pub const ALL: [Interface; 3] = [Interface::Plain, Interface::ReadyValid, Interface::AxiStream];

    /// The word on the command line and in suites.
    pub fn name(self) -> &'static str {
        match self {
            Interface::Plain => "plain",
            Interface::ReadyValid => "ready-valid",
            Interface::AxiStream => "axi-stream",
        }
    }

    /// The suffix of the names of modules with this interface.
    pub fn suffix(self) -> &'static str {
        match self {
            Interface::Plain => "",
            Interface::ReadyValid => "_rv",
            Interface::AxiStream => "_axis",
        }
    }

    /// The names of a shell's control ports; none for a unit without a shell.
    pub fn controls(self) -> Option<&'static Controls> {
        match self {
            Interface::Plain => None,
            Interface::ReadyValid => Some(&READY_VALID),
            Interface::AxiStream => Some(&AXI_STREAM),
        }
    }
}

impl fmt::Display for Interface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Interface {
    type Err = String;

    fn from_str(name: &str) -> Result<Interface, String> {
        let named = Interface::ALL.into_iter().find(|interface| interface.name() == name);
        named.ok_or_else(|| format!("plain, ready-valid or axi-stream is expected, not `{name}`"))
    }
}

/// The names of a shell's one-bit control ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Controls {
    /// Everything happens at its rising edge.
    pub clock: &'static str,
    /// Low: operations in flight are dropped.
    pub reset: &'static str,
    /// Operands are offered.
    pub in_valid: &'static str,
    /// Operands that are offered are taken.
    pub in_ready: &'static str,
    /// Results are offered.
    pub out_valid: &'static str,
    /// Results that are offered are taken.
    pub out_ready: &'static str,
}

const READY_VALID: Controls = Controls {
    clock: "clk",
    reset: "rst_n",
    in_valid: "in_valid",
    in_ready: "in_ready",
    out_valid: "out_valid",
    out_ready: "out_ready",
};

const AXI_STREAM: Controls = Controls {
    clock: "aclk",
    reset: "aresetn",
    in_valid: "s_axis_tvalid",
    in_ready: "s_axis_tready",
    out_valid: "m_axis_tvalid",
    out_ready: "m_axis_tready",
};

/// The port with the operands of an AXI4-Stream.
pub const OPERANDS: &str = "s_axis_tdata";

/// The port with its results.
pub const RESULTS: &str = "m_axis_tdata";

/// Where words lie in `tdata`: the first one lowest, each in the fewest whole bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    /// The lowest bit of each word.
    pub lows: Vec<u32>,
    /// Bits of all words.
    pub width: u32,
}

impl Packing {
    /// The places of words of these widths.
    pub fn of(widths: impl IntoIterator<Item = u32>) -> Packing {
        let (mut lows, mut width) = (vec![], 0);
        for word in widths {
            lows.push(width);
            width += word.next_multiple_of(8);
        }
        Packing { lows, width }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_packed_into_bytes() {
        assert_eq!(Packing::of([6, 8, 9, 1]), Packing { lows: vec![0, 8, 16, 32], width: 40 });
    }

    #[test]
    fn names_are_read_back() {
        for interface in Interface::ALL {
            assert_eq!(interface.name().parse(), Ok(interface));
        }
        assert!("axi".parse::<Interface>().is_err());
    }
}
