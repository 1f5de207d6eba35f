//! The files that show a mismatch: waves, and a testbench that runs without Binade.

use crate::{Case, NoVerdict, quoted};
use binade_sim::{Evidence, Files, Tolerance, commands, failing_testbench, waves};
use binade_tools::files::write_files;
use binade_tools::{Error, Tools};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// Which waves are written.
#[derive(Clone, Debug, Default)]
pub struct Waves {
    /// The file for the waves (FST) of a mismatch, or of the first vectors of a right unit. Without it, those of a mismatch have a name of
    /// their own, and those of a right unit are not written.
    pub file: Option<PathBuf>,
    /// Whether no waves are written.
    pub none: bool,
}

/// The files written. A failed write hides no mismatch; its error is reported beside it.
#[derive(Default, Serialize)]
pub struct Artefacts {
    /// The waves, in FST.
    waves: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    testbench: Option<PathBuf>,
    /// Runs the testbench in Icarus.
    #[serde(skip_serializing_if = "Option::is_none")]
    testbench_command: Option<String>,
    #[serde(skip)]
    waves_error: Option<String>,
    #[serde(skip)]
    testbench_error: Option<String>,
}

impl Artefacts {
    /// Writes the files of a mismatch into `folder`, unless the options name another file.
    pub fn of_mismatch(
        tools: &Tools,
        case: &Case,
        (evidence, tolerance): (&Evidence, Tolerance),
        options: &Waves,
        folder: &Path,
    ) -> Artefacts {
        let (testbench, testbench_error) = split(write_testbench(case, evidence, tolerance, folder));
        let (testbench, testbench_command) = testbench.unzip();
        let default = folder.join(format!("{}_mismatch.fst", case.name));
        let path = options.file.clone().unwrap_or(default);
        let (waves, waves_error) = match options.none {
            true => (None, Some("--no-waves".into())),
            false => split(write_waves(tools, case, evidence, &path)),
        };
        Artefacts { waves, testbench, testbench_command, waves_error, testbench_error }
    }

    /// Writes the waves of a right unit.
    ///
    /// # Errors
    /// When they cannot be written, since the user requested them.
    pub fn of_right(tools: &Tools, case: &Case, evidence: &Evidence, path: &Path) -> Result<Artefacts, NoVerdict> {
        let waves = write_waves(tools, case, evidence, path).map_err(Error::File)?;
        Ok(Artefacts { waves: Some(waves), ..Artefacts::default() })
    }

    /// The paths, one per line.
    pub fn lines(&self) -> Vec<String> {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let files =
            [("waves", path(&self.waves), &self.waves_error), ("bench", path(&self.testbench), &self.testbench_error)];
        let line = |(label, path, error): (&str, Option<String>, &Option<String>)| {
            let nothing = error.as_ref().map(|why| format!("none: {why}"));
            Some(format!("  {label}  {}", path.or(nothing)?))
        };
        let command = self.testbench_command.iter().map(|command| format!("  run it {command}"));
        files.into_iter().filter_map(line).chain(command).collect()
    }
}

fn split<T>(result: Result<T, String>) -> (Option<T>, Option<String>) {
    match result {
        Ok(made) => (Some(made), None),
        Err(why) => (None, Some(why)),
    }
}

fn write_waves(tools: &Tools, case: &Case, evidence: &Evidence, path: &Path) -> Result<PathBuf, String> {
    let content = waves(tools, case.subject(), evidence).map_err(|error| error.to_string())?;
    write(&[(path, &content)])?;
    Ok(path.into())
}

/// Writes the testbench, and beside it the subject's Verilog unless a user's file has it; returns the path and the command that runs it.
fn write_testbench(
    case: &Case,
    evidence: &Evidence,
    tolerance: Tolerance,
    folder: &Path,
) -> Result<(PathBuf, String), String> {
    if case.dut().is_some_and(|dut| dut.controls.tag_bits > 0) {
        return Err("a module with tags has none".into());
    }
    // `gen --testbench` writes another testbench, which belongs to the user.
    let path = folder.join(format!("{}_mismatch_tb.v", case.name));
    let subject = case.subject();
    let beside = folder.join(format!("{}.{}", subject.module, if case.dut().is_some() { "sv" } else { "v" }));
    let own = Some(&beside).filter(|_| case.writes_module());
    let modules: Vec<String> = own.into_iter().chain(&case.files()).map(|file| quoted(file)).collect();
    let options: Vec<String> = case.dut().map(simulator_options).unwrap_or_default();
    let files = Files { testbench: quoted(&path), module: [options, modules].concat().join(" ") };
    let text = failing_testbench(subject, evidence, &files, tolerance);
    let mut written: Vec<(&Path, &[u8])> = vec![(&path, text.as_bytes())];
    written.extend(own.map(|beside| (beside.as_path(), subject.verilog.as_bytes())));
    write(&written)?;
    // Icarus reads only a part of SystemVerilog.
    let is_system = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "sv" || extension == "svh");
    let is_for_verilator = case.dut().is_some_and(|dut| dut.sources.files.iter().any(is_system));
    let [icarus, verilator] = commands(subject.module, &files);
    Ok((path, if is_for_verilator { verilator } else { icarus }))
}

/// The user's folders and macros, as both simulators accept them.
fn simulator_options(dut: &binade_sim::verilator::Dut) -> Vec<String> {
    let includes = dut.sources.includes.iter().map(|folder| format!("-I{}", quoted(folder)));
    let defines = dut.sources.defines.iter().map(|define| format!("-D{}", quoted(Path::new(define))));
    includes.chain(defines).collect()
}

fn write(files: &[(&Path, &[u8])]) -> Result<(), String> {
    for (path, _) in files {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            let failed = |error| Error::file("make the folder", folder, error).to_string();
            fs::create_dir_all(folder).map_err(failed)?;
        }
    }
    write_files(files).map_err(|error| error.to_string())
}
