//! The options that describe a user's module in place of the generated one.

use super::policy::PolicyOptions;
use binade_sim::Tolerance;
use binade_sim::verilator::{Beside, FlagOrder, PortChoice, Reset, Tie};
use binade_verdict::{Latency, ModuleOptions};
use clap::{Args, Parser};
use std::path::PathBuf;

/// The group of these options, which conflicts with suites.
const GROUP: &str = "DutOptions";

#[derive(Args, Clone, Debug, Default)]
#[group(id = GROUP, multiple = true)]
pub struct DutOptions {
    /// Check the module in this file instead of the generated one; several files are read in the given order
    #[arg(long, value_name = "FILE")]
    pub verilog: Vec<PathBuf>,
    /// The module to check [default: the one with the name of the generated one, else the only one in the files]
    #[arg(long, value_name = "MODULE", requires = "verilog")]
    pub top: Option<String>,
    /// Connect a port of the unit (a, b, y, .., clk, en, in_valid, out_valid) to yours, such as `y=result`, `b=operands[31:16]` or
    /// `a=req_i.a`; ports with usual names are found
    #[arg(long = "port", value_name = "OURS=YOURS", requires = "verilog")]
    pub ports: Vec<PortChoice>,
    /// Set an input of your module to a constant, such as mode=0 or op=my_pkg::MUL
    #[arg(long = "tie", value_name = "YOURS=VALUE", requires = "verilog")]
    pub ties: Vec<Tie>,
    /// Constants of another operation of your module, such as op=my_pkg::ADD,mode=1: it runs in between, and its results are not looked at
    #[arg(long = "beside", value_name = "YOURS=VALUE,..", requires = "verilog")]
    pub besides: Vec<Beside>,
    /// Set a parameter of your module, such as WIDTH=16
    #[arg(long = "parameter", value_name = "NAME=VALUE", value_parser = parameter, requires = "verilog")]
    pub parameters: Vec<(String, String)>,
    /// Folder of included files (those beside your files are found)
    #[arg(short = 'I', long = "include", value_name = "DIR", requires = "verilog")]
    pub includes: Vec<PathBuf>,
    /// Define a macro for your files
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]", requires = "verilog")]
    pub defines: Vec<String>,
    /// The reset of your module and its level, such as rst:high [default: found by its name]
    #[arg(long, value_name = "NAME:LEVEL", requires = "verilog")]
    pub reset: Option<Reset>,
    /// Latency of your module in clocks; auto measures it [default: --stages, else auto if it has a clock]
    #[arg(long, value_name = "N|auto", requires = "verilog")]
    pub latency: Option<Latency>,
    /// Clock cycles that your module needs after a reset before it takes operands [default: 0]
    #[arg(long, value_name = "N", requires = "verilog", value_parser = startup)]
    pub startup: Option<u32>,
    /// Order of your module's flags: binade (invalid, overflow, underflow, inexact), riscv, or names from the top bit, such as
    /// NV,OF,UF,NX, with - for bits that are not looked at; a division by zero that the unit does not have must be 0
    #[arg(long, value_name = "ORDER", default_value = "binade", requires = "verilog")]
    pub flag_order: FlagOrder,
    /// Let your files run programs and write files, with $system and $fopen
    #[arg(long, requires = "verilog")]
    pub allow_system_tasks: bool,
    /// Show Verilator's warnings about your files
    #[arg(long, requires = "verilog")]
    pub lint: bool,
}

impl DutOptions {
    /// The files, and how the module is connected.
    pub fn module(&self) -> ModuleOptions {
        ModuleOptions {
            files: self.verilog.clone(),
            top: self.top.clone(),
            ports: self.ports.clone(),
            ties: self.ties.clone(),
            besides: self.besides.clone(),
            parameters: self.parameters.clone(),
            includes: self.includes.clone(),
            defines: self.defines.clone(),
            reset: self.reset.clone(),
            latency: self.latency,
            startup: self.startup.unwrap_or(0),
            flag_order: self.flag_order.clone(),
            allow_system_tasks: self.allow_system_tasks,
            lint: self.lint,
        }
    }
}

/// The options that a suite may give to its units.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct UnitWords {
    #[command(flatten)]
    dut: DutOptions,
    #[command(flatten)]
    policy: PolicyOptions,
}

/// Parses the options of one unit of a suite.
///
/// # Errors
/// The first error, in words.
pub fn parse(words: &[String]) -> Result<(ModuleOptions, Tolerance), String> {
    let first = |error: clap::Error| {
        let text = error.to_string();
        text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_string()
    };
    UnitWords::try_parse_from(words).map(|UnitWords { dut, policy }| (dut.module(), policy.tolerance())).map_err(first)
}

/// The longest start that can be checked.
const MOST_STARTUP: u32 = 65_535;

/// Parses a number of clock cycles after a reset.
fn startup(text: &str) -> Result<u32, String> {
    let clocks = text.parse().ok().filter(|&clocks| clocks <= MOST_STARTUP);
    clocks.ok_or_else(|| format!("a number of clock cycles up to {MOST_STARTUP} is expected"))
}

/// Parses a name and a value.
pub fn parameter(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty());
    let (name, value) = pair.ok_or("a name and a value are expected, such as WIDTH=16")?;
    Ok((name.into(), value.into()))
}
