//! Tests of the generator as a whole, in one program, which is linked only once.

mod figures;
mod keywords;
mod languages;
mod module_names;
mod parts;
mod pipeline;
mod readability;
mod reference;
mod verilog_text;
mod windows;
