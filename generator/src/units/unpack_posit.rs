//! Posit to sign, exponent, significand and class.
//!
//! ```text
//!   | sign | regime: r equal bits, then the opposite | exponent | fraction |
//! ```
//!
//! A negative posit is the two's complement of its magnitude. Regime, exponent and fraction are taken apart before it is
//! formed: the length of the run is the same but for a payload of zeros, and there it is the carry out of the payload
//! that puts the regime right. So the code is negated as the number `| regime | exponent | fraction |`.

use super::unpack::Unpacked;
use crate::Optimize;
use crate::circuit::{Bits, Int, concat};
use binade_golden::Posit;

/// Takes `code` apart; the signals are named after the operand. The exponent of zero and NaR is that of a regime of
/// `n - 1` zeros.
pub fn unpack_posit<'c>(posit: &Posit, code: Bits<'c>, operand: &str) -> Unpacked<'c> {
    let circuit = code.circuit();
    let name = |part: &str| format!("{operand}_{part}");
    let sign = code.msb().named(name("sign"));
    let body = code.low(posit.bits - 1);
    let is_special = body.none().named(name("is_special"));
    let is_negative = (sign & !is_special).named(name("is_negative"));
    let number = number(posit, body, is_special, operand);
    let number = negated_if(is_negative, number).named(name("number"));
    let fraction_bits = posit.precision() - 1;
    let leading_one = !is_special;
    let significand = match fraction_bits {
        0 => leading_one,
        bits => concat(&[leading_one, number.low(bits)]),
    };
    Unpacked {
        format: (*posit).into(),
        sign,
        is_zero: (is_special & !sign).named(name("is_zero")),
        is_infinite: circuit.zero(),
        is_nan: (is_special & sign).named(name("is_nar")),
        is_signaling: circuit.zero(),
        magnitude: negated_if(sign, body).named(name("magnitude")),
        exponent: exponent(posit, number.high(number.width() - fraction_bits), operand),
        significand: significand.named(name("significand")),
    }
}

/// The two's complement, or the bits as they are.
fn negated_if<'c>(negate: Bits<'c>, bits: Bits<'c>) -> Bits<'c> {
    (bits ^ negate.repeat(bits.width())).add(negate.zext(bits.width()))
}

/// Regime (in two's complement), exponent and fraction side by side, as if the code were positive.
fn number<'c>(posit: &Posit, body: Bits<'c>, is_special: Bits<'c>, operand: &str) -> Bits<'c> {
    let is_zeros = (!body.msb()).named(format!("{operand}_regime_is_zeros"));
    let (run_more, payload) = after_run(body, is_special, operand);
    // A run of r ones is r - 1, of r zeros -r: all bits inverted.
    let regime = concat(&[is_zeros, run_more ^ is_zeros.repeat(run_more.width())]).named(format!("{operand}_regime"));
    let payload_bits = posit.exponent_bits + posit.precision() - 1;
    if payload_bits == 0 {
        return regime;
    }
    let payload = payload.zeros_below(payload_bits.saturating_sub(payload.width())).high(payload_bits);
    concat(&[regime, payload.named(format!("{operand}_payload"))])
}

/// How many bits after the first go on with the run, and what comes after the bit that ends it, zeros below.
///
/// Each stage passes over a power of two of bits if they are all the run's. The zeros that come in at the bottom end a
/// run of ones; of zero and NaR, a run of zeros, the count is put right.
fn after_run<'c>(body: Bits<'c>, is_special: Bits<'c>, operand: &str) -> (Bits<'c>, Bits<'c>) {
    let circuit = body.circuit();
    let first = body.msb();
    let width = body.width() - 1;
    let mut rest = body.low(width);
    let counted = match circuit.optimize() {
        Optimize::Area => None,
        // A one below ends the longest run.
        Optimize::Depth => Some(concat(&[rest ^ first.repeat(width), circuit.constant(1, 1)]).leading_zeros()),
    };
    let mut run_more = vec![];
    for stage in (0..32 - width.leading_zeros()).rev() {
        let step = 1 << stage;
        let goes_on = match counted {
            Some(count) => count.bit(stage),
            None => (rest.high(step) ^ first.repeat(step)).none(),
        };
        let goes_on = goes_on.named(format!("{operand}_run_by_{step}"));
        let moved = match width - step {
            0 => circuit.constant(0, width),
            below => rest.low(below).zeros_below(step),
        };
        rest = goes_on.select(moved, rest).named(format!("{operand}_after_{step}"));
        let is_in_longest = width >> stage & 1 == 1;
        run_more.push(if is_in_longest || counted.is_some() { goes_on } else { goes_on & !is_special });
    }
    let payload = if width == 1 { circuit.zero() } else { rest.low(width - 1) };
    (concat(&run_more).named(format!("{operand}_run_more")), payload)
}

/// `regime * 2^es` plus the exponent bits, and the scale.
fn exponent<'c>(posit: &Posit, plain: Bits<'c>, operand: &str) -> Int<'c> {
    let scale = i64::from(posit.scale);
    let (bits, step) = (i64::from(posit.bits), 1 << posit.exponent_bits);
    let plain = Int::signed(plain.named(format!("{operand}_exponent"))).within(-(bits - 1) * step, (bits - 2) * step);
    plain.plus(scale)
}
