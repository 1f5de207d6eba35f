//! What is shown of circuits for all inputs, without a vector.
//!
//! | file | what it holds |
//! |---|---|
//! | `equivalence.rs` | [`equivalence`]: whether two circuits compute the same |

mod equivalence;

pub use equivalence::{Equivalence, equivalence};
