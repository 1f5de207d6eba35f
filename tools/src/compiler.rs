//! The C++ compiler, for the models that Verilator writes.

use std::path::PathBuf;
use std::process::Command;

use crate::{Error, run};

const ADVICE: &str = "install g++ or clang++ (Debian: `apt install g++`), or set CXX to one";

/// An available C++ compiler.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// The path of the program.
    pub path: PathBuf,
    /// The arguments in `CXX`, as in `CXX="ccache g++"`.
    arguments: Vec<String>,
    /// The first line of its version message.
    pub version: String,
}

impl Compiler {
    pub(crate) fn find() -> Result<Compiler, Error> {
        let mut compiler = Compiler::on_path()?;
        let what = format!("asking the C++ compiler `{}` for its version (CXX names another)", compiler.path.display());
        let answer = run(compiler.command().arg("--version"), &what)?;
        compiler.version = answer.stdout.lines().next().unwrap_or_default().to_string();
        Ok(compiler)
    }

    fn on_path() -> Result<Compiler, Error> {
        let missing = |tool: String| Error::Missing { tool, advice: ADVICE.to_string() };
        match std::env::var("CXX").ok().filter(|words| !words.trim().is_empty()) {
            Some(words) => {
                Compiler::of_words(&words).ok_or_else(|| missing(format!("the C++ compiler `{words}` that CXX names")))
            }
            None => ["c++", "g++", "clang++"]
                .into_iter()
                .find_map(Compiler::of_words)
                .ok_or_else(|| missing("a C++ compiler".to_string())),
        }
    }

    /// The compiler given by `words`: a path, or a program with arguments.
    fn of_words(words: &str) -> Option<Compiler> {
        if let Ok(path) = which::which(words) {
            return Some(Compiler { path, arguments: Vec::new(), version: String::new() });
        }
        let mut words = words.split_whitespace();
        let path = which::which(words.next()?).ok()?;
        Some(Compiler { path, arguments: words.map(str::to_string).collect(), version: String::new() })
    }

    /// The program, to which arguments can be added.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.args(&self.arguments);
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_may_come_with_arguments() {
        let compiler = Compiler::of_words("env -u CXX c++").unwrap();
        assert!(compiler.path.ends_with("env") && compiler.arguments == ["-u", "CXX", "c++"]);
        assert!(Compiler::of_words("no-such-compiler c++").is_none());
    }
}
