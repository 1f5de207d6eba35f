//! A small file that notes what a run has checked, so that the run can be resumed after a kill.

use super::portion::Chunks;
use binade_tools::checksummed;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

/// How often the file is written; a shorter run writes none.
const PERIOD: Duration = Duration::from_secs(1);

/// Finished chunks. They are handed out in order, so all but a few are contiguous.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Done {
    /// All chunks before this one are finished.
    stretch: u64,
    /// Finished chunks after it.
    beyond: BTreeSet<u64>,
}

impl Done {
    pub fn stretch(&self) -> u64 {
        self.stretch
    }

    pub fn holds(&self, chunk: u64) -> bool {
        chunk < self.stretch || self.beyond.contains(&chunk)
    }

    /// Vectors in these chunks.
    pub fn vectors(&self, chunks: &Chunks) -> u64 {
        let done = (0..self.stretch).chain(self.beyond.iter().copied()).map(|chunk| chunks.vectors(chunk));
        done.map(|vectors| vectors.end - vectors.start).sum()
    }

    fn add(&mut self, chunk: u64) {
        self.beyond.insert(chunk);
        while self.beyond.remove(&self.stretch) {
            self.stretch += 1;
        }
    }
}

/// The content of the file.
#[derive(Serialize, Deserialize)]
struct Page {
    /// Identifies the run; also the name of the file.
    key: String,
    done: Done,
}

/// Why an earlier run cannot be resumed. The text is shown to the user.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ResumeError {
    #[error("there is no unfinished run to resume; it starts from the first vector")]
    Nothing,
    #[error("`{}` is damaged or of another run, and was not used; the run starts from the first vector", .0.display())]
    Damaged(PathBuf),
    #[error("`{}` cannot be read ({source}), and was not used; the run starts from the first vector", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
}

/// Notes the finished chunks of one run.
pub(crate) struct Ledger<'a> {
    folder: PathBuf,
    /// A hash of everything that determines the run, computed only if needed, since it takes time.
    key: LazyLock<String, Box<dyn FnOnce() -> String + Send + 'a>>,
    state: Mutex<State>,
}

struct State {
    done: Done,
    written: Instant,
    /// Whether the run has a file.
    kept: bool,
    /// Why the file could not be written.
    problem: Option<String>,
}

impl<'a> Ledger<'a> {
    /// A ledger in `folder`, named by `key`: runs with the same key check the same.
    pub fn new(folder: PathBuf, key: impl FnOnce() -> String + Send + 'a) -> Ledger<'a> {
        let state = State { done: Done::default(), written: Instant::now(), kept: false, problem: None };
        Ledger { folder, key: LazyLock::new(Box::new(key)), state: Mutex::new(state) }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.join(self.key.as_str())
    }

    /// The chunks that an earlier run with the same key finished; they are also noted as finished here.
    pub fn resume(&self, chunks: &Chunks) -> Result<Done, ResumeError> {
        let path = self.path();
        let page: Page = match checksummed::read(&path) {
            Ok(content) => content.and_then(|bytes| serde_json::from_slice(&bytes).ok()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(ResumeError::Nothing),
            Err(source) => return Err(ResumeError::Unreadable { path, source }),
        }
        .ok_or_else(|| ResumeError::Damaged(path.clone()))?;
        let last = page.done.beyond.last().map_or(page.done.stretch, |last| last + 1);
        if page.key != *self.key || last > chunks.count() {
            return Err(ResumeError::Damaged(path));
        }
        let mut state = self.state.lock().expect("no thread panics with the lock");
        state.done = page.done.clone();
        state.kept = true;
        Ok(page.done)
    }

    /// Notes a finished chunk, and writes the file if it is due.
    pub fn note(&self, chunk: u64) {
        let mut state = self.state.lock().expect("no thread panics with the lock");
        state.done.add(chunk);
        if state.written.elapsed() >= PERIOD {
            self.write(&mut state);
        }
    }

    /// Writes the finished chunks, if any, when a run is interrupted.
    pub fn keep(&self) {
        let mut state = self.state.lock().expect("no thread panics with the lock");
        if state.done != Done::default() {
            self.write(&mut state);
        }
    }

    /// Removes the file at the end of a run.
    pub fn remove(&self) {
        let mut state = self.state.lock().expect("no thread panics with the lock");
        if state.kept {
            state.kept = false;
            if let Err(error) = fs::remove_file(self.path()) {
                state.problem = (error.kind() != io::ErrorKind::NotFound).then(|| self.about("removed", &error));
            }
        }
    }

    /// Why the file could not be written; the run continues without it.
    pub fn problem(&self) -> Option<String> {
        self.state.lock().expect("no thread panics with the lock").problem.clone()
    }

    fn write(&self, state: &mut State) {
        let page = Page { key: self.key.clone(), done: state.done.clone() };
        let content = serde_json::to_vec(&page).expect("a page is plain data");
        state.kept = true;
        state.problem = checksummed::write(&content, &self.path()).err().map(|error| self.about("written", &error));
        state.written = Instant::now();
    }

    fn about(&self, what: &str, error: &io::Error) -> String {
        format!("the ledger `{}` could not be {what}: {error}", self.path().display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::portion::Shard;

    fn chunks() -> Chunks {
        Chunks::new(10 << 20, Shard::WHOLE)
    }

    fn ledger(folder: &std::path::Path) -> Ledger<'static> {
        Ledger::new(folder.to_path_buf(), || "the key".into())
    }

    #[test]
    fn what_is_done_is_a_stretch_and_a_few_more() {
        let mut done = Done::default();
        [1, 0, 4, 2].into_iter().for_each(|chunk| done.add(chunk));
        assert_eq!((done.stretch(), done.beyond.len()), (3, 1));
        let held: Vec<u64> = (0..6).filter(|&chunk| done.holds(chunk)).collect();
        assert_eq!(held, [0, 1, 2, 4]);
        assert_eq!(done.vectors(&chunks()), 4 * chunks().vectors(0).end);
    }

    #[test]
    fn a_run_goes_on_where_another_was_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let first = ledger(folder.path());
        assert!(matches!(first.resume(&chunks()), Err(ResumeError::Nothing)));
        [1, 3].into_iter().for_each(|chunk| first.note(chunk));
        assert!(!first.path().exists(), "a run that ends soon writes nothing");
        first.keep();

        let second = ledger(folder.path());
        let done = second.resume(&chunks()).unwrap();
        assert!(done.holds(1) && done.holds(3) && !done.holds(0) && !done.holds(2));
        second.note(0);
        second.keep();
        assert_eq!(ledger(folder.path()).resume(&chunks()).unwrap().stretch(), 2);
        second.remove();
        assert!(!second.path().exists());
        assert_eq!(second.problem(), None);
    }

    #[test]
    fn a_damaged_or_foreign_file_is_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let written = ledger(folder.path());
        written.note(9);
        written.keep();
        let fewer_chunks = Chunks::new(4096, Shard::WHOLE);
        assert!(matches!(ledger(folder.path()).resume(&fewer_chunks), Err(ResumeError::Damaged(_))));

        let other = Ledger::new(folder.path().to_path_buf(), || "another key".into());
        fs::copy(written.path(), other.path()).unwrap();
        assert!(matches!(other.resume(&chunks()), Err(ResumeError::Damaged(_))));

        let whole = fs::read(written.path()).unwrap();
        for damaged in [&whole[..whole.len() - 1], b"", b"{}"] {
            fs::write(written.path(), damaged).unwrap();
            let error = ledger(folder.path()).resume(&chunks()).unwrap_err();
            assert!(error.to_string().contains("starts from the first vector"), "{error}");
        }
    }

    #[test]
    fn a_file_that_cannot_be_written_is_said() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let ledger = ledger(file.path());
        ledger.note(0);
        ledger.keep();
        assert!(ledger.problem().unwrap().contains("could not be written"));
    }
}
