//! Arithmetic units as circuits, and their Verilog.
//!
//! | room | what lives there |
//! |---|---|
//! | `circuit/` | the builder: signals with widths, folding, pruning, and an interpreter |
//! | `units/` | the units, one file each, and the stages they share |
//! | `verilog/` | printing a circuit as Verilog-2005 |
//!
//! Formats come from `binade_golden` as data; none of the golden model's arithmetic is used here.

pub mod circuit;
pub mod units;
pub mod verilog;
