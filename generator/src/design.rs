//! What decides a unit's Verilog.

use binade_circuit::Optimize;
use binade_spec::Operation;

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
