//! From an exact result to the code of the result format, and the exception flags.

use super::{
    assemble::{Kind, assemble},
    exact::ExactResult,
    fixed,
    flags::flags,
    posit,
    round::round,
    supernormal,
    target::{Family, FloatTarget, Target},
};
use binade_circuit::Bits;

/// A rounded result.
#[derive(Clone, Copy)]
pub struct Coded<'c> {
    pub code: Bits<'c>,
    /// invalid, overflow, underflow, inexact, where they are asked for.
    pub flags: Option<Bits<'c>>,
}

/// Rounds an exact result into the target. Stochastic rounding takes `random`.
pub fn encode<'c>(target: &Target, kind: Kind, exact: &ExactResult<'c>, random: Option<Bits<'c>>) -> Coded<'c> {
    match Family::from(target) {
        Family::Posit(target) => Coded { code: posit::encode(&target, &exact.into(), random), flags: None },
        Family::Float(target) => encode_float(&target, kind, exact, random),
        Family::Fixed(target) => fixed::of_number(&target, kind, exact, random),
    }
}

/// Rounds an exact result into a float.
pub fn encode_float<'c>(
    target: &FloatTarget,
    kind: Kind,
    exact: &ExactResult<'c>,
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    if supernormal::applies(target) {
        return Coded { code: supernormal::encode(target, kind, exact, random), flags: None };
    }
    let rounded = round(target, exact.class.sign, exact.magnitude, random);
    let code = assemble(target, kind, exact, &rounded);
    let flags = target.flags.map(|tininess| flags(target, exact, &rounded, random, tininess));
    Coded { code, flags }
}
