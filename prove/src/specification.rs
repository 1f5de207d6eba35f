//! The specification as one circuit: any code on any port, and every shift as far as the codes say.

use crate::case::undivided;
use crate::plans::{self, NotSpecified};
use crate::words::Multiplier;
use binade_gates::Graph;
use binade_spec::Operation;

/// A circuit with the ports of a unit that gives what the unit should give.
///
/// # Errors
/// When there is no specification of the operation.
pub fn specification(operation: &Operation) -> Result<Graph, NotSpecified> {
    let plan = plans::undivided(operation)?;
    Ok(undivided(operation, &plan, Multiplier::Tree))
}
