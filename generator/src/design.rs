//! What decides a unit's Verilog.

use binade_circuit::Optimize;
use binade_circuit::pipeline::MAX_STAGES;
use binade_spec::Operation;
use thiserror::Error;

/// An operation, and how its unit is built; [`Design::new`] and its kind make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Design {
    /// What the unit computes.
    pub operation: Operation,
    /// Ranks of registers: the latency in clock cycles; 0 for a combinational unit.
    pub stages: u32,
    /// What the unit is built for, where architectures differ.
    pub optimize: Optimize,
}

/// Why there is no unit of a design. The text is what the user reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DesignError {
    /// So many ranks of registers.
    #[error("{0} ranks of registers; a unit can have up to {MAX_STAGES}")]
    TooManyStages(u32),
}

impl Design {
    /// The operation with so many ranks of registers.
    ///
    /// # Errors
    /// If a unit cannot have so many.
    pub fn new(operation: Operation, stages: u32, optimize: Optimize) -> Result<Design, DesignError> {
        Design::check_stages(stages)?;
        Ok(Design { operation, stages, optimize })
    }

    /// Whether a unit can have so many ranks of registers.
    ///
    /// # Errors
    /// If not.
    pub fn check_stages(stages: u32) -> Result<(), DesignError> {
        if stages > MAX_STAGES { Err(DesignError::TooManyStages(stages)) } else { Ok(()) }
    }

    /// The operation with so many ranks of registers, small.
    ///
    /// # Panics
    /// If a unit cannot have so many.
    pub fn pipelined(operation: Operation, stages: u32) -> Design {
        Design::new(operation, stages, Optimize::Area).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The design, built for something else.
    pub fn optimized(self, optimize: Optimize) -> Design {
        Design { optimize, ..self }
    }
}

/// The operation as a small combinational unit.
impl From<Operation> for Design {
    fn from(operation: Operation) -> Design {
        Design { operation, stages: 0, optimize: Optimize::Area }
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
