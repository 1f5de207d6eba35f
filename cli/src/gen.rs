//! `binade gen`: Verilog and manifest.

use crate::failure::Failure;
use crate::output;
use crate::selection::UnitOptions;
use binade_generator::GeneratedUnit;
use binade_generator::description::command;
use binade_golden::{Operation, Port};
use clap::Args;
use serde::Serialize;
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

#[derive(Args, Clone, Debug)]
pub struct OutOptions {
    /// Folder for the files; made if it is not there
    #[arg(long, value_name = "DIR", default_value = "rtl_out")]
    pub out: PathBuf,
}

/// What was generated. On disk beside the Verilog, and on stdout with `--json`.
#[derive(Debug, Serialize)]
pub struct Manifest {
    pub module: String,
    pub files: Vec<PathBuf>,
    ports: Vec<PortEntry>,
    /// Clock cycles from operands to result.
    latency: u32,
    /// Writes the same files again.
    command: String,
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
    fs::create_dir_all(folder).map_err(|error| Failure::file("make the folder", folder, error))?;
    let file = |ending: &str| folder.join(format!("{}.{ending}", unit.module));
    let (verilog, json) = (file("v"), file("json"));
    let manifest = manifest(operation, unit, vec![verilog.clone(), json.clone()]);
    output::write_file(&verilog, &unit.verilog)?;
    output::write_file(&json, &format!("{}\n", output::json(&manifest)))?;
    Ok(manifest)
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
    Manifest {
        module: unit.module.clone(),
        files,
        ports,
        latency: 0,
        command: command(operation),
        unit: operation.unit.to_string(),
        rounding: operation.rounding.to_string(),
        overflow: operation.overflow.to_string(),
        version: env!("CARGO_PKG_VERSION"),
    }
}
