//! A suite of units: checked against the golden model on the gates of their circuits, or proven.

use crate::invalid;
use binade_campaign::{RunError, Suite, SuiteError, verify_in_lanes};
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
    Run(RunError),
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
            | Failure::Run(RunError::Suite(SuiteError::Interrupted) | RunError::Tool(Error::Interrupted)) => {
                PyKeyboardInterrupt::new_err(())
            }
            Failure::Suite(error) | Failure::Run(RunError::Suite(error)) => invalid(error),
            Failure::Run(RunError::Unit(why)) => invalid(why),
            Failure::Run(RunError::Tool(error)) => PyOSError::new_err(error.to_string()),
        }
    }
}

/// The report of a suite in JSON.
#[pyfunction]
pub fn verify_suite(py: Python, path: PathBuf, vectors: Option<u64>, seed: u64) -> PyResult<String> {
    Ok(watched(py, move || report(&path, vectors, seed))??)
}

/// Does work in a thread of its own, so that this one hears Ctrl-C.
pub fn watched<T: Send + 'static>(py: Python, work: impl FnOnce() -> T + Send + 'static) -> PyResult<T> {
    let worker = thread::spawn(work);
    while !worker.is_finished() {
        py.detach(|| thread::sleep(Duration::from_millis(10)));
        if let Err(signal) = py.check_signals() {
            interrupt();
            let _ = py.detach(|| worker.join());
            forget_interrupt();
            return Err(signal);
        }
    }
    Ok(worker.join().expect("the thread that judges units does not panic"))
}

/// The report of a suite of proofs in JSON.
#[pyfunction]
pub fn prove_suite(py: Python, path: PathBuf) -> PyResult<String> {
    Ok(watched(py, move || proofs(&path))??)
}

fn report(path: &Path, vectors: Option<u64>, seed: u64) -> Result<String, Failure> {
    let choice = vectors.map_or(Choice::Default, Choice::Sample);
    let tools = Tools::new(Source::Pinned);
    let report = verify_in_lanes(&tools, path, &read(path)?, &choice, seed).map_err(Failure::Run)?;
    Ok(serde_json::to_string(&report).expect("a report is plain data"))
}

fn proofs(path: &Path) -> Result<String, Failure> {
    let suite = read(path)?;
    let report = binade_campaign::proofs::prove_suite(&Tools::new(Source::Pinned), path, &suite);
    Ok(serde_json::to_string(&report.map_err(Failure::Run)?).expect("a report is plain data"))
}

fn read(path: &Path) -> Result<Suite, Failure> {
    Suite::read(path, |file| {
        let named =
            |error: io::Error| io::Error::new(error.kind(), format!("cannot read `{}`: {error}", file.display()));
        fs::read_to_string(file).map_err(|error| Failure::File(named(error)))
    })
}
