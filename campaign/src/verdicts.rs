//! Verdicts that are kept from run to run, so that what is known is not made again.

use binade_tools::{Cache, Error, Tools, cache_used, checksummed};
use std::path::PathBuf;

/// What gives verdicts. With the identity of a unit's run ([`binade_sim::identity`]) that is all that a verdict depends on.
#[derive(Clone, Copy, Debug)]
pub struct Judge<'a> {
    /// A hash of the sources that judge; the empty text if it is not known, and the program itself stands for them.
    pub sources: &'a str,
    /// What evaluates units, with the versions of its tools.
    pub engine: &'a str,
    /// What is asked of units, as in `proof`.
    pub question: &'a str,
}

/// The verdicts that one judge has given, in the cache. Each is a file that ends with its own hash, under a name that hashes all
/// that the verdict depends on: one that is damaged, or of anything else, is not known.
pub struct Verdicts {
    cache: Cache,
    folder: PathBuf,
    judge: String,
}

impl Verdicts {
    /// The verdicts of this judge.
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

    /// The report that was kept of a run.
    pub fn known(&self, run: &str) -> Option<String> {
        let path = self.path(run);
        let report = String::from_utf8(checksummed::read(&path).ok()??).ok()?;
        cache_used(&path);
        Some(report)
    }

    /// Keeps the report of a run whose verdict will be the same whenever it is made again.
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
