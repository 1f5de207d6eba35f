//! Multiplier: `y = a * b`.

mod align;
mod gradual;

use super::{
    assemble::Kind,
    posit,
    product::multiply,
    result::{Coded, encode},
    round::{ExactResult, Magnitude},
    unpack::unpack,
};
use binade_circuit::{Bits, Int, concat};
use binade_golden::{Format, Operation};

pub fn mul<'c>(operation: &Operation, a: Bits<'c>, b: Bits<'c>, random: Option<Bits<'c>>) -> Coded<'c> {
    let format = operation.operand;
    match (&format, &operation.result) {
        (Format::Posit(operand), Format::Posit(result)) => {
            Coded { code: posit::mul(operation, [operand, result], [a, b], random), flags: None }
        }
        (Format::Float(format), _) if gradual::applies(operation, format) => {
            gradual::mul(operation, format, [a, b], random)
        }
        _ => normalised(operation, [a, b], random),
    }
}

/// Operands and product have their leading one on top.
fn normalised<'c>(operation: &Operation, [a, b]: [Bits<'c>; 2], random: Option<Bits<'c>>) -> Coded<'c> {
    let format = operation.operand;
    let a = unpack(format, a, "a").normalised("a");
    let b = unpack(format, b, "b").normalised("b");
    let product = multiply(&a, &b, [a.significand_of_nonzero(), b.significand_of_nonzero()]);

    a.sign.circuit().section("Normalise: the product of two significands is in [1, 4)");
    let magnitude = normalise(product.significand, product.exponent);
    let exact = ExactResult {
        sign: product.sign,
        magnitude,
        is_zero: product.is_zero,
        is_infinite: product.is_infinite,
        is_nan: product.is_nan,
        payload: None,
        is_invalid: product.is_invalid,
    };
    encode(operation, Kind::Arithmetic, exact, random)
}

/// Moves the leading one to the top bit.
fn normalise<'c>(product: Bits<'c>, exponent: Int<'c>) -> Magnitude<'c> {
    let width = product.width();
    let carry = product.msb().named("product_is_2_or_more");
    let fraction = carry.select(product.low(width - 1), product.zeros_below(1).low(width - 1));
    let one = product.circuit().constant(1, 1);
    Magnitude {
        exponent: exponent.add(Int::unsigned(carry)).named("exponent"),
        significand: concat(&[one, fraction.named("fraction")]),
    }
}
