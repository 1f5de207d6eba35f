//! Sum of two codes of a floating-point format, ordered by their exponents alone: align, add, normalize.
//!
//! ```text
//!   | carry | integer | trailing | guard, and more | sticky |
//!   |   0   | larger exponent    | 0 ..            | 1 if the other is subtracted: completes its complement
//!   |   0   | the other, shifted right             | sticky |
//! ```
//!
//! A difference is negative only if the exponents are equal, and then it is exact. So its negation needs no adder of its own: the digits are
//! inverted as they are normalized, and the 1 of the negation is added by the rounding.

use super::float::{named_infinite, nonzero_digits, overflow_of_carry, section, sum_of_terms, with_sticky};
use crate::units::{
    class::Class,
    exact::ExactResult,
    normalize::{Sum, negation_joins_rounding, normalize_inverted},
    round::decide::below_code_bits,
    target::FloatTarget,
    unpack::{Unpacked, unpack},
};
use binade_circuit::{Bits, Int, Optimize};
use binade_spec::{Nan, Sign};

/// Whether this is smaller and faster than an order by magnitude. Measured: with shorter significands the comparison of magnitudes is as
/// small as the difference of exponents; without carry chains it is as fast.
pub fn is_better(target: &FloatTarget, optimize: Optimize) -> bool {
    let format = &target.format;
    let has_plain_exponents = format.binades_below == 0 && format.sign == Sign::Signed;
    optimize == Optimize::Area
        && has_plain_exponents
        && format.precision() >= LEAST_PRECISION
        && negation_joins_rounding(target)
}

/// The least precision for which the order by exponents is better.
const LEAST_PRECISION: u32 = 8;

/// The exact sum of the codes `x` and `y`; bits that only matter as sticky are joined.
pub fn sum_of_codes<'c>(target: &FloatTarget, x: (&str, Bits<'c>), y: (&str, Bits<'c>)) -> ExactResult<'c> {
    let format = &target.format;
    let [x, y] = [x, y].map(|(name, code)| (name, unpack((*format).into(), code, name)));
    let pair = align(target, x, y);
    let sum = sum_of_terms(target, pair.larger, pair.smaller, pair.subtract);
    let negative = (pair.subtract & sum.msb()).named("difference_is_negative");
    let total = Sum { negative, digits: sum, exponent: pair.exponent.plus(1) };
    // The inverted zeros below the last place of a negative difference round it up: this is the 1 of the negation.
    let magnitude = normalize_inverted(format, total);
    let is_zero = (!(negative | nonzero_digits(format, sum, negative)))
        .explained("sum_is_zero", "a sum that is not zero has a 1 among these bits");

    let circuit = sum.circuit();
    circuit.section("Sign and class of the sum");
    let [x, y] = [x.1.class, y.1.class];
    let opposite_infinities = (pair.subtract & x.is_infinite & y.is_infinite).called("are_opposite_infinities");
    let carries = sum.msb() & !pair.subtract;
    let (magnitude, is_large) = overflow_of_carry(target, carries, pair.exponent, magnitude);
    // NaN overrides infinity, so an operand of the top field may be either.
    let top_field = if format.nan == Nan::TopField { x.is_nan | y.is_nan } else { circuit.zero() };
    let class = Class {
        // Only the sum of two negative zeros is -0.
        sign: ((pair.sign ^ negative) & !(is_zero & pair.subtract)).named("sum_sign"),
        is_zero,
        is_infinite: named_infinite(x.is_infinite | y.is_infinite | top_field | is_large, top_field),
        is_nan: ((x.is_nan | y.is_nan).called("operand_is_nan") | opposite_infinities).named("sum_is_nan"),
        is_invalid: x.is_invalid | y.is_invalid | (opposite_infinities & !x.is_nan & !y.is_nan),
    };
    ExactResult { class, magnitude, payload: None }
}

/// The operands under one exponent.
struct Aligned<'c> {
    /// The sign and the exponent of the operand with the larger exponent.
    sign: Bits<'c>,
    exponent: Int<'c>,
    subtract: Bits<'c>,
    larger: Bits<'c>,
    /// The other one, shifted.
    smaller: Bits<'c>,
}

fn align<'c>(target: &FloatTarget, (_, x): (&str, Unpacked<'c>), (y_name, y): (&str, Unpacked<'c>)) -> Aligned<'c> {
    let circuit = x.significand.circuit();
    let subtract = (x.class.sign ^ y.class.sign).named("subtract");
    section(circuit, target, "Align: the operand with the larger exponent stays");
    // The fields have room for infinities, whose signs must win.
    let width = target.format.exponent_bits + 1;
    let field = |exponent: Int<'c>| exponent.plus(-exponent.offset()).low_bits(width);
    let difference = field(x.exponent).sub(field(y.exponent)).named("exponent_difference");
    let y_is_larger = difference.msb().named(format!("{y_name}_exponent_is_larger"));
    let distance = difference.low(width - 1) ^ y_is_larger.repeat(width - 1);
    let note = "inverted, a negative difference is the distance less 1: smaller is one place lower then";
    let distance = distance.explained("distance", note);
    let below = below_code_bits(target.rounding) + 1;
    let x_down = x.significand.zext(x.significand.width() + 1).zeros_below(below - 1);
    let smaller = y_is_larger.select(x_down, y.significand.zeros_below(below)).named("smaller");
    let (shifted, sticky) = smaller.shift_right_out(distance, circuit.zero(), "aligned");
    Aligned {
        sign: y_is_larger.select(y.class.sign, x.class.sign).named("larger_sign"),
        exponent: Int::select(y_is_larger, y.exponent, x.exponent).named("larger_exponent"),
        subtract,
        larger: y_is_larger.select(y.significand, x.significand).named("larger").zeros_below(below),
        smaller: with_sticky(target, shifted, sticky),
    }
}
