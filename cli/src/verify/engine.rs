//! The options that choose the engine.

use crate::failure::Failure;
use crate::names::named;
use binade_gates::Graph;
use binade_generator::GeneratedUnit;
use binade_synth::Netlist;
use binade_verdict::Means;
use clap::{Args, ValueEnum};

#[derive(Args, Clone, Debug)]
pub struct EngineOptions {
    /// How the unit is evaluated: its Verilog, compiled by Verilator, or its gates, 4096 vectors at a time, without external tools (lanes)
    #[arg(long, value_enum, ignore_case = true, default_value = "verilator")]
    engine: EngineName,
    /// With lanes, evaluate the gates that Yosys makes of the Verilog, as written (printed) or synthesized for a target
    #[arg(long, value_name = "NETLIST", value_parser = named::<Netlist>(&Netlist::NAMES))]
    netlist: Option<Netlist>,
    /// With lanes, compare results with the golden model, or with the specification circuit of `binade prove`, which is faster; then the
    /// golden model answers one vector in a million
    #[arg(long, value_enum, ignore_case = true, value_name = "WHAT", default_value = "golden-model")]
    against: Against,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineName {
    Verilator,
    Lanes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Against {
    GoldenModel,
    Specification,
}

impl EngineOptions {
    /// The specification that replaces the golden model, if requested.
    pub fn specification(&self, unit: &GeneratedUnit) -> Result<Option<Graph>, Failure> {
        self.means().specification(unit).map_err(|reason| {
            let advice = "without --against, results are compared with the golden model";
            Failure::Usage(format!("--against specification: {}: {reason}; {advice}", unit.module))
        })
    }

    /// What evaluates the unit, and what its results are compared with.
    pub fn means(&self) -> Means {
        Means {
            lanes: self.engine == EngineName::Lanes,
            netlist: self.netlist,
            against_specification: self.against == Against::Specification,
        }
    }
}
