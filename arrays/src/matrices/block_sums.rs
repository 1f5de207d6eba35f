//! Sums of blocks of products, each of which is added to the sum so far, as in matrix units of GPUs: every step is exact in binary64, or is
//! the rounding that the sum asks for.

use super::ranges::{Range, Ranges};
use super::rounded::Rounded;
use super::terms::{Binary64, Cut, Exponents, Integers, Terms, cut_off};
use super::tiles::{LANES, Lanes, Panel, ROWS, Sheet, Sums, Tile, each, each_row, lines, rows_apart};
use super::values::exponent;
use binade_spec::{Alignment, Grouping, Operation, Overflow, Products, Rounding, Summation};
use multiversion::multiversion;
use rayon::prelude::*;

/// How the products of a block, and the sum so far, are added.
trait Step: Sync {
    /// Whether products are cut off below the largest exponent of products alone. Then a product that has no bits there is whole.
    const IS_OF_PRODUCTS: bool;

    /// The sums after a block; NaN where a sum is neither 0 nor a normal number of the result's format, or the sign of 0 is not known.
    fn next<T: Terms>(&self, terms: &T, rows: Rows<T>, columns: &[T::Factors], sums: Sheet<f64>) -> Sheet<f64>;
}

/// The factors of the rows of a tile.
type Rows<'a, T> = [&'a [<T as Terms>::Factor]; ROWS];

/// The sums of an operation, block by block.
pub struct Blocks {
    block: usize,
    factors: [Exponents; 2],
    terms: AnyTerms,
    step: AnyStep,
}

enum AnyTerms {
    Integers(Integers),
    Binary64(Binary64),
}

enum AnyStep {
    TowardZero(Aligned<false>),
    Nearest(Aligned<true>),
    Bulk(Bulk),
    Grouped(Grouped),
}

impl Blocks {
    /// `None` for other sums, and for formats that take more bits.
    pub fn of(operation: &Operation) -> Option<Blocks> {
        let (step, fraction_bits) = AnyStep::of(operation)?;
        let factors = operation.factors();
        let both = [&factors[0], &factors[1]];
        let are_floats = both.iter().all(|format| format.float().is_some());
        let terms = match Integers::of(both, fraction_bits) {
            Some(integers) => AnyTerms::Integers(integers),
            None => AnyTerms::Binary64(Binary64::of(both, fraction_bits, operation.block())?),
        };
        let factors = both.map(Exponents::of);
        are_floats.then(|| Blocks { block: operation.block() as usize, factors, terms, step })
    }

    /// The sums of products of these rows and panels.
    pub fn sums<'a>(&'a self, rows: &[f64], products: usize, panels: &[Panel]) -> Box<dyn Sums + 'a> {
        let order = self.step.order(products, self.block);
        match &self.terms {
            AnyTerms::Integers(terms) => self.by(terms, rows, &order, panels),
            AnyTerms::Binary64(terms) => self.by(terms, rows, &order, panels),
        }
    }

    fn by<'a, T: Terms>(&'a self, terms: &'a T, rows: &[f64], order: &[usize], panels: &[Panel]) -> Box<dyn Sums + 'a> {
        match &self.step {
            AnyStep::TowardZero(step) => Box::new(BlockSums::new(self, step, terms, rows, order, panels)),
            AnyStep::Nearest(step) => Box::new(BlockSums::new(self, step, terms, rows, order, panels)),
            AnyStep::Bulk(step) => Box::new(BlockSums::new(self, step, terms, rows, order, panels)),
            AnyStep::Grouped(step) => Box::new(BlockSums::new(self, step, terms, rows, order, panels)),
        }
    }
}

impl AnyStep {
    /// The step of an operation, and the fraction bits below the largest exponent that are kept of a product.
    fn of(operation: &Operation) -> Option<(AnyStep, u32)> {
        let result = *operation.result.float()?;
        let rounded = || Rounded::of(&result, result.trailing_bits, operation.rounding);
        let of_result = Exponents::of(&operation.result);
        match operation.settings::<Products>().summation {
            Summation::Aligned(alignment) => {
                let step = match operation.rounding {
                    Rounding::Rtz => AnyStep::TowardZero(Aligned::of(operation, alignment)?),
                    Rounding::Rne => AnyStep::Nearest(Aligned::of(operation, alignment)?),
                    _ => return None,
                };
                Some((step, alignment.fraction_bits))
            }
            Summation::Bulk => {
                let guard_bits = operation.block().next_power_of_two().ilog2();
                Some((AnyStep::Bulk(Bulk { rounded: rounded()? }), result.trailing_bits + guard_bits))
            }
            summation @ (Summation::Grouped | Summation::Interleaved) => {
                let grouping = Grouping::of(&result, summation == Summation::Interleaved);
                let step = Grouped { grouping, of_result, rounded: rounded()? };
                Some((AnyStep::Grouped(step), grouping.fraction_bits))
            }
            Summation::Exact | Summation::Chain | Summation::Tree | Summation::Blocks | Summation::Flushed => None,
        }
    }

    /// The order in which products are taken: in each block those of even lanes first, if they are a group.
    fn order(&self, products: usize, block: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..products).collect();
        if matches!(self, AnyStep::Grouped(Grouped { grouping: Grouping { is_interleaved: true, .. }, .. })) {
            order.chunks_mut(block).for_each(|block| {
                let first = block[0];
                block.sort_by_key(|product| (product - first) % 2);
            });
        }
        order
    }
}

/// The factors of a product of matrices, and how their products are added.
struct BlockSums<'a, S, T: Terms> {
    step: &'a S,
    terms: &'a T,
    block: usize,
    products: usize,
    rows: Vec<T::Factor>,
    panels: Vec<Vec<T::Factors>>,
    ranges: Ranges,
    exponents: [Exponents; 2],
}

impl<'a, S: Step, T: Terms> BlockSums<'a, S, T> {
    fn new(blocks: &Blocks, step: &'a S, terms: &'a T, rows: &[f64], order: &[usize], panels: &[Panel]) -> Self {
        let [of_rows, of_columns] = blocks.factors;
        let products = order.len();
        let of_row = |value: f64| terms.of_row(value, of_rows.exponent(value));
        let of_columns = |row: Lanes<f64>| terms.of_columns(row, row.map(|value| of_columns.exponent(value)));
        BlockSums {
            step,
            terms,
            block: blocks.block,
            products,
            rows: rows.par_chunks(products).flat_map_iter(|row| order.iter().map(|&at| of_row(row[at]))).collect(),
            panels: panels.par_iter().map(|panel| order.iter().map(|&at| of_columns(panel[at])).collect()).collect(),
            ranges: Ranges::of(rows, products, panels),
            exponents: blocks.factors,
        }
    }

    /// Whether no product of a tile has bits that are cut off.
    fn are_whole(&self, tile: &Tile) -> bool {
        let most_bits = |ranges: &[Range], exponents: Exponents| {
            let bits = ranges.iter().map(|range| exponents.exponent(range.largest) - exponent(range.unit));
            bits.max().unwrap_or(0)
        };
        let rows: [Range; ROWS] = std::array::from_fn(|row| self.ranges.row(tile.row + row));
        let columns = &self.ranges.columns[tile.panel];
        most_bits(&rows, self.exponents[0]) + most_bits(columns, self.exponents[1]) <= self.terms.fraction_bits()
    }
}

impl<S: Step, T: Terms> Sums for BlockSums<'_, S, T> {
    fn of(&self, tile: &Tile) -> Sheet<f64> {
        let (panel, rows) = (&self.panels[tile.panel], lines(&self.rows, self.products, tile.row));
        let terms = if S::IS_OF_PRODUCTS && self.are_whole(tile) { self.terms.whole() } else { *self.terms };
        let sums = sums(self.step, &terms, self.block, rows, panel, tile.addends);
        each_row(|row| {
            let has_nan = self.ranges.row(tile.row + row).largest.is_nan();
            let columns = &self.ranges.columns[tile.panel];
            each(|at| if has_nan || columns[at].largest.is_nan() { f64::NAN } else { sums[row][at] })
        })
    }
}

/// The sums of the products of rows with the columns of a panel, block after block.
#[multiversion(targets("x86_64+avx2"))]
fn sums<S: Step, T: Terms>(
    step: &S,
    terms: &T,
    block: usize,
    rows: Rows<T>,
    columns: &[T::Factors],
    addends: Sheet<f64>,
) -> Sheet<f64> {
    let mut sums = addends;
    for (at, columns) in columns.chunks(block).enumerate() {
        let rows = rows.map(|row| &row[at * block..][..columns.len()]);
        sums = step.next(terms, rows, columns, sums);
    }
    sums
}

/// All terms, the sum so far among them, are cut off below the largest exponent. Their sum is rounded to nearest, or toward zero.
struct Aligned<const NEAREST: bool> {
    fraction_bits: i32,
    floor: Option<i32>,
    of_result: Exponents,
    rounded: Rounded,
}

impl<const NEAREST: bool> Step for Aligned<NEAREST> {
    const IS_OF_PRODUCTS: bool = false;

    #[inline(always)]
    fn next<T: Terms>(&self, terms: &T, rows: Rows<T>, columns: &[T::Factors], sums: Sheet<f64>) -> Sheet<f64> {
        let of_products = T::largest(rows, columns);
        let floor = self.floor.unwrap_or(i32::MIN);
        let mut largest = [[0; LANES]; ROWS];
        for row in rows_apart() {
            let of_sums = each(|at| self.of_result.exponent(sums[row][at]));
            largest[row] = each(|at| of_products[row][at].max(of_sums[at]).max(floor));
        }
        let mut totals = terms.sums::<false>(rows, columns, &largest);
        for row in rows_apart() {
            totals[row] = self.sums(totals[row], largest[row], sums[row]);
        }
        totals
    }
}

impl<const NEAREST: bool> Aligned<NEAREST> {
    fn of(operation: &Operation, alignment: Alignment) -> Option<Self> {
        let float = operation.result.float()?;
        let bits = alignment.result_bits.unwrap_or(float.trailing_bits);
        let rounded = Rounded::of(float, bits, operation.rounding)?;
        let (fraction_bits, floor) = (alignment.fraction_bits as i32, alignment.floor);
        let of_result = Exponents::of(&operation.result);
        (operation.overflow == Overflow::Inf).then_some(Aligned { fraction_bits, floor, of_result, rounded })
    }

    /// The sums after a block with these sums of products.
    #[inline(always)]
    fn sums(&self, products: Lanes<f64>, largest: Lanes<i32>, sums: Lanes<f64>) -> Lanes<f64> {
        let kept = each(|at| cut_off(sums[at], largest[at] - self.fraction_bits));
        let totals = each(|at| products[at] + kept[at]);
        // A sum of zero is +0 if one of its terms is +0, or not 0; otherwise its sign is that of all terms.
        let has_term = each(|at| (totals[at].abs() + kept[at].abs() != 0.0) | (sums[at].to_bits() == 0));
        let totals = each(|at| if has_term[at] { totals[at] } else { f64::NAN });
        each(|at| if NEAREST { self.rounded.nearest(totals[at]) } else { self.rounded.toward_zero(totals[at]) })
    }
}

/// The products are rounded to odd below their largest exponent, and so are their sum, and its sum with the sum so far.
struct Bulk {
    rounded: Rounded,
}

impl Step for Bulk {
    const IS_OF_PRODUCTS: bool = true;

    #[inline(always)]
    fn next<T: Terms>(&self, terms: &T, rows: Rows<T>, columns: &[T::Factors], sums: Sheet<f64>) -> Sheet<f64> {
        let mut totals = terms.sums::<true>(rows, columns, &T::largest(rows, columns));
        for row in rows_apart() {
            let products = each(|at| self.rounded.to_odd(totals[row][at]));
            totals[row] = each(|at| self.rounded.to_odd(sum_to_odd(products[at], sums[row][at])));
        }
        totals
    }
}

/// The sum of two numbers, rounded to odd.
#[inline(always)]
fn sum_to_odd(x: f64, y: f64) -> f64 {
    let nearest = x + y;
    let of_y = nearest - x;
    let error = (x - (nearest - of_y)) + (y - of_y);
    let is_beyond = (error != 0.0) & ((error < 0.0) == (nearest > 0.0));
    f64::from_bits((nearest.to_bits() - u64::from(is_beyond)) | u64::from(error != 0.0))
}

/// The products of one or two groups are cut off below the largest exponent of each, and their sums are rounded down.
struct Grouped {
    grouping: Grouping,
    of_result: Exponents,
    rounded: Rounded,
}

impl Step for Grouped {
    const IS_OF_PRODUCTS: bool = true;

    #[inline(always)]
    fn next<T: Terms>(&self, terms: &T, rows: Rows<T>, columns: &[T::Factors], sums: Sheet<f64>) -> Sheet<f64> {
        let half = if self.grouping.is_interleaved { columns.len().div_ceil(2) } else { columns.len() };
        let groups = [rows.map(|row| row.split_at(half).0), rows.map(|row| row.split_at(half).1)];
        let (of_first, of_second) = columns.split_at(half);
        let largest = [T::largest(groups[0], of_first), T::largest(groups[1], of_second)];
        let mut totals = terms.sums::<false>(groups[0], of_first, &largest[0]);
        let second = terms.sums::<false>(groups[1], of_second, &largest[1]);
        for row in rows_apart() {
            totals[row] = self.sums([totals[row], second[row]], [largest[0][row], largest[1][row]], sums[row]);
        }
        totals
    }
}

impl Grouped {
    /// The sums after a block, whose groups have these sums and largest exponents.
    #[inline(always)]
    fn sums(&self, groups: [Lanes<f64>; 2], largest: [Lanes<i32>; 2], sums: Lanes<f64>) -> Lanes<f64> {
        let Grouping { floor, limit, is_interleaved, .. } = self.grouping;
        let [fraction_bits, sum_bits] = [self.grouping.fraction_bits, self.grouping.sum_bits].map(|bits| bits as i32);
        let of_products = each(|at| largest[0][at].max(largest[1][at]));
        let of_sums = each(|at| self.of_result.exponent(sums[at]));
        let largest = each(|at| of_products[at].max(of_sums[at]).max(floor));
        let products = each(|at| {
            let cut = Cut::at(of_products[at] - fraction_bits);
            Cut::at(largest[at] - sum_bits).down(cut.down(groups[0][at]) + cut.down(groups[1][at]))
        });
        let kept = each(|at| {
            let is_dropped = is_interleaved & (of_sums[at] < largest[at] - fraction_bits - 1);
            if is_dropped { 0.0 } else { Cut::at(largest[at] - fraction_bits).down(sums[at]) }
        });
        // A product is less than 4 units of its exponent, and infinite beyond the limit.
        let totals = each(|at| if of_products[at] >= limit - 1 { f64::NAN } else { products[at] + kept[at] });
        each(|at| self.rounded.nearest(totals[at]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_two_numbers_are_rounded_to_odd() {
        let [tiny, next] = [2.0_f64.powi(-100), 1.0 + f64::EPSILON];
        assert_eq!(sum_to_odd(1.0, tiny), next);
        assert_eq!(sum_to_odd(tiny, 1.0), next);
        assert_eq!(sum_to_odd(1.0, -tiny), 1.0 - f64::EPSILON / 2.0);
        assert_eq!(sum_to_odd(-1.0, tiny), -1.0 + f64::EPSILON / 2.0);
        assert_eq!(sum_to_odd(-1.0, -tiny), -next);
        assert_eq!(sum_to_odd(next, tiny), next);
        assert_eq!(sum_to_odd(1.5, 2.25), 3.75);
        assert_eq!(sum_to_odd(1.5, -1.5), 0.0);
    }
}
