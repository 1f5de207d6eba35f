//! What a suite knows about its units before it checks them: verdicts kept from run to run, and what the same suite noted before it was
//! killed.

use crate::{Judge, SuiteLedger, Verdicts};
use binade_tools::{Error, Tools};

/// A hash of the sources of the crates that judge, computed by `build.rs`.
pub(crate) const SOURCES: &str = env!("BINADE_SOURCES");

/// The verdicts kept from runs with this engine and this question.
pub fn verdicts(tools: &Tools, engine: &str, question: &str) -> Verdicts {
    Verdicts::of(tools, Judge { sources: SOURCES, engine, question })
}

/// What is known about the units of a suite.
pub struct Known {
    ledger: SuiteLedger,
    /// None if other runs cannot use the reports.
    verdicts: Option<Verdicts>,
    /// Whether to compute every verdict anew.
    is_fresh: bool,
}

/// A report that need not be computed.
pub enum Recalled {
    /// Noted by the same suite, which was then killed.
    Earlier(String),
    /// Kept from run to run.
    Known(String),
}

impl Known {
    /// The entries of the suite's ledger, and the kept verdicts unless `is_fresh`.
    pub fn new(ledger: SuiteLedger, verdicts: Option<Verdicts>, is_fresh: bool) -> Known {
        Known { ledger, verdicts, is_fresh }
    }

    /// The report of a run, if known.
    pub fn recall(&self, run: &str) -> Option<Recalled> {
        let earlier = self.ledger.earlier(run).map(|report| Recalled::Earlier(report.into()));
        let verdicts = self.verdicts.as_ref().filter(|_| !self.is_fresh);
        earlier.or_else(|| verdicts?.known(run).map(Recalled::Known))
    }

    /// Notes a report for a run that resumes this one.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub fn note(&self, run: &str, report: &str) -> Result<(), Error> {
        self.ledger.note(run, report)
    }

    /// Keeps a report whose verdict is reproducible.
    ///
    /// # Errors
    /// When the verdict's file cannot be written.
    pub fn keep(&self, run: &str, report: &str) -> Result<(), Error> {
        self.verdicts.as_ref().map_or(Ok(()), |verdicts| verdicts.keep(run, report))
    }

    /// Removes the ledger at the end of the suite.
    ///
    /// # Errors
    /// When the ledger exists and cannot be removed.
    pub fn conclude(self) -> Result<(), Error> {
        self.ledger.remove()
    }
}

#[cfg(test)]
mod tests {
    use super::SOURCES;
    use crate::sources::{PATHS, hash};
    use std::fs;
    use std::path::Path;

    #[test]
    fn the_hash_is_of_the_sources_of_this_checkout() {
        assert_eq!(SOURCES.len(), 64, "{SOURCES}");
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        assert!(PATHS.iter().all(|path| checkout.join(path).exists()), "{PATHS:?}");
    }

    /// Hashes the name and text of every file of every crate that judges, and the compiler: any change discards all verdicts.
    #[test]
    fn each_file_makes_another_hash() {
        let folder = tempfile::tempdir().unwrap();
        let checkout = folder.path();
        let file = |path: &str| if path.contains('.') { path.into() } else { format!("{path}/deep/lib.rs") };
        let write = |path: &str, text: &str| {
            let path = checkout.join(file(path));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        assert_eq!(hash(checkout, "rustc 1"), "", "without the sources there is no hash");
        PATHS.iter().for_each(|path| write(path, "text"));
        let first = hash(checkout, "rustc 1");
        assert_eq!(first.len(), 64);
        for path in PATHS {
            write(path, "other text");
            assert_ne!(hash(checkout, "rustc 1"), first, "{path}");
            write(path, "text");
        }
        assert_eq!(hash(checkout, "rustc 1"), first);
        assert_ne!(hash(checkout, "rustc 2"), first);
        // The command only asks: an edit of a help text keeps all verdicts.
        for text in ["a help text", "another help text"] {
            write("cli/src", text);
            assert_eq!(hash(checkout, "rustc 1"), first, "{text}");
        }
        fs::rename(checkout.join("golden/src/deep"), checkout.join("golden/src/deeper")).unwrap();
        assert_ne!(hash(checkout, "rustc 1"), first, "a file with another name");
    }
}
