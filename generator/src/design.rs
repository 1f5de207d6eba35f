//! Designs: everything that determines a unit's Verilog.

use crate::{ModuleName, units};
use binade_circuit::pipeline::MAX_STAGES;
use binade_circuit::{Architecture, Interface, Multiplier, Optimize, Reset};
use binade_spec::contract::Pace;
use binade_spec::{Operation, Unit};
use thiserror::Error;

/// An operation, and how its unit is built; made by [`Design::new`] and similar functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Design {
    /// What the unit computes.
    pub operation: Operation,
    /// Ranks of registers: the latency in clock cycles; 0 for a combinational unit.
    pub stages: u32,
    /// Digits of the result in each clock, for a unit that takes several clocks for an operation; 0 for all in one.
    pub digits_per_clock: u32,
    /// The optimization goal, for units with several architectures.
    pub optimize: Optimize,
    /// How products are built.
    pub multiplier: Multiplier,
    /// The interface of the unit; every interface except the plain one needs a shell.
    pub interface: Interface,
    /// How registers are reset.
    pub reset: Reset,
    /// The user's name for the module; if there is none, the name describes the design.
    pub name: Option<ModuleName>,
}

/// The reason why a design has no unit. The user reads the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DesignError {
    /// Too many ranks of registers.
    #[error("{0} ranks of registers; a unit can have up to {MAX_STAGES}")]
    TooManyStages(u32),
    /// A multiplier in a unit without products.
    #[error("{0} has no products, so that it has no multiplier to choose; leave `multiplier` out")]
    NoProducts(Unit),
    /// Digits per clock in a unit without digits.
    #[error("{0} computes no digits one after the other; digits per clock are for divide, reciprocal, sqrt and rsqrt")]
    NoDigits(Unit),
    /// All digits in one clock.
    #[error("the result has too few digits for {0} per clock; choose fewer, or leave the digits per clock out")]
    AllDigits(u32),
    /// Ranks of registers in a unit that takes several clocks for an operation.
    #[error(
        "a unit that takes several clocks for an operation has no ranks of registers; choose stages or digits per clock"
    )]
    DigitsInStages,
    /// Random bits from inside a unit that takes several clocks for an operation.
    #[error(
        "a unit that takes several clocks for an operation has no generator of random bits inside; leave `random internal` out, for the port random_bits"
    )]
    DigitsWithRandomInside,
}

impl Design {
    /// The operation with this number of ranks of registers.
    ///
    /// # Errors
    /// If a unit cannot have this number.
    pub fn new(operation: Operation, stages: u32, optimize: Optimize) -> Result<Design, DesignError> {
        Design::from(operation).optimized(optimize).with_stages(stages)
    }

    /// The design with this number of ranks of registers.
    ///
    /// # Errors
    /// If a unit cannot have this number, or takes several clocks for an operation.
    pub fn with_stages(self, stages: u32) -> Result<Design, DesignError> {
        Design::check_stages(stages)?;
        match stages > 0 && self.digits_per_clock > 0 {
            true => Err(DesignError::DigitsInStages),
            false => Ok(Design { stages, ..self }),
        }
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

    /// The design with products that are built so.
    ///
    /// # Errors
    /// If the unit has no products.
    pub fn multiplied_by(self, multiplier: Multiplier) -> Result<Design, DesignError> {
        match multiplier {
            Multiplier::Operator if !self.operation.unit.multiplies() => {
                Err(DesignError::NoProducts(self.operation.unit))
            }
            _ => Ok(Design { multiplier, ..self }),
        }
    }

    /// The same unit without registers, shell and name.
    pub fn without_ranks(&self) -> Design {
        let Design { operation, optimize, multiplier, .. } = *self;
        Design { optimize, multiplier, ..Design::from(operation) }
    }

    /// The choices among architectures.
    pub fn architecture(&self) -> Architecture {
        Architecture { optimize: self.optimize, multiplier: self.multiplier, has_ranks: self.stages > 0 }
    }

    /// The design as a unit that computes this many digits of its result in each clock, and takes operands when it has all; 0 for all
    /// digits in one clock.
    ///
    /// # Errors
    /// If the unit computes no digits, computes all of them in a clock, has ranks of registers, or makes its random bits itself.
    pub fn in_clocks(self, digits_per_clock: u32) -> Result<Design, DesignError> {
        if digits_per_clock == 0 {
            return Ok(Design { digits_per_clock, ..self });
        }
        match units::clocks(&self.operation, digits_per_clock) {
            None => Err(DesignError::NoDigits(self.operation.unit)),
            Some(_) if self.stages > 0 => Err(DesignError::DigitsInStages),
            Some(_) if self.operation.has_internal_random => Err(DesignError::DigitsWithRandomInside),
            Some(..=2) => Err(DesignError::AllDigits(digits_per_clock)),
            Some(_) => Ok(Design { digits_per_clock, ..self }),
        }
    }

    /// When the unit takes operands and answers.
    ///
    /// # Panics
    /// If a unit without digits has digits per clock.
    pub fn pace(&self) -> Pace {
        match self.digits_per_clock {
            0 => Pace::pipelined(self.stages),
            digits => Pace::iterated(units::clocks(&self.operation, digits).expect("a unit with digits")),
        }
    }

    /// The design with another interface.
    pub fn spoken_to(self, interface: Interface) -> Design {
        Design { interface, ..self }
    }

    /// The design with registers that are reset so.
    pub fn resetting(self, reset: Reset) -> Design {
        Design { reset, ..self }
    }

    /// The unit inside the shell, if there is a shell. A name from the user is that of the shell; the name of the unit then
    /// ends with `_unit`.
    pub fn within_shell(self) -> Option<Design> {
        let name = self.name.map(ModuleName::of_unit);
        (self.interface != Interface::Plain).then_some(Design { interface: Interface::Plain, name, ..self })
    }

    /// Whether the module has a clock.
    pub fn is_clocked(&self) -> bool {
        self.stages > 0 || self.digits_per_clock > 0 || self.interface != Interface::Plain || self.operation.has_state()
    }

    /// The design with this name; without one, the name describes the design.
    pub fn named(self, name: Option<ModuleName>) -> Design {
        Design { name, ..self }
    }
}

/// The operation as a combinational unit, optimized for area.
impl From<Operation> for Design {
    fn from(operation: Operation) -> Design {
        Design {
            operation,
            stages: 0,
            digits_per_clock: 0,
            optimize: Optimize::Area,
            multiplier: Multiplier::Logic,
            interface: Interface::Plain,
            reset: Reset::Sync,
            name: None,
        }
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
