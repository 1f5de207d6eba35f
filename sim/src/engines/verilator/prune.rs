//! Keeps the cache below a bound: what was not used for the longest time goes first.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

/// Bytes of compiled files that are kept: some six thousand models.
const BOUND: u64 = 2 << 30;

/// What was used this recently stays, even above the bound: another run may be about to load it.
const IN_USE: Duration = Duration::from_secs(3600);

/// Notes of runs that nobody has resumed for so long are dropped.
const FORGOTTEN: Duration = Duration::from_secs(30 * 86400);

/// New files between two looks at the whole cache, which takes some milliseconds.
const SELDOM: usize = 64;

/// A file of the cache.
struct Entry {
    path: PathBuf,
    bytes: u64,
    /// Since its last use.
    age: Duration,
}

/// Notes that the file was used now. That it cannot be noted, as in a cache of another user, only makes it go earlier.
pub(super) fn used(path: &Path) {
    let _ = fs::File::open(path).and_then(|file| file.set_modified(SystemTime::now()));
}

/// Tells that a file came into `cache`; now and then this removes others.
pub(super) fn grown(cache: &Path) {
    static NEW: AtomicUsize = AtomicUsize::new(0);
    if NEW.fetch_add(1, Ordering::Relaxed).is_multiple_of(SELDOM) {
        prune(cache, BOUND);
    }
}

/// Removes files until `cache` has at most `bound` bytes, and what killed runs have left. Another process may use the cache
/// or do the same: a model that is loaded stays loaded when its file goes, and one that is missing is made again.
fn prune(cache: &Path, bound: u64) {
    let remove = |entry: &Entry| fs::remove_file(&entry.path).is_ok();
    let forgotten = entries(&cache.join("runs")).into_iter().filter(|entry| entry.age > FORGOTTEN);
    forgotten.for_each(|entry| _ = remove(&entry));

    let mut idle = entries(&cache.join("models"));
    idle.extend(entries(&cache.join("runtime")));
    let mut bytes: u64 = idle.iter().map(|entry| entry.bytes).sum();
    idle.retain(|entry| entry.age > IN_USE);
    // What was never finished first, then what was not used for the longest time.
    idle.sort_by_key(|entry| (!entry.is_torn(), Reverse(entry.age)));
    for entry in &idle {
        if (entry.is_torn() || bytes > bound) && remove(entry) {
            bytes -= entry.bytes;
        }
    }
}

impl Entry {
    /// Whether a process was killed while it wrote the file aside.
    fn is_torn(&self) -> bool {
        self.path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".tmp"))
    }
}

/// The files of a folder, if there is one. Those that go meanwhile are of no interest.
fn entries(folder: &Path) -> Vec<Entry> {
    let found = fs::read_dir(folder).into_iter().flatten().flatten();
    let entry = |file: fs::DirEntry| {
        let data = file.metadata().ok().filter(fs::Metadata::is_file)?;
        let age = data.modified().ok()?.elapsed().unwrap_or_default();
        Some(Entry { path: file.path(), bytes: data.len(), age })
    };
    found.filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of 100 bytes, last used so many hours ago.
    fn file(folder: &Path, name: &str, hours: u64) -> PathBuf {
        fs::create_dir_all(folder).unwrap();
        let path = folder.join(name);
        fs::write(&path, [0; 100]).unwrap();
        let used = SystemTime::now() - Duration::from_secs(hours * 3600);
        fs::File::open(&path).unwrap().set_modified(used).unwrap();
        path
    }

    #[test]
    fn what_was_not_used_for_the_longest_time_goes_first() {
        let cache = tempfile::tempdir().unwrap();
        let models = cache.path().join("models");
        let [oldest, old, lately] = [9, 5, 3].map(|hours| file(&models, &format!("{hours}.so"), hours));
        let in_use = file(&models, "in_use.so", 0);
        let runtime = file(&cache.path().join("runtime"), "runtime.o", 7);
        used(&old);
        prune(cache.path(), 300);
        let there = [&oldest, &old, &lately, &in_use, &runtime].map(|path| path.exists());
        assert_eq!(there, [false, true, true, true, false]);
        // Nothing that is in use goes, whatever the bound.
        prune(cache.path(), 0);
        let there = [&old, &lately, &in_use].map(|path| path.exists());
        assert_eq!(there, [true, false, true]);
    }

    #[test]
    fn leftovers_go_below_the_bound_too() {
        let cache = tempfile::tempdir().unwrap();
        let (models, runs) = (cache.path().join("models"), cache.path().join("runs"));
        let (torn, being_written) = (file(&models, ".tmpA", 2), file(&models, ".tmpB", 0));
        let (model, note, forgotten) = (file(&models, "a.so", 99), file(&runs, "a", 99), file(&runs, "b", 24 * 31));
        prune(cache.path(), BOUND);
        let there = [&torn, &being_written, &model, &note, &forgotten].map(|path| path.exists());
        assert_eq!(there, [false, true, true, true, false]);
    }
}
