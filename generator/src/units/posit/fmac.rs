//! Fused multiply-accumulate into a posit.

use super::{
    add::term,
    encode::encode,
    mul::{MULTIPLICATION, product, product_parts},
    operand::{PositOperand, fraction_bits},
    sum::{PositTerm, sum},
};
use crate::units::{product::multiply, target::PositTarget, unpack};
use binade_circuit::{Bits, concat};
use binade_spec::{Format, Posit};

/// `a * b + c`, where `a` and `b` are of the format `operand`.
pub fn fmac<'c>(operand: Format, target: &PositTarget, [a, b, c]: [Bits<'c>; 3], random: Option<Bits<'c>>) -> Bits<'c> {
    let product = match operand {
        Format::Posit(posit) => product_of_posits(&posit, a, b),
        Format::Float(_) | Format::Fixed(_) | Format::Codebook(_) => product_of_floats(operand, a, b),
    };
    let c = PositOperand::new(&target.format, c, "c");
    let addend = PositTerm { is_zero: Some(c.is_zero), ..term(&target.format, &c, "c") };
    encode(target, &sum(target, &product, &addend), random)
}

fn product_of_posits<'c>(posit: &Posit, a: Bits<'c>, b: Bits<'c>) -> PositTerm<'c> {
    let (a, b) = (PositOperand::new(posit, a, "a"), PositOperand::new(posit, b, "b"));
    a.sign.circuit().section_with("Multiply", &MULTIPLICATION);
    let product = product(&a, &b);
    let product = product.made_of("product", &product_parts(product.width()));
    let digits = concat(&[(a.sign ^ b.sign).named("product_sign"), product]);
    let exponent = a.bounded_exponent(posit).add(b.bounded_exponent(posit)).named("product_exponent");
    PositTerm {
        name: "product",
        is_nar: (a.is_nar | b.is_nar).named("product_is_nar"),
        is_zero: Some((a.is_zero | b.is_zero).named("product_is_zero")),
        exponent: exponent.plus(2 * i64::from(posit.scale)),
        quantum: 2 * posit.least_place(),
        digits,
        fraction_bits: 2 * fraction_bits(posit),
        reach: 2,
    }
}

/// The magnitudes of floats are multiplied, and the product is negated if it is negative.
fn product_of_floats<'c>(operand: Format, a: Bits<'c>, b: Bits<'c>) -> PositTerm<'c> {
    let a = unpack::unpack(operand, a, "a").normalized("a");
    let b = unpack::unpack(operand, b, "b").normalized("b");
    let product = multiply(&a, &b, [a.significand_of_nonzero(), b.significand_of_nonzero()]);
    let (sign, magnitude) = (product.class.sign, product.significand);
    let width = magnitude.width() + 1;
    let digits = (magnitude.zext(width) ^ sign.repeat(width)).add(sign.zext(width));
    PositTerm {
        name: "product",
        is_nar: (product.class.is_nan | product.class.is_infinite).named("product_is_nar"),
        is_zero: Some(product.class.is_zero),
        exponent: product.exponent,
        quantum: 2 * (operand.min_exponent() + 1 - i64::from(operand.precision())),
        digits: digits.named("signed_product"),
        fraction_bits: magnitude.width() - 2,
        reach: 2,
    }
}
