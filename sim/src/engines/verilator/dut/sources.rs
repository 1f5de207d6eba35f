//! The user's files and the options for reading them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Options for third-party Verilog: warnings never stop a run, and delays are ignored.
const LENIENT: [&str; 7] =
    ["-Wno-fatal", "--no-timing", "--assert", "-Wno-TIMESCALEMOD", "-Wno-ENUMVALUE", "--timescale", "1ns/1ps"];

/// The user's input to Verilator.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The files, in reading order.
    pub files: Vec<PathBuf>,
    /// Folders searched for included files and missing modules, besides those of the files.
    pub includes: Vec<PathBuf>,
    /// Macros, as `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Names and values of the parameters of the top module.
    pub parameters: Vec<(String, String)>,
    /// Whether the files may run programs and write files.
    pub may_reach_out: bool,
}

impl Sources {
    /// The folders of included files: those given, then those of the files.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        let beside = self.files.iter().map(|file| file.parent().filter(|folder| !folder.as_os_str().is_empty()));
        let beside = beside.map(|folder| folder.unwrap_or(Path::new(".")));
        let mut folders: Vec<PathBuf> = vec![];
        for folder in self.includes.iter().map(PathBuf::as_path).chain(beside) {
            let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        folders
    }

    /// The arguments that make Verilator read them, from any working directory.
    pub(in crate::engines::verilator) fn arguments(&self) -> Vec<OsString> {
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).into_os_string();
        let mut arguments: Vec<OsString> = LENIENT.iter().map(OsString::from).collect();
        for folder in self.folders() {
            let mut argument = OsString::from("-I");
            argument.push(folder);
            arguments.push(argument);
        }
        arguments.extend(self.defines.iter().map(|define| OsString::from(format!("-D{define}"))));
        arguments.extend(self.files.iter().map(|file| absolute(file)));
        arguments
    }
}
