//! What is known of the numbers of rows and columns.

use super::tiles::{LANES, Lanes, Panel, each};
use rayon::prelude::*;

/// The ranges of the rows and columns of two matrices.
pub struct Ranges {
    rows: Vec<Range>,
    /// Those of the columns of each panel.
    pub columns: Vec<Lanes<Range>>,
}

impl Ranges {
    /// The ranges of these rows and panels.
    pub fn of(rows: &[f64], products: usize, panels: &[Panel]) -> Ranges {
        let of_row = |row: &[f64]| {
            let (lanes, rest) = row.as_chunks::<LANES>();
            let ranges =
                Range::of_lanes(lanes).into_iter().chain(rest.iter().map(|value| Range::default().and(*value)));
            ranges.fold(Range::default(), Range::joined)
        };
        Ranges {
            rows: rows.par_chunks(products).map(of_row).collect(),
            columns: panels.par_iter().map(|panel| Range::of_lanes(panel)).collect(),
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
    /// The largest power of two of which all values are multiples, infinite if all are 0.
    pub unit: f64,
}

/// The range of zeros.
impl Default for Range {
    fn default() -> Range {
        Range { largest: 0.0, unit: f64::INFINITY }
    }
}

impl Range {
    /// The ranges of the values in each lane.
    fn of_lanes(values: &[Lanes<f64>]) -> Lanes<Range> {
        let mut ranges = [Range::default(); LANES];
        for values in values {
            ranges = each(|at| ranges[at].and(values[at]));
        }
        ranges
    }

    /// The range of these values and another one.
    #[inline(always)]
    fn and(self, value: f64) -> Range {
        self.joined(Range { largest: value.abs(), unit: unit(value) })
    }

    /// The range of the values of two ranges. The code of NaN is larger than that of each number.
    #[inline(always)]
    fn joined(self, other: Range) -> Range {
        let largest = self.largest.to_bits().max(other.largest.to_bits());
        let unit = if other.unit < self.unit { other.unit } else { self.unit };
        Range { largest: f64::from_bits(largest), unit }
    }
}

/// The power of two of a normal number's last 1, infinite for 0.
#[inline(always)]
pub fn unit(value: f64) -> f64 {
    let magnitude = value.abs().to_bits();
    let without_last = f64::from_bits(magnitude & magnitude.wrapping_sub(1));
    let is_power_of_two = magnitude << 12 == 0;
    let unit = if is_power_of_two { value.abs() } else { value.abs() - without_last };
    if magnitude == 0 { f64::INFINITY } else { unit }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(values: &[f64]) -> Range {
        Ranges::of(values, values.len(), &[]).row(0)
    }

    #[test]
    fn ranges_of_values() {
        let of_some = range(&[0.0, -6.0, 1.5]);
        assert_eq!([of_some.largest, of_some.unit], [6.0, 0.5]);
        let of_many: Vec<f64> = (-9..11).map(f64::from).collect();
        assert_eq!([range(&of_many).largest, range(&of_many[2..]).unit], [10.0, 1.0]);
        let none = range(&[0.0, -0.0]);
        assert_eq!([none.largest, none.unit], [0.0, f64::INFINITY]);
        assert!(range(&[1.0, f64::NAN, 2.0]).largest.is_nan());
        assert!(range(&[0.0; 9].map(|zero: f64| zero / zero)).largest.is_nan());
        let columns = Ranges::of(&[1.0], 1, &[vec![[4.0; LANES], [0.5; LANES]]]).columns[0];
        assert_eq!([columns[7].largest, columns[7].unit], [4.0, 0.5]);
    }

    #[test]
    fn units_of_numbers() {
        for (value, wanted) in [(1.0, 1.0), (-6.0, 2.0), (0.75, 0.25), (1.0 + f64::EPSILON, f64::EPSILON), (-0.5, 0.5)]
        {
            assert_eq!(unit(value), wanted, "{value}");
        }
    }
}
