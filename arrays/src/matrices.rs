//! Products of matrices.

use crate::float_sums::{Panel, Range, TILE, Values, exact, sums};
use crate::{Arithmetic, ArrayError, Code, Random, Words};
use binade_spec::{Operation, Summation, Unit};
use rayon::prelude::*;

/// The product of two matrices and a sum with a third one, each element as a unit `dot` with as many lanes as there are products would give it.
///
/// Exact sums are computed in binary64 where that is exact, and then rounded by the golden model; the golden model evaluates all other
/// elements.
pub struct MatrixProduct {
    arithmetic: Arithmetic,
    /// The values of the codes of both factors and of the addend, if sums are exact and rounded without random bits.
    values: Option<[Values; 3]>,
}

/// The matrices of a product, row by row.
#[derive(Clone, Copy)]
pub struct Matrices<'a> {
    /// `rows` times as many codes as there are products.
    pub a: Words<'a>,
    /// As many rows as there are products, of `columns` codes.
    pub b: Words<'a>,
    /// `rows` times `columns` codes.
    pub c: Words<'a>,
    /// The columns of the result.
    pub columns: usize,
}

impl MatrixProduct {
    /// The product whose elements are results of this `dot`, which has a lane for each product.
    ///
    /// # Errors
    /// When the operation is no `dot`, has flags, a second output or operands to be converted first, and as for [`Arithmetic::new`].
    pub fn new(operation: &Operation) -> Result<MatrixProduct, ArrayError> {
        let has_more = operation.flags.is_some() || operation.output.is_some() || operation.source().is_some();
        if operation.unit != Unit::Dot || has_more {
            return Err(ArrayError::NoPlainDot);
        }
        let arithmetic = Arithmetic::new(operation)?;
        let [a, b] = operation.factors();
        let is_exact = operation.summation() == Summation::Exact && operation.random_bits() == 0;
        let values = is_exact.then(|| [a, b, operation.result].map(|format| Values::of(&format)));
        Ok(MatrixProduct { arithmetic, values })
    }

    /// The operation of an element.
    pub fn operation(&self) -> &Operation {
        self.arithmetic.operation()
    }

    /// Computes each element of `results`, which are row by row. Bits of a code above the format's width must be 0.
    ///
    /// # Panics
    /// When lengths do not match, an element is narrower than the result, or random words are missing.
    pub fn evaluate<Y: Code>(&self, matrices: Matrices, random: Random, results: &mut [Y]) {
        let (products, columns) = (self.products(), matrices.columns);
        assert_eq!(matrices.a.len() * columns, results.len() * products, "codes of a");
        assert_eq!(matrices.b.len(), products * columns, "codes of b");
        assert_eq!(matrices.c.len(), results.len(), "codes of c");
        if results.is_empty() {
            return;
        }
        let left: Vec<usize> = match &self.values {
            Some(values) => self.evaluate_in_binary64(values, matrices, results),
            None => (0..results.len()).collect(),
        };
        self.evaluate_by_model(&left, matrices, random, results);
    }

    fn products(&self) -> usize {
        self.operation().lanes() as usize
    }

    /// Evaluates the elements with these indices.
    fn evaluate_by_model<Y: Code>(&self, elements: &[usize], matrices: Matrices, random: Random, results: &mut [Y]) {
        let Matrices { a, b, c, columns } = matrices;
        let products = self.products();
        let code = |port: usize, at: usize, lane: usize| {
            let element = elements[at];
            match port {
                0 => a.word(element / columns * products + lane),
                1 => b.word(lane * columns + element % columns),
                _ => c.word(element),
            }
        };
        let mut some = vec![Y::of(0); elements.len()];
        self.arithmetic.gather(random, &mut some, code);
        elements.iter().zip(some).for_each(|(&element, result)| results[element] = result);
    }

    /// Evaluates the elements whose sums binary64 holds. Returns the others: those with values that are not finite, those whose sums take
    /// more bits, and those that are 0, whose sign depends on the signs of all terms.
    fn evaluate_in_binary64<Y: Code>(&self, values: &[Values; 3], matrices: Matrices, results: &mut [Y]) -> Vec<usize> {
        let Matrices { a, b, c, columns } = matrices;
        let products = self.products();
        let [of_a, of_b, of_c] = values;
        let columns_of_b: Vec<Range> = (0..columns)
            .into_par_iter()
            .map(|column| Range::of((0..products).map(|row| of_b.value(b.word(row * columns + column)))))
            .collect();
        let panel = |panel: usize| -> Panel {
            let value = |row: usize, column: usize| match panel * TILE + column {
                column if column < columns => of_b.value(b.word(row * columns + column)),
                _ => 0.0,
            };
            (0..products).map(|row| std::array::from_fn(|column| value(row, column))).collect()
        };
        let panels: Vec<Panel> = (0..columns.div_ceil(TILE)).into_par_iter().map(panel).collect();
        let tile = |(tile, results): (usize, &mut [Y])| -> Vec<usize> {
            let first = tile * TILE * columns;
            let of_rows: Vec<f64> = (0..TILE * products)
                .map(|at| match tile * TILE * products + at {
                    at if at < a.len() => of_a.value(a.word(at)),
                    _ => 0.0,
                })
                .collect();
            let rows: [&[f64]; TILE] = std::array::from_fn(|row| &of_rows[row * products..][..products]);
            let ranges = rows.map(|row| Range::of(row.iter().copied()));
            let mut others = vec![];
            for (at, panel) in panels.iter().enumerate() {
                for (row, sums) in sums(rows, panel).into_iter().enumerate() {
                    for (column, sum) in (at * TILE..columns).zip(sums) {
                        let Some(result) = results.get_mut(row * columns + column) else { continue };
                        let element = first + row * columns + column;
                        let addend = of_c.value(c.word(element));
                        let total = sum + addend;
                        match Range::is_exact(products, [ranges[row], columns_of_b[column]], addend) && total != 0.0 {
                            true => *result = Y::of(self.arithmetic.model().rounded(exact(total), 0)),
                            false => others.push(element),
                        }
                    }
                }
            }
            others
        };
        results.par_chunks_mut(TILE * columns).enumerate().flat_map_iter(tile).collect()
    }
}
