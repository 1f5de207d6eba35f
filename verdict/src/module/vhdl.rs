//! VHDL among a user's files: GHDL makes Verilog of it.

use super::ModuleOptions;
use crate::NoVerdict;
use binade_tools::files::read_text_leniently;
use binade_tools::{Error, Tools, run, scratch_dir};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How GHDL reads files: VHDL-2008, with the packages of Synopsys that much published VHDL uses.
const READING: [&str; 3] = ["--std=08", "-fsynopsys", "-frelaxed"];

fn is_vhdl(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| ["vhd", "vhdl"].iter().any(|name| extension.eq_ignore_ascii_case(name)))
}

/// The options with a Verilog file in place of the VHDL files, whose generics it has as they are set.
///
/// # Errors
/// When GHDL is missing or rejects the files, and when it is not known which entity is meant.
pub fn in_verilog(options: &ModuleOptions, tools: &Tools) -> Result<ModuleOptions, NoVerdict> {
    let (vhdl, others): (Vec<PathBuf>, Vec<PathBuf>) = options.files.iter().cloned().partition(|file| is_vhdl(file));
    if vhdl.is_empty() {
        return Ok(options.clone());
    }
    let top = entity(&vhdl, options.top.as_deref())?;
    let text = synthesized(&vhdl, &top, &options.parameters)?;
    let digits: String = Sha256::digest(&text).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let folder = tools.cache().folder().join("vhdl");
    let file = folder.join(format!("{top}_{digits}.v"));
    let write = |file: &Path| fs::create_dir_all(&folder).and_then(|()| fs::write(file, &text));
    write(&file).map_err(|error| Error::file("write", &file, error))?;
    let files = [file].into_iter().chain(others).collect();
    Ok(ModuleOptions { files, top: Some(top), parameters: vec![], ..options.clone() })
}

/// The Verilog that GHDL makes of an entity.
fn synthesized(files: &[PathBuf], top: &str, generics: &[(String, String)]) -> Result<String, NoVerdict> {
    let scratch = scratch_dir()?;
    let ghdl = |words: &[&str]| {
        let mut command = Command::new("ghdl");
        command.args(words).args(READING).current_dir(scratch.path());
        command
    };
    for file in files {
        let path = fs::canonicalize(file).map_err(|error| Error::file("read", file, error))?;
        let mut command = ghdl(&["-a"]);
        command.arg(path);
        made(&mut command, &format!("GHDL on `{}`", file.display()))?;
    }
    let mut command = ghdl(&["--synth", "--out=verilog"]);
    command.args(generics.iter().map(|(name, value)| format!("-g{name}={value}"))).arg(top);
    made(&mut command, &format!("GHDL on the entity {top}"))
}

/// What GHDL prints; if it rejects the files, that is a usage error.
fn made(command: &mut Command, what: &str) -> Result<String, NoVerdict> {
    match run(command, what) {
        Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Err(Error::Missing {
            tool: "GHDL, which makes Verilog of VHDL,".into(),
            advice: "install it (Debian: apt-get install ghdl), or give Verilog".into(),
        }
        .into()),
        Ok(output) => Ok(output.stdout),
        Err(Error::Failed { what, output, .. }) => {
            Err(NoVerdict::Usage(format!("{what}: it rejects the VHDL:\n{output}")))
        }
        Err(error) => Err(error.into()),
    }
}

/// The entity with this name, as it is written where it is declared, or the only one.
fn entity(files: &[PathBuf], name: Option<&str>) -> Result<String, NoVerdict> {
    let mut declared = vec![];
    for file in files {
        let text = read_text_leniently(file)?;
        let code: Vec<&str> = text.lines().map(|line| line.split("--").next().unwrap_or_default()).collect();
        let words: Vec<&str> = code.iter().flat_map(|line| line.split_whitespace()).collect();
        let is_declaration =
            |words: &&[&str]| words[0].eq_ignore_ascii_case("entity") && words[2].eq_ignore_ascii_case("is");
        declared.extend(words.windows(3).filter(is_declaration).map(|words| words[1].to_string()));
    }
    let is_it = |declared: &&String| name.is_none_or(|name| declared.eq_ignore_ascii_case(name));
    let found: Vec<&String> = declared.iter().filter(is_it).collect();
    let listed = if declared.is_empty() { "none".into() } else { declared.join(", ") };
    match (&found[..], name) {
        ([only], _) => Ok((*only).clone()),
        (_, Some(name)) => {
            Err(NoVerdict::Usage(format!("--top {name}: the VHDL files declare other entities: {listed}")))
        }
        (_, None) => Err(NoVerdict::Usage(format!("--verilog: choose the entity to check with --top: {listed}"))),
    }
}
