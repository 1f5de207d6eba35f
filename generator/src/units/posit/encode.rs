//! Numbers to posits: the bit string of regime, exponent and fraction.
//!
//! The string is infinite. Its first `n - 1` bits are the code below the sign, and the following bits determine the
//! rounding. A shifter that fills with the run's bit makes the regime:
//!
//! ```text
//!   | run bit | its opposite | exponent | fraction .. |   shifted right by the length of the run less 1
//! ```
//!
//! If the run fills the code, nothing is rounded: ones stay, and zeros become the first code. Zero and NaR are a run of
//! zeros that fills the code and stays.

use super::bounded;
use crate::units::{
    round::decide::{Tail, below_code_bits},
    tapered::{Form, LocatedBody, TaperedNumber, round},
    target::PositTarget,
};
use binade_circuit::{Bits, concat, unsigned_width};
use binade_spec::PositRange;

/// The bit string, above the section that makes it.
const PICTURE: [&str; 1] =
    ["| run bit | its opposite | exponent | fraction .. |   shifted right by the length of the run less 1"];

/// The code of a number.
pub fn encode<'c>(target: &PositTarget, number: &TaperedNumber<'c>, random: Option<Bits<'c>>) -> Bits<'c> {
    number.sign.circuit().section("Zero and NaR");
    let (vanishes, too_large) = beyond(target, number);
    let is_nar = (number.is_nar | (too_large & !number.is_zero)).named("is_nar");
    let is_special = (number.is_zero | is_nar | vanishes).named("is_special");
    let is_positive = match number.form {
        Form::SignAndMagnitude => is_special,
        // The sign of NaR does not matter, because no digit is negated.
        Form::TwosComplement => number.is_zero | vanishes,
    };
    let is_negative = (number.sign & !is_positive).named("is_negative");
    let located = match target.format.has_bound() {
        true => bounded::locate(target, number, is_special),
        false => locate(target, number, is_special),
    };
    round(target.rounding, number, is_nar, is_negative, &located, random)
}

/// The bit string of a number, truncated to the code; zeros if it `is_special`.
fn locate<'c>(target: &PositTarget, number: &TaperedNumber<'c>, is_special: Bits<'c>) -> LocatedBody<'c> {
    let posit = &target.format;
    let exponent_bits = posit.exponent_bits();
    let negative = number.sign_of_digits();
    number.sign.circuit().section_with("Regime, exponent and fraction as one bit string", &PICTURE);
    let exponent = number.exponent.plus(-i64::from(posit.scale));
    // The regime has at least one bit besides its sign.
    let plain = exponent.to_signed();
    let plain = plain.sext(plain.width().max(exponent_bits + 2)).named("plain_exponent");
    let regime = plain.high(plain.width() - exponent_bits);
    // A regime of k is a run of k + 1 ones or of -k zeros.
    let run_more =
        (regime.low(regime.width() - 1) ^ regime.msb().repeat(regime.width() - 1)).named("run_length_less_1");
    let ends_run = (regime.msb() ^ negative).named("ends_run");
    let run = (!ends_run & !is_special).named("run");
    let mut parts = vec![run, ends_run];
    if exponent_bits > 0 {
        parts.push(plain.low(exponent_bits) ^ negative.repeat(exponent_bits));
    }
    parts.push(number.fraction);
    let string = concat(&parts);

    let longest = posit.bits - 2;
    let can_fill = (exponent.max() >> exponent_bits).max(!(exponent.min() >> exponent_bits));
    let (string, shift, at_end) = if can_fill >= longest.into() {
        let shift = limited(number.form, run_more, longest, is_special);
        (string, shift, shift.at_least_constant(longest.into()).named("fills_code"))
    } else {
        ((!is_special).gate(string), run_more, is_special)
    };
    let (code, tail) = shifted(target, number, string, shift, run);
    LocatedBody { code, tail, at_end, end_goes_up: (ends_run & !is_special).called("is_run_of_zeros") }
}

/// The length of the run less 1, in as many bits as `longest` needs. If it does not fit or `whole` is 1, it is some number
/// from `longest` up, the one that costs the form the fewest gates.
fn limited<'c>(form: Form, run_more: Bits<'c>, longest: u32, whole: Bits<'c>) -> Bits<'c> {
    let width = unsigned_width(longest);
    let run_more = run_more.zext(run_more.width().max(width));
    let beyond = match run_more.width() - width {
        0 => whole,
        more => whole | run_more.high(more).any(),
    };
    let at_least = match form {
        Form::SignAndMagnitude => run_more.circuit().constant(longest.into(), width),
        Form::TwosComplement => run_more.circuit().ones(width),
    };
    (run_more.low(width) | beyond.named("is_whole_run").gate(at_least)).named("shift")
}

/// The first `n - 1` bits of the string shifted right, and the bits below.
fn shifted<'c>(
    target: &PositTarget,
    number: &TaperedNumber<'c>,
    string: Bits<'c>,
    shift: Bits<'c>,
    fill: Bits<'c>,
) -> (Bits<'c>, Tail<'c>) {
    let below = below_code_bits(target.rounding);
    let kept = target.format.bits - 1 + below;
    let string = string.zeros_below((kept + 1).saturating_sub(string.width()));
    let rest = string.low(string.width() - kept).any().named("below_string");
    let string = string.high(kept);
    let string = string.made_of("bit_string", &[(kept - below, "of the code below its sign"), (below, "for rounding")]);
    let (shifted, lost) = match number.form {
        Form::SignAndMagnitude => shift_right_filled(string, shift, fill),
        // The low bits of an exponent from an adder arrive first.
        Form::TwosComplement => string.shift_right_filled(shift, fill, "posit"),
    };
    let sticky = (rest | lost | number.sticky).named("sticky");
    let tail = Tail { bits: shifted.low(below).named("below_code"), sticky };
    (shifted.high(kept - below).named("code"), tail)
}

/// Shifted right, the largest step first, and a sticky bit, which is known early.
fn shift_right_filled<'c>(string: Bits<'c>, shift: Bits<'c>, fill: Bits<'c>) -> (Bits<'c>, Bits<'c>) {
    let (mut shifted, mut lost) = (string, string.circuit().zero());
    for stage in (0..shift.width()).rev() {
        let (step, here) = (1 << stage, shift.bit(stage));
        lost = (lost | (here & shifted.low(step).any())).named(format!("posit_sticky_{step}"));
        shifted = here.select(concat(&[fill.repeat(step), shifted.high(shifted.width() - step)]), shifted);
        shifted = shifted.named(format!("posit_by_{step}"));
    }
    (shifted, lost)
}

/// Whether a number is below half of minpos and becomes zero, and whether it is above maxpos and becomes NaR.
fn beyond<'c>(target: &PositTarget, number: &TaperedNumber<'c>) -> (Bits<'c>, Bits<'c>) {
    let (posit, circuit, negative) = (&target.format, number.sign.circuit(), number.sign_of_digits());
    let largest = posit.max_exponent() - i64::from(posit.scale);
    let plain = number.exponent.plus(-i64::from(posit.scale));
    match target.range {
        PositRange::Saturate => (circuit.zero(), circuit.zero()),
        PositRange::Float => {
            // In two's complement, a negative number's magnitude is above 2^exponent, up to 2^(exponent + 1) if the fraction
            // is 0.
            let fraction = (number.fraction.any() | number.sticky).named("has_fraction");
            let negative_vanishes = plain.less_than(-largest - 2) | (plain.equals(-largest - 2) & fraction);
            let positive_too_large = plain.at_least(largest + 1) | (plain.equals(largest) & fraction);
            let vanishes = negative.select(negative_vanishes, plain.less_than(-largest - 1));
            let too_large = negative.select(plain.at_least(largest), positive_too_large);
            (vanishes.named("vanishes"), too_large.named("is_above_maxpos"))
        }
    }
}
