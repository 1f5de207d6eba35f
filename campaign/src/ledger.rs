//! A file that notes the finished units of a suite line by line, so that the suite can be resumed after a kill.

use binade_tools::{Error, Tools, checksummed};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The file of one suite. Each unit is one line, written at once, with a checksum: a line truncated by a kill or a full disk is ignored,
/// and the lines before it remain valid.
pub struct SuiteLedger {
    path: PathBuf,
    file: Mutex<File>,
    earlier: BTreeMap<String, String>,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    seal: String,
    /// Identifies the run of the unit.
    run: String,
    /// The suite's report on the unit.
    report: String,
}

impl SuiteLedger {
    /// The file of a suite whose units have these runs ([`binade_sim::identity`]) and are evaluated by `engine`. Starts anew unless
    /// `resume` is set.
    ///
    /// # Errors
    /// When the file cannot be created, or cannot be read for a resume.
    pub fn open(tools: &Tools, engine: &str, runs: &[&str], resume: bool) -> Result<SuiteLedger, Error> {
        let about = runs.iter().copied().chain([checksummed::program(), engine]);
        SuiteLedger::at(tools.cache().runs().join(checksummed::key(about)), resume)
    }

    fn at(path: PathBuf, resume: bool) -> Result<SuiteLedger, Error> {
        let action = || format!("write the ledger `{}`", path.display());
        let folder = path.parent().expect("a file in the cache has a folder");
        fs::create_dir_all(folder).map_err(Error::io(action()))?;
        let earlier = if resume { read(&path).map_err(Error::io(format!("read `{}`", path.display())))? } else { None };
        let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(Error::io(action()))?;
        let start = match &earlier {
            // A truncated last line must not merge with the next one.
            Some(_) => file.write_all(b"\n"),
            None => file.set_len(0),
        };
        start.map_err(Error::io(action()))?;
        Ok(SuiteLedger { file: Mutex::new(file), earlier: earlier.unwrap_or_default(), path })
    }

    /// The report that an earlier run noted for a unit.
    pub fn earlier(&self, run: &str) -> Option<&str> {
        self.earlier.get(run).map(String::as_str)
    }

    /// The number of units that an earlier run noted.
    pub fn resumed(&self) -> usize {
        self.earlier.len()
    }

    /// Notes that a unit is finished.
    ///
    /// # Errors
    /// When the file cannot be written.
    ///
    /// # Panics
    /// When another thread panicked while writing.
    pub fn note(&self, run: &str, report: &str) -> Result<(), Error> {
        let line = Line { seal: seal(run, report), run: run.into(), report: report.into() };
        let mut text = serde_json::to_vec(&line).expect("a line is plain data");
        text.push(b'\n');
        let mut file = self.file.lock().expect("no thread panics with the lock");
        file.write_all(&text).map_err(Error::io(format!("write the ledger `{}`", self.path.display())))
    }

    /// Removes the file when the suite has finished.
    ///
    /// # Errors
    /// When the file exists and cannot be removed.
    pub fn remove(self) -> Result<(), Error> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::io(format!("remove `{}`", self.path.display()))(error))
            }
            _ => Ok(()),
        }
    }
}

fn seal(run: &str, report: &str) -> String {
    checksummed::key([run, report])
}

/// Every complete line of the file; none if there is no file.
fn read(path: &Path) -> io::Result<Option<BTreeMap<String, String>>> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other?,
    };
    let lines = bytes.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice::<Line>(line).ok());
    let whole = lines.filter(|line| line.seal == seal(&line.run, &line.report));
    Ok(Some(whole.map(|line| (line.run, line.report)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_are_read_again_and_others_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/ledger");
        let ledger = SuiteLedger::at(path.clone(), true).unwrap();
        assert_eq!(ledger.resumed(), 0);
        ledger.note("a", "report of a\n\"quoted\"").unwrap();
        ledger.note("b", "report of b").unwrap();
        ledger.note("c", "report of c").unwrap();
        drop(ledger);

        // A changed line, and a truncated one.
        let text = fs::read_to_string(&path).unwrap().replace("report of b", "report of d");
        fs::write(&path, &text[..text.len() - 5]).unwrap();
        let ledger = SuiteLedger::at(path.clone(), true).unwrap();
        assert_eq!((ledger.earlier("a"), ledger.resumed()), (Some("report of a\n\"quoted\""), 1));
        ledger.note("c", "again").unwrap();
        assert_eq!(SuiteLedger::at(path.clone(), true).unwrap().earlier("c"), Some("again"));

        assert_eq!(SuiteLedger::at(path.clone(), false).unwrap().resumed(), 0, "begun anew");
        SuiteLedger::at(path.clone(), true).unwrap().remove().unwrap();
        assert!(!path.exists());
    }
}
