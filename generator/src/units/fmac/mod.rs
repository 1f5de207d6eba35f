//! Fused multiply-accumulate: `y = a * b + c`, rounded once.
//!
//! | file | stage, for floating-point accumulators |
//! |---|---|
//! | `fmac/factor.rs` | factors with normalized significands, and their product in `[1, 2)` |
//! | `fmac/distance.rs` | the distance between the exponents of product and addend |
//! | `fmac/align.rs` | alignment, addition, normalization |

mod align;
mod distance;
mod factor;

use crate::units::{
    assemble::Origin,
    coded::Coded,
    exact::ExactResult,
    posit,
    result::encode_float,
    sums::fixed_point_sum,
    target::{FamilyTarget, FloatTarget, Target},
    unpack::unpack,
};
use binade_circuit::Bits;
use binade_spec::{Format, Negation};

pub fn fmac<'c>(operand: Format, target: &Target, operands: [Bits<'c>; 3], random: Option<Bits<'c>>) -> Coded<'c> {
    match (operand, FamilyTarget::from(target)) {
        (Format::Fixed(_), _) | (_, FamilyTarget::Fixed(_) | FamilyTarget::Codebook(_)) => {
            let [a, b, c] = operands;
            fixed_point_sum(target, Some(([operand; 2], [a, b])), &[(target.format, "c", c)], random)
        }
        (_, FamilyTarget::Float(target)) => {
            encode_float(&target, Origin::Arithmetic, &exact_sum(operand, None, &target, operands, random), random)
        }
        (_, FamilyTarget::Posit(target)) => {
            Coded { code: posit::fmac(operand, &target, operands, random), flags: None }
        }
    }
}

/// The same with some terms negated, for floats: the sign of the product is inverted, and that of `c`.
pub fn negated_fmac<'c>(
    operand: Format,
    negation: Negation,
    target: &FloatTarget,
    operands: [Bits<'c>; 3],
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    encode_float(target, Origin::Arithmetic, &exact_sum(operand, Some(negation), target, operands, random), random)
}

fn exact_sum<'c>(
    operand: Format,
    negation: Option<Negation>,
    target: &FloatTarget,
    [a, b, c]: [Bits<'c>; 3],
    rm: Option<Bits<'c>>,
) -> ExactResult<'c> {
    let a = factor::unpack_factor(operand, a, "a");
    let b = factor::unpack_factor(operand, b, "b");
    let mut c = unpack(target.format.into(), c, "c");
    let mut product = factor::multiply(&a, &b);
    if let Some(Negation::Product | Negation::Both) = negation {
        product.class.sign = (!product.class.sign).named("minus_product_sign");
    }
    if let Some(Negation::Addend | Negation::Both) = negation {
        c.class.sign = (!c.class.sign).named("minus_c_sign");
    }
    align::accumulate(&operand, target, &product, ("c", &c), rm)
}

/// The exact sum of `x`, a code of any format, and `c`, one of the target's; the signals are named after them. `x` is
/// treated as a product without a second factor.
pub fn sum_of_formats<'c>(
    operand: Format,
    target: &FloatTarget,
    (x_name, x): (&'static str, Bits<'c>),
    (c_name, c): (&'static str, Bits<'c>),
) -> ExactResult<'c> {
    let x = factor::FmacProduct::of_one(x_name, &factor::unpack_factor(operand, x, x_name));
    let c = unpack(target.format.into(), c, c_name);
    align::accumulate(&operand, target, &x, (c_name, &c), None)
}
