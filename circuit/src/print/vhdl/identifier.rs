//! Identifiers of VHDL.

use std::collections::HashSet;
use std::sync::LazyLock;
use thiserror::Error;

/// Reserved words of VHDL-2008 (IEEE 1076-2008, 15.10), and the names of libraries, types and functions that the text uses.
const RESERVED: &str = "abs access after alias all and architecture array assert assume assume_guarantee attribute begin \
block body buffer bus case component configuration constant context cover default disconnect downto else elsif end entity \
exit fairness file for force function generate generic group guarded if impure in inertial inout is label library linkage \
literal loop map mod nand new next nor not null of on open or others out package parameter port postponed procedure process \
property protected pure range record register reject release rem report restrict restrict_guarantee return rol ror select \
sequence severity shared signal sla sll sra srl strong subtype then to transport type unaffected units until use variable \
vmode vprop vunit wait when while with xnor xor \
ieee numeric_std rising_edge std std_logic std_logic_1164 std_logic_vector unsigned work";

static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| RESERVED.split_whitespace().collect());

/// The words, all in lower case.
pub fn reserved_words() -> impl Iterator<Item = &'static str> {
    RESERVED.split_whitespace()
}

/// Why a name is no plain identifier of VHDL, which does not tell upper from lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoIdentifier {
    /// It means something else.
    #[error("a keyword of VHDL, or a name that its text uses")]
    Reserved,
    /// An underscore begins it, ends it, or follows another.
    #[error("no identifier of VHDL, where underscores stand alone, between letters or digits")]
    Underscore,
}

/// Whether a name of letters, digits and underscores that does not begin with a digit is an identifier.
///
/// # Errors
/// If not, why.
pub fn check_identifier(name: &str) -> Result<(), NoIdentifier> {
    if WORDS.contains(name.to_ascii_lowercase().as_str()) {
        Err(NoIdentifier::Reserved)
    } else if name.starts_with('_') || name.ends_with('_') || name.contains("__") {
        Err(NoIdentifier::Underscore)
    } else {
        Ok(())
    }
}

/// A name as it is written: what is no plain identifier (a port `out`) as an extended one.
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
