//! Tests of the generator as a whole, in one program: it links once.

mod module_names;
mod pipeline;
mod readability;
mod reference;
mod verilog_text;
