//! Manifests: what a unit is, for programs.

use crate::GeneratedUnit;
use crate::description::command;
use binade_circuit::clock_ports;
use binade_circuit::pipeline::Pipeline;
use binade_spec::{Format, Operation, Port, Setting};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// What was generated. The command writes it beside the Verilog, and with `--json` to stdout.
#[derive(Debug, Serialize)]
pub struct Manifest {
    /// The module's name.
    pub module: String,
    /// The files that were written: on disk, names beside the manifest, so that it says the same in every folder; printed,
    /// below the user's folder; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PathBuf>,
    ports: Vec<PortEntry>,
    /// Clock cycles from operands to result.
    latency: u32,
    /// Where the registers are, in a unit with registers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pipeline: Option<PipelineEntry>,
    /// Writes the same files again.
    command: String,
    /// The fields of the ports' formats, by name.
    formats: BTreeMap<String, Format>,
    unit: String,
    /// The words for its settings, as on the command line and in suites.
    settings: Map<String, Value>,
    version: &'static str,
}

#[derive(Debug, Serialize)]
struct PortEntry {
    name: &'static str,
    direction: &'static str,
    width: u32,
    /// Name of the format; null for words.
    format: Option<String>,
    /// What a word is.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
}

/// Where the registers are, and what they cost.
#[derive(Debug, Serialize)]
pub struct PipelineEntry {
    stages: u32,
    /// Estimated levels of lookup tables before, between and behind the registers.
    levels: Vec<f64>,
    /// One-bit registers, those of the valid bits included.
    register_bits: u32,
}

impl PipelineEntry {
    fn new(pipeline: &Pipeline) -> PipelineEntry {
        let Pipeline { stages, .. } = *pipeline;
        PipelineEntry { stages, levels: pipeline.levels(), register_bits: pipeline.register_bits() }
    }
}

impl fmt::Display for PipelineEntry {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let levels: Vec<String> = self.levels.iter().map(|levels| format!("{levels:.1}")).collect();
        let longest = self.levels.iter().copied().fold(0.0, f64::max);
        let Self { stages, register_bits, .. } = self;
        let ranks = if *stages == 1 { "rank" } else { "ranks" };
        write!(
            f,
            "{stages} {ranks} of registers, {register_bits} bits; an estimated {longest:.1} levels of lookup tables in the longest segment of {}",
            levels.join(", ")
        )
    }
}

impl Manifest {
    /// The manifest of a unit, and of the files that it is written to.
    pub fn new(unit: &GeneratedUnit, files: Vec<PathBuf>) -> Manifest {
        let operation = &unit.design.operation;
        let formats = operation.inputs().into_iter().chain(operation.outputs()).filter_map(|port| port.format());
        Manifest {
            module: unit.module.clone(),
            files,
            ports: ports(unit),
            latency: unit.design.stages,
            pipeline: unit.pipeline.as_ref().map(PipelineEntry::new),
            command: command(&unit.design),
            formats: formats.map(|format| (format.to_string(), format)).collect(),
            unit: operation.unit.to_string(),
            settings: settings(operation),
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

/// The words for the settings that matter, by their keys.
fn settings(operation: &Operation) -> Map<String, Value> {
    let taken = Setting::ALL.into_iter().filter(|&setting| operation.unit.takes(setting));
    taken.filter_map(|setting| Some((setting.key().into(), operation.word(setting)?.into()))).collect()
}

/// All ports, in the order of the module.
fn ports(unit: &GeneratedUnit) -> Vec<PortEntry> {
    let operation = &unit.design.operation;
    let entry = |direction, port: Port| PortEntry {
        name: port.name,
        direction,
        width: port.width(),
        format: port.format().map(|format| format.to_string()),
        about: port.format().is_none().then(|| port.about()),
    };
    let clock_ports = clock_ports(operation.has_state());
    let clocked = unit.pipeline.iter().flat_map(|_| clock_ports).map(|port| PortEntry {
        name: port.name,
        direction: if port.is_output { "output" } else { "input" },
        width: 1,
        format: None,
        about: Some(port.about.into()),
    });
    let inputs = operation.inputs().into_iter().map(|port| entry("input", port));
    let outputs = operation.outputs().into_iter().map(|port| entry("output", port));
    clocked.chain(inputs).chain(outputs).collect()
}
