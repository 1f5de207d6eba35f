//! Sums of squares over the whole range of binary64.

use serde::Serialize;

/// log2 of the factor by which small numbers are multiplied, and large ones divided, before they are squared.
const SHIFT: i32 = 700;

/// A sum of squares that neither underflows nor overflows. Squares that binary64 holds, smaller ones and larger ones are summed separately,
/// the latter two scaled (J. L. Blue, A portable Fortran program to find the Euclidean norm of a vector, ACM TOMS 4(1), 1978).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Squares {
    /// The sum for numbers below `2^-511`, times `2^(2 SHIFT)`.
    small: f64,
    middle: f64,
    /// The sum for numbers from `2^486` on, times `2^(-2 SHIFT)`.
    large: f64,
}

impl Squares {
    /// Adds the square of `magnitude * 2^scale`; `scale` must be an exponent of normal numbers.
    pub fn add(&mut self, magnitude: f64, scale: i32) {
        if magnitude == 0.0 {
            return;
        }
        let number = magnitude * power_of_two(scale);
        if number < power_of_two(-511) {
            self.small += (magnitude * power_of_two(scale + SHIFT)).powi(2);
        } else if number < power_of_two(486) {
            self.middle += number * number;
        } else {
            self.large += (magnitude * power_of_two(scale - SHIFT)).powi(2);
        }
    }

    pub(super) fn merge(&mut self, other: &Squares) {
        self.small += other.small;
        self.middle += other.middle;
        self.large += other.large;
    }

    /// The sum times `weight`.
    pub(super) fn times(&self, weight: f64) -> Squares {
        Squares { small: self.small * weight, middle: self.middle * weight, large: self.large * weight }
    }

    /// The sum, as `(f, k)` for `f * 2^k`.
    fn parts(&self) -> (f64, i32) {
        let below = power_of_two(-SHIFT);
        if self.large > 0.0 {
            (self.large + self.middle * below * below, 2 * SHIFT)
        } else if self.middle > 0.0 {
            (self.middle + self.small * below * below, 0)
        } else {
            (self.small, -2 * SHIFT)
        }
    }

    /// log2 of the sum; minus infinity if it is 0.
    pub fn log2(&self) -> f64 {
        let (sum, scale) = self.parts();
        sum.log2() + f64::from(scale)
    }

    /// The sum; 0 or infinite if binary64 cannot hold it.
    pub fn sum(&self) -> f64 {
        let (sum, scale) = self.parts();
        sum * power_of_two(scale / 2) * power_of_two(scale / 2)
    }

    /// Whether it is less than the other.
    pub fn is_below(&self, other: &Squares) -> bool {
        let ((sum, scale), (others, others_scale)) = (self.parts(), other.parts());
        if scale == others_scale { sum < others } else { self.log2() < other.log2() }
    }
}

/// `2^exponent`, which must be a normal number of binary64.
pub(super) fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent.clamp(-1022, 1023) + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(numbers: &[(f64, i32)]) -> Squares {
        let mut squares = Squares::default();
        numbers.iter().for_each(|&(number, scale)| squares.add(number, scale));
        squares
    }

    #[test]
    fn no_square_is_lost() {
        for (number, scale, log2) in [
            (1.0, 0, 0.0),
            (2_f64.powi(-600), 0, -1200.0),
            (2_f64.powi(600), 0, 1200.0),
            (5e-324, 0, -2148.0),
            (2_f64.powi(1023), 0, 2046.0),
            (2_f64.powi(-100), -1022, -2244.0),
            (2_f64.powi(-1000), 1000, 0.0),
            (2_f64.powi(1000), -1000, 0.0),
        ] {
            let squares = of(&[(number, scale), (number, scale), (0.0, scale)]);
            assert_eq!(squares.log2(), log2 + 1.0, "{number:e} 2^{scale}");
        }
        assert_eq!(of(&[(3.0, 0), (1e-200, 0), (4.0, 0)]).sum(), 25.0);
        assert_eq!((of(&[(1e-200, 0)]).sum(), of(&[(1e200, 0)]).sum()), (0.0, f64::INFINITY));
        assert_eq!(of(&[]).log2(), f64::NEG_INFINITY);
    }

    #[test]
    fn sums_are_compared_across_sizes() {
        let ascending =
            [of(&[]), of(&[(1e-200, 0)]), of(&[(2e-200, 0)]), of(&[(1.0, 0)]), of(&[(2.0, 0)]), of(&[(1e200, 0)])];
        for pair in ascending.windows(2) {
            assert!(pair[0].is_below(&pair[1]) && !pair[1].is_below(&pair[0]), "{pair:?}");
        }
    }
}
