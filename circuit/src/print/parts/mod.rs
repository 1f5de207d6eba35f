//! Pieces of a circuit that occur more than once, as modules.
//!
//! ```text
//!   netlist -> place of each node -> pieces -> equal? -> one module each; the rest, with instances
//! ```
//!
//! | file | contents |
//! |---|---|
//! | `demand.rs` | the nodes of each piece, and the signals that cross its boundary |
//! | `canonical.rs` | the order of nodes in a piece |
//! | `piece.rs` | a piece as a netlist of its own |
//! | `bundle.rs` | lanes or bits of one thing, as one port |
//! | `group.rs` | equal pieces, with common names |
//! | `names.rs` | the common words of names |
//! | `divide.rs`, `divided.rs` | the remaining netlist, and the instances in it |
//! | `runs.rs` | pieces in loops |
//! | `order.rs` | the order of nodes and pieces |
//! | `join.rs` | operations on the lanes of a loop |
//! | `words.rs` | parts of a word as its bits |
//! | `place.rs` | instances in the text |
//! | `library.rs` | modules and their text |
//!
//! A piece is printed in place if no other is equal, if a module saves no lines, or if its instance would be in a loop with
//! the surrounding nodes.

mod bundle;
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
mod words;

pub use divide::divide;
pub use divided::{Divided, Placed};
pub use library::Library;
