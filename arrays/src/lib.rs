//! Fast operations on arrays of codes, with exactly the results of the golden model.
//!
//! A [`Conversion`] converts between formats: an array of `f32` to codes of an 8-bit format, or codes back to `f32`. It builds tables with
//! the golden model once, and then looks results up. [`Arithmetic`] evaluates any other unit with the golden model. Large arrays are
//! divided among all cores; the results do not depend on the number of cores.
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
//! | `conversion.rs` | [`Conversion`]: by a table of results, by thresholds, by arithmetic, or by the golden model |
//! | `prefixes.rs`, `stochastic.rs` | conversions of binary32 that are computed: to its first bits, and with random bits |
//! | `thresholds.rs` | thresholds at which the rounded result changes |
//! | `arithmetic.rs` | [`Arithmetic`]: units evaluated by the golden model |
//! | `matrices.rs`, `matrices/` | [`MatrixProduct`]: products of matrices, whose sums may be of any length |
//! | `running_sums.rs` | [`RunningSums`]: sums from number to number |
//! | `random.rs` | [`Random`]: the random words of stochastic rounding |
//! | `words.rs` | [`operation`]: operations given by words, for bindings to other languages |
//! | `code.rs` | [`Code`]: the element types of arrays |

mod arithmetic;
mod code;
mod conversion;
mod matrices;
mod prefixes;
mod random;
mod running_sums;
mod stochastic;
mod thresholds;
mod words;

pub use arithmetic::Arithmetic;
pub use code::{Code, Words};
pub use conversion::Conversion;
pub use matrices::{Matrices, MatrixProduct};
pub use random::Random;
pub use running_sums::RunningSums;
pub use words::{dot_of, operation};

use binade_spec::Unit;
use thiserror::Error;

/// Why an operation has no version for arrays. The text is shown to the user.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ArrayError {
    /// A port of more than 64 bits.
    #[error("{port} has {width} bits; the elements of arrays have up to 64")]
    TooWide {
        /// The port's name.
        port: String,
        /// The port's width in bits.
        width: u32,
    },
    /// A unit that is not a conversion, or that also returns flags.
    #[error("{unit} is not a plain conversion; use decode, encode or convert without flags")]
    NoConversion {
        /// The unit.
        unit: Unit,
    },
    /// A unit that is no plain running sum.
    #[error("running sums are those of `accumulate` without flags, random bits and `round any`, not of this {unit}")]
    NoRunningSum {
        /// The unit.
        unit: Unit,
    },
    /// An output that a unit does not have.
    #[error("{unit} has {outputs} outputs, numbered from 0; there is no output {output}")]
    NoOutput {
        /// The unit.
        unit: Unit,
        /// The number of its outputs.
        outputs: usize,
        /// The output asked for.
        output: usize,
    },
    /// A unit whose port chooses the rounding.
    #[error("`round any` is for units with the port rm; choose one rounding for arrays, such as rne")]
    ChosenRounding,
    /// A unit whose port chooses the formats.
    #[error("lists of formats are for units with the port fmt; choose one format for arrays")]
    ChosenFormat,
    /// A unit that is no dot product of whole codes.
    #[error(
        "a product of matrices has elements that are those of `dot` without flags, second output and conversion before"
    )]
    NoPlainDot,
    /// Roundings of an element that take more random bits than a word has.
    #[error(
        "the roundings of an element take {bits} random bits, and a random word has 64; choose another `round`, or `sum` exact"
    )]
    TooRandom {
        /// The random bits of an element.
        bits: u32,
    },
    /// A unit whose results depend on earlier operands.
    #[error("{unit} has state, so its results are not independent for each element of an array")]
    HasState {
        /// The unit.
        unit: Unit,
    },
}

/// The number of elements that a thread takes at a time.
const CHUNK: usize = 1 << 15;
