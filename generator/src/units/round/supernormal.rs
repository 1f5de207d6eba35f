//! Formats whose lowest and highest binades have one code each.

use super::{
    decide::{Tail, below_code_bits},
    located::{Located, field_limit, ordinary_code, split},
};
use binade_circuit::{Bits, Int};
use binade_spec::{Float, Rounding};

/// Supernormal: in the binades at either end, each exponent has one code.
pub fn locate<'c>(rounding: Rounding, format: &Float, biased: Int<'c>, significand: Bits<'c>) -> Located<'c> {
    let looked_at = below_code_bits(rounding);
    let parts = split(format, significand, looked_at);
    let bias = i64::from(format.bias);
    let width = format.magnitude_bits() + 1;
    let (below, above) = (i64::from(format.binades_below), i64::from(format.binades_above));
    let (min, max) = (format.min_exponent() + bias, format.max_exponent() + bias);

    let is_lower = biased.less_than(below).named("is_lower");
    let lower = biased.plus(format.first_ordinary_code() as i64 - below).low_bits(width);
    let ordinary = ordinary_code(format, biased.low_bits(format.exponent_bits), &parts).named("ordinary_code");
    let mut code = is_lower.select(lower, ordinary).called("code_below_upper");
    let mut is_log = is_lower;
    if above > 0 {
        let first_field = (1 << format.exponent_bits) - above;
        let is_upper = biased.at_least(first_field).named("is_upper");
        let upper = biased.plus(format.first_upper_code() as i64 - first_field).low_bits(width);
        code = is_upper.select(upper, code);
        is_log = (is_log | is_upper).named("is_power_of_two");
    }
    let fraction = significand.low(significand.width() - 1);
    let upper_end = if format.binades_above > 0 { max + 1 } else { field_limit(format) };
    let located = Located {
        code,
        integer: code.circuit().zero(),
        tail: Tail::new(fraction, looked_at),
        is_log,
        too_large: biased.at_least(upper_end),
        too_small: code.circuit().zero(),
        exception: None,
    };
    let located = match rounding {
        Rounding::Mptorch => Located { too_small: biased.less_than(min).named("too_small"), ..located },
        Rounding::Sr(_) if biased.min() < min => with_fraction_of_smallest(located, biased, min, significand),
        Rounding::Sr(_) => located,
        _ => with_tie_below_smallest(located, biased, min, fraction),
    };
    Located {
        code: located.code.named("code"),
        tail: Tail {
            bits: is_log.select(located.tail.bits, parts.tail.bits),
            sticky: is_log.select(located.tail.sticky, parts.tail.sticky),
        },
        ..located
    }
}

/// Just below the smallest value, the code is 0, and a significand of 1 is the tie with zero.
fn with_tie_below_smallest<'c>(located: Located<'c>, biased: Int<'c>, min: i64, fraction: Bits<'c>) -> Located<'c> {
    let below_smallest = biased.equals(min - 1).named("below_smallest");
    Located {
        tail: Tail {
            bits: located.tail.bits | below_smallest,
            sticky: located.tail.sticky | (below_smallest & fraction.msb()),
        },
        too_small: biased.less_than(min - 1).named("too_small"),
        ..located
    }
}

/// Below the smallest value, the code is 0 and the tail is the fraction of that value.
fn with_fraction_of_smallest<'c>(
    located: Located<'c>,
    biased: Int<'c>,
    min: i64,
    significand: Bits<'c>,
) -> Located<'c> {
    let below_smallest = biased.less_than(min).named("below_smallest");
    let deficit = Int::constant(significand.circuit(), min - 1).sub(biased);
    let deficit = deficit.within(0, deficit.max()).to_unsigned().named("below_smallest_by");
    let looked_at = located.tail.bits.width();
    let (shifted, _) = significand.high(looked_at).shift_right_sticky(deficit, "fraction_of_smallest");
    Located {
        code: (!below_smallest).gate(located.code),
        tail: Tail { bits: below_smallest.select(shifted, located.tail.bits), ..located.tail },
        ..located
    }
}
