//! Exact sums of codes and products, rounded once.
//!
//! | file | sum |
//! |---|---|
//! | `fixed.rs` | terms in fixed point, exactly |
//! | `beside.rs` | the same with one wide term, whose exponent goes far beyond those of the others |
//! | `scaled.rs` | a fixed-point sum of products times the product of two scales, plus a code |
//! | `aligned.rs` | truncated terms |
//! | `grouped.rs` | truncated products in groups, and a code, rounded down where they are added |
//!
//! `code.rs` and `number.rs` define the terms: codes with names, and magnitudes scaled by powers of two. `negate.rs` negates codes. `total.rs` rounds
//! a sum.

pub mod aligned;
mod beside;
mod code;
pub mod fixed;
pub mod grouped;
mod negate;
pub mod number;
pub mod scaled;
pub mod total;

use super::{coded::Coded, target::Target};
use beside::Beside;
use binade_circuit::Bits;
use binade_spec::Format;
pub use code::Code;
use negate::negated;
use number::Number;

/// A term of a sum.
pub enum Summand<'c> {
    Code(Code<'c>),
    Product([Code<'c>; 2]),
    /// A negated summand that has no code: of fixed-point codes and codebooks.
    Negative(Box<Summand<'c>>),
}

impl<'c> Summand<'c> {
    /// The summand, negated if `is_negated`.
    pub fn negated_if(self, is_negated: bool) -> Summand<'c> {
        if !is_negated {
            return self;
        }
        let with_code = match &self {
            Summand::Code(code) => negated(code).map(Summand::Code),
            Summand::Product([a, b]) => negated(a).map(|a| Summand::Product([a, b.clone()])),
            Summand::Negative(_) => None,
        };
        match (with_code, self) {
            (Some(summand), _) => summand,
            (None, Summand::Negative(summand)) => *summand,
            (None, summand) => Summand::Negative(Box::new(summand)),
        }
    }

    /// The unpacked summand, or the product of significands.
    pub fn number(&self) -> Number<'c> {
        match self {
            Summand::Code(code) => Number::of_code(code),
            Summand::Product(factors) => Number::of_product(factors),
            Summand::Negative(summand) => {
                let number = summand.number();
                let one = number.digits.circuit().ones(1);
                let number = number.negated_if(one);
                // The negative of the lowest code needs one more place, which a product has.
                match **summand {
                    Summand::Code(_) => Number { digits: number.digits.sext(number.digits.width() + 1), ..number },
                    Summand::Product(_) | Summand::Negative(_) => number,
                }
            }
        }
    }
}

/// The exact sum in the narrower of two windows, rounded once.
pub fn exact_sum<'c>(target: &Target, numbers: &[Number<'c>], random: Option<Bits<'c>>) -> Coded<'c> {
    match Beside::of(target, numbers) {
        Some(beside) => beside.sum(target, beside.window(), random),
        None => fixed::sum(target, numbers, random),
    }
}

/// The unpacked summands.
pub fn numbers<'c>(summands: &[Summand<'c>]) -> Vec<Number<'c>> {
    summands.iter().map(Summand::number).collect()
}

/// The sum of a product (or a code) and codes, rounded once, if one of the formats is fixed-point; exact sums need no exponents.
pub fn fixed_point_sum<'c>(
    target: &Target,
    product: Option<([Format; 2], [Bits<'c>; 2])>,
    codes: &[(Format, &str, Bits<'c>)],
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    let code = |format: Format, name: &str, bits: Bits<'c>| Code { format, bits, name: name.into() };
    let factors = product
        .map(|([a_format, b_format], [a, b])| Summand::Product([code(a_format, "a", a), code(b_format, "b", b)]));
    let codes = codes.iter().map(|&(format, name, bits)| Summand::Code(code(format, name, bits)));
    exact_sum(target, &numbers(&factors.into_iter().chain(codes).collect::<Vec<_>>()), random)
}
