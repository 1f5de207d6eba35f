//! Accumulator: `acc = clear ? x : acc + x`, rounded each time; the result is the new value of the accumulator.
//!
//! The loop of the accumulator's register includes unpacking, alignment, addition, normalization and rounding.
//! Operations on `x` alone are before the loop.

use super::{
    add::add_codes,
    assemble::Origin,
    coded::Coded,
    fmac::sum_of_formats,
    posit,
    result::encode_float,
    sums::fixed_point_sum,
    target::{FamilyTarget, Target},
};
use binade_circuit::Bits;
use binade_spec::{Format, Rounding};

pub fn accumulate<'c>(
    operand: Format,
    target: &Target,
    [x, clear]: [Bits<'c>; 2],
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    let (circuit, format) = (x.circuit(), target.format);
    let zero = format.zero_code(false);
    let acc = circuit.register("acc", format.width(), zero, &format!("sum since the last clear, {format}"));
    circuit.section("Clear: add x to a zero that does not change it");
    // The sum of two zeros of different signs is +0, or -0 if rounding is toward -infinity.
    let neutral = circuit.constant(format.zero_code(target.rounding != Rounding::Rdn), format.width());
    let kept = clear.select(neutral, acc).named("acc_or_zero");
    let sum = added_to(target, operand, ("x", x), ("acc", kept), random);
    circuit.drive(acc, sum.code);
    sum
}

/// The rounded sum of `x`, a code of any format, and `acc`, one of the target's.
pub fn added_to<'c>(
    target: &Target,
    operand: Format,
    x: (&'static str, Bits<'c>),
    acc: (&'static str, Bits<'c>),
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    match (operand, FamilyTarget::from(target)) {
        _ if operand == target.format => add_codes(target, [acc, x], random),
        (Format::Fixed(_), _) | (_, FamilyTarget::Fixed(_) | FamilyTarget::Codebook(_)) => {
            fixed_point_sum(target, None, &[(operand, x.0, x.1), (target.format, acc.0, acc.1)], random)
        }
        (_, FamilyTarget::Float(target)) => {
            encode_float(&target, Origin::Arithmetic, &sum_of_formats(operand, &target, x, acc), random)
        }
        (_, FamilyTarget::Posit(target)) => {
            Coded { code: posit::add_format(operand, &target, [x, acc], random), flags: None }
        }
    }
}
