//! Products of matrices.

use crate::aligned_sums::{AlignedSums, Exponents};
use crate::float_sums::{ExactSums, Panel, TILE, Tile, Values, exact};
use crate::{Arithmetic, ArrayError, Code, Random, Words};
use binade_spec::{Operation, Summation, Unit};
use rayon::prelude::*;

/// The product of two matrices and a sum with a third one, each element as a unit `dot` with as many lanes as there are products would give it.
///
/// Exact sums, and sums that are cut off below the largest exponent, are computed in binary64 where that is exact, and then rounded by the
/// golden model; the golden model evaluates all other elements.
pub struct MatrixProduct {
    arithmetic: Arithmetic,
    fast: Option<Fast>,
}

/// Sums in binary64.
struct Fast {
    /// The values of the codes of both factors and of the addend.
    values: [Values; 3],
    /// How sums are cut off, if they are not exact.
    aligned: Option<AlignedSums>,
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
        let aligned = AlignedSums::of(operation);
        let is_fast = operation.summation() == Summation::Exact || aligned.is_some();
        let values = || [a, b, operation.result].map(|format| Values::of(&format));
        let fast = (is_fast && operation.random_bits() == 0).then(|| Fast { values: values(), aligned });
        Ok(MatrixProduct { arithmetic, fast })
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
        let left: Vec<usize> = match &self.fast {
            Some(fast) => self.evaluate_in_binary64(fast, matrices, results),
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

    /// Evaluates the elements whose sums binary64 holds, and returns the others.
    fn evaluate_in_binary64<Y: Code>(&self, fast: &Fast, matrices: Matrices, results: &mut [Y]) -> Vec<usize> {
        let products = self.products();
        let [of_a, of_b, of_c] = &fast.values;
        let rows: Vec<f64> = (0..matrices.a.len()).into_par_iter().map(|at| of_a.value(matrices.a.word(at))).collect();
        let panels = panels(of_b, matrices, products);
        match &fast.aligned {
            None => {
                let sums = ExactSums::new(&rows, products, &panels);
                self.in_tiles(of_c, matrices, (&rows, &panels), results, |tile| sums.sums(tile))
            }
            Some(aligned) => {
                let of_rows: Vec<f32> = rows.par_iter().map(|&value| aligned.exponent_of_factor(0, value)).collect();
                let of_panel = |panel: &Panel| -> Exponents {
                    panel.iter().map(|row| row.map(|value| aligned.exponent_of_factor(1, value))).collect()
                };
                let of_panels: Vec<Exponents> = panels.par_iter().map(of_panel).collect();
                self.in_tiles(of_c, matrices, (&rows, &panels), results, |tile| {
                    let [row, column] = tile.first;
                    aligned.sums(tile, lines(&of_rows, products, row), &of_panels[column / TILE])
                })
            }
        }
    }

    /// Evaluates all elements, tile by tile, with their exact sums before the last rounding. Returns the elements that have none.
    fn in_tiles<Y: Code>(
        &self,
        of_c: &Values,
        matrices: Matrices,
        (rows, panels): (&[f64], &[Panel]),
        results: &mut [Y],
        sums: impl Fn(&Tile) -> [[Option<f64>; TILE]; TILE] + Sync,
    ) -> Vec<usize> {
        let (products, columns) = (self.products(), matrices.columns);
        let evaluate = |(tile, results): (usize, &mut [Y])| -> Vec<usize> {
            let first_row = tile * TILE;
            let rows_here = results.len() / columns;
            let mut left = vec![];
            for (at, panel) in panels.iter().enumerate() {
                let first = [first_row, at * TILE];
                let place = |row: usize, column: usize| {
                    let is_inside = at * TILE + column < columns && row < rows_here;
                    is_inside.then(|| row * columns + at * TILE + column)
                };
                let addend = |row: usize, column: usize| {
                    place(row, column).map_or(0.0, |at| of_c.value(matrices.c.word(first_row * columns + at)))
                };
                let addends = std::array::from_fn(|row| std::array::from_fn(|column| addend(row, column)));
                let sums = sums(&Tile { first, rows: lines(rows, products, first_row), panel, addends });
                for (row, column) in (0..TILE).flat_map(|row| (0..TILE).map(move |column| (row, column))) {
                    let Some(place) = place(row, column) else { continue };
                    match sums[row][column] {
                        Some(sum) => results[place] = Y::of(self.arithmetic.model().rounded(exact(sum), 0)),
                        None => left.push(first_row * columns + place),
                    }
                }
            }
            left
        };
        results.par_chunks_mut(TILE * columns).enumerate().flat_map_iter(evaluate).collect()
    }
}

/// `TILE` lines of a matrix from one on. The last one stands for those beyond it.
fn lines<T>(matrix: &[T], length: usize, first: usize) -> [&[T]; TILE] {
    let last = matrix.len() / length - 1;
    std::array::from_fn(|line| &matrix[(first + line).min(last) * length..][..length])
}

/// The values of `b`, `TILE` columns each.
fn panels(values: &Values, matrices: Matrices, products: usize) -> Vec<Panel> {
    let Matrices { b, columns, .. } = matrices;
    let value = |row: usize, column: usize| match column {
        column if column < columns => values.value(b.word(row * columns + column)),
        _ => 0.0,
    };
    let panel = |first: usize| -> Panel {
        (0..products).map(|row| std::array::from_fn(|column| value(row, first * TILE + column))).collect()
    };
    (0..columns.div_ceil(TILE)).into_par_iter().map(panel).collect()
}
