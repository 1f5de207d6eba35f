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
//! | `arithmetic.rs` | units of the golden model for columns of codes |
//! | `least_squares/` | a linear model, trained one sample a step with weights in a format |

mod arithmetic;
pub mod least_squares;
