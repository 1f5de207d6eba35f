//! Exception flags (IEEE 754 section 7).

use super::{
    assemble::Origin,
    codebook,
    exact::{ExactResult, Magnitude},
    round::Rounded,
    round::decide::{Tail, below_code_bits, looks_at_guard, rounds_up},
    target::FloatTarget,
};
use binade_circuit::{Bits, concat};
use binade_spec::{Family, FieldZero, Float, Format, Rounding, Target, Tininess};

/// The flags of two roundings. Those that divide have one for a division by zero, below invalid.
pub fn both<'c>(first: Bits<'c>, second: Bits<'c>) -> Bits<'c> {
    let width = first.width().max(second.width());
    let widened = |flags: Bits<'c>| match flags.width() {
        own if own == width => flags,
        own => concat(&[flags.msb(), flags.circuit().zero(), flags.low(own - 1)]),
    };
    widened(first) | widened(second)
}

/// invalid, overflow, underflow, inexact.
pub fn flags<'c>(
    target: &FloatTarget,
    kind: Origin,
    exact: &ExactResult<'c>,
    rounded: &Rounded<'c>,
    random: Option<Bits<'c>>,
    tininess: Tininess,
) -> Bits<'c> {
    exact.class.sign.circuit().section("Exception flags");
    let is_number = !(exact.class.is_zero | exact.class.is_infinite | exact.class.is_nan);
    let format = &target.format;
    // If all nonzero values are normal, values below the smallest one can only be rounded to zero or to it.
    let below_smallest = format.has_only_normals().then(|| below_smallest(format, exact).named("is_below_smallest"));
    let is_changed = below_smallest.map_or(rounded.is_inexact(), |below| rounded.is_inexact() | below);
    let is_inexact = (is_number & is_changed).named("is_inexact");
    let overflow = is_number & rounded.overflows();
    let is_tiny = match (below_smallest, tininess) {
        // A sum below the normal values is exact: it is a multiple of the smallest value.
        (None, _) if kind == Origin::Sum && format.underflows_gradually() => is_inexact.circuit().zero(),
        (Some(below), Tininess::After) if format.has_zero() => below & (rounded.vanishes | !rounded.round_up),
        (Some(below), _) => below,
        (None, Tininess::Before) => below_normals(format, exact),
        (None, Tininess::After) => below_normals(format, exact) & !reaches_normals(target, exact, random),
    };
    let underflow = is_inexact & is_tiny.named("is_tiny_result");
    concat(&[
        exact.class.is_invalid.named("invalid"),
        overflow.named("overflow"),
        underflow.named("underflow"),
        is_inexact,
    ])
}

/// Whether the exact magnitude is below the smallest value.
fn below_smallest<'c>(format: &Float, exact: &ExactResult<'c>) -> Bits<'c> {
    let Magnitude { exponent, significand } = exact.magnitude;
    let lowest = format.min_exponent();
    let is_lower = exponent.less_than(lowest);
    // In a binade whose first code is zero, the next code is the smallest value.
    match format.binades_below == 0 && format.field_zero == FieldZero::Binade {
        true => {
            let has_no_trailing_bits = match significand.width() {
                // A power of two.
                1 => significand.circuit().ones(1),
                width => {
                    let trailing = significand.low(width - 1);
                    let trailing = trailing.zeros_below(format.trailing_bits.saturating_sub(trailing.width()));
                    trailing.high(format.trailing_bits).none()
                }
            };
            is_lower | (exponent.equals(lowest) & has_no_trailing_bits)
        }
        false => is_lower,
    }
}

/// The number of bits below the code that are kept individually, for a sum in units of `2^lowest`. In field 0 the flags round one place
/// further down than the code. If the sum may have digits below the guard bit there, the next bit is also kept, and only those below it
/// are sticky.
pub fn bits_to_look_at(target: &Target, lowest: i64) -> u32 {
    if let Format::Codebook(codebook) = target.format {
        // One digit more, which may be sticky.
        let stochastic = codebook::stochastic_digits(&codebook, target.rounding.random_bits());
        return codebook::digits(&codebook).max(stochastic).saturating_sub(codebook.precision()) + 1;
    }
    let looked_at = below_code_bits(target.rounding);
    let rounds_further_down = target.flags == Some(Tininess::After)
        && target.format.underflows_gradually()
        && (looks_at_guard(target.rounding) || target.rounding == Rounding::Any)
        && lowest < target.format.min_exponent() - i64::from(looked_at);
    looked_at + u32::from(rounds_further_down)
}

/// Whether the exact magnitude is below the smallest normal value.
fn below_normals<'c>(format: &Float, exact: &ExactResult<'c>) -> Bits<'c> {
    let biased = exact.magnitude.exponent.plus(format.bias.into());
    biased.less_than(1) | !exact.magnitude.significand.msb()
}

/// Whether a magnitude below the smallest normal value is rounded up to it with unbounded exponent range: all its `p`
/// bits are 1, and it is just below.
fn reaches_normals<'c>(target: &FloatTarget, exact: &ExactResult<'c>, random: Option<Bits<'c>>) -> Bits<'c> {
    let biased = exact.magnitude.exponent.plus(target.format.bias.into());
    let precision = target.format.precision();
    let below = below_code_bits(target.rounding);
    // Two more bits than the precision and the individual bits: one to shift out, one for sticky.
    let width = precision + below + 2;
    let significand = exact.magnitude.significand;
    let significand = significand.zeros_below(width.saturating_sub(significand.width()));
    // The leading one is the integer bit in field 0, and the next bit in field 1.
    let in_field_zero = biased.equals(0).named("in_field_zero");
    let shifted = significand.low(significand.width() - 1).zeros_below(1);
    let normalized = in_field_zero.select(significand, shifted).named("normalized_tiny");
    let is_just_below = in_field_zero | biased.equals(1);
    let tail = normalized.low(normalized.width() - precision);
    let tail = Tail { bits: tail.high(below), sticky: tail.low(tail.width() - below).any() };
    let odd = exact.class.sign.circuit().constant(1, 1);
    let up = odd.circuit().prefixed("tiny", || rounds_up(target.rounding, exact.class.sign, odd, &tail, random));
    (is_just_below & normalized.high(precision).all() & up).named("reaches_normals")
}
