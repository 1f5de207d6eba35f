//! Sums and comparisons with constants as plain logic. A carry chain needs a cell for each bit; plain logic needs only the
//! gates that the constant does not remove.

use crate::int::moved_name;
use crate::{Bits, concat};

/// The fewest ones in a constant that are compared at once.
const LONG_RUN: u32 = 5;

/// The longest name after which a comparison of its low bits is named.
const MAX_NAME: usize = 12;

impl<'c> Bits<'c> {
    /// Sum with a constant, modulo 2^width. It uses a carry chain only if more than four bits lie above the constant's
    /// lowest 1.
    pub fn plus_constant(self, constant: i64) -> Bits<'c> {
        let unchanged = constant.trailing_zeros().min(self.width());
        if self.width() - unchanged <= 4 {
            return self.plus_constant_in_logic(constant);
        }
        let upper = self.high(self.width() - unchanged);
        let more = constant >> unchanged;
        let sum = upper.add(self.circuit().integer(more, upper.width()));
        let sum = sum.called_after(self, &format!("upper_{}", moved_name(more)));
        if unchanged == 0 { sum } else { concat(&[sum, self.low(unchanged)]) }
    }

    /// Sum with a constant, modulo 2^width, without a carry chain.
    pub fn plus_constant_in_logic(self, constant: i64) -> Bits<'c> {
        let mut carry = self.circuit().zero();
        let mut sum = vec![];
        for place in 0..self.width() {
            let bit = self.bit(place);
            if constant >> place.min(63) & 1 == 1 {
                sum.push(!(bit ^ carry));
                carry = bit | carry;
            } else {
                sum.push(bit ^ carry);
                carry = bit & carry;
            }
            carry = carry.called_after(self, &format!("carry_{place}"));
        }
        sum.reverse();
        concat(&sum)
    }

    /// The sum with a single bit, modulo `2^width`, without a carry chain.
    pub fn plus_bit_in_logic(self, bit: Bits<'c>) -> Bits<'c> {
        let mut carry = bit;
        let mut sum = vec![];
        for place in 0..self.width() {
            sum.push(self.bit(place) ^ carry);
            carry = (self.bit(place) & carry).called_after(self, &format!("carry_{place}"));
        }
        sum.reverse();
        concat(&sum)
    }

    /// 1 if at least a constant, unsigned.
    pub fn at_least_constant(self, constant: u128) -> Bits<'c> {
        // Bits below the lowest 1 do not matter. A long run of ones above them is one gate.
        let lowest = constant.trailing_zeros().min(self.width());
        let ones = (constant >> lowest.min(127)).trailing_ones();
        let (first, equal) = match ones {
            LONG_RUN.. => (lowest + ones, self.slice(lowest + ones - 1, lowest).all()),
            _ => (lowest, self.circuit().constant(1, 1)),
        };
        (first..self.width()).fold(equal, |below, place| {
            let bit = self.bit(place);
            let rest = constant.checked_shr(place).unwrap_or(0);
            let at_least = if rest & 1 == 1 { bit & below } else { bit | below };
            let lowest = constant ^ (rest >> 1 << (place + 1).min(127));
            let is_named = place > 0 && self.circuit().name(self.node()).is_some_and(|name| name.len() <= MAX_NAME);
            if is_named { at_least.called_after(self, &format!("{place}_0_at_least_{lowest}")) } else { at_least }
        })
    }
}
