//! The gates of a proof.

use binade_sim::Gates;
use binade_spec::contract::ControlPorts;

/// The gates of a task.
pub struct Loaded {
    /// Including registers.
    pub gates: Gates,
    pub is_clocked: bool,
    /// The latency in clock cycles, if known.
    pub latency: Option<u32>,
    pub ports: ControlPorts,
}
