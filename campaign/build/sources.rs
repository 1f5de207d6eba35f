//! The sources that decide what a verdict is.

use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates that judge, the harness of simulations, and the versions of other crates. The generator is none of them: a verdict
/// is of the circuit and the text that it has made. Nor is the command, which only asks.
pub const PATHS: [&str; 15] = [
    "spec/src",
    "golden/src",
    "circuit/src",
    "tools/src",
    "gates/src",
    "tools/requirements.txt",
    "stimulus/src",
    "sim/src",
    "testbench/verilator",
    "prove/src",
    "synth/src",
    "constraints",
    "verdict/src",
    "campaign/src",
    "Cargo.lock",
];

/// A hash of the names and texts of all files there, and of the compiler's version; the empty text where one of the folders is
/// missing, as in a crate without the checkout around it.
pub fn hash(checkout: &Path, compiler: &str) -> String {
    let mut hash = Sha256::new();
    add(&mut hash, compiler.as_bytes());
    for path in PATHS {
        if !checkout.join(path).exists() {
            return String::new();
        }
        for file in files(&checkout.join(path)) {
            let name = file.strip_prefix(checkout).expect("a file of the checkout");
            add(&mut hash, name.as_os_str().as_encoded_bytes());
            add(&mut hash, &fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display())));
        }
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The length keeps ("ab", "c") and ("a", "bc") apart.
fn add(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

/// The file, or the files in the folder and below, sorted.
fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.into()];
    }
    let entries = fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut files: Vec<PathBuf> = entries.flat_map(|entry| self::files(&entry.expect("an entry").path())).collect();
    files.sort();
    files
}
