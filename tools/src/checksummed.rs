//! Files that carry a checksum, under names that are hashes of everything they were made from.
//!
//! A file ends with the SHA-256 of everything before it, so that one truncated by a full disk is detected and made again. (ELF readers
//! ignore what follows the last section.)

use crate::program;
use sha2::{Digest, Sha256};
use std::fs;
use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::NamedTempFile;

const SEAL: usize = 32;

/// A name for what is made from exactly these `parts`.
pub fn key<Part: AsRef<[u8]>>(parts: impl IntoIterator<Item = Part>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        let part = part.as_ref();
        // The length distinguishes ("ab", "c") from ("a", "bc").
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hex(&hash.finalize())
}

/// A name for exactly this value.
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

/// The content, if the file is complete and unchanged.
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

/// Writes to a temporary file and renames it. Other processes may do the same concurrently.
///
/// # Errors
/// When the folder cannot be created, or the file cannot be written.
pub fn write(content: &[u8], path: &Path) -> io::Result<()> {
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    fs::create_dir_all(&folder)?;
    let mut aside = NamedTempFile::new_in(folder)?;
    aside.write_all(content)?;
    aside.write_all(&Sha256::digest(content))?;
    aside.persist(path)?;
    Ok(())
}

/// An identifier of this very program: if it changes between two runs, earlier verdicts must not be reused.
pub fn program() -> &'static str {
    static PROGRAM: OnceLock<String> = OnceLock::new();
    PROGRAM.get_or_init(|| key([program::file().ok().and_then(|file| fs::read(file).ok()).unwrap_or_default()]))
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
