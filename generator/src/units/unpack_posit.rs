//! Posit to sign, exponent, significand and class.
//!
//! ```text
//!   | sign | regime: r equal bits, then the opposite | exponent | fraction |
//! ```
//!
//! Of the magnitude, the bits after the first are compared with it: zeros go on with the regime's run, and normalising
//! counts them and brings exponent and fraction to the top.

use super::unpack::Unpacked;
use crate::circuit::{Bits, Int, concat};
use binade_golden::Posit;

/// Takes `code` apart; the signals are named after the operand. The exponent of zero and NaR is that of a regime of
/// `n - 1` zeros.
pub fn unpack_posit<'c>(posit: &Posit, code: Bits<'c>, operand: &str) -> Unpacked<'c> {
    let circuit = code.circuit();
    let name = |part: &str| format!("{operand}_{part}");
    let sign = code.msb().named(name("sign"));
    let magnitude_bits = posit.bits - 1;
    let body = code.low(magnitude_bits);
    let is_special = body.none().named(name("is_special"));
    let magnitude = (body ^ sign.repeat(magnitude_bits)).add(sign.zext(magnitude_bits)).named(name("magnitude"));
    let (regime, payload) = regime(posit, magnitude, operand);
    let padded = payload.zeros_below((posit.exponent_bits + posit.precision() - 1).saturating_sub(payload.width()));
    let exponent = exponent(posit, regime, padded, operand);
    let leading_one = !is_special;
    let significand = match posit.precision() - 1 {
        0 => leading_one,
        fraction_bits => concat(&[leading_one, padded.low(padded.width() - posit.exponent_bits).high(fraction_bits)]),
    };
    Unpacked {
        format: (*posit).into(),
        sign,
        is_zero: (is_special & !sign).named(name("is_zero")),
        is_infinite: circuit.zero(),
        is_nan: (is_special & sign).named(name("is_nar")),
        is_signaling: circuit.zero(),
        magnitude,
        exponent,
        significand: significand.named(name("significand")),
    }
}

/// The regime's number in two's complement, and what comes after the bit that ends the run, zeros below.
fn regime<'c>(posit: &Posit, magnitude: Bits<'c>, operand: &str) -> (Bits<'c>, Bits<'c>) {
    let circuit = magnitude.circuit();
    let first = magnitude.msb().named(format!("{operand}_regime_is_ones"));
    let width = posit.bits - 2;
    // Zeros in this are the rest of the run.
    let rest = (magnitude.low(width) ^ first.repeat(width)).named(format!("{operand}_run"));
    let (shifted, shift) = rest.normalise_left_filled(first, &format!("{operand}_regime"));
    let count_bits = 32 - width.leading_zeros();
    let to_the_end = circuit.constant(width.into(), count_bits);
    // For a run to the end the shifter cannot count so far.
    let shift = shift.zext(count_bits.max(shift.width())).low(count_bits);
    let count = rest.any().select(shift, to_the_end).named(format!("{operand}_run_more"));
    // A run of r ones is r - 1, of r zeros -r: all bits inverted.
    let is_negative = !first;
    let regime = concat(&[is_negative, count ^ is_negative.repeat(count_bits)]).named(format!("{operand}_regime"));
    if width == 1 {
        return (regime, circuit.zero());
    }
    let payload = shifted.low(width - 1) ^ first.repeat(width - 1);
    (regime, payload.named(format!("{operand}_payload")))
}

/// `regime * 2^es` plus the exponent bits at the top of the payload, and the scale.
fn exponent<'c>(posit: &Posit, regime: Bits<'c>, payload: Bits<'c>, operand: &str) -> Int<'c> {
    let plain = match posit.exponent_bits {
        0 => regime,
        bits => concat(&[regime, payload.high(bits)]),
    };
    let scale = i64::from(posit.scale);
    let (bits, step) = (i64::from(posit.bits), 1 << posit.exponent_bits);
    let plain = Int::signed(plain.named(format!("{operand}_exponent"))).within(-(bits - 1) * step, (bits - 2) * step);
    plain.plus(scale)
}
