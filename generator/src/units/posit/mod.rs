//! Posit arithmetic, entirely in two's complement.
//!
//! Neither codes nor significands of posits are negated. The fields of a negative posit are read directly from the code, and
//! its significand counts from -2 up (R. Murillo et al., "Comparing different decodings for posit arithmetic", CoNGA 2022):
//!
//! ```text
//!   positive    (+1 + fraction) * 2^exponent,    exponent = regime * 2^es + e
//!   negative    (-2 + fraction) * 2^exponent,    exponent = -(regime * 2^es + e) - 1: all bits inverted
//! ```
//!
//! Conversely, the bit string of a negative result has the bits of its exponent inverted. Rounding is one increment, because
//! the bits cut off from a bit string in two's complement are a positive fraction of a step for either sign.
//!
//! ```text
//! mul    operands -> multiply              -> encode
//! add    operands -> align, add, normalize -> encode
//! fmac   operands -> multiply -> align, add, normalize -> encode
//! ```

mod add;
mod bounded;
mod encode;
mod fmac;
mod mul;
mod operand;
mod run;
mod sum;

pub use add::{add, add_format};
pub use bounded::{BoundedFields, fields as bounded_fields};
pub use encode::encode;
pub use fmac::fmac;
pub use mul::mul;
