//! The cache, whose size is limited: files that were not used for the longest time are removed first.

use std::cmp::Reverse;
use std::env;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use crate::scratch::file_aside;
use crate::{Error, lock_file};

/// The variable that sets the limit, in MB.
const VARIABLE: &str = "BINADE_CACHE_MB";

/// The default limit in MB: about six thousand models.
const DEFAULT_MB: u64 = 2048;

/// A file used within this time is not removed when others are added, even above the limit: another run may be about to load it, or a group
/// of units was just compiled together.
const IN_USE: Duration = Duration::from_secs(600);

/// A file used within this time is not even removed on demand: a compiler may be about to open it.
const JUST_USED: Duration = Duration::from_secs(60);

/// Ledgers of runs that were not resumed for this time are removed.
const FORGOTTEN: Duration = Duration::from_secs(30 * 86400);

/// The whole cache is examined after this many new files, since that takes some milliseconds.
const SELDOM: usize = 64;

/// The prefix of incomplete files' names.
const TORN: &str = ".tmp";

/// The folder of runs' ledgers. They cannot be made again, and do not count.
const RUNS: &str = "runs";

/// The limit of the cache in bytes: `$BINADE_CACHE_MB`, or else 2 GB.
///
/// # Errors
/// When the variable is not a number; the message says what to do.
pub fn cache_limit() -> Result<u64, String> {
    let Some(text) = env::var_os(VARIABLE).filter(|text| !text.is_empty()) else { return Ok(DEFAULT_MB << 20) };
    let megabytes = text.to_str().and_then(|text| text.parse::<u32>().ok());
    let megabytes = megabytes.ok_or_else(|| {
        let text = text.to_string_lossy();
        format!("{VARIABLE} is `{text}`; a whole number of MB is expected, such as {DEFAULT_MB}")
    })?;
    Ok(u64::from(megabytes) << 20)
}

/// Files that are slow to make again, such as compiled models. Several processes may share the cache, even on several machines: a file
/// appears complete, by a rename, and a missing one is made again.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

/// The size of a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// The number of files, without ledgers.
    pub files: usize,
    /// Their total size in bytes.
    pub bytes: u64,
}

/// A file of the cache.
struct Entry {
    path: PathBuf,
    bytes: u64,
    /// The time since its last use.
    age: Duration,
}

impl Cache {
    pub(crate) fn new(folder: PathBuf) -> Cache {
        Cache { folder }
    }

    /// The folder of the cache. It need not exist yet.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of runs' ledgers.
    pub fn runs(&self) -> PathBuf {
        self.folder().join("runs")
    }

    /// The folder of what is put into pages.
    pub fn pages(&self) -> PathBuf {
        self.folder().join("pages")
    }

    /// Adds a file to a folder of the cache. It is written to a temporary file, which is renamed, so that it is complete.
    ///
    /// # Errors
    /// When it cannot be written.
    ///
    /// # Panics
    /// When `file` has no folder.
    pub fn keep(&self, file: &Path, content: &[u8]) -> Result<(), Error> {
        let failed = || Error::io(format!("write `{}`", file.display()));
        let folder = file.parent().expect("a file in a folder of the cache");
        fs::create_dir_all(folder).map_err(failed())?;
        let mut aside = file_aside(TORN, folder).map_err(failed())?;
        aside.write_all(content).map_err(failed())?;
        aside.persist(file).map_err(|error| failed()(error.error))?;
        self.grown();
        Ok(())
    }

    /// The current size.
    pub fn size(&self) -> Size {
        size(&self.entries())
    }

    /// Notes that a file was added; occasionally this removes others, unless another process is doing so.
    pub fn grown(&self) {
        static NEW: AtomicUsize = AtomicUsize::new(0);
        if NEW.fetch_add(1, Ordering::Relaxed).is_multiple_of(SELDOM) {
            let lock = fs::create_dir_all(&self.folder).and_then(|()| File::create(self.lock()));
            if let Ok(lock) = lock
                && lock.try_lock().is_ok()
            {
                self.prune(limit(), IN_USE);
            }
        }
    }

    /// Removes the files unused for the longest time until the cache is below its limit, except those used within the last minute; a run
    /// that still needs a removed file makes it again. Returns what was removed.
    ///
    /// # Errors
    /// When the lock cannot be acquired, and after Ctrl-C.
    pub fn clean(&self) -> Result<Size, Error> {
        if !self.folder.exists() {
            return Ok(Size::default());
        }
        let _lock = lock_file(&self.lock(), "cleans the cache")?;
        Ok(self.prune(limit(), JUST_USED))
    }

    fn lock(&self) -> PathBuf {
        self.folder.join("lock")
    }

    /// Removes files until there are at most `limit` bytes, and the leftovers of killed runs, but nothing that was used within `in_use`. A
    /// model that is loaded stays loaded when its file is removed.
    fn prune(&self, limit: u64, in_use: Duration) -> Size {
        let forgotten = entries(&self.folder.join(RUNS)).into_iter().filter(|entry| entry.age > FORGOTTEN);
        forgotten.for_each(|entry| _ = entry.remove());

        let mut idle = self.entries();
        let Size { mut bytes, .. } = size(&idle);
        idle.retain(|entry| entry.age >= in_use);
        // Unfinished files first, then those unused for the longest time.
        idle.sort_by_key(|entry| (!entry.is_torn(), Reverse(entry.age)));
        let mut removed = Size::default();
        for entry in &idle {
            let is_to_go = if entry.is_torn() { entry.age >= IN_USE } else { bytes > limit };
            if is_to_go && entry.remove() {
                bytes -= entry.bytes;
                removed = Size { files: removed.files + 1, bytes: removed.bytes + entry.bytes };
            }
        }
        removed
    }

    /// All files except ledgers and locks.
    fn entries(&self) -> Vec<Entry> {
        let found = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let folders = found.filter(|entry| entry.file_name() != RUNS).map(|entry| entry.path());
        folders.flat_map(|folder| entries(&folder)).collect()
    }
}

/// Notes that a file was used now. If that fails, as in another user's cache, the file is only removed earlier.
pub fn cache_used(path: &Path) {
    let _ = File::open(path).and_then(|file| file.set_modified(SystemTime::now()));
}

/// The program has already refused a limit that is not a number.
fn limit() -> u64 {
    cache_limit().unwrap_or(DEFAULT_MB << 20)
}

fn size(entries: &[Entry]) -> Size {
    Size { files: entries.len(), bytes: entries.iter().map(|entry| entry.bytes).sum() }
}

impl Entry {
    /// Whether a process is writing the file, or was killed while writing it.
    fn is_torn(&self) -> bool {
        self.path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(TORN))
    }

    /// Removes the file; true also if another process was first.
    fn remove(&self) -> bool {
        fs::remove_file(&self.path).map_or_else(|error| error.kind() == ErrorKind::NotFound, |()| true)
    }
}

/// The files in a folder and its subfolders, except locks. Files that disappear meanwhile are ignored.
fn entries(folder: &Path) -> Vec<Entry> {
    let found = fs::read_dir(folder).into_iter().flatten().flatten();
    let of = |file: fs::DirEntry| {
        let Ok(data) = file.metadata() else { return vec![] };
        if data.is_dir() {
            return entries(&file.path());
        }
        let age = data.modified().map(|used| used.elapsed().unwrap_or_default());
        let entry = age.ok().filter(|_| data.is_file() && file.file_name() != "lock");
        entry.map(|age| Entry { path: file.path(), bytes: data.len(), age }).into_iter().collect()
    };
    found.flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of 100 bytes, last used this many hours ago.
    fn file(folder: &Path, name: &str, hours: u64) -> PathBuf {
        fs::create_dir_all(folder).unwrap();
        let path = folder.join(name);
        fs::write(&path, [0; 100]).unwrap();
        let used = SystemTime::now() - Duration::from_secs(hours * 3600);
        File::open(&path).unwrap().set_modified(used).unwrap();
        path
    }

    #[test]
    fn what_was_not_used_for_the_longest_time_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, models) = (Cache::new(folder.path().into()), folder.path().join("models"));
        let [oldest, old, lately] = [9, 5, 3].map(|hours| file(&models, &format!("{hours}.so"), hours));
        let in_use = file(&models, "in_use.so", 0);
        let runtime = file(&folder.path().join("runtime"), "runtime.o", 7);
        let deep = file(&folder.path().join("YoWASP/python"), "nextpnr", 6);
        cache_used(&old);
        assert_eq!(cache.size(), Size { files: 6, bytes: 600 });
        assert_eq!(cache.prune(300, IN_USE), Size { files: 3, bytes: 300 });
        let there = [&oldest, &old, &lately, &in_use, &runtime, &deep].map(|path| path.exists());
        assert_eq!(there, [false, true, true, true, false, false]);
        // Files in use are never removed automatically, whatever the limit, but they are on demand.
        cache.prune(0, IN_USE);
        assert_eq!([&old, &lately, &in_use].map(|path| path.exists()), [true, false, true]);
        cache.prune(100, Duration::ZERO);
        assert_eq!(cache.size().files, 1);
    }

    #[test]
    fn leftovers_go_below_the_limit_too() {
        let folder = tempfile::tempdir().unwrap();
        let (models, runs) = (folder.path().join("models"), folder.path().join("runs"));
        let (torn, being_written) = (file(&models, ".tmpA", 2), file(&models, ".tmpB", 0));
        let (model, lock) = (file(&models, "a.so", 99), file(&models, "lock", 99));
        let (note, forgotten) = (file(&runs, "a", 99), file(&runs, "b", 24 * 31));
        Cache::new(folder.path().into()).prune(limit(), Duration::ZERO);
        let there = [&torn, &being_written, &model, &lock, &note, &forgotten].map(|path| path.exists());
        assert_eq!(there, [false, true, true, true, true, false]);
    }

    /// Two processes that clean concurrently remove no more than one would: a file that is already gone counts as removed.
    #[test]
    fn several_may_clean_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let models = folder.path().join("models");
        (1..=200).for_each(|hours| _ = file(&models, &format!("{hours}.so"), hours));
        let cache = Cache::new(folder.path().into());
        std::thread::scope(|scope| {
            (0..4).for_each(|_| _ = scope.spawn(|| cache.prune(10_000, IN_USE)));
        });
        assert_eq!(cache.size(), Size { files: 100, bytes: 10_000 });
        assert!(models.join("100.so").exists() && !models.join("101.so").exists());
    }
}
