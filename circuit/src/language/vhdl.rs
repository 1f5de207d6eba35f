//! Identifiers of VHDL.

use super::keywords::is_keyword_of_vhdl;
use thiserror::Error;

/// Names of libraries, packages, types and functions that the printed text uses, in lower case.
pub const USED: [&str; 9] = [
    "ieee",
    "numeric_std",
    "rising_edge",
    "std",
    "std_logic",
    "std_logic_1164",
    "std_logic_vector",
    "unsigned",
    "work",
];

/// Why a name is not a plain identifier of VHDL, which is not case-sensitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoIdentifier {
    /// It has another meaning.
    #[error("a keyword of VHDL, or a name that its text uses")]
    Reserved,
    /// An underscore begins it, ends it, or follows another.
    #[error("no identifier of VHDL, where underscores stand alone, between letters or digits")]
    Underscore,
}

/// Checks that a name of letters, digits and underscores that does not begin with a digit is an identifier.
///
/// # Errors
/// The reason, if it is not.
pub fn check_identifier(name: &str) -> Result<(), NoIdentifier> {
    if is_keyword_of_vhdl(name) || USED.iter().any(|used| used.eq_ignore_ascii_case(name)) {
        Err(NoIdentifier::Reserved)
    } else if name.starts_with('_') || name.ends_with('_') || name.contains("__") {
        Err(NoIdentifier::Underscore)
    } else {
        Ok(())
    }
}

/// A name as it is printed: as an extended identifier if it is not a plain one (a port `out`).
pub fn identifier(name: &str) -> String {
    if check_identifier(name).is_ok() { name.into() } else { format!("\\{name}\\") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_identifier_is_extended() {
        for name in ["a", "sum_2", "valid_s1", "Rand", "units_2"] {
            assert_eq!(identifier(name), name);
        }
        for name in ["out", "OUT", "unsigned", "Work", "_x", "x_", "a__b"] {
            assert_eq!(identifier(name), format!("\\{name}\\"));
        }
        assert_eq!(check_identifier("Signal"), Err(NoIdentifier::Reserved));
        assert_eq!(check_identifier("a__b"), Err(NoIdentifier::Underscore));
    }
}
