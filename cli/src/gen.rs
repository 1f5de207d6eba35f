//! `binade gen`: Verilog and manifest.

use crate::failure::Failure;
use crate::output;
use crate::selection::UnitOptions;
use binade_generator::GeneratedUnit;
use binade_generator::description::command;
use binade_golden::{Format, Port, Tininess};
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Example: binade gen --format e5m2b1 --unit fmac
#[derive(Args, Debug)]
#[command(after_help = "Example: binade gen --format e5m2b1 --unit fmac")]
pub struct Arguments {
    #[command(flatten)]
    unit: UnitOptions,
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
    /// Writes the same files again.
    command: String,
    /// The fields of the ports' formats, by name.
    formats: BTreeMap<String, Format>,
    unit: String,
    rounding: String,
    overflow: String,
    /// What is beyond the ends of a posit.
    posit_range: String,
    /// Function applied before the conversion to `out`.
    #[serde(skip_serializing_if = "Option::is_none")]
    activation: Option<&'static str>,
    /// When tininess is seen, for the flags.
    #[serde(skip_serializing_if = "Option::is_none")]
    tininess: Option<&'static str>,
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

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (unit, folder) = arguments.unit.generate_for_folder()?;
    let manifest = write(&unit, &folder)?;
    if arguments.json {
        return output::print(&output::json(&manifest));
    }
    let files: Vec<String> = manifest.files.iter().map(|file| file.display().to_string()).collect();
    output::print(&files.join("\n"))
}

/// Writes `<module>.v` and `<module>.json` into `folder`.
pub fn write(unit: &GeneratedUnit, folder: &Path) -> Result<Manifest, Failure> {
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::File(format!("--out `{}` is a file; a folder is expected", folder.display())));
    }
    fs::create_dir_all(folder).map_err(|error| Failure::file("make the folder (--out)", folder, error))?;
    let names = ["v", "json"].map(|ending| PathBuf::from(format!("{}.{ending}", unit.module)));
    let paths = names.each_ref().map(|name| folder.join(name));
    let manifest = manifest(unit, names.to_vec());
    let json = format!("{}\n", output::json(&manifest));
    output::write_files(&[(&paths[0], &unit.verilog), (&paths[1], &json)])?;
    Ok(Manifest { files: paths.to_vec(), ..manifest })
}

fn manifest(unit: &GeneratedUnit, files: Vec<PathBuf>) -> Manifest {
    let operation = &unit.design.operation;
    let entry = |direction, port: Port| PortEntry {
        name: port.name,
        direction,
        width: port.width(),
        format: port.format().map(|format| format.to_string()),
        about: port.format().is_none().then(|| port.about()),
    };
    let mut ports: Vec<PortEntry> = operation.inputs().into_iter().map(|port| entry("input", port)).collect();
    ports.extend(operation.outputs().into_iter().map(|port| entry("output", port)));
    let formats = operation.inputs().into_iter().chain(operation.outputs()).filter_map(|port| port.format());
    Manifest {
        module: unit.module.clone(),
        files,
        ports,
        latency: 0,
        command: command(&unit.design),
        formats: formats.map(|format| (format.to_string(), format)).collect(),
        unit: operation.unit.to_string(),
        rounding: operation.rounding.to_string(),
        overflow: operation.overflow.to_string(),
        posit_range: operation.posit_range.to_string(),
        activation: operation.output.filter(|output| output.relu).map(|_| "relu"),
        tininess: operation.flags.map(Tininess::name),
        version: env!("CARGO_PKG_VERSION"),
    }
}
