//! Exact sums in fixed point: every term is shifted to its place in a window that is wide enough for all of them.
//!
//! ```text
//!   | sign | places of the largest term .. | .. places of the smallest |
//! ```
//!
//! A negative term enters the window as its complement, and an adder adds the missing 1 as its carry in. There is one term
//! more than there are adders: the last one gets its 1 before it is shifted.

use super::number::Number;
use super::total::{Total, rounded};
use crate::units::{class::Class, coded::Coded, round::decide::makes_minus_zero, target::Target};
use binade_circuit::{Bits, Circuit, Optimize, Part, concat};

const PLACE: Part =
    Part::repeated("place", "Places a term in the window of the sum: its digits, shifted by its exponent.");

/// The exact sum, rounded once.
pub fn sum<'c>(target: &Target, numbers: &[Number<'c>], random: Option<Bits<'c>>) -> Coded<'c> {
    let lowest = numbers.iter().map(Number::lowest).min().expect("a sum has terms");
    let sum = sum_in_window(&numbers.iter().collect::<Vec<_>>(), lowest);
    // If the result needs a magnitude, a sum of only lowest codes may occupy the place of the sign.
    let has_magnitude = target.format.fixed().is_none();
    let are_codes = numbers.len() == 1 || has_magnitude && numbers.iter().all(|number| number.may_be_lowest);
    let sum = if are_codes { sum.sext(sum.width() + 1) } else { sum }.named("sum");
    let classes: Vec<_> = numbers.iter().map(|number| number.class).collect();
    let minus_zero = makes_minus_zero(target.rounding, sum.circuit(), random);
    let class = |negative, is_zero| Class::of_terms(minus_zero, &classes, negative, is_zero);
    rounded(target, Total::from_lowest(sum, lowest), class, random)
}

/// The exact sum in units of `2^lowest`, the lowest place with digits.
pub fn sum_in_window<'c>(numbers: &[&Number<'c>], lowest: i64) -> Bits<'c> {
    let circuit = numbers[0].digits.circuit();
    let may_be_negative = numbers.iter().any(|number| number.negate.known() != Some(0));
    let complements = if may_be_negative { ", negative terms as their complement" } else { "" };
    circuit.section_with(&format!("Place the terms in one fixed-point window{complements}"), &[PICTURE]);
    let (last, others) = numbers.split_last().expect("a sum has terms");
    let rows: Vec<Bits> = others.iter().map(|number| placed(number, TermDigits::complement, lowest)).collect();
    let negated = placed(last, TermDigits::negated, lowest);
    let signs: Vec<Bits> = others.iter().map(|number| number.negate).filter(|sign| sign.known() != Some(0)).collect();
    match signs.is_empty() {
        true => circuit.section("Add"),
        false => circuit.section_with("Add", &[carries_in(circuit), OWN_1]),
    }
    Bits::sum_of_signed(&[rows, vec![negated]].concat(), &signs, "sum")
}

/// How the term is negated for which there is no adder.
const OWN_1: &str = "The last term got its 1 before it was shifted.";

/// The bits of the window, above the section that places the terms.
const PICTURE: &str = "| sign | places of the largest term .. | .. places of the smallest |";

/// The text about the 1 of each complement, which may be added to the sum of other terms.
pub fn carries_in(circuit: &Circuit) -> &'static str {
    match circuit.optimize() {
        Optimize::Area => {
            "A negative term is its complement plus 1. Each adder takes one such 1, from any of the terms, as the carry from a \
             place below its lowest place."
        }
        Optimize::Depth => {
            "A negative term is its complement plus 1. The lowest place of each row of carries is free and takes one such 1, \
             from any of the terms."
        }
    }
}

/// The result of `digits` for a term, shifted left by its exponent, in units of `2^lowest`.
fn placed<'c>(number: &Number<'c>, digits: fn(&Number<'c>) -> TermDigits<'c>, lowest: i64) -> Bits<'c> {
    number.digits.circuit().part(PLACE, &number.name, || digits(number).shifted(number, lowest))
}

/// A term with its sign as the top bit.
pub struct TermDigits<'c> {
    pub digits: Bits<'c>,
    /// The value of the bits below the digits.
    fill: Bits<'c>,
}

impl<'c> TermDigits<'c> {
    /// In two's complement.
    pub fn negated(number: &Number<'c>) -> TermDigits<'c> {
        let (sign, width) = (number.negate, number.digits.width());
        let complement = TermDigits::complement(number).digits;
        TermDigits { digits: complement.add(sign.zext(width)), fill: sign.circuit().zero() }
    }

    /// In two's complement, less 1 in the lowest place of the window if it is negative.
    fn complement(number: &Number<'c>) -> TermDigits<'c> {
        let sign = number.negate;
        TermDigits { digits: number.digits ^ sign.repeat(number.digits.width()), fill: sign }
    }

    fn shifted(self, number: &Number<'c>, lowest: i64) -> Bits<'c> {
        let Number { name, exponent, .. } = number;
        let width = self.digits.width();
        // The shift counts from the raw exponent 0, so that no bias must be subtracted; places below all terms are omitted.
        let is_raw = exponent.min() >= exponent.offset();
        let zero = if is_raw { exponent.offset() } else { exponent.min() };
        if exponent.min() == exponent.max() {
            return self.above(number.lowest() - lowest);
        }
        let shift = exponent.plus(-zero).to_unsigned();
        let [least, most] = [exponent.min(), exponent.max()].map(|bound| (bound - zero) as u32);
        let mut shifted = self.digits.called(format!("{name}_digits"));
        for stage in 0..shift.width() {
            let step = 1 << stage;
            let reached = (width + most).min(shifted.width() + step);
            let moved = concat(&[shifted, self.fill.repeat(step)]).low(reached);
            shifted =
                shift.bit(stage).select(moved, shifted.sext(reached)).named(format!("{name}_to_{}", 2 * step - 1));
        }
        let placed = TermDigits { digits: shifted.high(shifted.width() - least), fill: self.fill };
        placed.above(number.lowest() - lowest)
    }

    /// The digits above this number of additional places; for a negative number, the lowest digits are dropped.
    fn above(self, places: i64) -> Bits<'c> {
        let TermDigits { digits, fill } = self;
        match places {
            0 => digits,
            missing if missing < 0 => digits.high(digits.width() - missing.unsigned_abs() as u32),
            below => concat(&[digits, fill.repeat(below as u32)]),
        }
    }
}
