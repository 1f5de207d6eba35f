//! Rounding to a posit.
//!
//! Regime, exponent and fraction are a bit string without an end; its first `n - 1` bits are the code, what comes after
//! decides the rounding. The regime is made by a shifter that fills with the run's bit:
//!
//! ```text
//!   | run bit | its opposite | exponent | fraction .. |   shifted right by the length of the run less 1
//! ```

use super::round::{ExactResult, Tail, below_code_bits, rounds_up};
use crate::circuit::{Bits, Int, concat};
use binade_golden::{Operation, Posit, PositRange};

/// The code of an exact result. Infinities become NaR.
pub fn posit_code<'c>(
    operation: &Operation,
    posit: &Posit,
    exact: &ExactResult<'c>,
    random: Option<Bits<'c>>,
) -> Bits<'c> {
    let circuit = exact.sign.circuit();
    let (code, tail) = bit_string(operation, posit, exact);

    circuit.section("Round; never to zero, never to NaR");
    let is_max = code.all().named("is_maxpos");
    let up = rounds_up(operation.rounding, exact.sign, code.bit(0), &tail, random);
    let round_up = (up & !is_max).named("round_up");
    let rounded = code.add(round_up.zext(code.width())).named("rounded");
    let is_nothing = rounded.none().named("rounds_to_nothing");
    let magnitude = match code.width() {
        1 => unreachable!("posits have at least 3 bits"),
        width => concat(&[rounded.high(width - 1), rounded.bit(0) | is_nothing]),
    };

    circuit.section("Assemble the result: a negative posit is the two's complement of its magnitude");
    let (vanishes, too_large) = beyond(operation, posit, exact);
    let is_zero = (exact.is_zero | vanishes).named("is_zero");
    let is_nar = (exact.is_nan | exact.is_infinite | (too_large & !exact.is_zero)).named("is_nar");
    let negated = (magnitude ^ exact.sign.repeat(magnitude.width())).add(exact.sign.zext(magnitude.width()));
    let is_number = (!is_zero & !is_nar).named("is_number");
    concat(&[is_nar | (is_number & exact.sign), is_number.gate(negated.named("signed_magnitude"))])
}

/// The first `n - 1` bits of the unbounded code, and what is below.
fn bit_string<'c>(operation: &Operation, posit: &Posit, exact: &ExactResult<'c>) -> (Bits<'c>, Tail<'c>) {
    let magnitude = exact.magnitude;
    let circuit = exact.sign.circuit();
    circuit.section("Regime, exponent and fraction as one bit string");
    let plain = magnitude.exponent.plus(-i64::from(posit.scale)).to_signed();
    // At least one bit of regime beside its sign.
    let plain = plain.sext(plain.width().max(posit.exponent_bits + 2)).named("plain_exponent");
    let regime = plain.high(plain.width() - posit.exponent_bits);
    let run = (!regime.msb()).named("regime_is_ones");
    // A regime of k is a run of k + 1 ones or of -k zeros.
    let run_more = (regime.low(regime.width() - 1) ^ (!run).repeat(regime.width() - 1)).named("run_more");
    let mut parts = vec![run, !run];
    if posit.exponent_bits > 0 {
        parts.push(plain.low(posit.exponent_bits));
    }
    if magnitude.significand.width() > 1 {
        parts.push(magnitude.significand.low(magnitude.significand.width() - 1));
    }
    let string = concat(&parts);
    let below = below_code_bits(operation.rounding);
    let kept = posit.bits - 1 + below;
    let string = string.zeros_below((kept + 1).saturating_sub(string.width()));
    let rest = string.low(string.width() - kept).any().named("below_string");
    let (shifted, lost) = string.high(kept).named("bit_string").shift_right_filled(run_more, run, "posit");
    let tail = Tail { bits: shifted.low(below).named("below_code"), sticky: (rest | lost).named("sticky") };
    (shifted.high(posit.bits - 1).named("code"), tail)
}

/// Whether a magnitude is below half of minpos and becomes zero, and whether it is above maxpos and becomes NaR.
fn beyond<'c>(operation: &Operation, posit: &Posit, exact: &ExactResult<'c>) -> (Bits<'c>, Bits<'c>) {
    let circuit = exact.sign.circuit();
    let magnitude = exact.magnitude;
    let largest = i64::from(posit.bits - 2) << posit.exponent_bits;
    let plain: Int = magnitude.exponent.plus(-i64::from(posit.scale));
    match operation.posit_range {
        PositRange::Saturate => (circuit.zero(), circuit.zero()),
        PositRange::Float => {
            let fraction = match magnitude.significand.width() {
                1 => circuit.zero(),
                width => magnitude.significand.low(width - 1).any(),
            };
            let above = plain.at_least(largest + 1) | (plain.equals(largest) & fraction);
            (plain.less_than(-largest - 1).named("vanishes"), above.named("is_above_maxpos"))
        }
    }
}
