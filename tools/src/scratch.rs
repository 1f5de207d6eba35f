//! Temporary folders with names that the external tools support.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::Duration;

use nix::sys::statvfs::statvfs;
use tempfile::{NamedTempFile, TempDir};

use crate::Error;

/// The prefix of the folders' names.
const PREFIX: &str = "binade-";

/// The file in a folder that its process locks; a killed process releases the lock.
const LOCK: &str = ".lock";

/// A younger folder is left alone, since its process may not have locked it yet.
const SETTLED: Duration = Duration::from_secs(60);

/// A temporary file to be renamed within its folder. Unlike other temporary files it is readable by others, like any new file.
pub(crate) fn file_aside(prefix: &str, folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(prefix).permissions(Permissions::from_mode(0o666)).tempfile_in(folder)
}

/// A temporary folder, removed when dropped; if the process is killed, a later one removes it.
#[derive(Debug)]
pub struct ScratchDir {
    folder: TempDir,
    _lock: File,
}

impl ScratchDir {
    /// The folder's absolute path.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// An empty temporary folder (except for a hidden lock) whose path has only plain characters.
///
/// Make, Verilator's generated files and ABC paste paths into scripts without quotes: a space or a `$` would break them.
///
/// # Errors
/// When no folder can be created in the system's temporary folder.
pub fn scratch_dir() -> Result<ScratchDir, Error> {
    static LEFTOVERS: Once = Once::new();
    let base = scratch_base();
    LEFTOVERS.call_once(|| remove_leftovers(&base));
    make_in(&base).map_err(Error::io(format!(
        "make a temporary folder in `{}` (set TMPDIR to one that can be written)",
        base.display()
    )))
}

fn make_in(base: &Path) -> io::Result<ScratchDir> {
    let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(base)?;
    let lock = File::create(folder.path().join(LOCK))?;
    lock.lock()?;
    Ok(ScratchDir { folder, _lock: lock })
}

/// Removes the folders that killed processes left behind. A folder that cannot be removed does no harm.
fn remove_leftovers(base: &Path) {
    let Ok(entries) = fs::read_dir(base) else { return };
    let named = entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX));
    for folder in named.map(|entry| entry.path()).filter(|folder| is_leftover(folder)) {
        let _ = fs::remove_dir_all(folder);
    }
}

fn is_leftover(folder: &Path) -> bool {
    let Ok(lock) = File::open(folder.join(LOCK)) else { return false };
    let age = lock.metadata().and_then(|data| data.modified()).map(|made| made.elapsed().unwrap_or_default());
    age.is_ok_and(|age| age > SETTLED) && lock.try_lock().is_ok()
}

fn scratch_base() -> PathBuf {
    let base = std::env::temp_dir();
    if is_plain(&base) { base } else { PathBuf::from("/tmp") }
}

/// The folder for temporary files, if a tool with this output had no room in it.
pub(crate) fn full_folder(output: &str) -> Option<PathBuf> {
    let base = scratch_base();
    // Blocks have 4 KiB on most file systems.
    let has_little = statvfs(&base).is_ok_and(|room| room.blocks_available() < 256);
    (has_little || output.contains("No space left on device")).then_some(base)
}

fn is_plain(path: &Path) -> bool {
    path.is_absolute()
        && path.to_str().is_some_and(|text| text.chars().all(|c| c.is_ascii_alphanumeric() || "/._-+".contains(c)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    #[test]
    fn shell_characters_and_relative_paths_are_not_plain() {
        assert!(is_plain(Path::new("/var/tmp/a-b_c.1")));
        for path in ["tmp", "/a b", "/a$(x)", "/a'q'", "/é"] {
            assert!(!is_plain(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn only_the_folders_of_processes_that_are_gone_are_removed() {
        let base = tempfile::tempdir().unwrap();
        let old = |folder: &Path| {
            let yesterday = SystemTime::now() - Duration::from_secs(86400);
            File::options().write(true).open(folder.join(LOCK)).unwrap().set_modified(yesterday).unwrap();
        };
        let at_work = make_in(base.path()).unwrap();
        old(at_work.path());
        let abandoned = |name: &str| {
            let folder = base.path().join(name);
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join(LOCK), "").unwrap();
            folder
        };
        let gone = abandoned("binade-gone");
        old(&gone);
        let just_made = abandoned("binade-new");
        let of_another_program = abandoned("other-gone");
        old(&of_another_program);
        remove_leftovers(base.path());
        assert!(!gone.exists());
        assert!(at_work.path().exists() && just_made.exists() && of_another_program.exists());
        let path = at_work.path().to_path_buf();
        drop(at_work);
        assert!(!path.exists());
    }
}
