//! What decides a unit's Verilog.

use crate::ModuleName;
use binade_circuit::pipeline::MAX_STAGES;
use binade_circuit::{Interface, Optimize};
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
    /// How the unit is spoken to; with any but the plain one there is a shell around it.
    pub interface: Interface,
    /// What the user calls the module; else the name says what it is.
    pub name: Option<ModuleName>,
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
        Ok(Design { operation, stages, optimize, interface: Interface::Plain, name: None })
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

    /// The design with another interface.
    pub fn spoken_to(self, interface: Interface) -> Design {
        Design { interface, ..self }
    }

    /// The unit in the shell, if there is one; a name that the user has given is that of the shell, and the unit's ends with
    /// `_unit`.
    pub fn within_shell(self) -> Option<Design> {
        let name = self.name.map(ModuleName::of_unit);
        (self.interface != Interface::Plain).then_some(Design { interface: Interface::Plain, name, ..self })
    }

    /// Whether the module has a clock.
    pub fn is_clocked(&self) -> bool {
        self.stages > 0 || self.interface != Interface::Plain || self.operation.has_state()
    }

    /// The design, called by this name; by its own if there is none.
    pub fn named(self, name: Option<ModuleName>) -> Design {
        Design { name, ..self }
    }
}

/// The operation as a small combinational unit.
impl From<Operation> for Design {
    fn from(operation: Operation) -> Design {
        Design { operation, stages: 0, optimize: Optimize::Area, interface: Interface::Plain, name: None }
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
