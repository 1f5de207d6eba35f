//! The program that this process runs: the file that holds its code, and how to start it again.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use crate::Error;

/// A program whose code is not that of the process's executable: a library that an interpreter has loaded.
struct Loaded {
    file: PathBuf,
    start: Vec<OsString>,
}

static LOADED: OnceLock<Loaded> = OnceLock::new();

/// Says that this code is in a library, `file`, which an interpreter has loaded; `start` are the words that start the program `binade` with
/// it. The first call counts.
pub fn loaded_from(file: PathBuf, start: Vec<OsString>) {
    LOADED.get_or_init(|| Loaded { file, start });
}

/// The file that holds this code.
pub(crate) fn file() -> Result<PathBuf, Error> {
    match LOADED.get() {
        Some(loaded) => Ok(loaded.file.clone()),
        None => env::current_exe().map_err(Error::io("find this program's file")),
    }
}

/// The command that starts this program again, without the words of a command line.
///
/// # Errors
/// When the program's file is not found.
pub fn this_program() -> Result<Command, Error> {
    match LOADED.get().map(|loaded| loaded.start.as_slice()) {
        Some([program, words @ ..]) => {
            let mut command = Command::new(program);
            command.args(words);
            Ok(command)
        }
        _ => Ok(Command::new(file()?)),
    }
}
