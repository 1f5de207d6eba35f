//! Exact product of two operands.

use super::{class::Class, unpack::Unpacked};
use binade_circuit::{Bits, Int, Optimize};

/// `significand * 2^exponent`, where the significand has two integer bits (its value is in `[1, 4)`).
#[derive(Clone, Copy)]
pub struct Product<'c> {
    pub class: Class<'c>,
    /// Exponent of the second integer bit.
    pub exponent: Int<'c>,
    /// `2p` bits.
    pub significand: Bits<'c>,
}

/// Product of normalized operands with the significands given.
pub fn multiply<'c>(a: &Unpacked<'c>, b: &Unpacked<'c>, significands: [Bits<'c>; 2]) -> Product<'c> {
    a.significand.circuit().section("Multiply");
    let significand = significand_product(significands);
    Product {
        class: Class::of_product(&a.class, &b.class, "product"),
        exponent: a.exponent.add(b.exponent).named("product_exponent"),
        significand,
    }
}

/// The product of two significands, as wide as both.
pub fn significand_product([a, b]: [Bits<'_>; 2]) -> Bits<'_> {
    // Rows of radix 4 do not pay off for up to three bits.
    let product = match a.width() {
        0..=3 if a.circuit().optimize() == Optimize::Area => a.mul(b),
        _ => a.multiply(b),
    };
    let parts = [(a.width(), "of a's significand"), (b.width(), "of b's")];
    product.made_of("product", &parts)
}
