//! Posit arithmetic in two's complement from code to code.
//!
//! A posit's code is never negated, neither is a significand. Of a negative posit the fields are read as they stand in the
//! code, and its significand is taken from -2 up (R. Murillo et al., "Comparing different decodings for posit arithmetic",
//! CoNGA 2022):
//!
//! ```text
//!   positive    (+1 + fraction) * 2^exponent,    exponent = regime * 2^es + e
//!   negative    (-2 + fraction) * 2^exponent,    exponent = -(regime * 2^es + e) - 1: all bits inverted
//! ```
//!
//! The other way round, a result's bit string is written with its exponent's bits inverted if it is negative, and rounding
//! is one increment: what is cut off a bit string in two's complement is a positive fraction of a step for either sign.
//!
//! ```text
//! mul    operands -> multiply              -> encode
//! add    operands -> align, add, normalise -> encode
//! fmac   operands -> multiply -> align, add, normalise -> encode
//! ```

mod add;
mod encode;
mod fmac;
mod mul;
mod operand;
mod run;
mod sum;

pub use add::{add, add_format};
pub use encode::encode;
pub use fmac::fmac;
pub use mul::mul;
