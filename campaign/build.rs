//! A hash of the sources of the crates that judge units, for the verdicts that are kept from run to run.

#[path = "build/sources.rs"]
mod sources;

use std::path::Path;

fn main() {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for path in sources::PATHS {
        println!("cargo::rerun-if-changed={}", checkout.join(path).display());
    }
    println!("cargo::rustc-env=BINADE_SOURCES={}", sources::hash(&checkout, &compiler()));
}

/// The compiler's name for itself.
fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").expect("cargo says which compiler it uses");
    let output = std::process::Command::new(rustc).arg("--version").output().expect("the compiler says its version");
    String::from_utf8_lossy(&output.stdout).trim().into()
}
