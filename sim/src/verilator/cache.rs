//! Compiled files, kept under names that hash everything they were made from.
//!
//! A file ends with the SHA-256 of what is before it: one that a full disk cut off is seen, and made again, instead of
//! being loaded. (ELF readers ignore what follows the last section.)

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use binade_tools::Error;
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

const SEAL: usize = 32;

/// A name for what is made from `parts`, and from nothing else.
pub(super) fn key(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        // The length keeps ("ab", "c") and ("a", "bc") apart.
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether the file is there, complete and unchanged.
pub(super) fn is_intact(path: &Path) -> bool {
    let Ok(bytes) = fs::read(path) else { return false };
    bytes.split_last_chunk::<SEAL>().is_some_and(|(content, seal)| Sha256::digest(content)[..] == seal[..])
}

/// The same, asked of a file once in a process: for large ones.
pub(super) fn was_intact(path: &Path) -> bool {
    static INTACT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let mut intact = INTACT.lock().expect("no thread panics with the lock");
    if intact.contains(path) && path.exists() {
        return true;
    }
    let is_intact = is_intact(path);
    if is_intact {
        intact.insert(path.to_owned());
    }
    is_intact
}

/// Keeps a copy of the file `made` as `path`. Another process may do the same at the same time.
pub(super) fn store(made: &Path, path: &Path) -> Result<(), Error> {
    let content = fs::read(made).map_err(Error::io(format!("read `{}`", made.display())))?;
    write_sealed(&content, path).map_err(Error::io(format!("write `{}`", path.display())))
}

fn write_sealed(content: &[u8], path: &Path) -> std::io::Result<()> {
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    fs::create_dir_all(&folder)?;
    let mut aside = NamedTempFile::new_in(folder)?;
    aside.write_all(content)?;
    aside.write_all(&Sha256::digest(content))?;
    aside.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_tell_parts_apart() {
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
        assert_eq!(key(&["a"]).len(), 64);
    }

    #[test]
    fn a_damaged_file_is_not_intact() {
        let folder = tempfile::tempdir().unwrap();
        let (made, kept) = (folder.path().join("made"), folder.path().join("deep/kept"));
        assert!(!is_intact(&kept));
        fs::write(&made, "content").unwrap();
        store(&made, &kept).unwrap();
        assert!(is_intact(&kept));
        let bytes = fs::read(&kept).unwrap();
        for damaged in [&bytes[..bytes.len() - 1], &bytes[1..], b"short"] {
            fs::write(&kept, damaged).unwrap();
            assert!(!is_intact(&kept));
        }
    }
}
