//! From an exact result to the code of the result format, and the exception flags.

use super::{
    assemble::{Kind, assemble},
    flags::flags,
    round::{ExactResult, round},
    round_posit::posit_code,
};
use binade_circuit::Bits;
use binade_golden::{Format, Operation};

/// A rounded result.
#[derive(Clone, Copy)]
pub struct Coded<'c> {
    pub code: Bits<'c>,
    /// invalid, overflow, underflow, inexact, where they are asked for.
    pub flags: Option<Bits<'c>>,
}

/// Rounds an exact result into the result format of `operation`. Stochastic rounding takes `random`.
pub fn encode<'c>(operation: &Operation, kind: Kind, exact: ExactResult<'c>, random: Option<Bits<'c>>) -> Coded<'c> {
    match &operation.result {
        Format::Posit(posit) => Coded { code: posit_code(operation, posit, &exact, random), flags: None },
        Format::Float(format) => {
            let rounded = round(operation, format, exact.sign, exact.magnitude, random);
            let code = assemble(operation, format, kind, &exact, &rounded);
            let flags = operation.flags.map(|tininess| flags(operation, format, &exact, &rounded, random, tininess));
            Coded { code, flags }
        }
    }
}
