//! Adder: `y = a + b`.

use super::{
    assemble::{Kind, Outcome, assemble},
    round::round,
    sum::{Order, Term, add_terms},
    unpack::{Unpacked, unpack},
};
use crate::circuit::Bits;
use binade_golden::Operation;

pub fn add<'c>(operation: &Operation, a: Bits<'c>, b: Bits<'c>) -> Bits<'c> {
    let format = operation.operand;
    let (a_code, b_code) = (a.low(format.magnitude_bits()), b.low(format.magnitude_bits()));
    let a = unpack(format, a, "a");
    let b = unpack(format, b, "b");

    a.sign.circuit().section("Order by magnitude: codes ascend with their values");
    let a_is_larger = !a_code.less_than(b_code).named("b_is_larger");
    let sum = add_terms(operation, term("a", &a), term("b", &b), Order::ByMagnitude { first_is_larger: a_is_larger });
    let rounded = round(operation, sum.sign, sum.magnitude);
    assemble(
        operation,
        Kind::Arithmetic,
        Outcome {
            sign: sum.sign,
            rounded,
            is_zero: sum.is_zero,
            is_infinite: sum.is_infinite,
            is_nan: sum.is_nan,
            payload: None,
        },
    )
}

/// An operand as a term: one integer bit.
pub fn term<'c>(name: &'static str, operand: &Unpacked<'c>) -> Term<'c> {
    Term {
        name,
        sign: operand.sign,
        is_zero: operand.is_zero,
        is_infinite: operand.is_infinite,
        is_nan: operand.is_nan,
        exponent: operand.exponent,
        significand: operand.significand,
        integer_bits: 1,
    }
}
