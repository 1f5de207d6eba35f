//! Posit, b-posit or takum to sign, exponent, significand and class.
//!
//! ```text
//!   | sign | regime: r equal bits, then the opposite | exponent | fraction |
//! ```
//!
//! A negative posit is the two's complement of its magnitude. Regime, exponent and fraction are extracted before the
//! negation. The run has the same length in the magnitude, except for a payload of zeros, where the carry out of the payload
//! corrects the regime. So the code is negated as the number `| regime | exponent | fraction |`.

use super::unpacked::Unpacked;
use crate::units::{
    class::Class,
    posit::{BoundedFields, bounded_fields},
};
use binade_circuit::{Bits, Int, Optimize, concat, signed_width, unsigned_width};
use binade_spec::Posit;

/// Unpacks `code`; the signals are named after the operand. The exponent of zero and NaR is that of a regime of `n - 1`
/// zeros.
pub fn unpack<'c>(posit: &Posit, code: Bits<'c>, operand: &str) -> Unpacked<'c> {
    unpack_biased(posit, 0, code, operand)
}

/// Unpacks `code` with `bias` in the exponent, for a float of that bias. If an adder negates the code, it also adds the
/// bias.
pub fn unpack_biased<'c>(posit: &Posit, bias: i64, code: Bits<'c>, operand: &str) -> Unpacked<'c> {
    let circuit = code.circuit();
    let name = |part: &str| format!("{operand}_{part}");
    let sign = code.msb().named(name("sign"));
    let body = code.low(posit.bits - 1);
    let is_special = body.none().named(name("is_special"));
    let is_negative = (sign & !is_special).named(name("is_negative"));
    let magnitude = negated_if(sign, body).named(name("magnitude"));
    let fraction_bits = posit.precision() - 1;
    let (number, added) = match circuit.optimize() {
        Optimize::Depth if posit.has_bound() => (side_by_side(bounded_fields(posit, magnitude, operand)), 0),
        Optimize::Area => {
            let raw = match posit.has_bound() {
                true => side_by_side(bounded_fields(posit, body, operand)),
                false => raw_number(posit, body, is_special, operand),
            };
            let added = if fraction_bits > 0 { bias + i64::from(posit.scale) } else { 0 };
            let note = "regime, exponent and fraction in one; those of a negative code are negated here, as one number";
            (negated_and_biased(posit, is_negative, raw, added).explained(name("number"), note), added)
        }
        Optimize::Depth => (number_beside_count(posit, body, magnitude, is_negative, operand), 0),
    };
    let leading_one = !is_special;
    let significand = match fraction_bits {
        0 => leading_one,
        bits => concat(&[leading_one, number.low(bits)]),
    };
    Unpacked {
        format: (*posit).into(),
        class: class(sign, is_special, operand),
        magnitude,
        exponent: exponent(posit, number.high(number.width() - fraction_bits), added, operand),
        significand: significand.named(name("significand")),
    }
}

/// A posit whose significand is in two's complement: `p + 1` bits, of which the top one has weight -2, in [-2, -1) or [1, 2); 0 for
/// zero and NaR.
pub struct SignedPosit<'c> {
    pub class: Class<'c>,
    pub exponent: Int<'c>,
    pub significand: Bits<'c>,
}

/// Unpacks `code` without a negation. The number `| regime | exponent | fraction |` of a negative code is that of the magnitude, negated.
/// So its fraction counts from -2, and its regime and exponent are those of the code, inverted.
pub fn unpack_signed<'c>(posit: &Posit, code: Bits<'c>, operand: &str) -> SignedPosit<'c> {
    let name = |part: &str| format!("{operand}_{part}");
    let sign = code.msb().named(name("sign"));
    let body = code.low(posit.bits - 1);
    let is_special = body.none().named(name("is_special"));
    let is_negative = (sign & !is_special).named(name("is_negative"));
    let number = match code.circuit().optimize() {
        _ if posit.has_bound() => side_by_side(bounded_fields(posit, body, operand)),
        Optimize::Area => raw_number(posit, body, is_special, operand),
        Optimize::Depth => {
            let run_more = run_more(run_below_first(body, operand), operand);
            with_payload(posit, regime(!body.msb(), run_more), behind_run(body, run_more, operand), operand)
        }
    };
    let fraction_bits = posit.precision() - 1;
    let above = number.high(number.width() - fraction_bits);
    let integer = concat(&[is_negative, !(sign | is_special)]);
    let significand = if fraction_bits > 0 { concat(&[integer, number.low(fraction_bits)]) } else { integer };
    SignedPosit {
        class: class(sign, is_special, operand),
        exponent: exponent(posit, above ^ is_negative.repeat(above.width()), 0, operand),
        significand: significand.named(name("significand")),
    }
}

fn class<'c>(sign: Bits<'c>, is_special: Bits<'c>, operand: &str) -> Class<'c> {
    let never = sign.circuit().zero();
    Class {
        sign,
        is_zero: (is_special & !sign).named(format!("{operand}_is_zero")),
        is_infinite: never,
        is_nan: (is_special & sign).named(format!("{operand}_is_nar")),
        is_invalid: never,
    }
}

/// The two's complement if `negate`, else the bits unchanged.
fn negated_if<'c>(negate: Bits<'c>, bits: Bits<'c>) -> Bits<'c> {
    (bits ^ negate.repeat(bits.width())).add(negate.zext(bits.width()))
}

/// The two's complement of `| regime | exponent | fraction |`, or the bits unchanged, with `added` added to the
/// exponent. Without a fraction, `added` is 0.
fn negated_and_biased<'c>(posit: &Posit, negate: Bits<'c>, number: Bits<'c>, added: i64) -> Bits<'c> {
    if added == 0 {
        return negated_if(negate, number);
    }
    let fraction_bits = posit.precision() - 1;
    let (least, most) = plain_exponents(posit);
    let exponent_bits = signed_width(least).max(signed_width(least + added)).max(signed_width(most + added));
    let number = number.sext(number.width().max(exponent_bits + fraction_bits));
    let exponent_bits = number.width() - fraction_bits;
    let added = negate.circuit().integer(added, exponent_bits);
    (number ^ negate.repeat(number.width())).add(concat(&[added, negate.zext(fraction_bits)]))
}

/// Exponent (in two's complement) and fraction of a b-posit or takum side by side.
fn side_by_side(fields: BoundedFields) -> Bits {
    match fields.fraction {
        Some(fraction) => concat(&[fields.exponent, fraction]),
        None => fields.exponent,
    }
}

/// Regime (in two's complement), exponent and fraction side by side, as if the code were positive.
fn raw_number<'c>(posit: &Posit, body: Bits<'c>, is_special: Bits<'c>, operand: &str) -> Bits<'c> {
    let is_zeros = (!body.msb()).named(format!("{operand}_regime_is_zeros"));
    let (run_more, rest) = pass_run(body, is_special, operand);
    with_payload(posit, regime(is_zeros, run_more).named(format!("{operand}_regime")), rest, operand)
}

/// For depth: the magnitude is formed in parallel with the count of the run, which then shifts it. The regime of a negative
/// code is one more if the payload is zero: if negation inverts only the bits of the run and the lowest 1.
fn number_beside_count<'c>(
    posit: &Posit,
    body: Bits<'c>,
    magnitude: Bits<'c>,
    is_negative: Bits<'c>,
    operand: &str,
) -> Bits<'c> {
    let name = |part: &str| format!("{operand}_{part}");
    let (first, width) = (body.msb(), body.width() - 1);
    let run = run_below_first(body, operand);
    let run_more = run_more(run, operand);
    let rest = behind_run(magnitude, run_more, operand);
    // Above the lowest 1 of a negative code, its bits and those of the magnitude differ.
    let above_lowest = (body ^ magnitude).low(width).named(name("above_lowest_one"));
    let has_payload = (run & above_lowest).any().named(name("has_payload"));
    let raw = regime(!first, run_more);
    let inverted = (raw.called(name("raw_regime")) ^ is_negative.repeat(raw.width())).named(name("inverted_regime"));
    let one_more = inverted.add(body.circuit().constant(1, raw.width())).named(name("regime_and_one"));
    let regime = (is_negative & !has_payload).select(one_more, inverted).named(name("regime"));
    with_payload(posit, regime, rest, operand)
}

/// The bits below the first, 0 where they equal it.
fn run_below_first<'c>(body: Bits<'c>, operand: &str) -> Bits<'c> {
    let (first, width) = (body.msb(), body.width() - 1);
    (body.low(width) ^ first.repeat(width)).named(format!("{operand}_run"))
}

/// The number of bits after the first that continue the run.
fn run_more<'c>(run: Bits<'c>, operand: &str) -> Bits<'c> {
    // A one below ends the longest run.
    let ended = concat(&[run, run.circuit().constant(1, 1)]);
    ended.leading_zeros(&format!("{operand}_run")).named(format!("{operand}_run_more"))
}

/// The bits from the one that ends the run, with zeros below.
fn behind_run<'c>(body: Bits<'c>, run_more: Bits<'c>, operand: &str) -> Bits<'c> {
    (0..run_more.width()).rev().fold(body.low(body.width() - 1), |rest, stage| {
        let moved = run_more.bit(stage).select(moved_up(rest, 1 << stage), rest);
        moved.named(format!("{operand}_after_{}", 1 << stage))
    })
}

/// The number of a regime: r - 1 for a run of r ones, -r for a run of r zeros, which is all bits inverted.
fn regime<'c>(is_zeros: Bits<'c>, run_more: Bits<'c>) -> Bits<'c> {
    concat(&[is_zeros, run_more ^ is_zeros.repeat(run_more.width())])
}

/// A regime, with exponent and fraction below it. They come after the top bit of `rest`, which ends the run.
fn with_payload<'c>(posit: &Posit, regime: Bits<'c>, rest: Bits<'c>, operand: &str) -> Bits<'c> {
    let payload_bits = posit.exponent_bits() + posit.precision() - 1;
    if payload_bits == 0 {
        return regime;
    }
    let payload = rest.zeros_below((payload_bits + 1).saturating_sub(rest.width()));
    let payload = payload.low(payload.width() - 1).high(payload_bits);
    concat(&[regime, payload.named(format!("{operand}_payload"))])
}

/// The number of bits after the first that continue the run, and the rest from the bit that ends it, with zeros below.
///
/// Each stage skips a power of two of bits if they all belong to the run. The zeros that enter at the bottom end a run
/// of ones. For zero and NaR, which are a run of zeros, the count is corrected.
fn pass_run<'c>(body: Bits<'c>, is_special: Bits<'c>, operand: &str) -> (Bits<'c>, Bits<'c>) {
    let (first, width) = (body.msb(), body.width() - 1);
    let mut rest = body.low(width);
    let mut run_more = vec![];
    for stage in (0..unsigned_width(width)).rev() {
        let step = 1 << stage;
        let goes_on = (rest.high(step) ^ first.repeat(step)).none().named(format!("{operand}_run_by_{step}"));
        rest = goes_on.select(moved_up(rest, step), rest).named(format!("{operand}_after_{step}"));
        let is_in_longest = width >> stage & 1 == 1;
        run_more.push(if is_in_longest { goes_on } else { goes_on & !is_special });
    }
    let note =
        "how many bits continue the run behind its first; of zero and NaR, zeros that are shifted in do not count";
    (concat(&run_more).explained(format!("{operand}_run_more"), note), rest)
}

/// Shifted left by up to its width.
fn moved_up(bits: Bits, step: u32) -> Bits {
    match bits.width() - step {
        0 => bits.circuit().constant(0, step),
        kept => bits.low(kept).zeros_below(step),
    }
}

/// Least and largest exponent before the scale. Zero and NaR have that of code 0.
fn plain_exponents(posit: &Posit) -> (i64, i64) {
    let scale = i64::from(posit.scale);
    (posit.exponent_of_code_0() - scale, posit.max_exponent() - scale)
}

/// The exponent with its scale, from regime and exponent bits with `added` added.
fn exponent<'c>(posit: &Posit, sum: Bits<'c>, added: i64, operand: &str) -> Int<'c> {
    let (least, most) = plain_exponents(posit);
    let exponent = Int::signed(sum).within(least + added, most + added).plus(i64::from(posit.scale) - added);
    exponent.named(format!("{operand}_exponent"))
}
