//! Fused multiply-accumulate: `y = a * b + c`, rounded once.

use super::{
    add::term,
    assemble::Kind,
    product::multiply,
    result::{Coded, encode},
    sum::{Order, Term, add_terms},
    unpack::unpack,
};
use crate::circuit::Bits;
use binade_golden::Operation;

pub fn fmac<'c>(operation: &Operation, [a, b, c]: [Bits<'c>; 3], random: Option<Bits<'c>>) -> Coded<'c> {
    let a = unpack(operation.operand, a, "a").normalised("a");
    let b = unpack(operation.operand, b, "b").normalised("b");
    let c = unpack(operation.result, c, "c");
    let product = multiply(&a, &b, [a.significand, b.significand]);
    let product = Term {
        name: "product",
        sign: product.sign,
        is_zero: product.is_zero,
        is_infinite: product.is_infinite,
        is_nan: product.is_nan,
        is_invalid: product.is_invalid,
        exponent: product.exponent,
        significand: product.significand,
        integer_bits: 2,
    };
    let sum = add_terms(operation, product, term("c", &c), Order::ByExponent);
    encode(operation, Kind::Arithmetic, sum, random)
}
