//! Runs a command in a process of its own, because it simulates a user's module: one that ends its process, or breaks it, is no verdict.

use crate::failure::Failure;
use crate::words;
use binade_tools::{Error, run_beside, scratch_dir, this_program};
use std::env;
use std::fs;
use std::path::Path;
use std::process::exit;

/// Names the file that the process writes when it has come to its end by itself.
const VARIABLE: &str = "BINADE_REACHED_ITS_END";

/// The exit code of a panic, which has been reported.
const PANIC: i32 = 101;

/// Does the work of this command line in a child process; in that process, does it.
pub fn guarded(work: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    if env::var_os(VARIABLE).is_some() {
        let result = work();
        reached_end();
        return result;
    }
    let scratch = scratch_dir()?;
    let end = scratch.path().join("end");
    let mut command = this_program()?;
    command.args(words::given()).env(VARIABLE, &end);
    let status = run_beside(&mut command, "a process for your module")?;
    let has_ended = end.exists();
    drop(scratch);
    match status.code() {
        Some(code) if has_ended || code == PANIC => exit(code),
        _ => Err(Failure::Tool(Error::Failed {
            what: "the process that runs your module".into(),
            status: status.to_string(),
            output: "the module ended it before there was a verdict".into(),
        })),
    }
}

/// Notes that this process has come to its end by itself.
pub fn reached_end() {
    if let Some(end) = env::var_os(VARIABLE) {
        // Without the file there is no verdict, and the user is told.
        let _ = fs::write(Path::new(&end), "");
    }
}
