//! `binade gen`: Verilog and manifest.

use crate::failure::Failure;
use crate::output;
use crate::selection::UnitOptions;
use binade_generator::GeneratedUnit;
use binade_generator::description::command;
use binade_golden::{Format, Operation, Port};
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
    #[command(flatten)]
    out: OutOptions,
    /// Print the manifest instead of the names of the files
    #[arg(long)]
    json: bool,
}

/// Where files go unless the user says otherwise.
pub const DEFAULT_OUT: &str = "rtl_out";

#[derive(Args, Clone, Debug)]
pub struct OutOptions {
    /// Folder for the files; made if it is not there
    #[arg(long, value_name = "DIR", default_value = DEFAULT_OUT)]
    pub out: PathBuf,
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
    version: &'static str,
}

#[derive(Debug, Serialize)]
struct PortEntry {
    name: &'static str,
    direction: &'static str,
    width: u32,
    format: String,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (operation, unit) = arguments.unit.generate()?;
    let manifest = write(&operation, &unit, &arguments.out.out)?;
    if arguments.json {
        return output::print(&output::json(&manifest));
    }
    let files: Vec<String> = manifest.files.iter().map(|file| file.display().to_string()).collect();
    output::print(&files.join("\n"))
}

/// Writes `<module>.v` and `<module>.json` into `folder`.
pub fn write(operation: &Operation, unit: &GeneratedUnit, folder: &Path) -> Result<Manifest, Failure> {
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::File(format!("--out `{}` is a file; a folder is expected", folder.display())));
    }
    fs::create_dir_all(folder).map_err(|error| Failure::file("make the folder (--out)", folder, error))?;
    let names = ["v", "json"].map(|ending| PathBuf::from(format!("{}.{ending}", unit.module)));
    let paths = names.each_ref().map(|name| folder.join(name));
    let manifest = manifest(operation, unit, names.to_vec());
    let json = format!("{}\n", output::json(&manifest));
    output::write_files(&[(&paths[0], &unit.verilog), (&paths[1], &json)])?;
    Ok(Manifest { files: paths.to_vec(), ..manifest })
}

fn manifest(operation: &Operation, unit: &GeneratedUnit, files: Vec<PathBuf>) -> Manifest {
    let entry = |direction, port: Port| PortEntry {
        name: port.name,
        direction,
        width: port.format.width(),
        format: port.format.to_string(),
    };
    let mut ports: Vec<PortEntry> = operation.inputs().into_iter().map(|port| entry("input", port)).collect();
    ports.push(entry("output", operation.output()));
    let formats = operation.inputs().into_iter().chain([operation.output()]);
    Manifest {
        module: unit.module.clone(),
        files,
        ports,
        latency: 0,
        command: command(operation),
        formats: formats.map(|port| (port.format.to_string(), port.format)).collect(),
        unit: operation.unit.to_string(),
        rounding: operation.rounding.to_string(),
        overflow: operation.overflow.to_string(),
        version: env!("CARGO_PKG_VERSION"),
    }
}
