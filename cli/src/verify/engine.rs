//! The options that choose the engine.

use super::Case;
use super::dut::DutOptions;
use super::policy::PolicyOptions;
use crate::failure::Failure;
use crate::names::named;
use binade_circuit::Interface;
use binade_gates::Graph;
use binade_generator::GeneratedUnit;
use binade_prove::specification;
use binade_sim::{Engine, Gates, Plan, Subject};
use binade_synth::Netlist;
use binade_tools::{Error, Tools};
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
    /// Refuses options that do not go together.
    pub fn check(&self, dut: &DutOptions, policy: &PolicyOptions) -> Result<(), Failure> {
        let usage = |text: &str| Err(Failure::Usage(text.into()));
        if self.engine == EngineName::Verilator && self.against == Against::Specification {
            return usage("--against specification is for --engine lanes; give both");
        }
        if self.engine == EngineName::Lanes && !policy.tolerance().is_none() {
            return usage("--nan and --zero-sign are for --engine verilator; lanes compare bit for bit");
        }
        if self.engine == EngineName::Lanes && !dut.is_plain() {
            return usage(
                "--engine lanes takes one file whose module has the name and the ports of the generated one; other modules are \
                 for --engine verilator",
            );
        }
        match (self.engine, self.netlist, dut.verilog.first()) {
            (EngineName::Verilator, Some(_), _) => usage("--netlist chooses the gates for --engine lanes; give both"),
            (EngineName::Lanes, None, Some(_)) => {
                usage("--engine lanes --verilog: Yosys makes the gates of a file; add --netlist generic")
            }
            _ => Ok(()),
        }
    }

    /// Refuses a unit with valid and ready, unless it is generated and simulated.
    pub fn check_interface(&self, unit: &GeneratedUnit, dut: &DutOptions) -> Result<(), Failure> {
        let interface = unit.design.interface;
        if interface == Interface::Plain {
            return Ok(());
        }
        if !dut.verilog.is_empty() {
            return Err(Failure::Usage(format!(
                "--interface {interface}: only the shell of a generated unit is checked; check your module (--verilog) without \
                 --interface"
            )));
        }
        match self.engine {
            EngineName::Verilator => Ok(()),
            EngineName::Lanes => Err(Failure::Usage(format!(
                "--interface {interface}: a unit without a fixed latency must be simulated; leave --engine lanes out"
            ))),
        }
    }

    /// The unit's gates, if the engine evaluates gates.
    pub fn gates(&self, tools: &Tools, case: &Case) -> Result<Option<Gates>, Failure> {
        match (self.engine, self.netlist) {
            (EngineName::Verilator, _) => Ok(None),
            (EngineName::Lanes, None) => Ok(Some(Gates::of_circuit(&case.unit))),
            (EngineName::Lanes, Some(kind)) => netlist(tools, case.subject(), kind).map(Some),
        }
    }

    /// The specification that replaces the golden model, if requested.
    pub fn specification(&self, unit: &GeneratedUnit) -> Result<Option<Graph>, Failure> {
        match self.against {
            Against::GoldenModel => Ok(None),
            Against::Specification => specification(&unit.design.operation).map(Some).map_err(|reason| {
                let advice = "without --against, results are compared with the golden model";
                Failure::Usage(format!("--against specification: {}: {reason}; {advice}", unit.module))
            }),
        }
    }

    /// The plan, adapted to the reference for results.
    pub fn suited(&self, plan: Plan) -> Plan {
        match self.against {
            Against::GoldenModel => plan,
            Against::Specification => plan.in_planes(),
        }
    }

    pub fn needs_verilator(&self) -> bool {
        self.engine == EngineName::Verilator
    }

    /// The engine with its tool versions; fails if a tool is missing.
    pub fn describe(&self, tools: &Tools) -> Result<String, Failure> {
        let engine = match (self.engine, self.netlist) {
            (EngineName::Verilator, _) => {
                let compiler = tools.compiler()?.version;
                format!("Verilator {} with {compiler}", tools.verilator()?.version)
            }
            (EngineName::Lanes, None) => "lanes on circuits".into(),
            (EngineName::Lanes, Some(kind)) => {
                format!("lanes on {kind} netlists of Yosys {}", tools.yosys()?.version)
            }
        };
        Ok(match self.against {
            Against::GoldenModel => engine,
            Against::Specification => format!("{engine}, against specification circuits"),
        })
    }

    /// The options as command line words, except defaults.
    pub fn words(&self) -> String {
        let engine = match self.engine {
            EngineName::Verilator => return String::new(),
            EngineName::Lanes => " --engine lanes",
        };
        let netlist = self.netlist.map(|kind| format!(" --netlist {kind}")).unwrap_or_default();
        let against = match self.against {
            Against::GoldenModel => "",
            Against::Specification => " --against specification",
        };
        format!("{engine}{netlist}{against}")
    }
}

/// The lanes engine for these gates, or Verilator.
pub fn engine(gates: &Option<Gates>) -> Engine<'_> {
    gates.as_ref().map_or(Engine::Verilator, Engine::Lanes)
}

/// The gates that Yosys makes of a module's Verilog.
pub fn netlist(tools: &Tools, subject: Subject, netlist: Netlist) -> Result<Gates, Failure> {
    let json = binade_synth::netlist(tools, subject.module, subject.verilog, netlist)?;
    let tool = format!("Yosys {}", tools.yosys()?.version);
    Gates::of_netlist(subject, &json, netlist.described(&tool)).map_err(|error| {
        let (expected, output) = (format!("cells that are known in {netlist} netlists"), error.to_string());
        Failure::Tool(Error::Unparsed { tool, expected, output })
    })
}
