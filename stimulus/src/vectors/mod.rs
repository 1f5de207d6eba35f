//! Which vectors are checked.
//!
//! | file | what it holds |
//! |---|---|
//! | `plan.rs` | [`Plan`]: which vectors a run has |
//! | `order.rs` | in which order all combinations come |
//! | `corners.rs` | operands at corners: binade edges, ties and their neighbours, what cancels |
//! | `directed.rs` | directed vectors: these together |
//! | `solve.rs` | operands that meet in any formula: solved for the last term of its sum |
//! | `stimulus.rs` | the vectors of a plan, block by block |
//! | `planes.rs` | random vectors that are made as planes of bits |
//! | `random_port.rs`, `relation.rs` | random words of a port; operands that meet |
//! | `sequences/`, `all_states.rs` | of units with state: what is worth doing to them; all states with all inputs |
//! | `nearest.rs` | the way to the next state in which an input was not given yet |
//! | `listing.rs` | vectors with their right answers, for other benches |

mod all_states;
pub(crate) mod corners;
mod directed;
#[cfg(test)]
pub(crate) mod formulas;
mod listing;
mod nearest;
pub(crate) mod order;
pub(crate) mod plan;
mod planes;
mod random_port;
mod relation;
mod sequences;
pub(crate) mod solve;
pub(crate) mod stimulus;

pub use listing::list;
pub use order::Order;
pub(crate) use plan::side_by_side;
pub use plan::{Choice, Plan, PlanError};
pub use stimulus::{BLOCK, SEQUENCE, Stimulus};
