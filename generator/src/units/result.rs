//! From an exact result to the code of the result format, and the exception flags.

use super::{
    assemble::{Origin, assemble},
    codebook,
    coded::Coded,
    exact::ExactResult,
    fixed,
    flags::flags,
    posit,
    round::round,
    supernormal,
    target::{FamilyTarget, FloatTarget, Target},
};
use binade_circuit::{Bits, concat};
use binade_spec::FLAG_BITS;

/// Rounds an exact result to the target. Stochastic rounding uses `random`.
pub fn encode<'c>(target: &Target, kind: Origin, exact: &ExactResult<'c>, random: Option<Bits<'c>>) -> Coded<'c> {
    match FamilyTarget::from(target) {
        FamilyTarget::Posit(posit) => Coded {
            code: posit::encode(&posit, &exact.into(), random),
            flags: target.flags.map(|_| invalid_alone(exact)),
        },
        FamilyTarget::Float(target) => encode_float(&target, kind, exact, random),
        FamilyTarget::Fixed(target) => fixed::of_number(&target, kind, exact, random),
        FamilyTarget::Codebook(target) => codebook::encode(&target, exact, random),
    }
}

/// The flags of a rounding to a posit. It raises none itself; invalid is raised if an operand was a signaling NaN.
fn invalid_alone<'c>(exact: &ExactResult<'c>) -> Bits<'c> {
    let invalid = exact.class.is_invalid;
    concat(&[invalid, invalid.circuit().constant(0, FLAG_BITS - 1)])
}

/// Rounds an exact result to a float.
pub fn encode_float<'c>(
    target: &FloatTarget,
    kind: Origin,
    exact: &ExactResult<'c>,
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    // The flags use signals of the rounding stages.
    if supernormal::applies(target) && target.flags.is_none() {
        return Coded { code: supernormal::encode(target, kind, exact, random), flags: None };
    }
    let rounded = round(target, exact.class.sign, exact.magnitude, random);
    let code = assemble(target, kind, exact, &rounded, random);
    let flags = target.flags.map(|tininess| flags(target, kind, exact, &rounded, random, tininess));
    Coded { code, flags }
}
