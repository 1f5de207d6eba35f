//! Looks for faults of Binade itself: units are drawn, generated, checked with vectors, proven and simulated.
//!
//! [`Hunt`] is a run.
//!
//! ```
//! let words = binade_fuzz::Words::read("--format e5m2 --unit mul --stages 2")?;
//! assert_eq!(words.design()?.suffix(), "_p2");
//! # Ok::<(), String>(())
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `hunt.rs` | [`Hunt`]: a run |
//! | `words.rs` | [`Words`]: the words that choose a unit, and how to simplify them |
//! | `draw.rs` | random words: the settings and their values |
//! | `covering.rs` | of random words, those that meet new pairs of settings |
//! | `formats.rs` | random formats of each family |
//! | `pairs.rs` | all units with all families and every pair of settings, instead of random words |
//! | `examine.rs` | [`Examiner`]: one unit, generated, checked with vectors, proven, simulated |
//! | `fault.rs` | faults, and the commands that reproduce them |
//! | `panics.rs` | catches panics |
//! | `shrink.rs` | finds the simplest failing input |
//! | `report.rs` | [`FuzzReport`]: the report of a run |

mod covering;
mod draw;
mod examine;
mod fault;
mod formats;
mod hunt;
mod pairs;
mod panics;
mod report;
mod shrink;
mod words;

pub use examine::{Examiner, MOST_BITS};
pub use hunt::{Hunt, Watch, Way};
pub use report::{Finding, FuzzReport};
pub use words::Words;
