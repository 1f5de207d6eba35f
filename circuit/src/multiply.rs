//! Multiplier arrays.

use crate::sum::sum_in_tree;
use crate::{Bits, Multiplier, Optimize, concat};
use num_bigint::BigUint;

impl<'c> Bits<'c> {
    /// Unsigned product, as wide as both together: as an operator, in rows of radix 4, or for depth in a carry-save tree.
    pub fn multiply(self, other: Bits<'c>) -> Bits<'c> {
        if self.width().min(other.width()) == 1 || self.circuit().multiplier() == Multiplier::Operator {
            return self.mul(other);
        }
        match self.circuit().optimize() {
            Optimize::Area => self.multiply_in_rows(other),
            Optimize::Depth => self.multiply_in_tree(other),
        }
    }

    /// Product of two numbers in two's complement, as wide as both together: as [`Bits::multiply`], but the top digit of `other` is
    /// negative if its sign is.
    pub fn multiply_signed(self, other: Bits<'c>) -> Bits<'c> {
        if self.circuit().multiplier() == Multiplier::Operator {
            return self.multiply_codes(other);
        }
        match self.circuit().optimize() {
            Optimize::Area => self.multiply_signed_in_rows(other),
            Optimize::Depth => self.multiply_signed_in_tree(other),
        }
    }

    /// The product of the codes as unsigned numbers, less 2^width times the other factor for each factor that is negative.
    fn multiply_codes(self, other: Bits<'c>) -> Bits<'c> {
        let excess = self.msb().gate(other).zeros_below(self.width());
        let excess_of_other = other.msb().gate(self).zeros_below(other.width());
        self.mul(other).named("product_of_codes").sub(excess).sub(excess_of_other)
    }

    /// Each two bits of `other` choose 0, 1, 2 or 3 times `self` as a row.
    ///
    /// This takes half of the adders of radix 2, and one more for 3 times `self`. A digit's choice is a function of
    /// five bits: two LUT4 or one larger LUT for each bit of the row.
    fn multiply_in_rows(self, other: Bits<'c>) -> Bits<'c> {
        let multiples = Multiples::of(self);
        let digit = |low: u32| other.slice((low + 1).min(other.width() - 1), low);
        let digits: Vec<Bits> = (0..other.width()).step_by(2).map(digit).collect();
        let row = |(at, &digit): (usize, &Bits<'c>)| multiples.times(digit).named(format!("row_{at}"));
        let rows: Vec<Bits> = digits.iter().enumerate().map(row).collect();
        if self.circuit().has_ranks() { sum_of_rows_in_pairs(&rows) } else { sum_of_rows(&rows) }
    }

    /// As [`Bits::multiply_in_rows`], with `self` extended by its sign. The top digit has the weights -2 and 1 and chooses 0, 1, -2 or -1
    /// times `self`: 0, 2 or 1 times it, inverted if negative, and a carry into its adder.
    fn multiply_signed_in_rows(self, other: Bits<'c>) -> Bits<'c> {
        let width = self.width() + 2;
        let (single, double) = (self.sext(width), self.zeros_below(1).sext(width).called("double"));
        let zero = self.circuit().constant(0, width);
        let digits: Vec<Bits> =
            (0..other.width()).step_by(2).map(|low| other.slice((low + 1).min(other.width() - 1), low)).collect();
        let (&top, lower) = digits.split_last().expect("a factor has bits");
        let mut sum = zero;
        let mut product = vec![];
        if !lower.is_empty() {
            let triple = single.add(double).named("triple");
            for (row, &digit) in lower.iter().enumerate() {
                let (high, low) = (digit.msb(), digit.bit(0));
                let term = high.select(low.select(triple, double), low.gate(single)).named(format!("row_{row}"));
                sum = sum.sext(width + 1).add(term.sext(width + 1)).named(format!("rows_0_to_{row}"));
                product.push(sum.low(2));
                sum = sum.high(width - 1).sext(width);
            }
        }
        let is_negative = top.msb();
        let chosen = match top.width() {
            1 => is_negative.gate(single),
            _ => top.bit(0).select(single, is_negative.gate(double)),
        };
        let term = (chosen ^ is_negative.repeat(width)).named("top_row");
        let upper = concat(&[sum, is_negative]).add(concat(&[term, is_negative])).called("upper_with_carry");
        let upper = upper.high(width).named("upper");
        product.push(upper.low(self.width() + top.width()));
        product.reverse();
        concat(&product)
    }

    /// Rows of single bits. Products with the sign bit of one factor are inverted, so that none is negative (Baugh and Wooley, "A
    /// two's complement parallel array multiplication algorithm", IEEE Transactions on Computers, 1973).
    fn multiply_signed_in_tree(self, other: Bits<'c>) -> Bits<'c> {
        let (circuit, own, others) = (self.circuit(), self.width(), other.width());
        let width = own + others;
        if own.min(others) == 1 {
            return self.multiply_signed_in_rows(other);
        }
        let row = |place: u32| {
            let row = other.bit(place).gate(self);
            let (sign, digits) = (row.msb(), row.low(own - 1));
            let row = if place + 1 < others { concat(&[!sign, digits]) } else { concat(&[sign, !digits]) };
            row.called(format!("row_{place}")).zeros_below(place).zext(width)
        };
        // The correction for the inverted bits, modulo 2^width.
        let powers = [width - 1, own - 1, others - 1].map(|place| BigUint::from(1_u32) << place);
        let correction = circuit.wide_constant(powers.iter().sum::<BigUint>() % (BigUint::from(1_u32) << width), width);
        sum_in_tree((0..others).map(row).chain([correction]).collect(), &[], "")
    }

    fn multiply_in_tree(self, other: Bits<'c>) -> Bits<'c> {
        let width = self.width() + other.width();
        let row = |place: u32| {
            let row = other.bit(place).gate(self).called(format!("row_{place}"));
            row.zeros_below(place).zext(width)
        };
        sum_in_tree((0..other.width()).map(row).collect(), &[], "")
    }
}

/// The sum of rows of radix 4, one after the other, which takes the fewest gates:
///
/// ```text
///        | sum of the rows so far | 2 bits | 2 bits |   these are final
///   +  |        next row        |
/// ```
fn sum_of_rows<'c>(rows: &[Bits<'c>]) -> Bits<'c> {
    let mut sum = rows[0];
    let mut product = vec![];
    for (row, term) in rows.iter().enumerate().skip(1) {
        product.push(sum.low(2));
        sum = sum.high(sum.width() - 2).zext(term.width()).add(*term);
        let name = format!("rows_0_to_{row}");
        let note = "each row is added two places above the sum so far, whose two lowest bits are final";
        sum = if row == 1 { sum.explained(name, note) } else { sum.named(name) };
    }
    product.push(sum);
    product.reverse();
    concat(&product)
}

/// The sum of rows of radix 4: of neighbours, then of their sums, and so on, so that few adders are in sequence.
fn sum_of_rows_in_pairs<'c>(rows: &[Bits<'c>]) -> Bits<'c> {
    let mut sums: Vec<Rows> =
        rows.iter().enumerate().map(|(row, &bits)| Rows { bits, first: row, last: row }).collect();
    while sums.len() > 1 {
        let pair = |pair: &[Rows<'c>]| match *pair {
            [lower, above] => lower.plus(above),
            _ => pair[0],
        };
        sums = sums.chunks(2).map(pair).collect();
    }
    sums[0].bits
}

/// The sum of neighbouring rows of radix 4, from the place of the first one.
#[derive(Clone, Copy)]
struct Rows<'c> {
    bits: Bits<'c>,
    first: usize,
    last: usize,
}

impl<'c> Rows<'c> {
    /// The sum with the rows above:
    ///
    /// ```text
    ///       |     these rows    | low bits |   these are final
    ///   + | the rows above      |
    /// ```
    fn plus(self, above: Rows<'c>) -> Rows<'c> {
        let gap = 2 * (above.first - self.first) as u32;
        let upper = self.bits.high(self.bits.width() - gap).zext(above.bits.width());
        let sum = upper.add(above.bits).named(format!("rows_{}_to_{}", self.first, above.last));
        Rows { bits: concat(&[sum, self.bits.low(gap)]), last: above.last, ..self }
    }
}

/// 1, 2 and 3 times a factor.
struct Multiples<'c> {
    single: Bits<'c>,
    double: Bits<'c>,
    triple: Bits<'c>,
}

impl<'c> Multiples<'c> {
    fn of(single: Bits<'c>) -> Multiples<'c> {
        let width = single.width() + 2;
        let double = single.zeros_below(1).zext(width);
        // The lowest bit of the triple is that of the factor.
        let upper = single.zext(width - 1).add(single.high(single.width() - 1).zext(width - 1));
        let note = "3 times a factor; each two bits of the other one choose 0, 1, 2 or 3 times it as a row";
        let triple = concat(&[upper, single.bit(0)]).explained("triple", note);
        Multiples { single, double, triple }
    }

    /// `digit`, one or two bits, times the factor: as wide as both together.
    fn times(&self, digit: Bits<'c>) -> Bits<'c> {
        let single = self.single.zext(self.single.width() + digit.width());
        match digit.width() {
            1 => digit.gate(single),
            _ => digit.msb().select(digit.bit(0).select(self.triple, self.double), digit.bit(0).gate(single)),
        }
    }
}
