//! `binade gen`: Verilog and manifest.

use crate::failure::Failure;
use crate::output;
use crate::selection::UnitOptions;
use crate::stages::{ClockTarget, StageOptions};
use crate::testbench::TestbenchOptions;
use binade_generator::{GeneratedUnit, Manifest};
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};

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
    let mut manifest = Manifest::new(unit, names);
    let json = format!("{}\n", output::json(&manifest));
    let texts = [unit.verilog.as_str(), &json].into_iter().chain(testbench);
    let files: Vec<(&Path, &[u8])> = paths.iter().map(PathBuf::as_path).zip(texts.map(str::as_bytes)).collect();
    output::write_files(&files)?;
    manifest.files = paths;
    Ok(manifest)
}
