//! Identifiers of Verilog and SystemVerilog.

use super::keywords::is_keyword_of_verilog;

/// A name as it is printed: a keyword (`wire`) as an escaped identifier, which ends with a space.
pub fn identifier(name: &str) -> String {
    if is_keyword_of_verilog(name) { format!("\\{name} ") } else { name.into() }
}
