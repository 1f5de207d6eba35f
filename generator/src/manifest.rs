//! Manifests: descriptions of units for programs.

use crate::GeneratedUnit;
use crate::description::command_in;
use binade_circuit::Language;
use binade_circuit::pipeline::Pipeline;
use binade_circuit::{Interface, OPERANDS, Packing, RESULTS, Reset};
use binade_spec::{Format, Operation, Port, Setting};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// The number of the schema of manifests and of all other JSON that Binade writes. It increases when a key is removed or changes its
/// meaning.
pub const SCHEMA: u32 = 1;

/// The description of a generated unit. The command writes it beside the Verilog, and with `--json` to stdout.
#[derive(Debug, Serialize)]
pub struct Manifest {
    /// The number of the schema: [`SCHEMA`].
    schema: u32,
    /// The module's name.
    pub module: String,
    /// The files that were written. In the file, paths are relative to the manifest, so its text is the same in every
    /// folder; on stdout, they include the user's folder. Omitted if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PathBuf>,
    /// The language, unless it is Verilog.
    #[serde(skip_serializing_if = "is_verilog", serialize_with = "name")]
    language: Language,
    pub(crate) ports: Vec<PortEntry>,
    /// The interface, if the unit has a shell.
    #[serde(skip_serializing_if = "is_plain", serialize_with = "word")]
    interface: Interface,
    /// How registers are reset, unless it is at an edge of the clock.
    #[serde(skip_serializing_if = "is_sync", serialize_with = "kind")]
    reset_type: Reset,
    /// Clock cycles from operands to result.
    latency: u32,
    /// The fewest clock cycles from operands to the next ones, if more than one.
    #[serde(skip_serializing_if = "Option::is_none")]
    interval: Option<u32>,
    /// The ranks of registers, for a unit with registers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pipeline: Option<PipelineEntry>,
    /// The command that writes the same files again.
    pub(crate) command: String,
    /// The fields of the ports' formats, by name.
    formats: BTreeMap<String, Format>,
    unit: String,
    /// The words for its settings, as on the command line and in suites.
    settings: Map<String, Value>,
    version: &'static str,
}

#[derive(Debug, Serialize)]
pub(crate) struct PortEntry {
    pub(crate) name: String,
    pub(crate) direction: &'static str,
    pub(crate) width: u32,
    /// Name of the format; null for words.
    pub(crate) format: Option<String>,
    /// The meaning of a word.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    /// The words in a port into which operands or results are packed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<FieldEntry>,
}

#[derive(Debug, Serialize)]
struct FieldEntry {
    name: &'static str,
    /// Its lowest bit.
    low: u32,
    width: u32,
    /// Name of the format; null for words.
    format: Option<String>,
}

/// The ranks of registers, and their cost.
#[derive(Debug, Serialize)]
pub struct PipelineEntry {
    stages: u32,
    /// Estimated levels of lookup tables before, between and after the registers.
    levels: Vec<f64>,
    /// The number of one-bit registers, including the valid bits.
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
    /// The manifest of a unit in Verilog and of its files.
    pub fn new(unit: &GeneratedUnit, files: Vec<PathBuf>) -> Manifest {
        Manifest::in_language(unit, files, Language::Verilog)
    }

    /// The manifest of a unit in a language and of its files.
    pub fn in_language(unit: &GeneratedUnit, files: Vec<PathBuf>, language: Language) -> Manifest {
        let (operation, pace) = (&unit.design.operation, unit.design.pace());
        let formats = operation.inputs().into_iter().chain(operation.outputs()).filter_map(|port| port.format());
        Manifest {
            schema: SCHEMA,
            module: unit.module.clone(),
            files,
            language,
            ports: ports(unit),
            interface: unit.design.interface,
            reset_type: unit.design.reset,
            latency: pace.latency,
            interval: Some(pace.interval).filter(|_| pace.is_iterated()),
            pipeline: unit.pipeline.as_ref().map(PipelineEntry::new),
            command: command_in(&unit.design, language),
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
    let (inputs, outputs) = (operation.inputs(), operation.outputs());
    let entry = |is_output, name: &str| match (inputs.iter().chain(&outputs).find(|port| port.name == name), is_output)
    {
        (Some(port), _) => Some(PortEntry::of_word(is_output, port)),
        (None, false) if name == OPERANDS => Some(PortEntry::packed(is_output, OPERANDS, &inputs)),
        (None, true) if name == RESULTS => Some(PortEntry::packed(is_output, RESULTS, &outputs)),
        (None, _) => None,
    };
    let ports = unit.ports().into_iter();
    ports
        .map(|(is_output, port)| entry(is_output, &port.name).unwrap_or_else(|| PortEntry::control(is_output, port)))
        .collect()
}

impl PortEntry {
    fn of_word(is_output: bool, port: &Port) -> PortEntry {
        PortEntry {
            name: port.name.into(),
            direction: direction(is_output),
            width: port.width(),
            format: port.format().map(|format| format.to_string()),
            about: port.format().is_none().then(|| port.about()),
            fields: vec![],
        }
    }

    fn control(is_output: bool, port: binade_circuit::Port) -> PortEntry {
        let (name, direction, width) = (port.name, direction(is_output), port.width);
        PortEntry { name, direction, width, format: None, about: Some(port.about), fields: vec![] }
    }

    /// A port into which words are packed.
    fn packed(is_output: bool, name: &str, words: &[Port]) -> PortEntry {
        let Packing { lows, width } = Packing::of(words.iter().map(Port::width));
        let field = |(port, low): (&Port, u32)| FieldEntry {
            name: port.name,
            low,
            width: port.width(),
            format: port.format().map(|format| format.to_string()),
        };
        let fields = words.iter().zip(lows).map(field).collect();
        PortEntry { name: name.into(), direction: direction(is_output), width, format: None, about: None, fields }
    }
}

fn direction(is_output: bool) -> &'static str {
    if is_output { "output" } else { "input" }
}

fn is_plain(interface: &Interface) -> bool {
    *interface == Interface::Plain
}

fn is_sync(reset: &Reset) -> bool {
    *reset == Reset::Sync
}

fn kind<S: Serializer>(reset: &Reset, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(reset.name())
}

fn is_verilog(language: &Language) -> bool {
    *language == Language::Verilog
}

fn name<S: Serializer>(language: &Language, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(language.name())
}

fn word<S: Serializer>(interface: &Interface, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(interface.name())
}
