//! The vectors to check.
//!
//! | file | what it holds |
//! |---|---|
//! | `plan.rs` | [`Plan`]: the vectors of a run |
//! | `order.rs` | the order of all combinations |
//! | `corners.rs` | operands at corners: binade edges, ties and their neighbours, canceling operands |
//! | `directed.rs` | directed vectors made of these |
//! | `solve.rs` | operands that meet in any formula, found by solving for the last term of its sum |
//! | `stimulus.rs`, `block.rs` | the vectors of a plan, block by block; how long a block is |
//! | `planes.rs` | random vectors generated as planes of bits |
//! | `random_port.rs`, `relation.rs`, `boxes.rs` | random words of a port; operands that meet; NaN boxes around them |
//! | `sequences/`, `all_states.rs` | for units with state: directed and random sequences; all inputs in all states |
//! | `nearest.rs` | ways to the nearest state with untried inputs |
//! | `listing.rs` | vectors with their expected results, for other testbenches |

mod all_states;
mod block;
mod boxes;
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

pub use block::{BLOCK, SEQUENCE};
pub use listing::list;
pub use order::Order;
pub use plan::{Choice, Plan, PlanError};
pub use stimulus::Stimulus;
