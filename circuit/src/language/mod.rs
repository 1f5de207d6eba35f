//! The languages of printed circuits, and the names that are legal in them.
//!
//! | file | contents |
//! |---|---|
//! | `keywords.rs` | the keywords of each language |
//! | `verilog.rs`, `vhdl.rs` | names as they are printed |

mod keywords;
pub(crate) mod verilog;
pub(crate) mod vhdl;

use std::{fmt, str::FromStr};

pub use keywords::keyword_of;
pub(crate) use keywords::keywords;
pub use vhdl::NoIdentifier;

/// A language of hardware descriptions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// Verilog-2005.
    #[default]
    Verilog,
    /// SystemVerilog-2012, with packed arrays for ports of several lanes.
    SystemVerilog,
    /// VHDL-2008, with `std_logic_vector` at the ports and `unsigned` within.
    Vhdl,
}

impl Language {
    /// All languages, the default one first.
    pub const ALL: [Language; 3] = [Language::Verilog, Language::SystemVerilog, Language::Vhdl];

    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Language::Verilog => "verilog",
            Language::SystemVerilog => "systemverilog",
            Language::Vhdl => "vhdl",
        }
    }

    /// The standard that files keep to.
    pub fn standard(self) -> &'static str {
        match self {
            Language::Verilog => "Verilog-2005",
            Language::SystemVerilog => "SystemVerilog-2012",
            Language::Vhdl => "VHDL-2008",
        }
    }

    /// The suffix of its file names, including the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Language::Verilog => ".v",
            Language::SystemVerilog => ".sv",
            Language::Vhdl => ".vhd",
        }
    }

    /// The name of a port as it is printed: a keyword is escaped.
    pub fn identifier(self, name: &str) -> String {
        match self {
            Language::Verilog | Language::SystemVerilog => verilog::identifier(name),
            Language::Vhdl => vhdl::identifier(name),
        }
    }

    /// Names of libraries, packages, types and functions that the printed text uses, in lower case.
    pub(crate) fn used_names(self) -> &'static [&'static str] {
        match self {
            Language::Verilog | Language::SystemVerilog => &[],
            Language::Vhdl => &vhdl::USED,
        }
    }

    /// Checks that an identifier of Verilog is also an identifier of this language.
    ///
    /// # Errors
    /// The reason, if it is not.
    pub fn check_name(self, name: &str) -> Result<(), NoIdentifier> {
        match self {
            Language::Verilog | Language::SystemVerilog => Ok(()),
            Language::Vhdl => vhdl::check_identifier(name),
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(name: &str) -> Result<Language, String> {
        let named = Language::ALL.into_iter().find(|language| language.name() == name);
        named.ok_or_else(|| format!("verilog, systemverilog or vhdl is expected, not `{name}`"))
    }
}
