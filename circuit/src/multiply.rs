//! Multiplier arrays.

use crate::sum::sum_in_tree;
use crate::{Bits, Optimize, concat};

impl<'c> Bits<'c> {
    /// Unsigned product, as wide as both together: in rows of radix 4, for depth in a carry-save tree.
    pub fn multiply(self, other: Bits<'c>) -> Bits<'c> {
        if self.width().min(other.width()) == 1 {
            return self.mul(other);
        }
        match self.circuit().optimize() {
            Optimize::Area => self.multiply_in_rows(other),
            Optimize::Depth => self.multiply_in_tree(other),
        }
    }

    /// Each two bits of `other` choose 0, 1, 2 or 3 times `self`, and one adder a row takes that in:
    ///
    /// ```text
    ///        | sum of the rows so far | 2 bits | 2 bits |   these are final
    ///   +  | digit * self |
    /// ```
    ///
    /// Half of the adders of radix 2, and one more for 3 times `self`; a digit's choice is a function of five bits, two
    /// LUT4 or one larger LUT for each bit of the row.
    fn multiply_in_rows(self, other: Bits<'c>) -> Bits<'c> {
        let multiples = Multiples::of(self);
        let digit = |low: u32| other.slice((low + 1).min(other.width() - 1), low);
        let digits: Vec<Bits> = (0..other.width()).step_by(2).map(digit).collect();
        let mut sum = multiples.times(digits[0]).named("row_0");
        let mut product = vec![];
        for (row, &digit) in digits.iter().enumerate().skip(1) {
            product.push(sum.low(2));
            let term = multiples.times(digit).named(format!("row_{row}"));
            sum = sum.high(sum.width() - 2).zext(term.width()).add(term).named(format!("rows_0_to_{row}"));
        }
        product.push(sum);
        product.reverse();
        concat(&product)
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
        // The lowest bit of three times is that of once.
        let upper = single.zext(width - 1).add(single.high(single.width() - 1).zext(width - 1));
        let triple = concat(&[upper, single.bit(0)]).named("triple");
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
