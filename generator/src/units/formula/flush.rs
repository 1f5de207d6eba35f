//! Codes without subnormal numbers: they become zeros.

use crate::units::sums::Code;
use binade_circuit::{Bits, concat};
use binade_spec::{Float, Sign};

/// The code, or zero if it is subnormal; with `keeps_sign` a zero of its sign, otherwise all zeros become +0. Codes of formats without
/// subnormals stay as they are.
pub fn of_code<'c>(code: &Code<'c>, keeps_sign: bool) -> Bits<'c> {
    match code.format.float() {
        Some(float) if float.underflows_gradually() => flushed(float, code.bits, keeps_sign),
        _ => code.bits,
    }
}

fn flushed<'c>(float: &Float, code: Bits<'c>, keeps_sign: bool) -> Bits<'c> {
    let magnitude = code.low(float.exponent_bits + float.trailing_bits);
    let is_low = magnitude.high(float.exponent_bits).none();
    if float.sign == Sign::Unsigned {
        return (!is_low).gate(code);
    }
    // The code of -0 may be NaN.
    let has_minus_zero = float.has_minus_zero();
    let is_low = if has_minus_zero { is_low } else { is_low & magnitude.any() };
    match keeps_sign && has_minus_zero {
        true => concat(&[code.msb(), (!is_low).gate(magnitude)]),
        false => (!is_low).gate(code),
    }
}
