//! The files that show a mismatch: waves, and a testbench that needs no Binade.

use crate::failure::Failure;
use crate::output;
use binade_generator::GeneratedUnit;
use binade_sim::{Evidence, Files, commands, failing_testbench, waves};
use binade_tools::Tools;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// What was written. That something could not be written hides no mismatch: it is said beside it.
#[derive(Serialize)]
pub struct Artefacts {
    /// FST.
    waves: Option<PathBuf>,
    testbench: Option<PathBuf>,
    /// Runs the testbench with Icarus.
    testbench_command: Option<String>,
    #[serde(skip)]
    waves_error: Option<String>,
    #[serde(skip)]
    testbench_error: Option<String>,
}

impl Artefacts {
    /// Writes the files of what is wrong into `folder`; `file` is the user's Verilog, if it was not the generated one that
    /// was checked.
    pub fn write(
        tools: &Tools,
        unit: &GeneratedUnit,
        evidence: &Evidence,
        file: Option<&Path>,
        folder: &Path,
    ) -> Artefacts {
        let (waves, waves_error) = split(write_waves(tools, unit, evidence, folder));
        let (testbench, testbench_error) = split(write_testbench(unit, evidence, file, folder));
        let (testbench, testbench_command) = testbench.unzip();
        Artefacts { waves, testbench, testbench_command, waves_error, testbench_error }
    }

    /// Where they are, a line each.
    pub fn lines(&self) -> Vec<String> {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let files =
            [("waves", path(&self.waves), &self.waves_error), ("bench", path(&self.testbench), &self.testbench_error)];
        let line = |(label, path, error): (&str, Option<String>, &Option<String>)| {
            let nothing = || format!("none: {}", error.as_deref().unwrap_or_default());
            format!("  {label}  {}", path.unwrap_or_else(nothing))
        };
        let command = self.testbench_command.iter().map(|command| format!("  run it {command}"));
        files.into_iter().map(line).chain(command).collect()
    }
}

fn split<T>(result: Result<T, String>) -> (Option<T>, Option<String>) {
    match result {
        Ok(made) => (Some(made), None),
        Err(why) => (None, Some(why)),
    }
}

fn write_waves(tools: &Tools, unit: &GeneratedUnit, evidence: &Evidence, folder: &Path) -> Result<PathBuf, String> {
    let path = folder.join(format!("{}_mismatch.fst", unit.module));
    let content = waves(tools, unit, evidence).map_err(|error| error.to_string())?;
    write(folder, &[(&path, &content)])?;
    Ok(path)
}

/// The testbench, with the module beside it unless the user has that in a file; its path, and the command that runs it.
fn write_testbench(
    unit: &GeneratedUnit,
    evidence: &Evidence,
    file: Option<&Path>,
    folder: &Path,
) -> Result<(PathBuf, String), String> {
    let path = folder.join(format!("{}_tb.v", unit.module));
    let beside = folder.join(format!("{}.v", unit.module));
    let files = Files { testbench: quoted(&path), module: quoted(file.unwrap_or(&beside)) };
    let text = failing_testbench(unit, evidence, &files);
    let mut written: Vec<(&Path, &[u8])> = vec![(&path, text.as_bytes())];
    if file.is_none() {
        written.push((&beside, unit.verilog.as_bytes()));
    }
    write(folder, &written)?;
    let [icarus, _] = commands(&unit.module, &files);
    Ok((path, icarus))
}

fn write(folder: &Path, files: &[(&Path, &[u8])]) -> Result<(), String> {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::file("make the folder", folder, error))
        .and_then(|()| output::write_files(files))
        .map_err(|failure| failure.message().unwrap_or_default())
}

/// A path as a shell takes it.
pub fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    shlex::try_quote(&text).map(String::from).unwrap_or(text.to_string())
}
