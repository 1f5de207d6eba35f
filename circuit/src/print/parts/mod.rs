//! Pieces of a circuit that are there more than once, as modules.
//!
//! ```text
//!   netlist -> which node goes where -> pieces -> alike? -> one module each; what is left, with instances in it
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `demand.rs` | which nodes each piece is made of, and which signals cross its boundary |
//! | `canonical.rs` | the order of nodes in a piece |
//! | `piece.rs` | a piece as a netlist of its own |
//! | `group.rs` | pieces that are alike, with names for all of them |
//! | `names.rs` | what names have in common |
//! | `divide.rs`, `divided.rs` | the netlist that is left, and the instances in it |
//! | `runs.rs` | pieces that a loop makes |
//! | `order.rs` | what comes before what |
//! | `join.rs` | what is computed of the lanes of a loop |
//! | `place.rs` | instances among what is printed |
//! | `library.rs` | modules and their text |
//!
//! A piece that none is like, that saves no lines, or that would be read before and behind itself is printed where it is.

mod canonical;
mod demand;
mod divide;
mod divided;
mod group;
mod join;
mod library;
mod names;
mod order;
mod piece;
mod place;
mod runs;

pub use divide::divide;
pub use divided::{Divided, Placed};
pub use library::Library;
