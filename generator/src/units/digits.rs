//! Digits of quotients and roots, a row each: a row subtracts, and what is left is kept if it is not negative (restoring
//! division and its kin; M. Ercegovac and T. Lang, Division and Square Root, 1994, chapters 1 and 3).
//!
//! ```text
//!   quotient          r < b           2r  - b              digit 1:  r = 2r - b
//!   root              r <= 2q         4r + x - (4q + 1)    digit 1:  r = that, q = 2q + 1
//!   reciprocal root   r = 1 - q^2 m   4r - (4p + m)        digit 1:  r = that, p = 2p + m, where p = q m
//! ```
//!
//! `x` are the next two digits of the radicand. The remainder is not kept behind the last row: it is zero if the row or what is left is.

use binade_circuit::{Bits, Part, concat};

/// The first digits of a result, and whether there are more that are not 0.
pub struct Digits<'c> {
    pub bits: Bits<'c>,
    pub sticky: Bits<'c>,
}

/// What a row leaves.
struct Row<'c> {
    /// 1 if the subtrahend fits.
    digit: Bits<'c>,
    /// `row - subtrahend` without its sign.
    rest: Bits<'c>,
}

impl<'c> Row<'c> {
    /// One row: of unsigned numbers of which the first is less than twice the second, or a little more in roots.
    fn new(row: Bits<'c>, subtrahend: Bits<'c>, place: u32) -> Row<'c> {
        let width = row.width().max(subtrahend.width());
        let rest = row.zext(width).sub(subtrahend.zext(width)).named(format!("rest_{place}"));
        Row { digit: (!rest.msb()).named(format!("digit_{place}")), rest: rest.low(width - 1) }
    }

    /// The remainder, in `width` bits.
    fn remainder(&self, row: Bits<'c>, width: u32, place: u32) -> Bits<'c> {
        self.digit.select(self.rest.low(width), row.low(width)).named(format!("remainder_{place}"))
    }

    /// Whether there is a remainder: what is left of a row other than zero is not zero unless it fits exactly.
    fn has_remainder(&self, row: Bits<'c>) -> Bits<'c> {
        (self.rest.any() | !self.digit) & row.any()
    }
}

const DIVIDE: Part = Part { name: "divide", about: "One digit of a quotient, and the remainder." };

/// The quotient of two significands of the same width with a leading 1: one digit in front of the point and `places` behind it.
pub fn quotient<'c>(dividend: Bits<'c>, divisor: Bits<'c>, places: u32) -> Digits<'c> {
    let circuit = divisor.circuit();
    let width = divisor.width();
    let mut row = dividend.zext(width + 1);
    let mut digits = vec![];
    for place in 0..places {
        let (digit, remainder) = circuit.part(DIVIDE, &place.to_string(), || {
            let reached = Row::new(row, divisor, place);
            (reached.digit, reached.remainder(row, width, place))
        });
        digits.push(digit);
        row = remainder.zeros_below(1);
    }
    let last = Row::new(row, divisor, places);
    digits.push(last.digit);
    let sticky = last.has_remainder(row).named("has_remainder");
    Digits { bits: concat(&digits).named("quotient"), sticky }
}

/// `count` digits of the root of a number with two digits in front of the point, not both 0: the first digit is in front of
/// the point of the root, and 1.
pub fn root<'c>(radicand: Bits<'c>, count: u32) -> Digits<'c> {
    let circuit = radicand.circuit();
    let padded = radicand.zeros_below((2 * count).saturating_sub(radicand.width()));
    let pair = |place: u32| padded.high(2 * place + 2).low(2);
    let mut root = circuit.constant(1, 1);
    // 1, 2 or 3 less 1.
    let mut remainder = pair(0).sub(circuit.constant(1, 2)).named("remainder_0");
    for place in 1..count {
        let row = concat(&[remainder, pair(place)]);
        let trial = concat(&[circuit.zero(), root, circuit.constant(1, 2)]);
        let reached = Row::new(row.zext(place + 4), trial, place);
        if place == count - 1 {
            let below = padded.width() - 2 * count;
            let more = if below > 0 { padded.low(below).any() } else { circuit.zero() };
            let sticky = (reached.has_remainder(row) | more).named("has_remainder");
            return Digits { bits: concat(&[root, reached.digit]).named("root"), sticky };
        }
        // At most twice the root.
        remainder = reached.remainder(row.zext(place + 4), place + 2, place);
        root = concat(&[root, reached.digit]);
    }
    Digits { bits: root, sticky: remainder.any() }
}

/// `count` digits behind the point of `1 / sqrt(m)`, where `m` has two digits in front of the point, not both 0. The first is 1; for
/// `m = 1` all are.
pub fn reciprocal_root<'c>(m: Bits<'c>, count: u32) -> Digits<'c> {
    let circuit = m.circuit();
    let width = m.width();
    // The first digit is 1: 4 - m is left, in units of m's last place, and q m is m.
    let four = circuit.constant(1, 1).zeros_below(width);
    let mut remainder = four.sub(m.zext(width + 1)).low(width).named("remainder_1");
    let (mut product, mut root) = (m, circuit.constant(1, 1));
    for place in 2..=count {
        // q m is less than 2^(width + place - 1), the remainder at most twice that and m.
        let bits = width + place + 1;
        let row = remainder.zeros_below(2).zext(bits + 2);
        let trial = product.zeros_below(2).zext(bits + 1).add(m.zext(bits + 1)).named(format!("trial_{place}"));
        let reached = Row::new(row, trial, place);
        if place == count {
            let sticky = reached.has_remainder(row).named("has_remainder");
            return Digits { bits: concat(&[root, reached.digit]).named("root"), sticky };
        }
        remainder = reached.remainder(row, bits, place);
        let double = product.zeros_below(1).zext(width + place);
        let added = reached.digit.gate(m).zext(width + place);
        product = double.add(added).named(format!("product_{place}"));
        root = concat(&[root, reached.digit]);
    }
    Digits { bits: root, sticky: remainder.any() }
}
