//! The options of `binade gen` that write a testbench.

use crate::failure::Failure;
use crate::verify::whole;
use binade_circuit::Language;
use binade_generator::GeneratedUnit;
use binade_sim::{Choice, Files, Plan, testbench, vhdl_testbench};
use clap::Args;

/// The default number of vectors in a testbench.
const DEFAULT_COUNT: u64 = 300;

/// The most vectors of a testbench. They are part of the text, and for this many the C++ compiler takes 10 s, after Verilator. More belong
/// in a file.
const MOST: u64 = 10_000;

/// The seed of the vectors.
const SEED: u64 = 1;

#[derive(Args, Debug)]
pub struct TestbenchOptions {
    /// Also write a self-checking testbench for Icarus and Verilator, or for GHDL in VHDL, that runs without Binade
    #[arg(long)]
    testbench: bool,
    /// Vectors of the testbench, up to half of them directed, the others random [default: 300]
    #[arg(long, value_name = "N", requires = "testbench", value_parser = whole)]
    vectors: Option<u64>,
}

impl TestbenchOptions {
    /// The testbench's text, if requested.
    pub fn text(&self, unit: &GeneratedUnit, language: Language) -> Result<Option<String>, Failure> {
        if !self.testbench {
            return Ok(None);
        }
        let count = self.vectors.unwrap_or(DEFAULT_COUNT);
        if count > MOST {
            return Err(Failure::Usage(format!(
                "--vectors {count}: a testbench holds up to {MOST}; `binade vectors` prints any number of them for other testbenches"
            )));
        }
        let plan = Plan::new(&unit.design.operation, Choice::Sample(count), SEED)
            .map_err(|error| Failure::Usage(error.to_string()))?;
        let beside = |bench: &str| format!("{}{bench}{}", unit.module, language.ending());
        let files = Files { testbench: beside("_tb"), module: beside("") };
        Ok(Some(match language {
            Language::Verilog | Language::SystemVerilog => testbench(unit, &plan, &files),
            Language::Vhdl => vhdl_testbench(unit, &plan, &files),
        }))
    }
}
