//! The specification as one circuit: any code on any port, with variable shifts.

use crate::case::undivided;
use crate::plans::{self, NotSpecified};
use crate::words::Multiplier;
use binade_gates::Graph;
use binade_spec::Operation;

/// A circuit with the ports of a unit that computes the expected results.
///
/// # Errors
/// When the operation has no specification.
pub fn specification(operation: &Operation) -> Result<Graph, NotSpecified> {
    let plan = plans::undivided(operation)?;
    Ok(undivided(operation, &plan, Multiplier::Tree))
}
