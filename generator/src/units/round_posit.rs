//! Rounding to a posit.
//!
//! Regime, exponent and fraction are a bit string without an end; its first `n - 1` bits are the code, what comes after
//! decides the rounding. The regime is made by a shifter that fills with the run's bit:
//!
//! ```text
//!   | run bit | its opposite | exponent | fraction .. |   shifted right by the length of the run less 1
//! ```
//!
//! A negative posit is the two's complement of its magnitude, so rounding and negation are one increment: with `u` for
//! rounding up, `-(code + u) = ~code + (1 - u)`, which is `(code ^ sign) + (u ^ sign)` for either sign. Where the run
//! fills the code there is nothing to round: ones stay maxpos, zeros become minpos. Zero and NaR are a run of zeros that
//! fills the code and is not rounded.

use super::{
    exact::ExactResult,
    round::decide::{Tail, below_code_bits, rounds_up},
    target::PositTarget,
};
use binade_circuit::{Bits, Int, Optimize, concat, unsigned_width};
use binade_spec::PositRange;

/// The code of an exact result. Infinities become NaR.
pub fn posit_code<'c>(target: &PositTarget, exact: &ExactResult<'c>, random: Option<Bits<'c>>) -> Bits<'c> {
    let circuit = exact.class.sign.circuit();
    circuit.section("Zero and NaR");
    let (vanishes, too_large) = beyond(target, exact);
    let is_nar = (exact.class.is_nan | exact.class.is_infinite | (too_large & !exact.class.is_zero)).named("is_nar");
    let is_number = !(is_nar | exact.class.is_zero | vanishes).named("is_special");
    let is_negative = (exact.class.sign & is_number).named("is_negative");

    let BitString { code, tail, fills_code, minpos } = bit_string(target, exact, is_number);

    circuit.section("Round and negate: never to zero, never to NaR");
    let up = rounds_up(target.rounding, exact.class.sign, code.bit(0), &tail, random);
    let round_up = fills_code.select(minpos, up).named("round_up");
    let signed = (code ^ is_negative.repeat(code.width())).named("signed_code");
    let rounded = incremented(signed, (round_up ^ is_negative).named("increment"));
    concat(&[is_nar | is_negative, rounded.named("rounded")])
}

/// Plus a bit that is known late.
fn incremented<'c>(bits: Bits<'c>, increment: Bits<'c>) -> Bits<'c> {
    let circuit = bits.circuit();
    match circuit.optimize() {
        Optimize::Area => bits.add(increment.zext(bits.width())),
        Optimize::Depth => increment.select(bits.add(circuit.constant(1, bits.width())).named("one_more"), bits),
    }
}

/// The unbounded code of a magnitude.
struct BitString<'c> {
    /// Its first `n - 1` bits.
    code: Bits<'c>,
    /// What is below.
    tail: Tail<'c>,
    /// Whether all of `code` is the regime's run, or the result no number.
    fills_code: Bits<'c>,
    /// Whether the result is a number whose run fills the code with zeros.
    minpos: Bits<'c>,
}

/// The bit string of a number; a `code` of zeros for what is none.
fn bit_string<'c>(target: &PositTarget, exact: &ExactResult<'c>, is_number: Bits<'c>) -> BitString<'c> {
    let (posit, magnitude) = (&target.format, exact.magnitude);
    let circuit = exact.class.sign.circuit();
    circuit.section("Regime, exponent and fraction as one bit string");
    let exponent = magnitude.exponent.plus(-i64::from(posit.scale));
    // At least one bit of regime beside its sign.
    let plain = exponent.to_signed();
    let plain = plain.sext(plain.width().max(posit.exponent_bits + 2)).named("plain_exponent");
    let regime = plain.high(plain.width() - posit.exponent_bits);
    let is_zeros = regime.msb().named("regime_is_zeros");
    // A regime of k is a run of k + 1 ones or of -k zeros.
    let run_more = (regime.low(regime.width() - 1) ^ is_zeros.repeat(regime.width() - 1)).named("run_more");
    let mut parts = vec![(!is_zeros & is_number).named("run_bit"), is_zeros];
    if posit.exponent_bits > 0 {
        parts.push(plain.low(posit.exponent_bits));
    }
    if magnitude.significand.width() > 1 {
        parts.push(magnitude.significand.low(magnitude.significand.width() - 1));
    }
    let string = concat(&parts);
    let below = below_code_bits(target.rounding);
    let kept = posit.bits - 1 + below;
    let string = string.zeros_below((kept + 1).saturating_sub(string.width()));
    let rest = string.low(string.width() - kept).any().named("below_string");
    let string = string.high(kept).named("bit_string");

    let longest = posit.bits - 2;
    let can_fill = (exponent.max() >> posit.exponent_bits).max(!(exponent.min() >> posit.exponent_bits));
    let (string, shift, fills_code) = if can_fill >= longest.into() {
        let shift = limited(run_more, longest, !is_number);
        (string, shift, shift.at_least_constant(longest.into()).named("fills_code"))
    } else {
        (is_number.gate(string), run_more, !is_number)
    };
    let (shifted, lost) = shift_right_filled(string, shift);
    let tail = Tail { bits: shifted.low(below).named("below_code"), sticky: (rest | lost).named("sticky") };
    let minpos = is_zeros & is_number;
    BitString { code: shifted.high(posit.bits - 1).named("code"), tail, fills_code, minpos }
}

/// The length of the run less 1 in as few bits as `longest` has; something from `longest` up if it is above them or
/// `whole` is 1.
fn limited<'c>(run_more: Bits<'c>, longest: u32, whole: Bits<'c>) -> Bits<'c> {
    let width = unsigned_width(longest);
    let run_more = run_more.zext(run_more.width().max(width));
    let beyond = match run_more.width() - width {
        0 => whole,
        more => whole | run_more.high(more).any(),
    };
    let longest = run_more.circuit().constant(longest.into(), width);
    (run_more.low(width) | beyond.named("is_whole_run").gate(longest)).named("shift")
}

/// Shifted right, the largest step first, with copies of the top bit in the places that become free; with 1 if any bit
/// fell off.
fn shift_right_filled<'c>(string: Bits<'c>, shift: Bits<'c>) -> (Bits<'c>, Bits<'c>) {
    let (fill, width) = (string.msb(), string.width());
    let (mut shifted, mut sticky) = (string, string.circuit().zero());
    for stage in (0..shift.width()).rev() {
        let (step, here) = (1 << stage, shift.bit(stage));
        sticky = (sticky | (here & shifted.low(step).any())).named(format!("posit_sticky_{step}"));
        shifted = here.select(concat(&[fill.repeat(step), shifted.high(width - step)]), shifted);
        shifted = shifted.named(format!("posit_by_{step}"));
    }
    (shifted, sticky)
}

/// Whether a magnitude is below half of minpos and becomes zero, and whether it is above maxpos and becomes NaR.
fn beyond<'c>(target: &PositTarget, exact: &ExactResult<'c>) -> (Bits<'c>, Bits<'c>) {
    let circuit = exact.class.sign.circuit();
    let (posit, magnitude) = (&target.format, exact.magnitude);
    let largest = i64::from(posit.bits - 2) << posit.exponent_bits;
    let plain: Int = magnitude.exponent.plus(-i64::from(posit.scale));
    match target.range {
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
