//! Designs: everything that determines a unit's Verilog.

use crate::ModuleName;
use binade_circuit::pipeline::MAX_STAGES;
use binade_circuit::{Interface, Optimize};
use binade_spec::Operation;
use thiserror::Error;

/// An operation, and how its unit is built; made by [`Design::new`] and similar functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Design {
    /// What the unit computes.
    pub operation: Operation,
    /// Ranks of registers: the latency in clock cycles; 0 for a combinational unit.
    pub stages: u32,
    /// The optimization goal, for units with several architectures.
    pub optimize: Optimize,
    /// The interface of the unit; every interface except the plain one needs a shell.
    pub interface: Interface,
    /// The user's name for the module; if there is none, the name describes the design.
    pub name: Option<ModuleName>,
}

/// The reason why a design has no unit. The user reads the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DesignError {
    /// Too many ranks of registers.
    #[error("{0} ranks of registers; a unit can have up to {MAX_STAGES}")]
    TooManyStages(u32),
}

impl Design {
    /// The operation with this number of ranks of registers.
    ///
    /// # Errors
    /// If a unit cannot have this number.
    pub fn new(operation: Operation, stages: u32, optimize: Optimize) -> Result<Design, DesignError> {
        Design::check_stages(stages)?;
        Ok(Design { operation, stages, optimize, interface: Interface::Plain, name: None })
    }

    /// Checks that a unit can have this number of ranks of registers.
    ///
    /// # Errors
    /// If it cannot.
    pub fn check_stages(stages: u32) -> Result<(), DesignError> {
        if stages > MAX_STAGES { Err(DesignError::TooManyStages(stages)) } else { Ok(()) }
    }

    /// The operation with this number of ranks of registers, optimized for area.
    ///
    /// # Panics
    /// If a unit cannot have this number.
    pub fn pipelined(operation: Operation, stages: u32) -> Design {
        Design::new(operation, stages, Optimize::Area).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The design with another optimization goal.
    pub fn optimized(self, optimize: Optimize) -> Design {
        Design { optimize, ..self }
    }

    /// The design with another interface.
    pub fn spoken_to(self, interface: Interface) -> Design {
        Design { interface, ..self }
    }

    /// The unit inside the shell, if there is a shell. A name from the user is that of the shell; the name of the unit then
    /// ends with `_unit`.
    pub fn within_shell(self) -> Option<Design> {
        let name = self.name.map(ModuleName::of_unit);
        (self.interface != Interface::Plain).then_some(Design { interface: Interface::Plain, name, ..self })
    }

    /// Whether the module has a clock.
    pub fn is_clocked(&self) -> bool {
        self.stages > 0 || self.interface != Interface::Plain || self.operation.has_state()
    }

    /// The design with this name; without one, the name describes the design.
    pub fn named(self, name: Option<ModuleName>) -> Design {
        Design { name, ..self }
    }
}

/// The operation as a combinational unit, optimized for area.
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
