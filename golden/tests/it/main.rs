//! Tests of the golden model against oracles of other origin, in one program: it links once.

mod apfloat;
mod apfloat_flags;
mod common;
mod crates;
mod e8m0;
mod examine;
mod flags;
mod functions;
mod line_arithmetic;
mod line_encode;
mod literals;
mod matrix_units;
mod mptorch;
mod names;
mod outputs;
mod posit_crates;
mod posits;
mod properties;
mod rows;
mod selections;
mod stochastic;
mod sums;
mod unrounded;
mod walk;
mod witnesses;
