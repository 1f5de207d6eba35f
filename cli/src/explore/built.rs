//! The WebAssembly module of the page, built when it is first needed from the checkout that this program was compiled in.
//!
//! The cache keeps it under a hash of its sources, so that it is built again after they have changed.

use crate::heartbeat::with_heartbeat;
use crate::output;
use binade_tools::{Error, Tools, cache_used, lock_file, run};
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The target that the module is compiled for.
const TARGET: &str = "wasm32-unknown-unknown";

/// The script that builds the module, in the checkout.
const BUILD: &str = "explore/build";

/// What the module is made of, in the checkout: files, and folders with all that is in them.
const SOURCES: [&str; 26] = [
    "spec/Cargo.toml",
    "spec/src",
    "spec/formats",
    "golden/Cargo.toml",
    "golden/src",
    "circuit/Cargo.toml",
    "circuit/src",
    "circuit/templates",
    "generator/Cargo.toml",
    "generator/src",
    "gates/Cargo.toml",
    "gates/src",
    "prove/Cargo.toml",
    "prove/src",
    "arrays/Cargo.toml",
    "arrays/src",
    "report/Cargo.toml",
    "report/src",
    "report/templates",
    "explore/Cargo.toml",
    "explore/askama.toml",
    "explore/src",
    "explore/wasm.rs",
    BUILD,
    "Cargo.toml",
    "Cargo.lock",
];

/// What installs all that is needed.
const ADVICE: &str =
    "install Rust with rustup (https://rustup.rs), or use the program of a release, which has the page's module inside";

/// The module of the checkout's sources, from the cache if it was built before.
pub fn module(tools: &Tools) -> Result<Vec<u8>, Error> {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    if !checkout.join(BUILD).exists() {
        let advice = "compile this program in a clone that stays where it is, or use that of a release";
        return Err(Error::Missing { tool: "the WebAssembly module of the page".into(), advice: advice.into() });
    }
    let folder = tools.cache().pages();
    let kept = folder.join(format!("explore-{}.wasm", hash(&checkout)?));
    if let Some(module) = read_kept(&kept) {
        return Ok(module);
    }
    let _lock = lock_file(&folder.join("lock"), "builds the module of the page")?;
    // Another run may have built it while we waited for the lock.
    if let Some(module) = read_kept(&kept) {
        return Ok(module);
    }
    prepare(&checkout)?;
    let module = build(&checkout)?;
    tools.cache().keep(&kept, &module)?;
    Ok(module)
}

fn read_kept(kept: &Path) -> Option<Vec<u8>> {
    let module = fs::read(kept).ok()?;
    cache_used(kept);
    Some(module)
}

/// A hash of the names and texts of all sources.
fn hash(checkout: &Path) -> Result<String, Error> {
    let mut hash = Sha256::new();
    for source in SOURCES {
        add(&mut hash, checkout, Path::new(source)).map_err(Error::io(format!("read `{source}` of the checkout")))?;
    }
    Ok(hash.finalize()[..16].iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Adds a file, or all files of a folder, to the hash. The lengths keep ("ab", "c") and ("a", "bc") apart.
fn add(hash: &mut Sha256, checkout: &Path, source: &Path) -> io::Result<()> {
    let path = checkout.join(source);
    if path.is_dir() {
        let mut entries = fs::read_dir(path)?.collect::<io::Result<Vec<_>>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        return entries.iter().try_for_each(|entry| add(hash, checkout, &source.join(entry.file_name())));
    }
    for bytes in [source.as_os_str().as_encoded_bytes(), &fs::read(path)?] {
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    }
    Ok(())
}

/// Looks for the compiler, and adds the target to it if it is missing.
fn prepare(checkout: &Path) -> Result<(), Error> {
    let ask = |words: &[&str]| {
        run(Command::new(words[0]).args(&words[1..]).current_dir(checkout), "looking for the compiler of the module")
    };
    let missing = |tool: &str, advice: &str| {
        let (tool, advice) = (format!("{tool}, which builds the module of the page,"), advice.to_string());
        move |error| match error {
            Error::Interrupted => Error::Interrupted,
            _ => Error::Missing { tool, advice },
        }
    };
    ask(&["cargo", "--version"]).map_err(missing("cargo", ADVICE))?;
    let libraries =
        ask(&["rustc", "--print", "target-libdir", "--target", TARGET]).map_err(missing("rustc", ADVICE))?;
    if Path::new(libraries.stdout.trim()).exists() {
        return Ok(());
    }
    let target = format!("Rust's target {TARGET}");
    ask(&["rustup", "--version"]).map_err(missing(&target, ADVICE))?;
    output::say(format_args!("adding {TARGET} to Rust, which the module of the page is compiled for ..."));
    let advice = format!("run `rustup target add {TARGET}`, which failed just now, where there is a network");
    ask(&["rustup", "target", "add", TARGET]).map_err(missing(&target, &advice))?;
    Ok(())
}

/// Compiles the module, which takes minutes; cargo keeps what it has compiled in the folder `target` of the checkout.
fn build(checkout: &Path) -> Result<Vec<u8>, Error> {
    output::say(
        "building the module of the page, which takes about two minutes; it is kept until its sources change ...",
    );
    let mut command = Command::new(checkout.join(BUILD));
    let state = || "the module of the page is being built".into();
    let built = with_heartbeat(state, || run(&mut command, "building the module of the page"))?;
    let file = PathBuf::from(built.stdout.trim());
    fs::read(&file).map_err(Error::io(format!("read `{}`", file.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkout() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the checkout is there")
    }

    /// A copy of the sources without the contents of folders.
    fn copy(folder: &Path) {
        for source in SOURCES {
            let (from, to) = (checkout().join(source), folder.join(source));
            fs::create_dir_all(to.parent().expect("a file in a folder")).expect("a folder");
            if from.is_dir() { fs::create_dir(to).expect("a folder") } else { fs::write(to, source).expect("a file") }
        }
    }

    /// Each source counts: its text, its name, and that it is there.
    #[test]
    fn a_changed_source_changes_the_hash() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        copy(folder.path());
        let hash = || hash(folder.path()).expect("all sources are there");
        let first = hash();
        let mut count = 0;
        for source in SOURCES {
            let path = folder.path().join(source);
            let (file, was) = if path.is_dir() { (path.join("deep/new"), None) } else { (path, Some(source)) };
            fs::create_dir_all(file.parent().expect("a file in a folder")).expect("a folder");
            fs::write(&file, "changed").expect("a file");
            assert_ne!(hash(), first, "{source}");
            match was {
                Some(text) => fs::write(&file, text).expect("a file"),
                None => fs::remove_file(&file).expect("the file is there"),
            }
            assert_eq!(hash(), first, "{source}");
            count += 1;
        }
        assert_eq!(count, SOURCES.len());
        fs::remove_file(folder.path().join("Cargo.lock")).expect("the file is there");
        assert!(super::hash(folder.path()).is_err());
    }

    /// Cargo lists the files that it has compiled; all of ours are among the sources.
    #[test]
    #[ignore = "long"]
    fn all_that_is_compiled_is_among_the_sources() {
        let checkout = checkout();
        prepare(&checkout).expect("rustup, or the target");
        let output = run(&mut Command::new(checkout.join(BUILD)), "the build").expect("the module is built");
        let listed = fs::read_to_string(PathBuf::from(output.stdout.trim()).with_extension("d")).expect("the list");
        let (_, files) = listed.split_once(": ").expect("the files follow the module");
        let ours: Vec<&Path> =
            files.split_whitespace().filter_map(|file| Path::new(file).strip_prefix(&checkout).ok()).collect();
        assert!(ours.len() > 300, "{} files", ours.len());
        for file in ours {
            assert!(SOURCES.iter().any(|source| file.starts_with(source)), "{}", file.display());
        }
    }
}
