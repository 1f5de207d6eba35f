//! The checker as a program of its own: `cargo run --release -p binade-check --example check -- FOLDER..`.

use binade_check::{Fault, certificates, check};
use std::path::Path;
use std::process::exit;

fn main() {
    if std::env::args().len() < 2 {
        eprintln!("usage: check FOLDER..");
        exit(2);
    }
    let result = std::env::args_os().skip(1).try_for_each(|folder| {
        let print = |folder| check(folder).map(|checked| println!("{checked}"));
        certificates(Path::new(&folder))?.iter().try_for_each(|folder| print(folder))
    });
    if let Err(fault @ Fault { exit_code, .. }) = &result {
        eprintln!("error: {fault}");
        exit((*exit_code).into());
    }
}
