//! What is shown of circuits for all inputs, without a vector.
//!
//! | file | what it holds |
//! |---|---|
//! | `equivalence.rs` | [`equivalence`]: whether two circuits compute the same |
//! | `solver.rs` | [`Solver`]: a SAT solver that is asked about gates |

mod equivalence;
mod solver;

pub use equivalence::{Equivalence, equivalence};
pub use solver::{Answer, Solver};
