//! Upper bounds for the magnitudes of exact values.

use binade_golden::Exact;
use std::cmp::Ordering;

/// An upper bound for magnitudes: `n * 2^k`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// At most [`BOUND_BITS`] bits.
    pub n: u128,
    pub k: i32,
}

/// Bounds with more bits are rounded up.
const BOUND_BITS: u32 = 120;

impl Bound {
    /// The bound of products of numbers within these bounds.
    pub fn product(self, other: Bound) -> Bound {
        let half = BOUND_BITS / 2;
        let (x, y) = if self.bits() + other.bits() <= BOUND_BITS {
            (self, other)
        } else {
            (self.rounded(half), other.rounded(half))
        };
        Bound { n: x.n * y.n, k: x.k + y.k }
    }

    pub fn sum(self, other: Bound) -> Bound {
        let (larger, smaller) = if self.exponent() >= other.exponent() { (self, other) } else { (other, self) };
        let room = BOUND_BITS as i32 - 1 - larger.bits() as i32;
        let k = smaller.k.max(larger.k - room).min(larger.k);
        let smaller = smaller.in_units_of(k);
        Bound { n: (larger.n << (larger.k - k)) + smaller, k }.rounded(BOUND_BITS)
    }

    /// The larger one.
    pub fn or_larger(self, other: Bound) -> Bound {
        match self.exponent().cmp(&other.exponent()) {
            Ordering::Greater => self,
            Ordering::Less => other,
            Ordering::Equal => {
                let k = self.k.min(other.k);
                if self.in_units_of(k) > other.in_units_of(k) { self } else { other }
            }
        }
    }

    /// In units of `2^k`, rounded up.
    fn in_units_of(self, k: i32) -> u128 {
        match k - self.k {
            shift if shift <= 0 => self.n << -shift,
            shift if shift >= BOUND_BITS as i32 => 1,
            shift => (self.n >> shift) + u128::from(self.n.trailing_zeros() < shift as u32),
        }
    }

    /// Rounded up to this many bits.
    fn rounded(self, bits: u32) -> Bound {
        let excess = self.bits().saturating_sub(bits);
        // One more, since rounding up can carry.
        let excess = if excess > 0 { excess + 1 } else { 0 };
        Bound { n: self.in_units_of(self.k + excess as i32), k: self.k + excess as i32 }
    }

    fn bits(self) -> u32 {
        u128::BITS - self.n.leading_zeros()
    }

    pub fn exponent(self) -> i32 {
        self.k + self.bits() as i32 - 1
    }

    /// Whether a number certainly exceeds the bound, even though it represents all numbers within its last bit.
    pub fn is_exceeded_by(self, number: &Exact) -> bool {
        let binades_above = number.exponent() - self.exponent();
        if !(0..=1).contains(&binades_above) {
            return binades_above > 1;
        }
        // Numbers have up to 120 bits and about the same exponent: both fit in units of the finer one.
        let k = number.k.min(self.k);
        ((number.n - 1) << (number.k - k)) > (self.n << (self.k - k))
    }
}
