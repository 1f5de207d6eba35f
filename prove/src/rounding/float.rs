//! The line of magnitude codes of a float.

use super::{FirstStep, Place, Rounded, fraction_bits, goes_up, is_inexact, is_inward, stepped};
use crate::number::Number;
use crate::plans::Specified;
use crate::words::{
    Word, choose, constant, difference, highest_one, is_below, is_equal, is_less_signed, plus, raised, resized,
    shifted_right, sign_extended, sum,
};
use binade_gates::{Graph, Literal};
use binade_spec::{FieldZero, Float, Infinity, Inward, Nan, Overflow, Rounding, Sign, Target, Tininess, Underflow};

/// Whether zero is adjacent to the ordinary binade of field 0, and results may be rounded to it.
fn is_next_to_zero(float: &Float) -> bool {
    float.field_zero == FieldZero::Binade && float.binades_below == 0 && float.underflow == Underflow::Nearest
}

/// The code of a number that is neither zero nor special, and the flags.
pub fn code(
    graph: &mut Graph,
    float: &Float,
    target: &Target,
    number: &Number,
    random: &[Literal],
) -> Specified<Rounded> {
    let place = place(graph, float, target, number);
    let up = goes_up(graph, &place, Some(float), target.rounding, number.negative, random)?;
    let code = stepped(graph, &place.code, up);
    let largest = float.max_code() as i128;
    let overflow = !is_below(graph, &code, largest + 1);
    let smallest = float.min_code() as i128;
    let is_flushed = match float.underflow {
        Underflow::ToZero => is_below(graph, &code, smallest),
        Underflow::Nearest => Literal::FALSE,
    };
    let is_zero = is_equal(graph, &code, 0);
    let is_zero = if float.has_zero() { graph.or(is_flushed, is_zero) } else { Literal::FALSE };
    let is_negative = code[code.len() - 1];
    let bits = float.magnitude_bits() as usize;
    let ordinary = choose(graph, is_negative, &constant(0, bits), &code[..bits]);
    let ordinary = with_sign(graph, float, target, number.negative, &ordinary);
    let width = float.width() as usize;
    let [plus, minus] = [overflow_code(float, target, false)?, overflow_code(float, target, true)?];
    let [plus, minus] = [plus, minus].map(|code| constant(code as i128, width));
    let beyond = choose(graph, number.negative, &minus, &plus);
    let sign = if float.has_minus_zero() { number.negative } else { Literal::FALSE };
    let zero = resized(&[constant(0, bits), vec![sign]].concat(), width);
    let result = choose(graph, overflow, &beyond, &ordinary);
    let result = choose(graph, is_zero, &zero, &result);
    let inexact = is_inexact(graph, &place);
    let inexact = graph.any(&[inexact, overflow, is_flushed]);
    let underflow = match target.flags {
        None => Literal::FALSE,
        Some(tininess) => {
            let tiny = is_tiny(graph, float, target, number, random, tininess)?;
            graph.and(tiny, inexact)
        }
    };
    Ok(Rounded { code: result, invalid: Literal::FALSE, overflow, underflow, inexact })
}

/// Whether the result is below the smallest normal value, with an unbounded exponent range.
fn is_tiny(
    graph: &mut Graph,
    float: &Float,
    target: &Target,
    number: &Number,
    random: &[Literal],
    tininess: Tininess,
) -> Specified<Literal> {
    let unbounded = Float { field_zero: FieldZero::Zero, ..*float };
    let place = place(graph, &unbounded, target, number);
    let up = match tininess {
        Tininess::After => goes_up(graph, &place, Some(float), target.rounding, number.negative, random)?,
        Tininess::Before => Literal::FALSE,
    };
    let code = stepped(graph, &place.code, up);
    Ok(is_below(graph, &code, 1 << float.trailing_bits))
}

/// A magnitude `bits * 2^low`, and where it lies.
struct Magnitude {
    bits: Word,
    low: Word,
    /// The position of its highest 1.
    top: Word,
    /// Whether it lies among the outer powers of two below, and above.
    outer: [Literal; 2],
}

/// Where a magnitude lies among the codes of a float.
fn place(graph: &mut Graph, float: &Float, target: &Target, number: &Number) -> Place {
    let (t, fractions) = (float.trailing_bits as usize, fraction_bits(target));
    let kept = t + 1 + fractions;
    let magnitude = magnitude(graph, float, number, kept);
    let unit = unit(graph, float, &magnitude);
    let places = plus(graph, &unit, -(fractions as i128));
    let (kept, sticky) = shifted_right(graph, &magnitude.bits, &places, kept);
    let (fraction, count) = kept.split_at(fractions);
    // The exponent field of a leading 1 at the place of the unit.
    let field = plus(graph, &magnitude.low, float.bias.into());
    let field = sum(graph, &field, &unit);
    let origin = origin(graph, float, &field, magnitude.outer);
    let code = sum(graph, &origin, &resized(count, origin.len()));
    let place = Place { code, fraction: fraction.to_vec(), sticky, first_step: None };
    match target.rounding {
        _ if !is_next_to_zero(float) => place,
        Rounding::Sr(bits) => with_first_step(graph, float, place, &magnitude, bits as usize),
        _ => next_to_zero(graph, float, place, count, &field),
    }
}

/// Between zero and the smallest value, stochastic rounding uses the gap as its unit, which is not a power of two.
fn with_first_step(graph: &mut Graph, float: &Float, place: Place, magnitude: &Magnitude, random: usize) -> Place {
    let t = float.trailing_bits as usize;
    let is_there = is_below(graph, &place.code, 1);
    let last_place = -i128::from(float.bias) - t as i128 - random as i128;
    let places = difference(graph, &constant(last_place, magnitude.low.len()), &magnitude.low);
    let (count, _) = shifted_right(graph, &magnitude.bits, &places, t + 1 + random);
    let code = choose(graph, is_there, &constant(0, place.code.len()), &place.code);
    let sticky = graph.or(place.sticky, is_there);
    Place { code, sticky, first_step: Some(FirstStep { is_there, count, way: (1 << t) + 1 }), ..place }
}

/// The magnitude of a number, with enough zeros below that rounding always drops some bits.
fn magnitude(graph: &mut Graph, float: &Float, number: &Number, zeros: usize) -> Magnitude {
    let bits = raised(&number.significand, zeros);
    let low = plus(graph, &number.exponent, -(zeros as i128));
    let width = low.len().max(float.trailing_bits as usize + 8) + 2;
    let low = sign_extended(&low, width);
    let top = resized(&highest_one(graph, &bits), width);
    let exponent = sum(graph, &low, &top);
    let field = plus(graph, &exponent, float.bias.into());
    let below = match float.binades_below {
        0 => Literal::FALSE,
        binades => is_below(graph, &field, binades.into()),
    };
    let above = match float.binades_above {
        0 => Literal::FALSE,
        _ => !is_below(graph, &field, first_upper_field(float)),
    };
    Magnitude { bits, low, top, outer: [below, above] }
}

fn first_upper_field(float: &Float) -> i128 {
    (1 << float.exponent_bits) - i128::from(float.binades_above)
}

/// The place in which codes count by one: that of full precision, or of powers of two, but not below the lowest place
/// of the format.
fn unit(graph: &mut Graph, float: &Float, magnitude: &Magnitude) -> Word {
    let t = i128::from(float.trailing_bits);
    let full = plus(graph, &magnitude.top, -t);
    let is_outer = graph.any(&magnitude.outer);
    let unit = choose(graph, is_outer, &magnitude.top, &full);
    let least = match float.field_zero {
        _ if float.binades_below > 0 => i128::from(float.min_exponent()),
        FieldZero::Subnormal => 1 - i128::from(float.bias) - t,
        FieldZero::Zero | FieldZero::Binade | FieldZero::NoZero => return unit,
    };
    let least = difference(graph, &constant(least, unit.len()), &magnitude.low);
    let is_below_least = is_less_signed(graph, &unit, &least);
    choose(graph, is_below_least, &least, &unit)
}

/// The code from which codes near a magnitude count: the code that 0 would have if their step size extended down to it.
fn origin(graph: &mut Graph, float: &Float, field: &[Literal], [below, above]: [Literal; 2]) -> Word {
    let t = float.trailing_bits as usize;
    let mut origin = raised(&plus(graph, field, t as i128 - 1), t);
    let lower = (below, float.first_ordinary_code(), i128::from(float.binades_below));
    let upper = (above, float.first_upper_code(), first_upper_field(float));
    for (is_there, first_code, first_field) in [lower, upper] {
        if is_there != Literal::FALSE {
            let field = sign_extended(field, origin.len());
            let outer = plus(graph, &field, first_code as i128 - first_field - 1);
            origin = choose(graph, is_there, &outer, &origin);
        }
    }
    origin
}

/// Between zero and `(1 + 2^-t) * 2^-bias`, the smallest value: the midpoint is half of it.
fn next_to_zero(graph: &mut Graph, float: &Float, place: Place, count: &[Literal], unit_field: &[Literal]) -> Place {
    let t = float.trailing_bits as usize;
    let rest = is_inexact(graph, &place);
    let field = plus(graph, unit_field, t as i128);
    let is_first = is_below(graph, &place.code, 1);
    // The midpoint is 2^t + 1 in units of half the last place; without trailing bits it is an ordinary 1.
    let half_field = if t == 0 { 0 } else { -1 };
    let half = if t == 0 { 1 } else { (1_i128 << t) + 1 };
    let is_in_binade = is_equal(graph, &field, half_field);
    let is_above = !is_below(graph, &field, half_field + 1);
    let count = resized(count, t + 2);
    let [is_equal_to_half, is_up_to_half] = [is_equal(graph, &count, half), is_below(graph, &count, half + 1)];
    let is_half = graph.all(&[is_in_binade, is_equal_to_half, !rest]);
    let is_over = graph.and(is_equal_to_half, rest);
    let is_over = graph.or(is_over, !is_up_to_half);
    let is_over = graph.and(is_over, is_in_binade);
    let guard = graph.any(&[is_above, is_over, is_half]);
    Place {
        code: choose(graph, is_first, &constant(0, place.code.len()), &place.code),
        fraction: vec![graph.mux(is_first, guard, place.fraction[0])],
        sticky: graph.mux(is_first, !is_half, place.sticky),
        first_step: None,
    }
}

/// A nonzero magnitude with its sign.
fn with_sign(graph: &mut Graph, float: &Float, target: &Target, negative: Literal, magnitude: &[Literal]) -> Word {
    match float.sign {
        Sign::Signed => [magnitude.to_vec(), vec![negative]].concat(),
        Sign::Unsigned => {
            let below = constant(negative_code(float, target) as i128, magnitude.len());
            choose(graph, negative, &below, magnitude)
        }
    }
}

/// The code of a negative result in a format without signs.
fn negative_code(float: &Float, target: &Target) -> u128 {
    match (target.overflow, target.rounding.facets().inward) {
        (Overflow::Saturate | Overflow::Propagate, _) | (_, Inward::Always | Inward::IfNegative) => 0,
        (Overflow::Inf | Overflow::ToInfinity, _) => float.nan_code().unwrap_or(0),
    }
}

/// The code for a finite magnitude beyond the largest one.
fn overflow_code(float: &Float, target: &Target, negative: bool) -> Specified<u128> {
    let stays_finite = is_inward(target.rounding, negative, float.max_code() & 1 == 1)?;
    Ok(match (target.overflow, float.sign) {
        (Overflow::ToInfinity, _) => infinite_code(float, negative, target.overflow),
        (Overflow::Inf, _) if !stays_finite => infinite_code(float, negative, target.overflow),
        (_, Sign::Unsigned) if negative => negative_code(float, target),
        (_, _) => float.max_code() | if negative { float.sign_mask() } else { 0 },
    })
}

/// The code for an infinity.
pub fn infinite_code(float: &Float, negative: bool, overflow: Overflow) -> u128 {
    let is_unsigned = float.sign == Sign::Unsigned;
    let magnitude = match (overflow, float.infinity, float.nan) {
        (Overflow::Saturate, ..) => float.max_code(),
        (_, Infinity::TopField | Infinity::LastCode, _) => float.infinity_magnitude(),
        (_, Infinity::None, Nan::AllOnes) if !is_unsigned || !negative => return float.magnitude_mask(),
        (_, Infinity::None, Nan::NanInfinity) => float.magnitude_mask(),
        (_, Infinity::None, _) => float.max_code(),
    };
    match (negative, is_unsigned) {
        (false, _) => magnitude,
        (true, false) => magnitude | float.sign_mask(),
        (true, true) if matches!(overflow, Overflow::Inf | Overflow::ToInfinity) => float.nan_code().unwrap_or(0),
        (true, true) => 0,
    }
}
