//! Studies of how a number format affects a small training; the golden model computes every operation.
//!
//! ```
//! use binade_study::least_squares::{Setting, Way, study};
//!
//! let setting = Setting { seeds: 1, steps: 2000, ..Setting::new("bfloat16".parse()?) };
//! let study = study(&setting, &|| true)?;
//! assert!(study.summary(Way::Kahan).loss.middle < study.summary(Way::NearestUpdates).loss.middle);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `arithmetic.rs` | units of the golden model applied to columns of codes and to matrices |
//! | `matrix.rs` | matrices |
//! | `least_squares/` | a linear model, trained one sample per step, with weights in a format |
//! | `digits/` | a small network that recognizes handwritten digits, with tensors in a format |
//! | `spread.rs` | the spread of a figure over several seeds |
//! | `error.rs` | why a study is impossible |

mod arithmetic;
pub mod digits;
mod error;
pub mod least_squares;
mod matrix;
mod spread;

pub use arithmetic::Accumulation;
pub use error::StudyError;
pub use spread::Spread;

fn name<S: serde::Serializer>(format: &binade_spec::Format, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(format)
}
