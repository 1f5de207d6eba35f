//! Exact product of two operands.

use super::unpack::Unpacked;
use binade_circuit::{Bits, Int, Optimize};

/// `significand * 2^exponent`, where the significand has two integer bits (its value is in `[1, 4)`).
#[derive(Clone, Copy)]
pub struct Product<'c> {
    pub sign: Bits<'c>,
    pub is_zero: Bits<'c>,
    pub is_infinite: Bits<'c>,
    pub is_nan: Bits<'c>,
    pub is_invalid: Bits<'c>,
    /// Exponent of the second integer bit.
    pub exponent: Int<'c>,
    /// `2p` bits.
    pub significand: Bits<'c>,
}

/// Sign and class of a product. `is_nan` decides before `is_infinite`, that before `is_zero`.
#[derive(Clone, Copy)]
pub struct Classes<'c> {
    pub sign: Bits<'c>,
    pub is_zero: Bits<'c>,
    pub is_infinite: Bits<'c>,
    pub is_nan: Bits<'c>,
    pub is_invalid: Bits<'c>,
}

/// Product of normalised operands with the significands given.
pub fn multiply<'c>(a: &Unpacked<'c>, b: &Unpacked<'c>, significands: [Bits<'c>; 2]) -> Product<'c> {
    a.sign.circuit().section("Multiply");
    let [a_significand, b_significand] = significands;
    // Three bits are too few for rows of radix 4.
    let significand = match a_significand.width() {
        0..=3 if a.sign.circuit().optimize() == Optimize::Area => a_significand.mul(b_significand),
        _ => a_significand.multiply(b_significand),
    };
    let Classes { sign, is_zero, is_infinite, is_nan, is_invalid } = classes_of_product(a, b);
    Product {
        sign,
        is_zero,
        is_infinite,
        is_nan,
        is_invalid,
        exponent: a.exponent.add(b.exponent).named("product_exponent"),
        significand: significand.named("product"),
    }
}

/// What the operands' signs and classes say about their product.
pub fn classes_of_product<'c>(a: &Unpacked<'c>, b: &Unpacked<'c>) -> Classes<'c> {
    let infinity_times_zero = (a.is_infinite & b.is_zero) | (a.is_zero & b.is_infinite);
    Classes {
        sign: (a.sign ^ b.sign).named("product_sign"),
        is_zero: (a.is_zero | b.is_zero).named("product_is_zero"),
        is_infinite: (a.is_infinite | b.is_infinite).named("product_is_infinite"),
        is_nan: (a.is_nan | b.is_nan | infinity_times_zero).named("product_is_nan"),
        // A NaN may look like a zero beside its class.
        is_invalid: a.is_signaling | b.is_signaling | (infinity_times_zero & !a.is_nan & !b.is_nan),
    }
}
