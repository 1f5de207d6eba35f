//! The option of `binade gen` that writes the contract of a unit with a clock for a formal tool.

use crate::failure::Failure;
use binade_circuit::Language;
use binade_generator::GeneratedUnit;
use binade_sim::formal::{FormalFiles, FormalSubject, formal_properties, formal_script};
use binade_spec::contract::ControlPorts;
use clap::{Args, ValueEnum};

#[derive(Args, Debug)]
pub struct FormalOptions {
    /// Also write the contract of a unit with a clock as properties, with a script for this tool (sby: SymbiYosys)
    #[arg(long, value_name = "TOOL")]
    formal: Option<FormalTool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormalTool {
    #[value(alias = "symbiyosys")]
    Sby,
}

impl FormalOptions {
    /// The file endings, added to the module's name, with the texts; empty unless requested.
    pub fn files(&self, unit: &GeneratedUnit, language: Language) -> Result<Vec<(String, String)>, Failure> {
        if self.formal.is_none() {
            return Ok(vec![]);
        }
        let design = &unit.design;
        if !design.is_clocked() {
            return Err(Failure::Usage(
                "--formal: the unit has no clock, and only units with a clock have these properties; give --stages or --interface (`binade prove` proves units without a clock)".into(),
            ));
        }
        if language == Language::Vhdl {
            return Err(Failure::Usage(
                "--formal: SymbiYosys does not read VHDL; give --language verilog or systemverilog".into(),
            ));
        }
        let ending = language.ending();
        let module = unit.module.as_str();
        let reference = GeneratedUnit { module: format!("{module}_reference"), ..unit.without_ranks() };
        let subject = FormalSubject {
            module,
            interface: design.interface,
            ports: ControlPorts::ALL,
            operation: &design.operation,
            pace: design.pace(),
            reference: &reference.module,
        };
        let files =
            FormalFiles { module: &format!("{module}{ending}"), reference: &format!("{module}_reference{ending}") };
        Ok(vec![
            (format!("_reference{ending}"), reference.text(language)),
            ("_formal.sv".into(), formal_properties(&subject)),
            (".sby".into(), formal_script(&subject, files)),
        ])
    }
}
