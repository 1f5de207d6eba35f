//! `binade gen`: Verilog and manifest.

use crate::failure::Failure;
use crate::output;
use crate::selection::UnitOptions;
use crate::stages::{ClockTarget, StageOptions};
use crate::testbench::TestbenchOptions;
use binade_circuit::clock_ports;
use binade_circuit::pipeline::Pipeline;
use binade_generator::GeneratedUnit;
use binade_generator::description::command;
use binade_spec::{Format, Operation, Port, Setting};
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fmt, fs};

/// Example: binade gen --format e5m2b1 --unit fmac
#[derive(Args, Debug)]
#[command(after_help = "Example: binade gen --format e5m2b1 --unit fmac")]
pub struct Arguments {
    #[command(flatten)]
    unit: UnitOptions,
    #[command(flatten)]
    stages: StageOptions,
    #[command(flatten)]
    clock: ClockTarget,
    #[command(flatten)]
    testbench: TestbenchOptions,
    /// Print the manifest instead of the names of the files
    #[arg(long)]
    json: bool,
}

/// What was generated. On disk beside the Verilog, and on stdout with `--json`.
#[derive(Debug, Serialize)]
pub struct Manifest {
    pub module: String,
    /// On disk, names beside the manifest, so that it says the same in every folder; printed, below the user's folder.
    pub files: Vec<PathBuf>,
    ports: Vec<PortEntry>,
    /// Clock cycles from operands to result.
    latency: u32,
    /// Where the registers are, in a unit with registers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pipeline: Option<PipelineEntry>,
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
struct PipelineEntry {
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

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (design, folder) = arguments.unit.design_for_folder(&arguments.stages, arguments.clock.named())?;
    let unit = binade_generator::generate(design);
    let testbench = arguments.testbench.text(&unit)?;
    let manifest = write(&unit, testbench.as_deref(), &folder)?;
    if arguments.json {
        output::print(&output::json(&manifest))?;
    } else {
        let files: Vec<String> = manifest.files.iter().map(|file| file.display().to_string()).collect();
        output::print(&files.join("\n"))?;
    }
    if let Some(pipeline) = &manifest.pipeline {
        output::say(format_args!("{}: {pipeline}", manifest.module));
    }
    Ok(())
}

/// Writes `<module>.v` and `<module>.json` into `folder`, and `<module>_tb.v` if there is a testbench.
pub fn write(unit: &GeneratedUnit, testbench: Option<&str>, folder: &Path) -> Result<Manifest, Failure> {
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::File(format!("--out `{}` is a file; a folder is expected", folder.display())));
    }
    fs::create_dir_all(folder).map_err(|error| Failure::file("make the folder (--out)", folder, error))?;
    let endings = [".v", ".json"].into_iter().chain(testbench.map(|_| "_tb.v"));
    let names: Vec<PathBuf> = endings.map(|ending| PathBuf::from(format!("{}{ending}", unit.module))).collect();
    let paths: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    let manifest = manifest(unit, names);
    let json = format!("{}\n", output::json(&manifest));
    let texts = [unit.verilog.as_str(), &json].into_iter().chain(testbench);
    let files: Vec<(&Path, &[u8])> = paths.iter().map(PathBuf::as_path).zip(texts.map(str::as_bytes)).collect();
    output::write_files(&files)?;
    Ok(Manifest { files: paths, ..manifest })
}

fn manifest(unit: &GeneratedUnit, files: Vec<PathBuf>) -> Manifest {
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
