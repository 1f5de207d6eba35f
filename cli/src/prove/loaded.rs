//! Gates that are proven.

use binade_sim::Gates;
use binade_spec::contract::ControlPorts;

/// The gates of a task.
pub struct Loaded {
    /// With registers.
    pub gates: Gates,
    pub is_clocked: bool,
    /// Clocks from operands to results, if that is known.
    pub latency: Option<u32>,
    pub ports: ControlPorts,
}
