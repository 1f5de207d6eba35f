//! The golden model: the value of every code of a number format, and the result of every operation.
//!
//! A finite value is exactly `(-1)^s * n * 2^k` with an integer `n` ([`Exact`]). [`Codec::decode`] returns that value
//! for a code; a [`Model`] computes the exact result of an operation; [`Codec::encode`] is the only place that rounds.
//! Nothing here shifts with sticky bits or counts leading zeros the way a circuit does: the model and the circuits must
//! be able to disagree.
//!
//! ```
//! use binade_golden::{Codec, Literal, Model, Policy};
//! use binade_spec::{Format, Overflow, Rounding, Selection, Unit};
//!
//! // 0.3 is not a value of E5M2: the nearest one is 0.3125.
//! let e5m2: Format = "e5m2".parse()?;
//! let number: Literal = "0.3".parse()?;
//! let code = e5m2.encode_literal(&number, &Policy::new(Rounding::Rne, Overflow::Inf));
//! assert_eq!(code, 0x35);
//! assert_eq!(e5m2.decode(code).to_string(), "1.25*2^-2");
//!
//! // 1 + 2 = 3.
//! let add = Model::new(&Selection::new(Unit::Add, e5m2).operation()?);
//! let sum = add.evaluate(&[0x3c_u32, 0x40]);
//! assert_eq!(sum, [0x42_u32.into()]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `value.rs` | [`Value`] and [`Exact`]: the values of codes |
//! | `codec.rs` | [`Codec`]: the meaning of a format's codes |
//! | `codes.rs` | [`Codes`]: the same for many codes; the list of families |
//! | `float_codes.rs` | the codes of a floating-point format, with precomputed limits |
//! | `coding.rs` | the interface to the families of formats, with all implementations side by side |
//! | `decode.rs`, `posit_codes.rs`, `fixed_codes.rs`, `codebook_codes.rs`, `decoder.rs` | code to value; the same for many codes |
//! | `encode.rs` | exact value to code: the rounding step |
//! | `position.rs`, `region.rs` | where an exact value lies on the code line: between which codes, and in which [`Region`] |
//! | `code_line.rs` | the integers of that step: magnitudes of any size, and places on the code line |
//! | `policy.rs` | [`Policy`]: how a result is rounded |
//! | `flags.rs` | exception flags of that step |
//! | `literal.rs` | numbers in text |
//! | `model.rs` | [`Model`]: an operation with what its evaluation needs |
//! | `step.rs` | one evaluation of a model, or one step of a unit with state |
//! | `number.rs` | [`Number`]: exact values of any size |
//! | `walk.rs` | the plain walk over a formula: the definition of a unit's results |
//! | `functions/` | units that compute a plain function of their ports, with or without state |
//! | `evaluate.rs` | fast paths for formulas of well-known shapes |
//! | `products.rs` | factors with the same product |
//! | `consecutive.rs` | conversions of consecutive codes |
//! | `elements.rs`, `dot.rs` | results that are exact dot products; their fast path |
//! | `sequence.rs` | units with state, step by step |
//! | `bits.rs` | [`Bits`]: bits of words |
//! | `port_lanes.rs` | words of ports, split into lanes |
//! | `arithmetic.rs` | exact products and sums, conversions, rounded once |
//! | `number_parts.rs` | the parts of posits |
//! | `facts.rs` | [`Facts`]: facts about an evaluation, for coverage |
//! | `unrounded.rs` | [`Unrounded`]: the exact result that an operation rounds, for reports |

mod arithmetic;
mod bits;
mod choices;
mod code_line;
mod codebook_codes;
mod codec;
mod codes;
mod coding;
mod consecutive;
mod decode;
mod decoder;
mod dot;
mod elements;
mod encode;
mod evaluate;
mod facts;
mod fixed_codes;
mod flags;
mod float_codes;
mod functions;
mod literal;
mod model;
mod neighbours;
mod number;
mod number_parts;
mod policy;
mod port_lanes;
mod posit_codes;
mod position;
mod products;
mod real;
mod region;
mod sequence;
mod step;
mod unrounded;
mod value;
mod walk;

pub use bits::Bits;
pub use code_line::Rest;
pub use codec::Codec;
pub use codes::Codes;
pub use facts::{Examination, Fact, Facts, Landing, Step, Sum};
pub(crate) use float_codes::FloatCodes;
pub use functions::RandomWords;
pub use literal::{Literal, LiteralError};
pub use model::Model;
pub use number::{Magnitude, Number};
pub use policy::Policy;
pub(crate) use posit_codes::PositCodes;
pub use real::function_of;
pub use region::Region;
pub use unrounded::Unrounded;
pub use value::{Exact, Value};
