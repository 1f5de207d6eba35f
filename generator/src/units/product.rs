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

/// Product of normalised operands with the significands given.
pub fn multiply<'c>(a: &Unpacked<'c>, b: &Unpacked<'c>, significands: [Bits<'c>; 2]) -> Product<'c> {
    a.significand.circuit().section("Multiply");
    let [a_significand, b_significand] = significands;
    // Three bits are too few for rows of radix 4.
    let significand = match a_significand.width() {
        0..=3 if a.significand.circuit().optimize() == Optimize::Area => a_significand.mul(b_significand),
        _ => a_significand.multiply(b_significand),
    };
    let parts = [(a_significand.width(), "of a's significand"), (b_significand.width(), "of b's")];
    Product {
        class: Class::of_product(&a.class, &b.class),
        exponent: a.exponent.add(b.exponent).named("product_exponent"),
        significand: significand.made_of("product", &parts),
    }
}
