//! The checker as a program of its own: `cargo run --release -p binade-check --example check -- FOLDER..`.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if folders.is_empty() {
        eprintln!("usage: check FOLDER..");
        return ExitCode::from(2);
    }
    for folder in folders {
        let checked = binade_check::certificates(&folder).and_then(|all| {
            all.iter().try_for_each(|folder| {
                println!("{}", binade_check::check(folder)?);
                Ok(())
            })
        });
        if let Err(fault) = checked {
            eprintln!("error: {fault}");
            return ExitCode::from(fault.exit_code());
        }
    }
    ExitCode::SUCCESS
}
