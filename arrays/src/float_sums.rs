//! Sums of products in binary64, which are exact where every partial sum is an integer of up to 53 bits in units of one power of two.
//!
//! The values of a row are multiples of its *unit*, a power of two, and so are those of a column. Then all products of a row and a column
//! are multiples of the product of both units, and the sum of their magnitudes is at most the number of products times both largest
//! magnitudes. If that is at most 2^53 such units, no addition in binary64 rounds, in any order.

use binade_golden::{Codec, Exact, Value};
use binade_spec::Format;
use multiversion::multiversion;
use rayon::prelude::*;

/// The values of a format's codes in binary64.
pub struct Values {
    format: Format,
    /// The values of all codes, if they are few.
    listed: Vec<f64>,
}

/// The widest codes whose values are listed.
const MOST_LISTED_BITS: u32 = 16;

impl Values {
    /// The values of a format.
    pub fn of(format: &Format) -> Values {
        let count = if format.width() <= MOST_LISTED_BITS { 1_u64 << format.width() } else { 0 };
        let value = |code: u64| binary64(format.decode(code.into()));
        Values { format: *format, listed: (0..count).map(value).collect() }
    }

    /// The value of a code; NaN if it is not finite, or none of binary64.
    #[inline(always)]
    pub fn value(&self, code: u64) -> f64 {
        match self.listed.get(code as usize) {
            Some(value) => *value,
            None => binary64(self.format.decode(code.into())),
        }
    }
}

/// The number in binary64, if it is 0 or a normal number there, far from both ends of the range; else NaN.
fn binary64(value: Value) -> f64 {
    match value {
        Value::Zero { .. } => 0.0,
        Value::Finite(Exact { negative, n, k }) if n < 1 << 53 && k.abs() < 400 => {
            let magnitude = n as f64 * power_of_two(k);
            if negative { -magnitude } else { magnitude }
        }
        Value::Finite(_) | Value::Infinite { .. } | Value::Nan => f64::NAN,
    }
}

/// The exact value of a number of binary64 that is neither 0, infinite nor NaN.
pub fn exact(number: f64) -> Value {
    let bits = number.to_bits();
    let field = (bits >> 52 & 0x7ff) as i32;
    let n = bits & ((1 << 52) - 1) | u64::from(field != 0) << 52;
    Value::Finite(Exact { negative: number < 0.0, n: n.into(), k: field.max(1) - 1075 })
}

/// What is known of the values of a row or a column.
#[derive(Clone, Copy)]
struct Range {
    /// The largest magnitude; NaN if one of the values is.
    largest: f64,
    /// The exponent of the unit; `i32::MAX` if all values are 0.
    unit: i32,
}

impl Range {
    /// The range of some values.
    fn of(values: impl Iterator<Item = f64>) -> Range {
        values.fold(Range { largest: 0.0, unit: i32::MAX }, |range, value| Range {
            // A comparison with NaN is false, and NaN stays.
            largest: if value.abs() <= range.largest || range.largest.is_nan() { range.largest } else { value.abs() },
            unit: range.unit.min(unit(value)),
        })
    }

    /// Whether the sum of `count` products of values of two ranges, and of one value of a third, is exact in binary64.
    fn is_exact(count: usize, [a, b]: [Range; 2], addend: f64) -> bool {
        let unit = a.unit.saturating_add(b.unit).min(unit(addend));
        let most = count as f64 * (a.largest * b.largest) + addend.abs();
        // The estimate itself may be rounded, so one bit is left. A comparison with NaN is false.
        unit == i32::MAX || most <= power_of_two(52 + unit)
    }
}

/// The exponent of a value's last 1; `i32::MAX` for 0.
fn unit(value: f64) -> i32 {
    match exact(value) {
        _ if value == 0.0 => i32::MAX,
        Value::Finite(Exact { n, k, .. }) => k + n.trailing_zeros() as i32,
        _ => unreachable!("a number other than zero is finite"),
    }
}

/// floor(log2) of the magnitude of a normal number of binary64.
#[inline(always)]
pub fn exponent(number: f64) -> i32 {
    (number.to_bits() >> 52 & 0x7ff) as i32 - 1023
}

/// `2^exponent`, infinite or 0 beyond the range of normal numbers.
#[inline(always)]
pub fn power_of_two(exponent: i32) -> f64 {
    match exponent {
        -1022..=1023 => f64::from_bits(((exponent + 1023) as u64) << 52),
        1024.. => f64::INFINITY,
        _ => 0.0,
    }
}

/// Rows, and columns, whose products are computed together.
pub const TILE: usize = 4;

/// The values of `TILE` columns, row by row.
pub type Panel = Vec<[f64; TILE]>;

/// Some rows and columns, whose products give `TILE` times `TILE` elements. Columns beyond the matrix are zeros, rows beyond it the last one.
pub struct Tile<'a> {
    /// The numbers of the first row, and of the first column.
    pub first: [usize; 2],
    /// The values of each row.
    pub rows: [&'a [f64]; TILE],
    /// The values of the columns.
    pub panel: &'a [[f64; TILE]],
    /// The values that are added to the products.
    pub addends: [[f64; TILE]; TILE],
}

/// Exact sums, with what is known of rows and columns.
pub struct ExactSums {
    rows: Vec<Range>,
    columns: Vec<Range>,
}

impl ExactSums {
    /// The sums of products of these rows and panels.
    pub fn new(rows: &[f64], products: usize, panels: &[Panel]) -> ExactSums {
        let of_row = |row: &[f64]| Range::of(row.iter().copied());
        let of_column = |panel: &Panel, column: usize| Range::of(panel.iter().map(|row| row[column]));
        ExactSums {
            rows: rows.par_chunks(products).map(of_row).collect(),
            columns: panels
                .par_iter()
                .flat_map_iter(|panel| (0..TILE).map(move |column| of_column(panel, column)))
                .collect(),
        }
    }

    /// The sums of a tile; `None` where binary64 may have rounded, and where a sum is 0, whose sign depends on those of all terms.
    pub fn sums(&self, tile: &Tile) -> [[Option<f64>; TILE]; TILE] {
        let sums = sums(tile.rows, tile.panel);
        let element = |row: usize, column: usize| {
            let [first_row, first_column] = tile.first;
            let last = self.rows.len() - 1;
            let ranges = [self.rows[(first_row + row).min(last)], self.columns[first_column + column]];
            let addend = tile.addends[row][column];
            let total = sums[row][column] + addend;
            (Range::is_exact(tile.panel.len(), ranges, addend) && total != 0.0).then_some(total)
        };
        std::array::from_fn(|row| std::array::from_fn(|column| element(row, column)))
    }
}

/// The sums of products of some rows with the columns of a panel. All terms are sums in binary64, from first to last.
#[multiversion(targets("x86_64+avx2"))]
fn sums(rows: [&[f64]; TILE], panel: &[[f64; TILE]]) -> [[f64; TILE]; TILE] {
    let mut sums = [[0.0; TILE]; TILE];
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
    fn ranges_of_values() {
        let range = Range::of([0.0, -6.0, 1.5].into_iter());
        assert_eq!((range.largest, range.unit), (6.0, -1));
        let none = Range::of([0.0, -0.0].into_iter());
        assert_eq!((none.largest, none.unit), (0.0, i32::MAX));
        assert!(Range::of([1.0, f64::NAN, 2.0].into_iter()).largest.is_nan());
    }

    #[test]
    fn sums_are_exact_within_53_bits() {
        let range = |largest, unit| Range { largest, unit };
        let of_e4m3fn = range(448.0, -9);
        assert!(Range::is_exact(1 << 16, [of_e4m3fn; 2], 0.0));
        assert!(!Range::is_exact(1 << 18, [of_e4m3fn; 2], 0.0));
        assert!(Range::is_exact(1, [range(1.0, 0); 2], power_of_two(51)));
        assert!(!Range::is_exact(1, [range(1.0, 0); 2], power_of_two(53)));
        assert!(!Range::is_exact(1, [range(1.0, 0); 2], power_of_two(-53)));
        assert!(!Range::is_exact(1, [range(f64::NAN, 0), range(1.0, 0)], 0.0));
        assert!(!Range::is_exact(1, [range(1.0, 0); 2], f64::NAN));
        assert!(Range::is_exact(9, [range(0.0, i32::MAX), range(1.0, 0)], 0.0));
    }

    #[test]
    fn numbers_are_taken_apart() {
        for number in [1.0, -3.0, 5e-324, f64::MAX, 2.0_f64.powi(-1022)] {
            let Value::Finite(Exact { negative, n, k }) = exact(number) else { panic!("{number} is finite") };
            let sign = if negative { -1.0 } else { 1.0 };
            assert_eq!(sign * n as f64 * 2.0_f64.powi(k / 2) * 2.0_f64.powi(k - k / 2), number);
        }
    }
}
