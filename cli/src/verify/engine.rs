//! The options that choose what evaluates the unit.

use crate::failure::Failure;
use crate::selection::named;
use binade_generator::GeneratedUnit;
use binade_generator::circuit::Port;
use binade_sim::lanes::{Graph, NetlistPort};
use binade_sim::{Engine, Gates};
use binade_synth::Target;
use binade_tools::Tools;
use clap::{Args, ValueEnum};
use std::path::Path;

#[derive(Args, Clone, Debug)]
pub struct EngineOptions {
    /// What evaluates the unit
    #[arg(long, value_enum, default_value = "verilator")]
    engine: EngineName,
    /// With lanes, the gates are those of the netlist that Yosys makes of the Verilog for this target
    #[arg(long, value_name = "TARGET", value_parser = named::<Target>(&["generic", "ice40"]))]
    netlist: Option<Target>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineName {
    /// Its Verilog, compiled by Verilator
    Verilator,
    /// Its gates, 4096 vectors at a time; no external tool is needed
    Lanes,
}

impl EngineOptions {
    /// Refuses what does not go together; `file` is the user's Verilog.
    pub fn check(&self, file: Option<&Path>) -> Result<(), Failure> {
        let usage = |text: &str| Err(Failure::Usage(text.into()));
        match (self.engine, self.netlist, file) {
            (EngineName::Verilator, Some(_), _) => usage("--netlist says which gates --engine lanes runs; give both"),
            (EngineName::Lanes, None, Some(_)) => usage(
                "--engine lanes --verilog: the gates of a file are those that Yosys makes of it; add --netlist generic",
            ),
            _ => Ok(()),
        }
    }

    /// The unit's gates, if the engine runs on gates.
    pub fn gates(&self, tools: &Tools, unit: &GeneratedUnit) -> Result<Option<Gates>, Failure> {
        match (self.engine, self.netlist) {
            (EngineName::Verilator, _) => Ok(None),
            (EngineName::Lanes, None) => Ok(Some(circuit(unit))),
            (EngineName::Lanes, Some(target)) => netlist(tools, unit, target).map(Some),
        }
    }

    pub fn needs_verilator(&self) -> bool {
        self.engine == EngineName::Verilator
    }

    /// The same options on a command line, where they are not the default.
    pub fn words(&self) -> String {
        let engine = match self.engine {
            EngineName::Verilator => return String::new(),
            EngineName::Lanes => " --engine lanes",
        };
        self.netlist.map_or(engine.into(), |target| format!("{engine} --netlist {target}"))
    }
}

/// The engine that runs on these gates, or Verilator.
pub fn engine(gates: &Option<Gates>) -> Engine<'_> {
    gates.as_ref().map_or(Engine::Verilator, Engine::Lanes)
}

/// The gates of the unit's circuit.
pub fn circuit(unit: &GeneratedUnit) -> Gates {
    let graph = match &unit.pipeline {
        None => Graph::of_circuit(&unit.netlist),
        Some(pipeline) => Graph::of_pipeline(pipeline),
    };
    Gates { graph, origin: "the circuit".into() }
}

fn netlist(tools: &Tools, unit: &GeneratedUnit, target: Target) -> Result<Gates, Failure> {
    fn named(port: &Port) -> NetlistPort<'_> {
        (port.name.as_str(), port.width)
    }
    let json = binade_synth::netlist(tools, &unit.module, &unit.verilog, target)?;
    // The order in which the lanes engine has the ports of a pipelined unit.
    let [mut inputs, mut outputs]: [Vec<NetlistPort>; 2] = match unit.pipeline {
        None => [vec![], vec![]],
        Some(_) => [vec![("rst_n", 1), ("en", 1), ("in_valid", 1)], vec![("out_valid", 1)]],
    };
    inputs.extend(unit.netlist.inputs.iter().map(named));
    outputs.extend(unit.netlist.outputs.iter().map(|(port, _)| named(port)));
    let version = tools.yosys()?.version;
    let graph = Graph::of_netlist(&json, &unit.module, &inputs, &outputs).map_err(|error| {
        Failure::Tool(binade_tools::Error::Unparsed {
            tool: format!("Yosys {version}"),
            expected: format!("a netlist for {target}"),
            output: error.to_string(),
        })
    })?;
    Ok(Gates { graph, origin: format!("the {target} netlist of Yosys {version}") })
}
