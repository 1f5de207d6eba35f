//! The golden model: what every code of a number format means, and what every operation on it returns.
//!
//! A finite value is exactly `(-1)^s * n * 2^k` with an integer `n` ([`Exact`]). [`Format::decode`] gives that value
//! for a code; an operation ([`Operation`]) computes its exact result; [`Format::encode`] is the one place that rounds.
//! Nothing here shifts with sticky bits or counts leading zeros the way a circuit does: the model and the circuits
//! have to be able to disagree.
//!
//! | file | what it holds |
//! |---|---|
//! | `format.rs` | [`Format`]: a float or a posit, and what both have |
//! | `float.rs`, `posit.rs` | [`Float`], [`Posit`]: either family as orthogonal fields, and the numbers derived from them |
//! | `name.rs` | format names: parsing, canonical spelling, the list of known formats |
//! | `value.rs` | [`Value`] and [`Exact`]: what a code stands for |
//! | `decode.rs`, `decoder.rs` | code to value; the same for many codes |
//! | `encode.rs` | exact value to code: the rounding step |
//! | `class.rs` | [`Class`]: zero, subnormal, normal, and so on |
//! | `examine.rs` | [`Facts`]: how an evaluation went, for coverage |
//! | `flags.rs` | exception flags of that step |
//! | `rounding.rs` | rounding directions, overflow and range policies |
//! | `literal.rs` | numbers as people write them |
//! | `unit.rs` | [`Unit`] and [`Port`]: the kinds of units, what their ports carry |
//! | `operation.rs` | [`Operation`]: a unit with its formats and policies, its ports |
//! | `evaluate.rs` | what an operation returns, for one vector or many |
//! | `products.rs` | factors with the same product |
//! | `rows.rs` | conversions of codes in a row |
//! | `arithmetic.rs` | exact products and sums, conversions, rounded once |
//! | `posit_units.rs` | the parts of posits |
//! | `unrounded.rs` | [`Unrounded`]: the exact result that an operation rounds, for reports |
//! | `selection.rs` | [`Selection`]: from the user's words to an operation |

mod arithmetic;
mod class;
mod decode;
mod decoder;
mod encode;
mod evaluate;
mod examine;
mod flags;
mod float;
mod format;
mod literal;
mod name;
mod operation;
mod posit;
mod posit_units;
mod products;
mod rounding;
mod rows;
mod selection;
mod unit;
mod unrounded;
mod value;

pub use class::Class;
pub use encode::Rest;
pub use examine::{Facts, Landing, Region, Step, Sum};
pub use float::{FieldZero, Float, Infinity, Nan, Sign, Underflow};
pub use format::{Format, FormatError};
pub use literal::{Literal, LiteralError};
pub use name::{NameError, known_formats};
pub use operation::{Operation, OutputConversion};
pub use posit::Posit;
pub use rounding::{Overflow, Policy, PositRange, Rounding, Tininess};
pub use selection::{OperationError, Selection};
pub use unit::{Content, Port, Unit, WordKind};
pub use unrounded::Unrounded;
pub use value::{Exact, Value};
