//! `binade gen`: writes the unit in a hardware description language, and its manifest.

use crate::failure::Failure;
use crate::formal::FormalOptions;
use crate::kept::ClockOptions;
use crate::names::named;
use crate::output;
use crate::selection::{UnitOptions, generated, say_if_large};
use crate::stages::StageOptions;
use crate::testbench::TestbenchOptions;
use binade_circuit::Language;
use binade_generator::{GeneratedUnit, Manifest, Wrapper};
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
    clock: ClockOptions,
    /// Language of the unit: Verilog-2005, SystemVerilog (with logic, and arrays for lanes), or VHDL-2008
    #[arg(long, value_name = "LANGUAGE", default_value = "verilog", value_parser = named::<Language>(&Language::ALL.map(Language::name)))]
    language: Language,
    /// Modules of the unit's parts: in the unit's file (together), or each in a file of its own (files)
    #[arg(long, value_name = "WHERE", default_value = "together", value_parser = ["together", "files"])]
    parts: String,
    #[command(flatten)]
    testbench: TestbenchOptions,
    #[command(flatten)]
    formal: FormalOptions,
    /// Also write a class that instantiates the module: in Python for Amaranth, in Scala for Chisel or SpinalHDL
    #[arg(long, value_name = "TOOL", value_parser = named::<Wrapper>(&Wrapper::ALL.map(Wrapper::name)))]
    wrapper: Option<Wrapper>,
    /// Also draw the unit as SVG: a box for each section of its text, and the signals between them
    #[arg(long)]
    figure: bool,
    /// Print the manifest instead of the file names
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (design, folder) = arguments.clock.design(&arguments.unit, &arguments.stages)?;
    let unit = generated(design);
    say_if_large(&unit);
    let language = arguments.language;
    for module in [Some(&unit.module), unit.within_shell.as_ref()].into_iter().flatten() {
        let checked = language.check_name(module);
        checked.map_err(|why| Failure::Usage(format!("--module: `{module}` is {why}; choose another name")))?;
    }
    let testbench = arguments.testbench.text(&unit, language)?;
    let testbench = testbench.map(|text| (format!("_tb{}", language.ending()), text));
    let beside = testbench
        .into_iter()
        .chain(arguments.formal.files(&unit, language)?)
        .chain(arguments.wrapper.map(|wrapper| wrapper.file(&unit, language)))
        .chain(arguments.figure.then(|| (".svg".into(), unit.figure(language))))
        .map(|(ending, text)| (format!("{}{ending}", unit.module), text));
    let modules = match arguments.parts.as_str() {
        "files" => unit.files(language),
        _ => vec![(unit.module.clone(), unit.text(language))],
    };
    let modules = modules.into_iter().map(|(module, text)| (format!("{module}{}", language.ending()), text));
    let manifest = write_in(language, &unit, &modules.collect::<Vec<_>>(), &beside.collect::<Vec<_>>(), &folder)?;
    if arguments.json {
        output::print(&output::plain_json(&manifest))?;
    } else {
        let files: Vec<String> = manifest.files.iter().map(|file| file.display().to_string()).collect();
        output::print(&files.join("\n"))?;
    }
    if let Some(accumulator) = arguments.unit.default_accumulator(&unit.design.operation) {
        output::say(format_args!("accumulator: {accumulator}; --acc chooses another"));
    }
    if let Some(pipeline) = &manifest.pipeline {
        output::say(format_args!("{}: {pipeline}", manifest.module));
    }
    Ok(())
}

/// Writes `<module>.v` and `<module>.json` into `folder`.
pub fn write(unit: &GeneratedUnit, folder: &Path) -> Result<Manifest, Failure> {
    let module = (format!("{}.v", unit.module), unit.verilog.clone());
    write_in(Language::Verilog, unit, &[module], &[], folder)
}

/// Writes the unit's modules, its manifest and the additional files into `folder`: `<module>.vhd`, `<module>.json` and, for example,
/// `<module>_tb.vhd`. Modules and additional files are given as names and texts.
fn write_in(
    language: Language,
    unit: &GeneratedUnit,
    modules: &[(String, String)],
    beside: &[(String, String)],
    folder: &Path,
) -> Result<Manifest, Failure> {
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::File(format!("--out `{}` is a file; a folder is expected", folder.display())));
    }
    fs::create_dir_all(folder).map_err(|error| Failure::file("make the folder (--out)", folder, error))?;
    let named = |files: &[(String, String)]| files.iter().map(|(name, _)| PathBuf::from(name)).collect::<Vec<_>>();
    let json_name = PathBuf::from(format!("{}.json", unit.module));
    let names = [named(modules), vec![json_name], named(beside)].concat();
    let paths: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    let mut manifest = Manifest::in_language(unit, names, language);
    let json = format!("{}\n", output::plain_json(&manifest));
    let texts = |files: &'_ [(String, String)]| files.iter().map(|(_, text)| text.clone()).collect::<Vec<_>>();
    let texts = [texts(modules), vec![json], texts(beside)].concat();
    let texts = texts.iter().map(String::as_str);
    let files: Vec<(&Path, &[u8])> = paths.iter().map(PathBuf::as_path).zip(texts.map(str::as_bytes)).collect();
    output::write_files(&files)?;
    manifest.files = paths;
    Ok(manifest)
}
