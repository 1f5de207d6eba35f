//! The program `binade`.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(binade_cli::main(env::args_os().skip(1).collect()))
}
