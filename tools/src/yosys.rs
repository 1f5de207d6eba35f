//! Yosys: synthesis.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::install::{self, Package};
use crate::version::{Version, Versioned};
use crate::{Error, run, scratch_dir};

pub(crate) const PACKAGE: Package = Package { name: "pyosys", tied_to_python: true };

pub(crate) const YOSYS: Versioned = Versioned {
    name: "Yosys",
    oldest: Version(0, 23),
    oldest_text: "0.23",
    advice: "use `--tools pinned`, or install a newer one (Debian: `apt install yosys`)",
};

/// A command line for the pinned Yosys, which is a Python module without one.
const DRIVER: &str = include_str!("run_yosys.py");

/// An available Yosys that is new enough.
#[derive(Clone, Debug)]
pub struct Yosys {
    /// The version of the program, as in `0.23`.
    pub version: String,
    program: Program,
}

#[derive(Clone, Debug)]
enum Program {
    /// The folder to import `pyosys` from.
    Module(PathBuf),
    Executable(PathBuf),
}

impl Yosys {
    pub(crate) fn pinned(home: &Path) -> Result<Yosys, Error> {
        let module = PACKAGE.ensure(home)?;
        Ok(Yosys { version: PACKAGE.version().to_string(), program: Program::Module(module) })
    }

    pub(crate) fn system() -> Result<Yosys, Error> {
        let program = which::which("yosys").map_err(|_| YOSYS.missing())?;
        let answer = run(Command::new(&program).arg("-V"), "asking Yosys for its version")?;
        Ok(Yosys { version: YOSYS.check(&answer.stdout)?, program: Program::Executable(program) })
    }

    /// Runs `script`, with one Yosys command per line, in `workdir`; returns the log.
    ///
    /// Scripts must use plain file names for files in `workdir`; Yosys' commands do not support quotes.
    ///
    /// # Errors
    /// When Yosys fails, the script cannot be written, or Python is missing, and after Ctrl-C.
    pub fn run_script(&self, script: &str, workdir: &Path) -> Result<String, Error> {
        let scratch = scratch_dir()?;
        let file = scratch.path().join("script.ys");
        fs::write(&file, script).map_err(Error::io(format!("write `{}`", file.display())))?;
        // ABC's temporary files go into our folder, so that nothing remains if Yosys is killed.
        let mut command = self.command()?;
        command.arg(&file).current_dir(workdir).env("TMPDIR", scratch.path());
        Ok(run(&mut command, &format!("Yosys {}", self.version))?.stdout)
    }

    fn command(&self) -> Result<Command, Error> {
        Ok(match &self.program {
            Program::Module(folder) => {
                let mut python = install::python()?;
                // Nothing is imported from the working folder, and no .pyc files are written.
                python.args(["-B", "-c", DRIVER]).env("PYTHONSAFEPATH", "1").env("PYTHONPATH", folder);
                python
            }
            Program::Executable(program) => {
                let mut yosys = Command::new(program);
                yosys.arg("-s");
                yosys
            }
        })
    }
}
