//! Z3, an SMT-LIB solver, for tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::install::Package;
use crate::{Error, run, scratch_dir};

const PACKAGE: Package = Package { name: "z3-solver", tied_to_python: false };

const ADVICE: &str = "use `--tools pinned`, or install it (Debian: `apt install z3`)";

/// An available Z3.
#[derive(Clone, Debug)]
pub struct Z3 {
    path: PathBuf,
}

impl Z3 {
    pub(crate) fn pinned(home: &Path) -> Result<Z3, Error> {
        Ok(Z3 { path: PACKAGE.ensure(home)?.join("bin").join("z3") })
    }

    pub(crate) fn system() -> Result<Z3, Error> {
        let path = which::which("z3").map_err(|_| Error::Missing { tool: "Z3".into(), advice: ADVICE.into() })?;
        Ok(Z3 { path })
    }

    /// The answer of Z3 to a text in SMT-LIB.
    ///
    /// # Errors
    /// When Z3 fails or the text cannot be written, and after Ctrl-C.
    pub fn answer(&self, text: &str) -> Result<String, Error> {
        let scratch = scratch_dir()?;
        let file = scratch.path().join("question.smt2");
        fs::write(&file, text).map_err(Error::io(format!("write `{}`", file.display())))?;
        Ok(run(Command::new(&self.path).arg(&file), "Z3")?.stdout)
    }
}
