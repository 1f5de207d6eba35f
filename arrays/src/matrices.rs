//! Products of matrices.
//!
//! | file | what it holds |
//! |---|---|
//! | `values.rs`, `ranges.rs` | the numbers of matrices in binary64, and what is known of those of a row or column |
//! | `tiles.rs` | the tiles in which elements are computed |
//! | `exact_sums.rs` | sums that binary64 holds |
//! | `block_sums.rs`, `terms.rs` | sums of products that are cut off below their largest exponent |
//! | `binary32_sums.rs` | sums of products that are rounded one by one to binary32 |
//! | `rounded.rs` | roundings of binary64 |

mod binary32_sums;
mod block_sums;
mod exact_sums;
mod ranges;
mod rounded;
mod terms;
mod tiles;
mod values;

use crate::{Arithmetic, ArrayError, Code, Random, Words};
use binade_spec::{Operation, Products, Rounding, Summation, Unit};
use binary32_sums::Binary32;
use block_sums::Blocks;
use exact_sums::ExactSums;
use rayon::prelude::*;
use rounded::Rounded;
use tiles::{LANES, Panel, ROWS, Sums, Tile};
use values::{Values, exact};

/// The product of two matrices and a sum with a third one, each element as a unit `dot` with as many lanes as there are products would give it.
///
/// Sums are computed in the machine's numbers where these give the same bits: exact ones, and those of matrix units of GPUs. The golden model
/// evaluates all other elements.
pub struct MatrixProduct {
    arithmetic: Arithmetic,
    fast: Option<Fast>,
}

/// Sums in the machine's numbers.
struct Fast {
    /// The values of the codes of both factors and of the addend.
    values: [Values; 3],
    way: Way,
    /// The last rounding, if binary64 does it.
    rounded: Option<Rounded>,
}

/// How sums are computed.
enum Way {
    Exact,
    Blocks(Blocks),
    Binary32(Binary32),
}

impl Way {
    /// `None` if the golden model evaluates each element.
    fn of(operation: &Operation) -> Option<Way> {
        match operation.settings::<Products>().summation {
            _ if operation.random_bits() > 0 => None,
            Summation::Exact => Some(Way::Exact),
            Summation::Chain | Summation::Flushed => Binary32::of(operation).map(Way::Binary32),
            _ => Blocks::of(operation).map(Way::Blocks),
        }
    }
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
        let values = || [a, b, operation.result].map(|format| Values::of(&format));
        let float = operation.result.float();
        let rounded = || float.and_then(|float| Rounded::of(float, float.trailing_bits, operation.rounding));
        let fast = Way::of(operation).map(|way| Fast { values: values(), way, rounded: rounded() });
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
            Some(fast) => self.evaluate_fast(fast, matrices, results),
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

    /// Evaluates the elements whose sums the machine's numbers give, and returns the others.
    fn evaluate_fast<Y: Code>(&self, fast: &Fast, matrices: Matrices, results: &mut [Y]) -> Vec<usize> {
        let products = self.products();
        let [of_a, of_b, _] = &fast.values;
        let rows: Vec<f64> = (0..matrices.a.len()).into_par_iter().map(|at| of_a.value(matrices.a.word(at))).collect();
        let panels = panels(of_b, matrices, products);
        let rounds_down = self.operation().rounding == Rounding::Rdn;
        let sums: Box<dyn Sums> = match &fast.way {
            Way::Exact => Box::new(ExactSums::new(&rows, products, &panels, rounds_down)),
            Way::Blocks(blocks) => blocks.sums(&rows, products, &panels),
            Way::Binary32(order) => order.sums(&rows, products, &panels),
        };
        self.in_tiles(fast, matrices, sums.as_ref(), results)
    }

    /// Evaluates all elements, tile by tile. Returns those whose sums are not known.
    fn in_tiles<Y: Code>(&self, fast: &Fast, matrices: Matrices, sums: &dyn Sums, results: &mut [Y]) -> Vec<usize> {
        let columns = matrices.columns;
        let of_c = &fast.values[2];
        let evaluate = |(tile, results): (usize, &mut [Y])| -> Vec<usize> {
            let first_row = tile * ROWS;
            let rows_here = results.len() / columns;
            let mut left = vec![];
            for panel in 0..columns.div_ceil(LANES) {
                let place = |row: usize, lane: usize| {
                    let column = panel * LANES + lane;
                    (column < columns && row < rows_here).then_some(row * columns + column)
                };
                let addend = |row: usize, lane: usize| {
                    place(row, lane).map_or(0.0, |at| of_c.value(matrices.c.word(first_row * columns + at)))
                };
                let addends = std::array::from_fn(|row| std::array::from_fn(|lane| addend(row, lane)));
                let sums = sums.of(&Tile { row: first_row, panel, addends });
                for (row, lane) in (0..ROWS).flat_map(|row| (0..LANES).map(move |lane| (row, lane))) {
                    let Some(place) = place(row, lane) else { continue };
                    match sums[row][lane] {
                        sum if sum.is_nan() => left.push(first_row * columns + place),
                        sum => results[place] = Y::of(self.code(fast, sum)),
                    }
                }
            }
            left
        };
        results.par_chunks_mut(ROWS * columns).enumerate().flat_map_iter(evaluate).collect()
    }

    /// The code of a sum.
    #[inline(always)]
    fn code(&self, fast: &Fast, sum: f64) -> u64 {
        let code = fast.rounded.as_ref().and_then(|rounded| rounded.code(sum));
        code.unwrap_or_else(|| self.arithmetic.model().rounded(exact(sum), 0))
    }
}

/// The values of `b`, `LANES` columns each.
fn panels(values: &Values, matrices: Matrices, products: usize) -> Vec<Panel> {
    let Matrices { b, columns, .. } = matrices;
    let value = |row: usize, column: usize| match column {
        column if column < columns => values.value(b.word(row * columns + column)),
        _ => 0.0,
    };
    let panel = |first: usize| -> Panel {
        (0..products).map(|row| std::array::from_fn(|column| value(row, first * LANES + column))).collect()
    };
    (0..columns.div_ceil(LANES)).into_par_iter().map(panel).collect()
}
