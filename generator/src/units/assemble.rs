//! Zeros, overflow, infinities and NaN into the result's code.

use super::round::Rounded;
use crate::circuit::{Bits, concat};
use binade_golden::{Format, Infinity, Nan, Operation, Overflow, Sign};

/// What a unit found out. `is_nan` decides before `is_infinite`, that before `is_zero`, that before the rounded number.
pub struct Outcome<'c> {
    pub sign: Bits<'c>,
    pub rounded: Rounded<'c>,
    pub is_zero: Bits<'c>,
    pub is_infinite: Bits<'c>,
    pub is_nan: Bits<'c>,
    /// Magnitude code that a NaN operand hands on with its sign.
    pub payload: Option<Bits<'c>>,
}

/// Whether the sign of an operand passes through where the format gives it no meaning (DLFloat16).
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Conversion,
    Arithmetic,
}

/// The result's code.
pub fn assemble<'c>(operation: &Operation, kind: Kind, outcome: Outcome<'c>) -> Bits<'c> {
    let format = &operation.result;
    let circuit = outcome.sign.circuit();
    circuit.section("Assemble the result");
    let width = format.magnitude_bits();
    let constant = |code: u64| circuit.constant(u128::from(code & format.magnitude_mask()), width);

    let is_zero = (outcome.is_zero | outcome.rounded.vanishes).named("is_zero");
    let is_large = ((outcome.rounded.overflows & !is_zero) | outcome.is_infinite).named("is_large");
    let finite = is_zero.select(constant(0), outcome.rounded.code);
    let number = is_large.select(constant(overflow_magnitude(operation)), finite).named("number");
    let nan = outcome.payload.unwrap_or(constant(format.nan_code().unwrap_or(0)));
    let magnitude = outcome.is_nan.select(nan, number);

    match format.sign {
        Sign::Unsigned => unsigned_result(operation, &outcome, number, magnitude),
        Sign::Signed => {
            let sign = sign_of_result(operation, kind, &outcome, number, is_large);
            concat(&[sign.named("sign"), magnitude.named("magnitude")])
        }
    }
}

/// What stands for a magnitude beyond the largest finite one.
fn overflow_magnitude(operation: &Operation) -> u64 {
    let format = &operation.result;
    match (operation.overflow, format.infinity) {
        (Overflow::Saturate, _) => format.max_code(),
        (Overflow::Inf, Infinity::TopField | Infinity::LastCode) => {
            format.infinity_code().expect("the format has infinities")
        }
        (Overflow::Inf, Infinity::None) if overflow_is_nan(format) => format.magnitude_mask(),
        (Overflow::Inf, Infinity::None) => format.max_code(),
    }
}

fn overflow_is_nan(format: &Format) -> bool {
    matches!(format.nan, Nan::AllOnes | Nan::NanInfinity)
}

fn sign_of_result<'c>(
    operation: &Operation,
    kind: Kind,
    outcome: &Outcome<'c>,
    number: Bits<'c>,
    is_large: Bits<'c>,
) -> Bits<'c> {
    let (sign, is_nan) = (outcome.sign, outcome.is_nan);
    match operation.result.nan {
        // The payload comes with its sign.
        Nan::TopField if outcome.payload.is_some() => sign,
        Nan::None | Nan::TopField => sign & !is_nan,
        Nan::AllOnes if operation.overflow == Overflow::Inf => sign & !is_nan & !is_large,
        Nan::AllOnes => sign & !is_nan,
        Nan::NanInfinity if kind == Kind::Conversion => sign,
        Nan::NanInfinity => sign & number.any() & !number.all() & !is_nan,
        Nan::SignAlone => is_nan | (sign & number.any()),
        Nan::LastCode => unreachable!("only unsigned formats have NaN as their last code"),
    }
}

/// A negative number is NaN, or 0 if the result saturates.
fn unsigned_result<'c>(
    operation: &Operation,
    outcome: &Outcome<'c>,
    number: Bits<'c>,
    magnitude: Bits<'c>,
) -> Bits<'c> {
    let circuit = number.circuit();
    let is_negative = (outcome.sign & number.any() & !outcome.is_nan).named("is_negative");
    let replacement = match operation.overflow {
        Overflow::Inf => operation.result.nan_code().unwrap_or(0),
        Overflow::Saturate => 0,
    };
    is_negative.select(circuit.constant(replacement.into(), magnitude.width()), magnitude)
}
