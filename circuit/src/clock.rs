//! The ports and valid bits of clocked units.

/// Most ranks of registers that a unit can have.
pub const MAX_STAGES: u32 = 16;

/// A port that only clocked units have, of one bit.
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

/// The ports that a pipelined unit has before those of its operation.
pub const CLOCK_PORTS: [ClockPort; 5] = clock_ports(false);

/// The ports that a clocked unit, with or without state, has before those of its operation.
pub const fn clock_ports(has_state: bool) -> [ClockPort; 5] {
    let reset = match has_state {
        false => "active-low synchronous reset: drops operations in flight",
        true => "active-low synchronous reset: drops operations in flight, clears state",
    };
    [
        clock_port("clk", false, "clock, rising edge"),
        clock_port("rst_n", false, reset),
        clock_port("en", false, "clock enable: while low, all registers hold"),
        clock_port("in_valid", false, "operands are valid"),
        clock_port("out_valid", true, "results are valid"),
    ]
}

/// What says whether there are operands in a segment.
pub(crate) fn valid_of(segment: u32) -> String {
    if segment == 0 { "in_valid".into() } else { valid_name(segment) }
}

/// The register that says whether a rank holds operands.
pub(crate) fn valid_name(rank: u32) -> String {
    format!("valid_s{rank}")
}
