//! The gates of a proof.

use binade_sim::Gates;
use binade_sim::verilator::Reader;
use binade_spec::contract::ControlPorts;

/// The gates of a task.
pub struct Loaded {
    /// Including registers.
    pub gates: Gates,
    /// Whether the module has a clock.
    pub is_clocked: bool,
    /// The latency in clock cycles, if known.
    pub latency: Option<u32>,
    /// The ports for valid, enable and reset that it has.
    pub ports: ControlPorts,
    /// What other tools read, where it has other gates.
    pub readings: Vec<Reading>,
}

/// A user's module as another tool reads it.
pub struct Reading {
    /// The tool.
    pub reader: Reader,
    /// Its gates, or why Yosys rejects it.
    pub gates: Result<Gates, String>,
}
