//! Printing a circuit as Verilog-2005.
//!
//! Signals with a name become wires; the rest is written where it is used, unless it is used twice, is taken bits of, or
//! grows too long. Bits of a wire that nobody reads are gathered in `unused_bits`, so that lint needs no waiver.

mod expression;
mod names;
mod print;

pub use names::port_name;
pub use print::print;
