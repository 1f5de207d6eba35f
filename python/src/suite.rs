//! A suite of units, checked against the golden model on the gates of their circuits.

use crate::invalid;
use binade_campaign::{LanesError, Suite, SuiteError, verify_in_lanes};
use binade_sim::Choice;
use binade_tools::{Error, Source, Tools, forget_interrupt, interrupt};
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io, thread};

/// Why there is no report.
enum Failure {
    /// A file cannot be read.
    File(io::Error),
    /// It is no suite.
    Suite(SuiteError),
    /// It cannot be run.
    Run(LanesError),
}

impl From<SuiteError> for Failure {
    fn from(error: SuiteError) -> Failure {
        Failure::Suite(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        match failure {
            Failure::File(error) => error.into(),
            Failure::Suite(SuiteError::Interrupted)
            | Failure::Run(LanesError::Suite(SuiteError::Interrupted) | LanesError::Tool(Error::Interrupted)) => {
                PyKeyboardInterrupt::new_err(())
            }
            Failure::Suite(error) | Failure::Run(LanesError::Suite(error)) => invalid(error),
            Failure::Run(LanesError::Unit(why)) => invalid(why),
            Failure::Run(LanesError::Tool(error)) => PyOSError::new_err(error.to_string()),
        }
    }
}

/// The report of a suite in JSON. The work is done by a thread of its own, so that this one hears Ctrl-C.
#[pyfunction]
pub fn verify_suite(py: Python, path: PathBuf, vectors: Option<u64>, seed: u64) -> PyResult<String> {
    let worker = thread::spawn(move || report(&path, vectors, seed));
    while !worker.is_finished() {
        py.detach(|| thread::sleep(Duration::from_millis(10)));
        if let Err(signal) = py.check_signals() {
            interrupt();
            let _ = py.detach(|| worker.join());
            forget_interrupt();
            return Err(signal);
        }
    }
    Ok(worker.join().expect("the thread that checks units does not panic")?)
}

fn report(path: &Path, vectors: Option<u64>, seed: u64) -> Result<String, Failure> {
    let suite = Suite::read(path, |file| {
        let named =
            |error: io::Error| io::Error::new(error.kind(), format!("cannot read `{}`: {error}", file.display()));
        fs::read_to_string(file).map_err(|error| Failure::File(named(error)))
    })?;
    let choice = vectors.map_or(Choice::Default, Choice::Sample);
    let tools = Tools::new(Source::Pinned);
    let report = verify_in_lanes(&tools, path, &suite, &choice, seed).map_err(Failure::Run)?;
    Ok(serde_json::to_string(&report).expect("a report is plain data"))
}
