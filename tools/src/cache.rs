//! The cache, kept below a limit: what was not used for the longest time goes first.

use std::cmp::Reverse;
use std::env;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use crate::{Error, lock_file};

/// The variable that sets the limit, in MB.
const VARIABLE: &str = "BINADE_CACHE_MB";

/// MB that are kept if the variable is not set: some six thousand models.
const DEFAULT_MB: u64 = 2048;

/// What was used this recently stays when other files come, even above the limit: another run is about to load it, or a group
/// of units was just compiled as one.
const IN_USE: Duration = Duration::from_secs(600);

/// What was used this recently is not even removed on demand: a compiler may be about to open it.
const JUST_USED: Duration = Duration::from_secs(60);

/// Notes of runs that nobody has resumed for so long are dropped.
const FORGOTTEN: Duration = Duration::from_secs(30 * 86400);

/// New files between two looks at the whole cache, which takes some milliseconds.
const SELDOM: usize = 64;

/// The folder of notes of runs: they are no copies of what can be made again, and do not count.
const RUNS: &str = "runs";

/// How many bytes the cache may have: `$BINADE_CACHE_MB`, else 2 GB.
///
/// # Errors
/// When the variable is no number; the text says what to do.
pub fn cache_limit() -> Result<u64, String> {
    let Some(text) = env::var_os(VARIABLE).filter(|text| !text.is_empty()) else { return Ok(DEFAULT_MB << 20) };
    let megabytes = text.to_str().and_then(|text| text.parse::<u32>().ok());
    let megabytes = megabytes.ok_or_else(|| {
        let text = text.to_string_lossy();
        format!("{VARIABLE} is `{text}`; a whole number of MB is expected, such as {DEFAULT_MB}")
    })?;
    Ok(u64::from(megabytes) << 20)
}

/// Files that are slow to make again, such as compiled models. Several processes may share it, on several machines, too: a file
/// appears whole, by a rename, and one that is missing is made again.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

/// How large a cache is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Files, without notes of runs.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
}

/// A file of the cache.
struct Entry {
    path: PathBuf,
    bytes: u64,
    /// Since its last use.
    age: Duration,
}

impl Cache {
    pub(crate) fn new(folder: PathBuf) -> Cache {
        Cache { folder }
    }

    /// Where it is. It need not exist yet.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of the files that note what runs have checked.
    pub fn runs(&self) -> PathBuf {
        self.folder().join("runs")
    }

    /// How large it is now.
    pub fn size(&self) -> Size {
        size(&self.entries())
    }

    /// Tells that a file came into it; now and then this removes others, unless another process is doing that.
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

    /// Removes what was not used for the longest time until the cache is below its limit, all but what was used within a minute:
    /// a run that still wants it makes it again. What was removed is the answer.
    ///
    /// # Errors
    /// When the lock cannot be had, and after Ctrl-C.
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

    /// Removes files until there are at most `limit` bytes, and what killed runs have left; but nothing that was used within
    /// `in_use`. A model that is loaded stays loaded when its file goes.
    fn prune(&self, limit: u64, in_use: Duration) -> Size {
        let forgotten = entries(&self.folder.join(RUNS)).into_iter().filter(|entry| entry.age > FORGOTTEN);
        forgotten.for_each(|entry| _ = entry.remove());

        let mut idle = self.entries();
        let Size { mut bytes, .. } = size(&idle);
        idle.retain(|entry| entry.age >= in_use);
        // What was never finished first, then what was not used for the longest time.
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

    /// All files but notes of runs and locks.
    fn entries(&self) -> Vec<Entry> {
        let found = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let folders = found.filter(|entry| entry.file_name() != RUNS).map(|entry| entry.path());
        folders.flat_map(|folder| entries(&folder)).collect()
    }
}

/// Notes that the file was used now. That it cannot be noted, as in a cache of another user, only makes it go earlier.
pub fn cache_used(path: &Path) {
    let _ = File::open(path).and_then(|file| file.set_modified(SystemTime::now()));
}

/// The program has refused a limit that is no number before there is a cache.
fn limit() -> u64 {
    cache_limit().unwrap_or(DEFAULT_MB << 20)
}

fn size(entries: &[Entry]) -> Size {
    Size { files: entries.len(), bytes: entries.iter().map(|entry| entry.bytes).sum() }
}

impl Entry {
    /// Whether a process is writing the file, or was killed while it did.
    fn is_torn(&self) -> bool {
        self.path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".tmp"))
    }

    /// Whether the file is gone; another process may have been first.
    fn remove(&self) -> bool {
        fs::remove_file(&self.path).map_or_else(|error| error.kind() == ErrorKind::NotFound, |()| true)
    }
}

/// The files in a folder and below, but for locks. Those that go meanwhile are of no interest.
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

    /// A file of 100 bytes, last used so many hours ago.
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
        // Nothing that is in use goes by itself, whatever the limit; on demand it does.
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

    /// Two that clean at once remove no more than one would: who finds a file gone counts it as gone.
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
