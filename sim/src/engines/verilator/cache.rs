//! Compiled files, kept under names that hash everything they were made from.

use binade_tools::Error;
use binade_tools::checksummed;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Whether the file is there, complete and unchanged; asked of a file once in a process: for large ones.
pub(super) fn was_intact(path: &Path) -> bool {
    static INTACT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let mut intact = INTACT.lock().expect("no thread panics with the lock");
    if intact.contains(path) && path.exists() {
        return true;
    }
    let is_intact = checksummed::is_intact(path);
    if is_intact {
        intact.insert(path.to_owned());
    }
    is_intact
}

/// Keeps a copy of the file `made` as `path`. Another process may do the same at the same time.
pub(super) fn store(made: &Path, path: &Path) -> Result<(), Error> {
    let content = fs::read(made).map_err(Error::io(format!("read `{}`", made.display())))?;
    checksummed::write(&content, path).map_err(Error::io(format!("write `{}`", path.display())))
}
