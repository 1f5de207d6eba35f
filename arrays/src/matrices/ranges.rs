//! What is known of the numbers of rows and columns.

use super::tiles::{Lanes, Panel, each};
use super::values::exact;
use binade_golden::{Exact, Value};
use rayon::prelude::*;

/// The ranges of the rows and columns of two matrices.
pub struct Ranges {
    pub rows: Vec<Range>,
    /// Those of the columns of each panel.
    pub columns: Vec<Lanes<Range>>,
}

impl Ranges {
    /// The ranges of these rows and panels.
    pub fn of(rows: &[f64], products: usize, panels: &[Panel]) -> Ranges {
        let of_row = |row: &[f64]| Range::of(row.iter().copied());
        let of_column = |panel: &Panel, column: usize| Range::of(panel.iter().map(|row| row[column]));
        Ranges {
            rows: rows.par_chunks(products).map(of_row).collect(),
            columns: panels.par_iter().map(|panel| each(|column| of_column(panel, column))).collect(),
        }
    }

    /// The range of a row; that of the last one for rows beyond it.
    #[inline(always)]
    pub fn row(&self, row: usize) -> Range {
        self.rows[row.min(self.rows.len() - 1)]
    }
}

/// What is known of the values of a row or a column.
#[derive(Clone, Copy)]
pub struct Range {
    /// The largest magnitude; NaN if one of the values is.
    pub largest: f64,
    /// The exponent of the unit; [`OF_ZERO`] if all values are 0.
    pub unit: i32,
}

/// The exponent of a unit of zeros: above those of all numbers.
pub const OF_ZERO: i32 = 1 << 20;

impl Default for Range {
    fn default() -> Range {
        Range { largest: 0.0, unit: OF_ZERO }
    }
}

impl Range {
    /// The range of some values.
    pub fn of(values: impl Iterator<Item = f64>) -> Range {
        values.fold(Range::default(), |range, value| Range {
            // A comparison with NaN is false, and NaN stays.
            largest: if value.abs() <= range.largest || range.largest.is_nan() { range.largest } else { value.abs() },
            unit: range.unit.min(unit(value)),
        })
    }
}

/// The exponent of a value's last 1; [`OF_ZERO`] for 0.
pub fn unit(value: f64) -> i32 {
    match exact(value) {
        Value::Finite(Exact { n, k, .. }) => k + n.trailing_zeros() as i32,
        _ => OF_ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_values() {
        let range = Range::of([0.0, -6.0, 1.5].into_iter());
        assert_eq!((range.largest, range.unit), (6.0, -1));
        let none = Range::of([0.0, -0.0].into_iter());
        assert_eq!((none.largest, none.unit), (0.0, OF_ZERO));
        assert!(Range::of([1.0, f64::NAN, 2.0].into_iter()).largest.is_nan());
        assert!(Range::of([0.0, f64::NAN, 0.0].into_iter()).largest.is_nan());
    }
}
