//! Temporary folders that the external tools can live with.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::Error;

/// An empty temporary folder whose path holds only plain characters, removed when dropped.
///
/// Make, Verilator's generated files and ABC paste paths into scripts unquoted: a space or a `$` there breaks them.
pub fn scratch_dir() -> Result<TempDir, Error> {
    let base = scratch_base();
    tempfile::Builder::new().prefix("binade-").tempdir_in(&base).map_err(Error::io(format!(
        "make a temporary folder in `{}` (set TMPDIR to one that can be written)",
        base.display()
    )))
}

fn scratch_base() -> PathBuf {
    let base = std::env::temp_dir();
    if is_plain(&base) { base } else { PathBuf::from("/tmp") }
}

fn is_plain(path: &Path) -> bool {
    path.is_absolute()
        && path.to_str().is_some_and(|text| text.chars().all(|c| c.is_ascii_alphanumeric() || "/._-+".contains(c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_characters_and_relative_paths_are_not_plain() {
        assert!(is_plain(Path::new("/var/tmp/a-b_c.1")));
        for path in ["tmp", "/a b", "/a$(x)", "/a'q'", "/é"] {
            assert!(!is_plain(Path::new(path)), "{path}");
        }
    }
}
