//! The home folder: where pinned tools and compiled models are kept.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::install::REQUIREMENTS;
use crate::program;

/// `$BINADE_HOME`, or else `.tools` in the checkout around the current folder or around this program, or else the user's cache folder; for
/// a user without a home, a folder in `$TMPDIR`.
pub(crate) fn find() -> PathBuf {
    let set = env::var_os("BINADE_HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    let home = set.or_else(in_checkout).unwrap_or_else(|| user_cache().join("binade"));
    std::path::absolute(&home).unwrap_or(home)
}

fn in_checkout() -> Option<PathBuf> {
    [env::current_dir().ok(), program::file().ok()]
        .iter()
        .flatten()
        .find_map(|start| start.ancestors().find(|folder| is_checkout(folder)))
        .map(|checkout| checkout.join(".tools"))
}

/// Whether `folder` is Binade's own checkout: its list of tools starts with the same line as ours.
fn is_checkout(folder: &Path) -> bool {
    fs::read_to_string(folder.join("tools/requirements.txt"))
        .is_ok_and(|text| text.lines().next() == REQUIREMENTS.lines().next())
}

fn user_cache() -> PathBuf {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    // Without HOME, the system's user database is consulted.
    let home = || env::home_dir().filter(|home| home.is_absolute()).map(|home| home.join(".cache"));
    folder("XDG_CACHE_HOME").or_else(home).unwrap_or_else(env::temp_dir)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checkout_is_recognized() {
        let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(is_checkout(crate_folder.parent().unwrap()));
        assert!(!is_checkout(crate_folder));
    }
}
