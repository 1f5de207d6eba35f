//! Posit adder.

use super::{
    encode::encode,
    operand::{Operand, fraction_bits, largest_exponent},
    sum::{Term, sum},
};
use crate::units::target::PositTarget;
use binade_circuit::{Bits, Int};
use binade_spec::Posit;

/// The sum of two codes of the target's format; the signals are named after them.
pub fn add<'c>(
    target: &PositTarget,
    [(x_name, x), (y_name, y)]: [(&'static str, Bits<'c>); 2],
    random: Option<Bits<'c>>,
) -> Bits<'c> {
    let posit = &target.format;
    let x = Operand::new(posit, x, x_name);
    let y = Operand::new(posit, y, y_name);
    // Beside another posit of its format, a zero's exponent is low enough.
    let (x, y) = (term(posit, &x, x_name), term(posit, &y, y_name));
    encode(target, &sum(target, &x, &y), random)
}

/// A posit as a term. That of a zero has the lowest exponent.
pub fn term<'c>(posit: &Posit, operand: &Operand<'c>, name: &'static str) -> Term<'c> {
    let (largest, scale) = (largest_exponent(posit), i64::from(posit.scale));
    let exponent = Int::signed(operand.exponent);
    Term {
        name,
        is_nar: operand.is_nar,
        is_zero: None,
        exponent: exponent.within(exponent.min(), largest).plus(scale),
        quantum: scale - largest,
        digits: operand.significand(),
        fraction_bits: fraction_bits(posit),
        reach: 1,
    }
}
