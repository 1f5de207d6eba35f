//! Sums and comparisons with constants as plain logic. A carry chain takes a cell for each bit; this takes only what the
//! constant leaves.

use super::{Bits, concat, mask};

impl<'c> Bits<'c> {
    /// Sum with a constant, modulo 2^width: a carry chain only where more than four bits lie above the constant's lowest 1.
    pub fn plus_constant(self, constant: i64) -> Bits<'c> {
        let constant = constant as u128 & mask(self.width());
        let unchanged = constant.trailing_zeros().min(self.width());
        if unchanged == self.width() {
            return self;
        }
        let (upper, constant) = (self.high(self.width() - unchanged), constant >> unchanged);
        let sum = match upper.width() {
            0..=4 => upper.ripple_plus(constant),
            width => upper.add(self.circuit().constant(constant, width)),
        };
        if unchanged == 0 { sum } else { concat(&[sum, self.low(unchanged)]) }
    }

    fn ripple_plus(self, constant: u128) -> Bits<'c> {
        let mut carry = self.circuit().zero();
        let mut sum = vec![];
        for place in 0..self.width() {
            let bit = self.bit(place);
            if constant >> place & 1 == 1 {
                sum.push(!(bit ^ carry));
                carry = bit | carry;
            } else {
                sum.push(bit ^ carry);
                carry = bit & carry;
            }
        }
        sum.reverse();
        concat(&sum)
    }

    /// 1 if at least a constant, unsigned.
    pub fn at_least_constant(self, constant: u128) -> Bits<'c> {
        let equal = self.circuit().constant(1, 1);
        (0..self.width()).fold(equal, |at_least, place| match constant >> place & 1 {
            1 => self.bit(place) & at_least,
            _ => self.bit(place) | at_least,
        })
    }
}
