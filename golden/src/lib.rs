//! The golden model: what every code of a number format means, and what every operation on it returns.
//!
//! A finite value is exactly `(-1)^s * n * 2^k` with an integer `n` ([`Exact`]). [`Format::decode`] gives that value
//! for a code; an operation ([`Operation`]) computes its exact result; [`Format::encode`] is the one place that rounds.
//! Nothing here shifts with sticky bits or counts leading zeros the way a circuit does: the model and the circuits
//! have to be able to disagree.
//!
//! | file | what it holds |
//! |---|---|
//! | `format.rs` | [`Format`]: a format as orthogonal fields, and the numbers derived from them |
//! | `name.rs` | format names: parsing, canonical spelling, the list of known formats |
//! | `value.rs` | [`Value`] and [`Exact`]: what a code stands for |
//! | `decode.rs` | code to value |
//! | `encode.rs` | exact value to code: the rounding step |
//! | `rounding.rs` | rounding directions and overflow policies |
//! | `literal.rs` | numbers as people write them |
//! | `operation.rs` | [`Operation`]: conversion, product, sum, fused multiply-add on codes |

mod decode;
mod encode;
mod format;
mod literal;
mod name;
mod operation;
mod rounding;
mod value;

pub use format::{FieldZero, Format, FormatError, Infinity, Nan, Sign, Underflow};
pub use literal::{Literal, LiteralError};
pub use name::{NameError, known_formats};
pub use operation::{Operation, OperationError, Port, Selection, Unit};
pub use rounding::{Overflow, Rounding};
pub use value::{Exact, Value};
