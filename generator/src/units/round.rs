//! Rounding: where a magnitude lies among the codes of the result's format, and which of its two neighbours it takes.
//!
//! Magnitude codes ascend with their values, so one increment of the code is the step to the next value, across
//! binades, from subnormals to normals, and to infinity.

use crate::circuit::{Bits, Int, concat};
use binade_golden::{FieldZero, Format, Infinity, Operation, Overflow, Rounding, Underflow};

/// A magnitude to be rounded. The top bit of the significand is the integer bit, of weight `2^exponent`; it is 1, or
/// (for zero and results with subnormals only) 0 at the lowest exponent of the result. The last bit may be sticky.
#[derive(Clone, Copy)]
pub struct Magnitude<'c> {
    pub exponent: Int<'c>,
    pub significand: Bits<'c>,
}

/// A rounded magnitude.
#[derive(Clone, Copy)]
pub struct Rounded<'c> {
    /// Magnitude code; means nothing on overflow.
    pub code: Bits<'c>,
    /// Beyond the largest finite value, and `code` does not say so.
    pub overflows: Bits<'c>,
    /// Below the smallest value, to be flushed.
    pub vanishes: Bits<'c>,
}

/// A magnitude between two codes: at `code`, and above it by less than half a step, half, or more.
struct Located<'c> {
    /// One bit wider than a magnitude code.
    code: Bits<'c>,
    guard: Bits<'c>,
    sticky: Bits<'c>,
    /// Beyond what `code` can hold.
    too_large: Bits<'c>,
    /// So small that it rounds to zero; `guard` and `sticky` mean nothing then.
    too_small: Bits<'c>,
}

/// Rounds a magnitude of the given sign into the result format of `operation`.
pub fn round<'c>(operation: &Operation, sign: Bits<'c>, magnitude: Magnitude<'c>) -> Rounded<'c> {
    let format = &operation.result;
    let circuit = magnitude.significand.circuit();
    let max_exponent = magnitude.exponent.max();
    let located = locate(format, magnitude);

    circuit.section(banner(operation.rounding));
    let located = if rounds_to_nearest(operation.rounding) { located } else { with_tiny_above_zero(format, located) };
    let (guard, sticky) = (located.guard.named("guard"), located.sticky.named("sticky"));
    let odd = located.code.bit(0);
    let round_up = match operation.rounding {
        Rounding::Rne => guard & (sticky | odd),
        Rounding::Rna | Rounding::Rnu => guard,
        Rounding::Rtz => circuit.zero(),
        Rounding::Rup => (guard | sticky) & !sign,
        Rounding::Rdn => (guard | sticky) & sign,
        Rounding::Rto => (guard | sticky) & !odd,
    };
    let round_up = (round_up & !located.too_small).named("round_up");
    let code = located.code.add(round_up.zext(located.code.width())).named("rounded");

    let reaches_limit = max_exponent >= format.max_exponent();
    let beyond_codes = if reaches_limit && !infinity_is_next(operation) {
        code.greater_than_constant(format.max_code().into())
    } else {
        circuit.zero()
    };
    let vanishes = match format.underflow {
        Underflow::Nearest => located.too_small,
        Underflow::ToZero => {
            let min_code = circuit.constant(format.min_code().into(), code.width());
            located.too_small | (code.less_than(min_code) & !located.too_large)
        }
    };
    Rounded {
        code: code.low(format.magnitude_bits()),
        overflows: (located.too_large | beyond_codes).named("overflows"),
        vanishes: vanishes.named("vanishes"),
    }
}

fn banner(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::Rne => "Round to nearest, ties to even",
        Rounding::Rna | Rounding::Rnu => "Round to nearest, ties away from zero",
        Rounding::Rtz => "Round toward zero",
        Rounding::Rup => "Round toward +infinity",
        Rounding::Rdn => "Round toward -infinity",
        Rounding::Rto => "Round to odd",
    }
}

fn rounds_to_nearest(rounding: Rounding) -> bool {
    match rounding {
        Rounding::Rne | Rounding::Rna | Rounding::Rnu => true,
        Rounding::Rtz | Rounding::Rup | Rounding::Rdn | Rounding::Rto => false,
    }
}

/// Where rounding may go away from zero from anywhere: what is far below the smallest value is just above code 0, unless
/// the format flushes it.
fn with_tiny_above_zero<'c>(format: &Format, located: Located<'c>) -> Located<'c> {
    match format.underflow {
        Underflow::ToZero => located,
        Underflow::Nearest => Located {
            code: (!located.too_small).gate(located.code),
            guard: located.guard & !located.too_small,
            sticky: located.sticky | located.too_small,
            too_small: located.too_small.circuit().zero(),
            ..located
        },
    }
}

/// Whether the code after the largest finite one is what overflow becomes, and no rounding goes further.
fn infinity_is_next(operation: &Operation) -> bool {
    let format = &operation.result;
    let ends_binade = match format.infinity {
        Infinity::TopField => true,
        Infinity::LastCode => format.binades_above > 0,
        Infinity::None => false,
    };
    ends_binade && operation.overflow == Overflow::Inf
}

fn locate<'c>(format: &Format, magnitude: Magnitude<'c>) -> Located<'c> {
    let circuit = magnitude.significand.circuit();
    circuit.section("Locate the magnitude among the result's codes");
    let biased = magnitude.exponent.plus(format.bias.into());
    // Fraction bits down to the guard bit, and at least one for sticky.
    let padding = (format.precision() + 2).saturating_sub(magnitude.significand.width());
    let significand = magnitude.significand.zeros_below(padding);
    if format.binades_below > 0 {
        return locate_supernormal(format, biased, significand);
    }
    match (format.field_zero, format.underflow) {
        (FieldZero::Subnormal, _) => locate_gradual(format, biased, significand),
        (FieldZero::Zero, _) | (FieldZero::Binade, Underflow::ToZero) => locate_flushed(format, biased, significand),
        (FieldZero::Binade, Underflow::Nearest) => locate_nosub(format, biased, significand),
    }
}

/// The parts of a significand below its integer bit: `t` trailing bits, the guard bit, and whether any bit below is 1.
struct Parts<'c> {
    trailing: Option<Bits<'c>>,
    guard: Bits<'c>,
    sticky: Bits<'c>,
}

fn split<'c>(format: &Format, significand: Bits<'c>) -> Parts<'c> {
    let t = format.trailing_bits;
    let top = significand.width() - 1;
    Parts {
        trailing: (t > 0).then(|| significand.slice(top - 1, top - t).named("trailing")),
        guard: significand.bit(top - t - 1),
        sticky: significand.low(top - t - 1).any(),
    }
}

/// Exponent field and trailing bits, with a 0 above for the carry.
fn ordinary_code<'c>(format: &Format, field: Bits<'c>, parts: &Parts<'c>) -> Bits<'c> {
    let zero = field.circuit().zero();
    assert_eq!(field.width(), format.exponent_bits);
    match parts.trailing {
        Some(trailing) => concat(&[zero, field, trailing]),
        None => concat(&[zero, field]),
    }
}

/// First exponent field that no finite value has.
fn field_limit(format: &Format) -> i64 {
    match format.infinity {
        Infinity::TopField => (1 << format.exponent_bits) - 1,
        Infinity::LastCode | Infinity::None => 1 << format.exponent_bits,
    }
}

/// With subnormals: below field 1 the significand is shifted right, and an integer bit of 0 makes field 0.
fn locate_gradual<'c>(format: &Format, biased: Int<'c>, significand: Bits<'c>) -> Located<'c> {
    let significand = if biased.min() < 1 { denormalise(format, biased, significand) } else { significand };
    let parts = split(format, significand);
    let field = significand.msb().gate(biased.low_bits(format.exponent_bits)).named("field");
    Located {
        code: ordinary_code(format, field, &parts),
        guard: parts.guard,
        sticky: parts.sticky,
        too_large: biased.at_least(field_limit(format)),
        too_small: field.circuit().zero(),
    }
}

/// Shifts right by as much as the exponent is below that of field 1.
fn denormalise<'c>(format: &Format, biased: Int<'c>, significand: Bits<'c>) -> Bits<'c> {
    let circuit = significand.circuit();
    // p bits and a guard bit; the rest matters only as sticky.
    let kept = format.precision() + 1;
    let rest = significand.width() - kept;
    let significand = concat(&[significand.high(kept), significand.low(rest).any().named("below_guard")]);
    let is_tiny = biased.less_than(1).named("is_tiny");
    let deficit = Int::constant(circuit, 1).sub(biased);
    let deficit = deficit.within(0, deficit.max()).to_unsigned().named("deficit");
    let (shifted, sticky) = significand.shift_right_sticky(is_tiny.gate(deficit).named("shift"), "subnormal");
    let last = shifted.bit(0) | sticky;
    concat(&[shifted.slice(kept, 1), last]).named("denormalised")
}

/// Without subnormals: below field 0 everything is zero; in field 0 rounding may still reach a value.
fn locate_flushed<'c>(format: &Format, biased: Int<'c>, significand: Bits<'c>) -> Located<'c> {
    let parts = split(format, significand);
    let field = biased.low_bits(format.exponent_bits).named("field");
    Located {
        code: ordinary_code(format, field, &parts),
        guard: parts.guard,
        sticky: parts.sticky,
        too_large: biased.at_least(field_limit(format)),
        too_small: biased.less_than(0).named("too_small"),
    }
}

/// Nosub: zero, then `(1 + 2^-t) * 2^-bias`, whose half is the tie between them.
fn locate_nosub<'c>(format: &Format, biased: Int<'c>, significand: Bits<'c>) -> Located<'c> {
    let flushed = locate_flushed(format, biased, significand);
    let parts = split(format, significand);
    let trailing = parts.trailing.expect("nosub formats have trailing bits");
    let rest = (parts.guard | parts.sticky).named("below_trailing");
    let below_field_zero = biased.equals(-1).named("below_field_zero");
    // Field 0, trailing 0 would be code 0, but a value there is more than halfway to code 1.
    let at_code_zero = (biased.equals(0) & trailing.none()).named("at_code_zero");
    let past_half = trailing.greater_than_constant(1) | (trailing.equals_constant(1) & rest);
    let special = at_code_zero | below_field_zero;
    let guard = at_code_zero | trailing.any();
    // Nothing between zero and code 1 is exact.
    let sticky = at_code_zero | past_half | !guard;
    Located {
        code: (!special).gate(flushed.code),
        guard: special.select(guard, flushed.guard),
        sticky: special.select(sticky, flushed.sticky),
        too_large: flushed.too_large,
        too_small: biased.less_than(-1).named("too_small"),
    }
}

/// Supernormal: in the binades at either end, each exponent has one code.
fn locate_supernormal<'c>(format: &Format, biased: Int<'c>, significand: Bits<'c>) -> Located<'c> {
    let parts = split(format, significand);
    let bias = i64::from(format.bias);
    let width = format.magnitude_bits() + 1;
    let (below, above) = (i64::from(format.binades_below), i64::from(format.binades_above));
    let (min, max) = (format.min_exponent() + bias, format.max_exponent() + bias);

    let is_lower = biased.less_than(below).named("is_lower");
    let lower = biased.plus(format.first_ordinary_code() as i64 - below).low_bits(width);
    let ordinary = ordinary_code(format, biased.low_bits(format.exponent_bits), &parts).named("ordinary_code");
    let mut code = is_lower.select(lower, ordinary);
    let mut is_log = is_lower;
    if above > 0 {
        let first_field = (1 << format.exponent_bits) - above;
        let is_upper = biased.at_least(first_field).named("is_upper");
        let upper = biased.plus(format.first_upper_code() as i64 - first_field).low_bits(width);
        code = is_upper.select(upper, code);
        is_log = (is_log | is_upper).named("is_power_of_two");
    }
    let fraction = significand.low(significand.width() - 1);
    let below_half = fraction.low(fraction.width() - 1).any();
    // Just below the smallest value the code is 0, and the tie with zero is where the significand is 1.
    let below_smallest = biased.equals(min - 1).named("below_smallest");
    let guard = is_log.select(fraction.msb(), parts.guard) | below_smallest;
    let log_sticky = below_half | (below_smallest & fraction.msb());
    let upper_end = if format.binades_above > 0 { max + 1 } else { field_limit(format) };
    Located {
        code: code.named("code"),
        guard,
        sticky: is_log.select(log_sticky, parts.sticky),
        too_large: biased.at_least(upper_end),
        too_small: biased.less_than(min - 1).named("too_small"),
    }
}
