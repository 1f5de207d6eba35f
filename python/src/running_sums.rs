//! Running sums.

use super::{Codes, Fill, Settings, check_codes, invalid, with_results};
use binade_arrays::{Code, RunningSums, Words, operation};
use pyo3::prelude::*;

/// The sums of lines of numbers.
#[pyclass(frozen)]
pub struct Accumulator(RunningSums);

struct Summing<'a>(&'a RunningSums, Words<'a>, usize);

impl Fill for Summing<'_> {
    fn fill<Y: Code>(self, results: &mut [Y]) {
        let Summing(sums, codes, length) = self;
        sums.evaluate(codes, length, results);
    }
}

#[pymethods]
impl Accumulator {
    #[new]
    fn new(format: &str, settings: Settings) -> PyResult<Accumulator> {
        let operation = operation("accumulate", Some(format), &settings).map_err(invalid)?;
        RunningSums::new(&operation).map(Accumulator).map_err(invalid)
    }

    /// The name of the sums' format.
    #[getter]
    fn result(&self) -> String {
        self.0.operation().result.to_string()
    }

    /// Computes the sums of lines of this length.
    fn run(&self, py: Python, codes: &Bound<PyAny>, length: usize, results: &Bound<PyAny>) -> PyResult<()> {
        let codes = Codes::of(codes)?;
        check_codes(codes.words()?, &self.0.operation().operand)?;
        with_results(py, results, Summing(&self.0, codes.words()?, length))
    }
}
