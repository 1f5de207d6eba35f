//! Studies: what a number format makes of a small training, every operation done by the golden model.
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
//! | `arithmetic.rs` | units of the golden model for columns of codes, and for matrices |
//! | `matrix.rs` | matrices |
//! | `least_squares/` | a linear model, trained one sample a step with weights in a format |
//! | `digits/` | a small network that reads handwritten digits, its tensors in a format |
//! | `spread.rs` | what comes of several seeds |
//! | `error.rs` | why there is no such study |

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
