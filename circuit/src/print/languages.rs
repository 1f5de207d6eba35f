//! The syntax of each language.

use super::syntax::Syntax;
use super::verilog::Verilog;
use super::vhdl::Vhdl;
use crate::Language;

/// The syntax of a language.
pub fn syntax(language: Language) -> &'static dyn Syntax {
    match language {
        Language::Verilog => &Verilog { is_system: false },
        Language::SystemVerilog => &Verilog { is_system: true },
        Language::Vhdl => &Vhdl,
    }
}
