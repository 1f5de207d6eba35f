//! `binade gen`: writes the unit in a hardware description language, and its manifest.

use crate::failure::Failure;
use crate::formal::FormalOptions;
use crate::kept::ClockOptions;
use crate::names::named;
use crate::output;
use crate::selection::{UnitOptions, generated};
use crate::stages::StageOptions;
use crate::testbench::TestbenchOptions;
use binade_circuit::Language;
use binade_generator::{GeneratedUnit, Manifest, Wrapper};
use binade_spec::Operation;
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
    #[command(flatten)]
    testbench: TestbenchOptions,
    #[command(flatten)]
    formal: FormalOptions,
    /// Also write a class that instantiates the module: in Python for Amaranth, in Scala for Chisel or SpinalHDL
    #[arg(long, value_name = "TOOL", value_parser = named::<Wrapper>(&Wrapper::ALL.map(Wrapper::name)))]
    wrapper: Option<Wrapper>,
    /// Print the manifest instead of the file names
    #[arg(long)]
    json: bool,
}

/// Formats with the names of OCP's formats in lower case, which are IEEE encodings with infinities; OCP's names, and their names here.
const NAMESAKES: [(&str, &str, &str); 4] =
    [("e4m3", "E4M3", "e4m3fn"), ("e3m2", "E3M2", "e3m2f"), ("e2m3", "E2M3", "e2m3f"), ("e2m1", "E2M1", "e2m1f")];

/// Those of these formats that a unit has on its ports.
fn namesakes(operation: &Operation) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let ports = operation.choices().into_iter().flat_map(|choice| choice.inputs().into_iter().chain(choice.outputs()));
    let names: Vec<String> = ports.filter_map(|port| Some(port.format()?.to_string())).collect();
    NAMESAKES.into_iter().filter(move |(name, ..)| names.iter().any(|known| known == name))
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (design, folder) = arguments.clock.design(&arguments.unit, &arguments.stages)?;
    let unit = generated(design);
    let language = arguments.language;
    for module in [Some(&unit.module), unit.within_shell.as_ref()].into_iter().flatten() {
        let checked = language.check_name(module);
        checked.map_err(|why| Failure::Usage(format!("--module: `{module}` is {why}; choose another name")))?;
    }
    let testbench = arguments.testbench.text(&unit, language)?;
    let testbench = testbench.map(|text| (format!("_tb{}", language.ending()), text));
    let beside: Vec<_> = testbench
        .into_iter()
        .chain(arguments.formal.files(&unit, language)?)
        .chain(arguments.wrapper.map(|wrapper| wrapper.file(&unit, language)))
        .collect();
    let manifest = write_in(language, &unit, &beside, &folder)?;
    if arguments.json {
        output::print(&output::plain_json(&manifest))?;
    } else {
        let files: Vec<String> = manifest.files.iter().map(|file| file.display().to_string()).collect();
        output::print(&files.join("\n"))?;
    }
    if let Some(accumulator) = arguments.unit.default_accumulator(&unit.design.operation) {
        output::say(format_args!("accumulator: {accumulator}; --acc chooses another"));
    }
    for (name, ocp, of_ocp) in namesakes(&unit.design.operation) {
        output::say(format_args!("format: {name}, with infinity; OCP's {ocp} is {of_ocp}"));
    }
    if let Some(pipeline) = &manifest.pipeline {
        output::say(format_args!("{}: {pipeline}", manifest.module));
    }
    Ok(())
}

/// Writes `<module>.v` and `<module>.json` into `folder`.
pub fn write(unit: &GeneratedUnit, folder: &Path) -> Result<Manifest, Failure> {
    write_in(Language::Verilog, unit, &[], folder)
}

/// Writes the unit, its manifest and the additional files into `folder`: `<module>.vhd`, `<module>.json` and, for example,
/// `<module>_tb.vhd`, with the extension of the language. Each additional file is given as the ending of its name and its text.
fn write_in(
    language: Language,
    unit: &GeneratedUnit,
    beside: &[(String, String)],
    folder: &Path,
) -> Result<Manifest, Failure> {
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::File(format!("--out `{}` is a file; a folder is expected", folder.display())));
    }
    fs::create_dir_all(folder).map_err(|error| Failure::file("make the folder (--out)", folder, error))?;
    let ending = language.ending();
    let endings = [ending, ".json"].into_iter().chain(beside.iter().map(|(ending, _)| ending.as_str()));
    let names: Vec<PathBuf> = endings.map(|ending| PathBuf::from(format!("{}{ending}", unit.module))).collect();
    let paths: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    let mut manifest = Manifest::in_language(unit, names, language);
    let json = format!("{}\n", output::plain_json(&manifest));
    let text = match language {
        Language::Verilog => unit.verilog.clone(),
        Language::SystemVerilog | Language::Vhdl => unit.text(language),
    };
    let texts = [text.as_str(), &json].into_iter().chain(beside.iter().map(|(_, text)| text.as_str()));
    let files: Vec<(&Path, &[u8])> = paths.iter().map(PathBuf::as_path).zip(texts.map(str::as_bytes)).collect();
    output::write_files(&files)?;
    manifest.files = paths;
    Ok(manifest)
}
