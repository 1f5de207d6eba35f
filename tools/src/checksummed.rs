//! Files that say of themselves whether they are whole, under names that hash everything they were made from.
//!
//! A file ends with the SHA-256 of what is before it: one that a full disk cut off is seen, and made again, instead of
//! being used. (ELF readers ignore what follows the last section.)

use sha2::{Digest, Sha256};
use std::fs;
use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::NamedTempFile;

const SEAL: usize = 32;

/// A name for what is made from `parts`, and from nothing else.
pub fn key<Part: AsRef<[u8]>>(parts: impl IntoIterator<Item = Part>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        let part = part.as_ref();
        // The length keeps ("ab", "c") and ("a", "bc") apart.
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hex(&hash.finalize())
}

/// A name for one value, and for no other.
pub fn digest(value: &impl Hash) -> String {
    struct Bytes(Sha256);
    impl Hasher for Bytes {
        fn write(&mut self, bytes: &[u8]) {
            self.0.update(bytes);
        }
        fn finish(&self) -> u64 {
            unreachable!("all of the hash is asked for")
        }
    }
    let mut bytes = Bytes(Sha256::new());
    value.hash(&mut bytes);
    hex(&bytes.0.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What was written, if the file is complete and unchanged.
///
/// # Errors
/// When the file cannot be read.
pub fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = fs::read(path)?;
    let is_whole =
        bytes.split_last_chunk::<SEAL>().is_some_and(|(content, seal)| Sha256::digest(content)[..] == seal[..]);
    bytes.truncate(bytes.len().saturating_sub(SEAL));
    Ok(is_whole.then_some(bytes))
}

/// Whether the file is there, complete and unchanged.
pub fn is_intact(path: &Path) -> bool {
    matches!(read(path), Ok(Some(_)))
}

/// Writes aside and renames. Another process may do the same at the same time.
///
/// # Errors
/// When the folder cannot be made, or the file cannot be written.
pub fn write(content: &[u8], path: &Path) -> io::Result<()> {
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    fs::create_dir_all(&folder)?;
    let mut aside = NamedTempFile::new_in(folder)?;
    aside.write_all(content)?;
    aside.write_all(&Sha256::digest(content))?;
    aside.persist(path)?;
    Ok(())
}

/// A name that only this very program has: a program that was changed between two runs must not inherit what the old one found right.
pub fn program() -> &'static str {
    static PROGRAM: OnceLock<String> = OnceLock::new();
    PROGRAM.get_or_init(|| key([std::env::current_exe().and_then(fs::read).unwrap_or_default()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_tell_parts_apart() {
        assert_ne!(key(["ab", "c"]), key(["a", "bc"]));
        assert_eq!(key(["a"]).len(), 64);
    }

    #[test]
    fn a_damaged_file_is_not_intact() {
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("deep/kept");
        assert!(!is_intact(&kept));
        write(b"content", &kept).unwrap();
        assert_eq!(read(&kept).unwrap().unwrap(), b"content");
        let bytes = fs::read(&kept).unwrap();
        for damaged in [&bytes[..bytes.len() - 1], &bytes[1..], b"short"] {
            fs::write(&kept, damaged).unwrap();
            assert!(!is_intact(&kept));
        }
    }
}
