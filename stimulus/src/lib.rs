//! The vectors that a unit is checked with, and the kinds of vectors that they cover.
//!
//! ```
//! use binade_spec::{Selection, Unit};
//! use binade_stimulus::{Choice, Plan};
//!
//! let mul = Selection::new(Unit::Mul, "e4m3fn".parse()?).operation()?;
//! // All pairs of operands.
//! assert_eq!(Plan::new(&mul, Choice::Exhaustive, 1)?.total(), 1 << 16);
//! // Directed vectors, vectors for empty bins of coverage, and random ones.
//! let sampled = Plan::new(&mul, Choice::Sample(20_000), 1)?;
//! assert_eq!(sampled.total(), 20_000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | room | what lives there |
//! |---|---|
//! | `vectors/` | [`Plan`]: which vectors are checked; [`Stimulus`]: the vectors, block by block |
//! | `coverage/` | [`Coverage`]: which kinds of vectors were checked |
//!
//! In addition, `words.rs`, `columns.rs` and `places.rs` handle words of any width.

mod columns;
pub mod coverage;
mod places;
mod vectors;
pub mod words;

pub use columns::Columns;
pub use coverage::Coverage;
pub use places::{Place, join, places, split};
pub use vectors::{BLOCK, Choice, Order, Plan, PlanError, SEQUENCE, Stimulus, list};
