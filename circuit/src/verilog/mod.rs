//! Printing a circuit as Verilog-2005.
//!
//! Signals with a name become wires; the rest is written where it is used, unless it is used twice, is taken bits of, or
//! grows too long. Bits of a wire that nobody reads are gathered in `unused_bits`, so that lint needs no waiver.
//!
//! A pipelined unit is printed segment by segment (`clocked.rs`), with a rank of registers behind each but the last.

mod clocked;
mod expression;
mod print;

pub use clocked::print_pipelined;
pub use expression::port_name;
pub use print::{Heading, print};
