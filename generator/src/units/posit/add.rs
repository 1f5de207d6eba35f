//! Posit adder.

use super::{
    encode::encode,
    operand::{PositOperand, exponents, fraction_bits},
    sum::{PositTerm, sum},
};
use crate::units::{target::PositTarget, unpack};
use binade_circuit::{Bits, Int};
use binade_spec::{Format, Posit};

/// The sum of two codes of the target's format; the signals are named after them.
pub fn add<'c>(
    target: &PositTarget,
    [(x_name, x), (y_name, y)]: [(&'static str, Bits<'c>); 2],
    random: Option<Bits<'c>>,
) -> Bits<'c> {
    let posit = &target.format;
    let x = PositOperand::new(posit, x, x_name);
    let y = PositOperand::new(posit, y, y_name);
    // If the other operand has the same format, the exponent of a zero is low enough.
    let (x, y) = (term(posit, &x, x_name), term(posit, &y, y_name));
    encode(target, &sum(target, &x, &y), random)
}

/// The sum of `x`, a code of any format, and `y`, one of the target's; the signals are named after them.
pub fn add_format<'c>(
    operand: Format,
    target: &PositTarget,
    [(x_name, x), (y_name, y)]: [(&'static str, Bits<'c>); 2],
    random: Option<Bits<'c>>,
) -> Bits<'c> {
    let x = match operand {
        Format::Posit(posit) => {
            let x = PositOperand::new(&posit, x, x_name);
            PositTerm { is_zero: Some(x.is_zero), ..term(&posit, &x, x_name) }
        }
        Format::Float(_) | Format::Fixed(_) | Format::Codebook(_) => term_of_float(operand, x, x_name),
    };
    let y = PositOperand::new(&target.format, y, y_name);
    let y = PositTerm { is_zero: Some(y.is_zero), ..term(&target.format, &y, y_name) };
    encode(target, &sum(target, &x, &y), random)
}

/// A float as a term: its magnitude, negated if it is negative.
fn term_of_float<'c>(operand: Format, x: Bits<'c>, name: &'static str) -> PositTerm<'c> {
    let x = unpack::unpack(operand, x, name).normalized(name);
    let (sign, magnitude) = (x.class.sign, x.significand_of_nonzero());
    let width = magnitude.width() + 1;
    let inverted = (magnitude.zext(width) ^ sign.repeat(width)).called(format!("{name}_or_complement"));
    let digits = inverted.add(sign.zext(width));
    PositTerm {
        name,
        is_nar: (x.class.is_nan | x.class.is_infinite).named(format!("{name}_is_nar")),
        is_zero: Some(x.class.is_zero),
        exponent: x.exponent,
        quantum: operand.min_exponent() + 1 - i64::from(operand.precision()),
        digits: digits.named(format!("signed_{name}")),
        fraction_bits: magnitude.width() - 1,
        reach: 1,
    }
}

/// A posit as a term. A zero has the lowest exponent.
pub fn term<'c>(posit: &Posit, operand: &PositOperand<'c>, name: &'static str) -> PositTerm<'c> {
    let [_, most] = exponents(posit);
    let exponent = Int::signed(operand.exponent);
    PositTerm {
        name,
        is_nar: operand.is_nar,
        is_zero: None,
        exponent: exponent.within(exponent.min(), most).plus(posit.scale.into()),
        quantum: posit.least_place(),
        digits: operand.significand(),
        fraction_bits: fraction_bits(posit),
        reach: 1,
    }
}
