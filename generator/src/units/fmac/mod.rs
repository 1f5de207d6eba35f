//! Fused multiply-accumulate: `y = a * b + c`, rounded once.
//!
//! | file | stage, for floats as accumulators |
//! |---|---|
//! | `fmac/factor.rs` | factors with normalised significands, and their product in `[1, 2)` |
//! | `fmac/distance.rs` | how far the exponents of product and addend are apart |
//! | `fmac/align.rs` | alignment, addition, normalisation |

mod align;
mod distance;
mod factor;

use crate::units::{
    assemble::Kind,
    exact::ExactResult,
    product::multiply,
    result::{Coded, encode},
    sum::{Term, add_terms, term},
    target::{Family, FloatTarget, Target},
    unpack::unpack,
};
use binade_circuit::Bits;
use binade_spec::Format;

pub fn fmac<'c>(operand: Format, target: &Target, operands: [Bits<'c>; 3], random: Option<Bits<'c>>) -> Coded<'c> {
    let sum = match Family::from(target) {
        Family::Float(target) => float_sum(operand, &target, operands),
        Family::Posit(_) => posit_sum(operand, target, operands),
    };
    encode(target, Kind::Arithmetic, &sum, random)
}

/// Into a float.
fn float_sum<'c>(operand: Format, target: &FloatTarget, [a, b, c]: [Bits<'c>; 3]) -> ExactResult<'c> {
    let a = factor::unpack_factor(operand, a, "a");
    let b = factor::unpack_factor(operand, b, "b");
    let c = unpack(target.format.into(), c, "c");
    let product = factor::multiply(&a, &b);
    align::accumulate(&operand, target, &product, &c)
}

/// Into a posit.
fn posit_sum<'c>(operand: Format, target: &Target, [a, b, c]: [Bits<'c>; 3]) -> ExactResult<'c> {
    let a = unpack(operand, a, "a").normalised("a");
    let b = unpack(operand, b, "b").normalised("b");
    let c = unpack(target.format, c, "c");
    let product = multiply(&a, &b, [a.significand, b.significand]);
    let product = Term {
        name: "product",
        class: product.class,
        exponent: product.exponent,
        significand: product.significand,
        integer_bits: 2,
    };
    add_terms(target, product, term("c", &c))
}
