//! What decides a unit's Verilog.

use binade_golden::Operation;

/// An operation, and how its unit is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Design {
    pub operation: Operation,
}

/// The operation as a combinational unit.
impl From<Operation> for Design {
    fn from(operation: Operation) -> Design {
        Design { operation }
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
