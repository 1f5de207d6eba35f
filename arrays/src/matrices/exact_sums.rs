//! Sums of products in binary64, which are exact where every partial sum is an integer of up to 53 bits in units of one power of two.
//!
//! The values of a row are multiples of its *unit*, a power of two, and so are those of a column. Then all products of a row and a column
//! are multiples of the product of both units, and the sum of their magnitudes is at most the number of products times both largest
//! magnitudes. If that is at most 2^53 such units, no addition in binary64 rounds, in any order.

use super::ranges::{Range, Ranges, unit};
use super::tiles::{LANES, Lanes, Panel, ROWS, Sheet, Sums, Tile, lines};
use super::values::power_of_two;
use multiversion::multiversion;

/// Exact sums, with what is known of rows and columns.
pub struct ExactSums<'a> {
    products: usize,
    rows: &'a [f64],
    panels: &'a [Panel],
    ranges: Ranges,
    /// Whether a sum of zero is -0 unless all its terms are +0.
    rounds_down: bool,
}

impl<'a> ExactSums<'a> {
    /// The sums of products of these rows and panels.
    pub fn new(rows: &'a [f64], products: usize, panels: &'a [Panel], rounds_down: bool) -> ExactSums<'a> {
        ExactSums { products, rows, panels, ranges: Ranges::of(rows, products, panels), rounds_down }
    }
}

/// Whether the sum of `count` products of values of two ranges, and of one value of a third, is exact in binary64.
fn is_exact(count: usize, [a, b]: [Range; 2], addend: f64) -> bool {
    let unit = (a.unit * b.unit).min(unit(addend));
    let most = count as f64 * (a.largest * b.largest) + addend.abs();
    // The estimate itself may be rounded, so one bit is left. A comparison with NaN is false.
    most <= power_of_two(52) * unit
}

impl Sums for ExactSums<'_> {
    fn of(&self, tile: &Tile) -> Sheet<f64> {
        let sums = sums(lines(self.rows, self.products, tile.row), &self.panels[tile.panel]);
        let element = |row: usize, column: usize| {
            let ranges = [self.ranges.row(tile.row + row), self.ranges.columns[tile.panel][column]];
            let addend = tile.addends[row][column];
            let total = sums[row][column] + addend;
            let is_known = is_exact(self.products, ranges, addend) && !(total == 0.0 && self.rounds_down);
            if is_known { total } else { f64::NAN }
        };
        std::array::from_fn(|row| std::array::from_fn(|column| element(row, column)))
    }
}

/// The sums of products of some rows with the columns of a panel, from first to last. A sum of zeros is -0 if all products are.
#[multiversion(targets("x86_64+avx2"))]
fn sums(rows: [&[f64]; ROWS], panel: &[Lanes<f64>]) -> Sheet<f64> {
    let mut sums = [[-0.0; LANES]; ROWS];
    let [first, second, third, fourth] = rows.map(|row| &row[..panel.len()]);
    for (at, b) in panel.iter().enumerate() {
        for (sums, a) in sums.iter_mut().zip([first[at], second[at], third[at], fourth[at]]) {
            for (sum, b) in sums.iter_mut().zip(b) {
                *sum += a * b;
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_exact_within_53_bits() {
        let range = |largest, unit| Range { largest, unit };
        let of_e4m3fn = range(448.0, power_of_two(-9));
        assert!(is_exact(1 << 16, [of_e4m3fn; 2], 0.0));
        assert!(!is_exact(1 << 18, [of_e4m3fn; 2], 0.0));
        assert!(is_exact(1, [range(1.0, 1.0); 2], power_of_two(51)));
        assert!(!is_exact(1, [range(1.0, 1.0); 2], power_of_two(53)));
        assert!(!is_exact(1, [range(1.0, 1.0); 2], power_of_two(-53)));
        assert!(!is_exact(1, [range(f64::NAN, 1.0), range(1.0, 1.0)], 0.0));
        assert!(!is_exact(1, [range(f64::NAN, 1.0), Range::default()], 0.0));
        assert!(!is_exact(1, [range(1.0, 1.0); 2], f64::NAN));
        assert!(is_exact(9, [Range::default(), range(1.0, 1.0)], 0.0));
    }
}
