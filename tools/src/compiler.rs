//! The C++ compiler, for the models that Verilator writes.

use std::path::PathBuf;
use std::process::Command;

use crate::{Error, run};

const ADVICE: &str = "install g++ or clang++ (Debian: `apt install g++`), or set CXX to one";

/// A C++ compiler that is there.
#[derive(Clone, Debug)]
pub struct Compiler {
    pub path: PathBuf,
    /// The first line of what it says about itself.
    pub version: String,
}

impl Compiler {
    pub(crate) fn find() -> Result<Compiler, Error> {
        let path = Compiler::path()?;
        let answer = run(Command::new(&path).arg("--version"), "asking the C++ compiler for its version")?;
        let version = answer.stdout.lines().next().unwrap_or_default().to_string();
        Ok(Compiler { path, version })
    }

    fn path() -> Result<PathBuf, Error> {
        let missing = |tool: String| Error::Missing { tool, advice: ADVICE.to_string() };
        match std::env::var("CXX").ok().filter(|name| !name.is_empty()) {
            Some(name) => which::which(&name).map_err(|_| missing(format!("the C++ compiler `{name}` that CXX names"))),
            None => ["c++", "g++", "clang++"]
                .iter()
                .find_map(|name| which::which(name).ok())
                .ok_or_else(|| missing("a C++ compiler".to_string())),
        }
    }

    /// The program, ready for its arguments.
    pub fn command(&self) -> Command {
        Command::new(&self.path)
    }
}
