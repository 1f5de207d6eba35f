//! Regimes whose length has a bound: b-posits and linear takums.
//!
//! The fields of a code come after at most a few bits, so one short shifter finds them, whatever the width of the code:
//!
//! ```text
//!   b-posit   | sign | run, up to its bound, then the opposite | exponent | fraction |
//!   takum     | sign | direction | regime: 3 bits | characteristic: 0 to 7 bits | fraction |
//! ```
//!
//! The characteristic of a takum is its exponent. With `r` bits, it is one of `2^r` consecutive numbers from `2^r - 1` up if the
//! direction is 1, and their complements if it is 0: the exponent and 1, or its complement and 1, is `2^r` and the field.

use crate::units::{
    round::decide::{Tail, below_code_bits},
    tapered::{LocatedBody, TaperedNumber},
    target::PositTarget,
};
use binade_circuit::{Bits, Int, concat, unsigned_width};
use binade_spec::{Posit, Regime};

/// The bit string of a b-posit, above the section that makes it.
const STRING_OF_RUN: [&str; 1] = ["| run, up to its bound, then the opposite | exponent | fraction .. |"];

/// The bit string of a takum, above the section that makes it.
const STRING_OF_TAKUM: [&str; 1] = ["| direction | regime: 3 bits | characteristic: 0 to 7 bits | fraction .. |"];

/// The exponent bits of a takum with the longest characteristic.
const CHARACTERISTIC_BITS: u32 = 7;

/// The fields of a code below its sign, read as if the code were positive.
pub struct BoundedFields<'c> {
    /// In two's complement, without the scale. For code 0, that of the longest regime of zeros.
    pub exponent: Bits<'c>,
    /// `None` if the fraction never has a bit.
    pub fraction: Option<Bits<'c>>,
}

/// The fields of the code `body` below its sign; the signals are named after the operand.
pub fn fields<'c>(posit: &Posit, body: Bits<'c>, operand: &str) -> BoundedFields<'c> {
    let fields = match posit.regime {
        Regime::Run { exponent_bits, longest } => fields_after_run(posit, body, [longest, exponent_bits], operand),
        Regime::Takum => fields_of_takum(posit, body, operand),
    };
    let name = |part: &str| format!("{operand}_{part}");
    BoundedFields {
        exponent: fields.exponent.named(name("exponent_if_positive")),
        fraction: fields.fraction.map(|fraction| fraction.named(name("fraction_bits"))),
    }
}

/// The run has `1 + length` bits. It is skipped together with the bit after it, except that the longest run has none.
fn fields_after_run<'c>(
    posit: &Posit,
    body: Bits<'c>,
    [longest, exponent_bits]: [u32; 2],
    operand: &str,
) -> BoundedFields<'c> {
    let (name, circuit) = (|part: &str| format!("{operand}_{part}"), body.circuit());
    let fraction_bits = posit.precision() - 1;
    let first = body.msb().named(name("first"));
    let differs = body.low(body.width() - 1).high(longest - 1) ^ first.repeat(longest - 1);
    let differs = differs.named(name("run_ends"));
    let is_longest = differs.none().named(name("run_is_longest"));
    let shift = match longest {
        2 => circuit.constant(0, 1),
        _ => concat(&[differs.high(longest - 2), circuit.constant(1, 1)]).leading_zeros(&name("run")),
    };
    let shift = shift.named(name("run_shift"));
    let length_bits = unsigned_width(longest - 1);
    let longest_length = circuit.constant((longest - 1).into(), length_bits);
    let length = is_longest.select(longest_length, shift.zext(length_bits)).named(name("run_length_less_1"));

    let payload = shifted_left(body.low(body.width() - 2), shift, &name("after_run"));
    let payload = payload.zeros_below((exponent_bits + fraction_bits).saturating_sub(payload.width()));
    let is_zeros = (!first).named(name("run_is_zeros"));
    let regime = length ^ is_zeros.repeat(length.width());
    BoundedFields {
        exponent: match exponent_bits {
            0 => concat(&[is_zeros, regime]),
            bits => concat(&[is_zeros, regime, payload.high(bits)]),
        },
        fraction: (fraction_bits > 0).then(|| payload.low(payload.width() - exponent_bits).high(fraction_bits)),
    }
}

fn fields_of_takum<'c>(posit: &Posit, body: Bits<'c>, operand: &str) -> BoundedFields<'c> {
    let (name, circuit) = (|part: &str| format!("{operand}_{part}"), body.circuit());
    let is_below_one = (!body.msb()).named(name("is_below_one"));
    let field = body.slice(body.width() - 2, body.width() - 4);
    let length = (field ^ is_below_one.repeat(3)).named(name("characteristic_bits"));
    let rest = body.low(body.width() - 4);
    let window = rest.zeros_below(CHARACTERISTIC_BITS.saturating_sub(rest.width())).high(CHARACTERISTIC_BITS);
    // 2^r and the characteristic's bits, of which there are r.
    let window = concat(&[circuit.constant(1, 1), window ^ is_below_one.repeat(CHARACTERISTIC_BITS)]);
    let (one_more, _) = window.shift_right_sticky(!length, &name("characteristic"));
    let exponent = one_more.named(name("characteristic_and_one")).plus_constant(-1).named(name("characteristic"));
    let after = || shifted_left(rest, length, &name("after_characteristic"));
    BoundedFields {
        exponent: concat(&[is_below_one, exponent ^ is_below_one.repeat(exponent.width())]),
        fraction: (posit.precision() > 1).then(after),
    }
}

/// Shifted left, with zeros in the vacated places.
fn shifted_left<'c>(bits: Bits<'c>, shift: Bits<'c>, name: &str) -> Bits<'c> {
    (0..shift.width()).rev().fold(bits, |shifted, stage| {
        let step = 1 << stage;
        let moved = match shifted.width().checked_sub(step) {
            None | Some(0) => shifted.circuit().constant(0, shifted.width()),
            Some(kept) => shifted.low(kept).zeros_below(step),
        };
        shift.bit(stage).select(moved, shifted).named(format!("{name}_by_{step}"))
    })
}

/// The bit string of a number, truncated to the code; zeros if it `is_special`.
pub fn locate<'c>(target: &PositTarget, number: &TaperedNumber<'c>, is_special: Bits<'c>) -> LocatedBody<'c> {
    let posit = &target.format;
    let negative = number.sign_of_digits();
    let picture = if posit.regime == Regime::Takum { &STRING_OF_TAKUM } else { &STRING_OF_RUN };
    number.sign.circuit().section_with("Regime, exponent and fraction as one bit string", picture);
    // The code of a negative number has the bits of its exponent inverted.
    let plain = number.exponent.plus(-i64::from(posit.scale));
    let signed = plain.to_signed();
    let least_width = posit.exponent_port_bits().max(posit.exponent_bits() + 2);
    let signed = signed.sext(signed.width().max(least_width)).named("plain_exponent");
    let is_low = (signed.msb() ^ negative).named("is_below_one");
    let (string, is_beyond) = match posit.regime {
        Regime::Run { exponent_bits, longest } => {
            string_of_run(target, number, (signed, plain), is_low, [longest, exponent_bits])
        }
        Regime::Takum => string_of_takum(target, number, (signed, plain), is_low),
    };
    let (string, sticky) = string;
    let below = below_code_bits(target.rounding);
    let string =
        string.made_of("bit_string", &[(posit.bits - 1, "of the code below its sign"), (below, "for rounding")]);
    let (whole, tail) = (string.high(posit.bits - 1), string.low(below));
    // Beyond the ends, the code is that of the end: ones or zeros, which become the first code.
    let is_high_end = (is_beyond & !is_low).named("is_above_all");
    let is_cleared = (is_special | (is_beyond & is_low)).named("is_cleared");
    let code = (!is_cleared).gate(whole | is_high_end.repeat(whole.width())).named("code");
    let at_end = (is_special | is_beyond | whole.none() | whole.all()).named("at_end");
    LocatedBody {
        code,
        tail: Tail { bits: tail.named("below_code"), sticky: (sticky | number.sticky).named("sticky") },
        at_end,
        end_goes_up: is_low & !is_special,
    }
}

/// The first bits of a string, and whether any bit below them is 1.
type Truncated<'c> = (Bits<'c>, Bits<'c>);

/// The bits of a string for the code and for rounding.
fn kept_bits(target: &PositTarget) -> u32 {
    target.format.bits - 1 + below_code_bits(target.rounding)
}

/// The string, and whether the exponent is beyond the longest regimes. A run of `1 + length` bits is shifted in above the run bit
/// and its opposite; the longest run has the opposite replaced.
fn string_of_run<'c>(
    target: &PositTarget,
    number: &TaperedNumber<'c>,
    (signed, plain): (Bits<'c>, Int<'c>),
    is_low: Bits<'c>,
    [longest, exponent_bits]: [u32; 2],
) -> (Truncated<'c>, Bits<'c>) {
    let negative = number.sign_of_digits();
    let regime = signed.high(signed.width() - exponent_bits);
    let length = (regime.low(regime.width() - 1) ^ regime.msb().repeat(regime.width() - 1)).named("run_length_less_1");
    let can_exceed = (plain.max() >> exponent_bits).max(!(plain.min() >> exponent_bits)) >= i64::from(longest);
    let is_beyond = match can_exceed {
        true => length.at_least_constant(longest.into()).named("is_beyond"),
        false => signed.circuit().zero(),
    };
    let is_longest = length.at_least_constant((longest - 1).into()).named("run_is_longest");
    let run = (!is_low).named("run");
    let mut parts = vec![run, run ^ !is_longest];
    if exponent_bits > 0 {
        parts.push(signed.low(exponent_bits) ^ negative.repeat(exponent_bits));
    }
    parts.push(number.fraction);
    let string = concat(&parts).named("string");
    let shift = match longest {
        2 => return (truncated(string, kept_bits(target)), is_beyond),
        _ => {
            let width = unsigned_width(longest - 2);
            let most = signed.circuit().constant((longest - 2).into(), width);
            is_longest.select(most, length.zext(length.width().max(width)).low(width)).named("run_shift")
        }
    };
    let kept = kept_bits(target);
    let string = string.zeros_below(kept.saturating_sub(string.width()));
    let (shifted, lost) = shift_right(string, shift, run, kept);
    (truncated_with(shifted, lost, kept), is_beyond)
}

/// The string, and whether the exponent is beyond the longest characteristics. The exponent and 1 has its leading 1 at the
/// place `r`; with the fraction below, it is shifted left past this 1.
fn string_of_takum<'c>(
    target: &PositTarget,
    number: &TaperedNumber<'c>,
    (signed, plain): (Bits<'c>, Int<'c>),
    is_low: Bits<'c>,
) -> (Truncated<'c>, Bits<'c>) {
    let characteristic =
        (signed.low(signed.width() - 1) ^ signed.msb().repeat(signed.width() - 1)).named("characteristic");
    let is_beyond = match plain.max().max(!plain.min()) >= 255 {
        true => characteristic.at_least_constant(255).named("is_beyond"),
        false => signed.circuit().zero(),
    };
    let one_more = characteristic.low(CHARACTERISTIC_BITS + 1).plus_constant(1).named("characteristic_and_one");
    let places = one_more.leading_zeros("characteristic");
    let places = places.low(3).named("characteristic_places");
    let inverted = one_more.low(CHARACTERISTIC_BITS) ^ is_low.repeat(CHARACTERISTIC_BITS);
    let kept = kept_bits(target) - 4;
    let string = concat(&[inverted, number.fraction]);
    let string = string.zeros_below(kept.saturating_sub(string.width()));
    let shifted = shifted_left(string.named("characteristic_and_fraction"), places, "string");
    let (below_head, sticky) = truncated(shifted, kept);
    let direction = !is_low;
    let head = concat(&[direction, (places ^ direction.repeat(3)).named("regime")]);
    ((concat(&[head, below_head]), sticky), is_beyond)
}

fn truncated<'c>(string: Bits<'c>, kept: u32) -> Truncated<'c> {
    let string = string.zeros_below(kept.saturating_sub(string.width()));
    truncated_with(string, string.circuit().zero(), kept)
}

/// The first bits of a string of which more was lost.
fn truncated_with<'c>(string: Bits<'c>, lost: Bits<'c>, kept: u32) -> Truncated<'c> {
    match string.width() - kept {
        0 => (string, lost),
        below => (string.high(kept), (lost | string.low(below).any()).named("below_string")),
    }
}

/// Shifted right, with copies of `fill` in the vacated places, and whether a 1 was shifted out. Only the first `kept` bits matter.
fn shift_right<'c>(string: Bits<'c>, shift: Bits<'c>, fill: Bits<'c>, kept: u32) -> Truncated<'c> {
    let (first, lost) = truncated(string, kept);
    let stages = (0..shift.width()).rev();
    stages.fold((first, lost), |(shifted, lost), stage| {
        let (step, here) = (1 << stage, shift.bit(stage));
        let lost = (lost | (here & shifted.low(step).any())).named(format!("string_sticky_{step}"));
        let moved = concat(&[fill.repeat(step), shifted.high(kept - step)]);
        (here.select(moved, shifted).named(format!("string_by_{step}")), lost)
    })
}
