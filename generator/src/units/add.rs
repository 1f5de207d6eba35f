//! Adder: `y = a + b`.

use super::{
    add_float::sum_of_codes,
    assemble::Kind,
    result::{Coded, encode},
    sum::{Order, Term, add_terms},
    unpack::{Unpacked, unpack},
};
use crate::circuit::Bits;
use binade_golden::Operation;

pub fn add<'c>(operation: &Operation, a: Bits<'c>, b: Bits<'c>, random: Option<Bits<'c>>) -> Coded<'c> {
    add_codes(operation, [("a", a), ("b", b)], random)
}

/// The sum of two codes of the result format; the signals are named after them.
pub fn add_codes<'c>(
    operation: &Operation,
    [x, y]: [(&'static str, Bits<'c>); 2],
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    let format = operation.result;
    if let Some(float) = format.float() {
        let sum = sum_of_codes(operation, float, x, y);
        return encode(operation, Kind::Arithmetic, sum, random);
    }
    let ((x_name, x_code), (y_name, y_code)) = (x, y);
    let x = unpack(format, x_code, x_name);
    let y = unpack(format, y_code, y_name);

    x.sign.circuit().section("Order by magnitude: codes ascend with their values");
    let y_is_larger = x.magnitude.less_than(y.magnitude).named(format!("{y_name}_is_larger"));
    let order = Order::ByMagnitude { first_is_larger: !y_is_larger };
    let sum = add_terms(operation, term(x_name, &x), term(y_name, &y), order);
    encode(operation, Kind::Arithmetic, sum, random)
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
