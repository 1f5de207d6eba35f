//! Names that users give to modules.

use binade_circuit::language::keyword_of;
use std::{fmt, str, str::FromStr};
use thiserror::Error;

/// The most letters of a name, which is also the name of files with additional suffixes.
const MOST_LETTERS: usize = 64;

/// The suffix of the name of a unit inside a shell.
const OF_UNIT: &str = "_unit";

/// The prefix of the names of modules that are put around a unit to check it.
const OURS: &str = "binade_";

/// Names that Verilator refuses: the built-in package of SystemVerilog, and Verilator's own top module.
const OF_VERILATOR: [&str; 2] = ["std", "TOP"];

/// The user's name for a module: an identifier of Verilog-2005 that is not a keyword of Verilog, SystemVerilog or VHDL.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ModuleName {
    letters: [u8; MOST_LETTERS + OF_UNIT.len()],
    length: usize,
}

/// The reason why a word cannot name a module. The user reads the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ModuleNameError {
    /// Not an identifier.
    #[error("`{0}` is no identifier of Verilog: a letter or _, then letters, digits and _")]
    NoIdentifier(String),
    /// A keyword, and its language.
    #[error("`{0}` is a keyword of {1}; add a word to it, as in {0}_unit")]
    Keyword(String, &'static str),
    /// A name that Verilator refuses.
    #[error("`{0}` is a name that Verilator keeps for itself; add a word to it, as in {0}_unit")]
    OfVerilator(String),
    /// More letters than a name may have.
    #[error("a name of {0} letters; up to {MOST_LETTERS} are possible")]
    TooLong(usize),
    /// A name that is reserved for modules that Binade makes.
    #[error("`{0}`: names that begin with {OURS} are those of modules around a unit that is checked")]
    Ours(String),
}

impl ModuleName {
    fn of(name: &str) -> ModuleName {
        let mut letters = [0; MOST_LETTERS + OF_UNIT.len()];
        letters[..name.len()].copy_from_slice(name.as_bytes());
        ModuleName { letters, length: name.len() }
    }

    /// The name of the unit inside a shell of this name.
    pub(crate) fn of_unit(self) -> ModuleName {
        ModuleName::of(&format!("{self}{OF_UNIT}"))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        // The letters are ASCII.
        str::from_utf8(&self.letters[..self.length]).unwrap_or_default()
    }
}

impl FromStr for ModuleName {
    type Err = ModuleNameError;

    fn from_str(name: &str) -> Result<ModuleName, ModuleNameError> {
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if let Some(language) = keyword_of(name) {
            return Err(ModuleNameError::Keyword(name.into(), language));
        }
        match name {
            _ if name.is_empty()
                || !name.chars().all(is_letter)
                || name.starts_with(|first: char| first.is_ascii_digit()) =>
            {
                Err(ModuleNameError::NoIdentifier(name.into()))
            }
            _ if OF_VERILATOR.contains(&name) => Err(ModuleNameError::OfVerilator(name.into())),
            _ if name.len() > MOST_LETTERS => Err(ModuleNameError::TooLong(name.len())),
            _ if name.starts_with(OURS) => Err(ModuleNameError::Ours(name.into())),
            _ => Ok(ModuleName::of(name)),
        }
    }
}

impl fmt::Display for ModuleName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for ModuleName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(name: &str) -> String {
        name.parse::<ModuleName>().expect_err(name).to_string()
    }

    #[test]
    fn identifiers_are_names() {
        for name in ["x", "_", "Fp8Mul", "fp8_mul_2", "Wire", "top", "std_unit", &"x".repeat(MOST_LETTERS)] {
            assert_eq!(name.parse::<ModuleName>().map(|name| name.to_string()), Ok(name.into()));
        }
    }

    #[test]
    fn what_names_no_module_is_refused() {
        for name in ["", "2mul", "fp8-mul", "fp8 mul", "a$b", "\\a", "größe", "a/b", "a.v"] {
            assert!(
                refused(name).ends_with("is no identifier of Verilog: a letter or _, then letters, digits and _"),
                "{name}"
            );
        }
        for (name, language) in [("wire", "Verilog"), ("rand", "SystemVerilog"), ("Signal", "VHDL")] {
            assert_eq!(
                refused(name),
                format!("`{name}` is a keyword of {language}; add a word to it, as in {name}_unit")
            );
        }
        for name in ["std", "TOP"] {
            assert_eq!(
                refused(name),
                format!("`{name}` is a name that Verilator keeps for itself; add a word to it, as in {name}_unit")
            );
        }
        assert_eq!(refused(&"x".repeat(MOST_LETTERS + 1)), "a name of 65 letters; up to 64 are possible");
        assert!(refused("binade_top").contains("names that begin with binade_"));
    }
}
