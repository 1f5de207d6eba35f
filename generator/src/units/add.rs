//! Adder: `y = a + b`.

use super::{
    add_float::sum_of_codes,
    assemble::Kind,
    posit,
    result::{Coded, encode},
    sum::Term,
    unpack::Unpacked,
};
use crate::circuit::Bits;
use binade_golden::{Format, Operation};

pub fn add<'c>(operation: &Operation, a: Bits<'c>, b: Bits<'c>, random: Option<Bits<'c>>) -> Coded<'c> {
    add_codes(operation, [("a", a), ("b", b)], random)
}

/// The sum of two codes of the result format; the signals are named after them.
pub fn add_codes<'c>(
    operation: &Operation,
    [x, y]: [(&'static str, Bits<'c>); 2],
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    match &operation.result {
        Format::Float(float) => {
            let sum = sum_of_codes(operation, float, x, y);
            encode(operation, Kind::Arithmetic, sum, random)
        }
        Format::Posit(posit) => Coded { code: posit::add(operation, posit, [x, y], random), flags: None },
    }
}

/// An operand as a term: one integer bit.
pub fn term<'c>(name: &'static str, operand: &Unpacked<'c>) -> Term<'c> {
    Term {
        name,
        sign: operand.sign,
        is_zero: operand.is_zero,
        is_infinite: operand.is_infinite,
        is_nan: operand.is_nan,
        is_invalid: operand.is_signaling,
        exponent: operand.exponent,
        significand: operand.significand,
        integer_bits: 1,
    }
}
