//! What the tests of the command share.

// Each test file is a crate of its own and uses a part of this.
#![allow(dead_code)]

use assert_cmd::Command;
use std::path::{Path, PathBuf};
use std::process::Output;

/// The program under test.
pub const BINADE: &str = env!("CARGO_BIN_EXE_binade");

/// A unit that is cheap to verify and to synthesize.
pub const SMALL_UNIT: [&str; 4] = ["--format", "e3m2f", "--unit", "mul"];

/// `binade`, in `folder`, with the checkout's pinned tools and without a terminal.
pub fn binade_in(folder: &Path) -> Command {
    let mut command = Command::new(BINADE);
    command.current_dir(folder).env("BINADE_HOME", home()).env_remove("COLUMNS").write_stdin("");
    command
}

/// `binade` with `arguments`, in `folder`: exit code, stdout, stderr.
pub fn run_in(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    outcome(&binade_in(folder).args(arguments).output().expect("the program starts"))
}

/// Exit code, stdout and stderr.
pub fn outcome(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("output is UTF-8");
    (output.status.code().expect("not killed"), text(&output.stdout), text(&output.stderr))
}

/// The folder of the pinned tools: the user's, else the checkout's.
pub fn home() -> PathBuf {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.tools");
    std::env::var_os("BINADE_HOME").map_or(checkout, PathBuf::from)
}

/// The names in a folder, hidden ones included, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

/// An empty folder.
pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}
