//! Tests of the generator as a whole, in one program: it links once.

mod keywords;
mod languages;
mod module_names;
mod parts;
mod pipeline;
mod readability;
mod reference;
mod verilog_text;
mod windows;
