//! Multiplier: `y = a * b`.

mod align;
mod gradual;
mod supernormal;

use crate::units::{
    assemble::Origin,
    coded::Coded,
    exact::{ExactResult, Magnitude},
    posit,
    product::multiply,
    result::encode,
    sums::fixed_point_sum,
    target::{FamilyTarget, Target},
    unpack::unpack,
};
use binade_circuit::{Bits, Int, concat};
use binade_spec::Format;

/// The product of two codes with their names, rounded.
pub fn mul<'c>(
    formats: [Format; 2],
    target: &Target,
    named: [(&str, Bits<'c>); 2],
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    let operands = named.map(|(_, code)| code);
    let [operand, other] = formats;
    match (operand, FamilyTarget::from(target)) {
        _ if formats.iter().any(|format| format.fixed().is_some()) => {
            fixed_point_sum(target, Some((formats, operands)), &[], random)
        }
        _ if operand != other => normalized(formats, target, named, random),
        (Format::Posit(operand), FamilyTarget::Posit(target)) => {
            Coded { code: posit::mul(&operand, &target, operands, random), flags: None }
        }
        (Format::Float(operand), FamilyTarget::Float(target)) if gradual::applies(&operand, &target) => {
            gradual::mul(&target, named, random)
        }
        _ => normalized(formats, target, named, random),
    }
}

/// The leading ones of operands and product are in the top bit.
fn normalized<'c>(
    [of_a, of_b]: [Format; 2],
    target: &Target,
    [(a_name, a), (b_name, b)]: [(&str, Bits<'c>); 2],
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    let operands = [unpack(of_a, a, a_name).normalized(a_name), unpack(of_b, b, b_name).normalized(b_name)];
    if let FamilyTarget::Float(target) = FamilyTarget::from(target)
        && let Some(direction) = supernormal::direction(&target, &operands)
    {
        return supernormal::mul(&target, direction, &operands);
    }
    let [a, b] = &operands;
    let product = multiply(a, b, [a.significand_of_nonzero(), b.significand_of_nonzero()]);

    product.significand.circuit().section("Normalize: the product of two significands is in [1, 4)");
    let (fraction, carry) = normalize(product.significand);
    let one = carry.circuit().constant(1, 1);
    let magnitude = Magnitude {
        exponent: product.exponent.add(Int::unsigned(carry)).named("exponent"),
        significand: concat(&[one, fraction]),
    };
    let exact = ExactResult { class: product.class, magnitude, payload: None };
    encode(target, Origin::Arithmetic, &exact, random)
}

/// The fraction below the leading one, and whether the leading one is the upper integer bit.
fn normalize(product: Bits<'_>) -> (Bits<'_>, Bits<'_>) {
    let width = product.width();
    let carry = product.msb().named("product_is_2_or_more");
    let fraction = carry.select(product.low(width - 1), product.zeros_below(1).low(width - 1));
    (fraction.named("fraction"), carry)
}
