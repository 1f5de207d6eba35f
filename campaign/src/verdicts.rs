//! Verdicts kept from run to run, so that they need not be computed again.

use binade_tools::{Cache, Error, Tools, cache_used, checksummed};
use std::path::PathBuf;

/// What judges units. A verdict depends only on this and on the identity of the unit's run ([`binade_sim::identity`]).
#[derive(Clone, Copy, Debug)]
pub struct Judge<'a> {
    /// A hash of the judge's sources; if empty, the program itself is hashed.
    pub sources: &'a str,
    /// The engine, with the versions of its tools.
    pub engine: &'a str,
    /// The question about units, such as `proof`.
    pub question: &'a str,
}

/// The verdicts of one judge, in the cache. Each file ends with its own hash, and its name is a hash of everything the verdict depends on;
/// damaged or unrelated files are ignored.
pub struct Verdicts {
    cache: Cache,
    folder: PathBuf,
    judge: String,
}

impl Verdicts {
    /// Opens the verdicts of this judge.
    pub fn of(tools: &Tools, judge: Judge) -> Verdicts {
        let cache = tools.cache();
        let Judge { sources, engine, question } = judge;
        let sources = if sources.is_empty() { checksummed::program() } else { sources };
        Verdicts {
            folder: cache.folder().join("verdicts"),
            judge: checksummed::key([sources, engine, question]),
            cache,
        }
    }

    /// The report kept for a run.
    pub fn known(&self, run: &str) -> Option<String> {
        let path = self.path(run);
        let report = String::from_utf8(checksummed::read(&path).ok()??).ok()?;
        cache_used(&path);
        Some(report)
    }

    /// Keeps the report of a run whose verdict is reproducible.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep(&self, run: &str, report: &str) -> Result<(), Error> {
        let path = self.path(run);
        let action = format!("write `{}`, which keeps a verdict", path.display());
        checksummed::write(report.as_bytes(), &path).map_err(Error::io(action))?;
        self.cache.grown();
        Ok(())
    }

    fn path(&self, run: &str) -> PathBuf {
        self.folder.join(checksummed::key([self.judge.as_str(), run]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_tools::Source;
    use std::fs;

    const JUDGE: Judge = Judge { sources: "golden model", engine: "Verilator 5", question: "verification" };

    #[test]
    fn a_verdict_is_known_to_its_judge_and_of_its_run_alone() {
        let home = tempfile::tempdir().unwrap();
        let tools = Tools::with_home(Source::Pinned, home.path());
        Verdicts::of(&tools, JUDGE).keep("run", "right").unwrap();
        let known = |judge, run| Verdicts::of(&tools, judge).known(run);
        assert_eq!(known(JUDGE, "run").as_deref(), Some("right"));
        assert_eq!(known(JUDGE, "another"), None);
        assert_eq!(known(Judge { sources: "golden model, changed", ..JUDGE }, "run"), None);
        assert_eq!(known(Judge { sources: "", ..JUDGE }, "run"), None);
        assert_eq!(known(Judge { engine: "Verilator 6", ..JUDGE }, "run"), None);
        assert_eq!(known(Judge { question: "proof", ..JUDGE }, "run"), None);
    }

    #[test]
    fn a_damaged_verdict_is_not_known() {
        let home = tempfile::tempdir().unwrap();
        let tools = Tools::with_home(Source::Pinned, home.path());
        let verdicts = Verdicts::of(&tools, JUDGE);
        verdicts.keep("run", "wrong").unwrap();
        let path = verdicts.path("run");
        let text = fs::read(&path).unwrap();
        fs::write(&path, [b"right", &text[5..]].concat()).unwrap();
        assert_eq!(verdicts.known("run"), None);
        fs::write(&path, &text[..text.len() - 1]).unwrap();
        assert_eq!(verdicts.known("run"), None);
        verdicts.keep("run", "wrong").unwrap();
        assert_eq!(verdicts.known("run").as_deref(), Some("wrong"));
    }
}
