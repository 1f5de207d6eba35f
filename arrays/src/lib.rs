//! Arrays of codes, exactly as the golden model has them, and fast.
//!
//! A [`Conversion`] takes numbers of one format to another: an array of `f32` to codes of an 8-bit format, codes back to
//! `f32`. It asks the golden model once, and then looks up. [`Arithmetic`] has the golden model evaluate any other unit.
//! Large arrays are divided among all cores; the results do not depend on how many there are.
//!
//! ```
//! use binade_arrays::{Conversion, Random};
//! use binade_spec::{Format, Selection, Unit};
//!
//! let e5m2: Format = "e5m2".parse()?;
//! let encode = Conversion::new(&Selection::new(Unit::Encode, e5m2).operation()?)?;
//! let mut codes = [0_u8; 3];
//! encode.convert(&[0.3_f32, -1.0, f32::NAN], Random::Unused, &mut codes);
//! assert_eq!(codes, [0x35, 0xbc, 0x7e]);
//!
//! let decode = Conversion::new(&Selection::new(Unit::Decode, e5m2).operation()?)?;
//! let mut values = [0_f32; 2];
//! decode.convert(&codes[..2], Random::Unused, &mut values);
//! assert_eq!(values, [0.3125, -1.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `conversion.rs` | [`Conversion`]: by a table of results, by thresholds, or by the golden model |
//! | `thresholds.rs` | where a rounding goes on to the next code |
//! | `arithmetic.rs` | [`Arithmetic`]: units evaluated by the golden model |
//! | `random.rs` | [`Random`]: the random words of stochastic rounding |
//! | `words.rs` | [`operation`]: operations from words, for other languages |
//! | `code.rs` | [`Code`]: what the elements of arrays are |

mod arithmetic;
mod code;
mod conversion;
mod random;
mod thresholds;
mod words;

pub use arithmetic::Arithmetic;
pub use code::{Code, Words};
pub use conversion::Conversion;
pub use random::Random;
pub use words::operation;

use binade_spec::Unit;
use thiserror::Error;

/// Why an operation has no arrays. The text is what the user reads.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ArrayError {
    /// A port of more than 64 bits.
    #[error("{port} has {width} bits; the elements of arrays have up to 64")]
    TooWide {
        /// The port's name.
        port: String,
        /// Its bits.
        width: u32,
    },
    /// A unit that does something else than convert, or gives flags, too.
    #[error("{unit} is no plain conversion; decode, encode and convert are, without flags")]
    NoConversion {
        /// The unit.
        unit: Unit,
    },
    /// A unit whose results depend on what came before.
    #[error("{unit} keeps a state from one element to the next, so that arrays have no element by element results")]
    HasState {
        /// The unit.
        unit: Unit,
    },
}

/// Elements that one thread takes at a time.
const CHUNK: usize = 1 << 15;
