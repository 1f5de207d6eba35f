//! The spread of a figure over several seeds.

use std::fmt;

/// The spread of a figure over several seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The smallest.
    pub least: f64,
    /// The median.
    pub middle: f64,
    /// The largest.
    pub most: f64,
}

impl Spread {
    pub(crate) fn of(numbers: impl Iterator<Item = f64>) -> Spread {
        let mut all: Vec<f64> = numbers.collect();
        all.sort_by(f64::total_cmp);
        Spread { least: all[0], middle: all[all.len() / 2], most: all[all.len() - 1] }
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} ({:.3} to {:.3})", self.middle, self.least, self.most)
    }
}
