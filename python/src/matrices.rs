//! Products of matrices.

use super::{Codes, Fill, Settings, check_codes, invalid, random, with_results};
use binade_arrays::{Code, Matrices, MatrixProduct, Random, dot_of};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

/// The product of two matrices, and a sum with a third one.
#[pyclass(frozen)]
pub struct MatrixEvaluator(MatrixProduct);

struct Multiplying<'a>(&'a MatrixProduct, Matrices<'a>, Random<'a>);

impl Fill for Multiplying<'_> {
    fn fill<Y: Code>(self, results: &mut [Y]) {
        let Multiplying(product, matrices, random) = self;
        product.evaluate(matrices, random, results);
    }
}

#[pymethods]
impl MatrixEvaluator {
    /// Elements that are sums of this many products.
    #[new]
    fn new(py: Python, products: u32, format: &str, settings: Settings) -> PyResult<MatrixEvaluator> {
        let operation = dot_of(products, format, &settings).map_err(invalid)?;
        py.detach(|| MatrixProduct::new(&operation)).map(MatrixEvaluator).map_err(invalid)
    }

    /// The name of the result's format, which is that of the addend too.
    #[getter]
    fn result(&self) -> String {
        self.0.operation().result.to_string()
    }

    /// The names of the factors' formats.
    #[getter]
    fn factors(&self) -> [String; 2] {
        self.0.operation().factors().map(|format| format.to_string())
    }

    /// The number of random bits per element.
    #[getter]
    fn random_bits(&self) -> u32 {
        self.0.operation().random_bits()
    }

    /// Computes the product; all matrices are row by row, and the result has this many columns.
    fn run(
        &self,
        py: Python,
        matrices: [Bound<PyAny>; 3],
        columns: usize,
        results: &Bound<PyAny>,
        words: Option<PyReadonlyArray1<u64>>,
        seed: Option<u64>,
    ) -> PyResult<()> {
        let [a, b] = self.0.operation().factors();
        let arrays = matrices.iter().map(Codes::of).collect::<PyResult<Vec<Codes>>>()?;
        for (codes, format) in arrays.iter().zip([a, b, self.0.operation().result]) {
            check_codes(codes.words()?, &format)?;
        }
        let [a, b, c] = [0, 1, 2].map(|at: usize| arrays[at].words());
        let matrices = Matrices { a: a?, b: b?, c: c?, columns };
        with_results(py, results, Multiplying(&self.0, matrices, random(&words, seed)?))
    }
}
