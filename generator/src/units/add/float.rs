//! Sum of two codes of a floating-point format, ordered by magnitude: order, align, add, normalize.
//!
//! Magnitude codes ascend with their values, so the codes are ordered before they are unpacked. Then a difference of
//! exponents or significands is never negative, and an infinity or a NaN is always in the larger operand:
//!
//! ```text
//!   | carry | integer | trailing | guard, and more | sticky |
//!   |   0   | larger             | 0 ..            | 1 if the smaller is subtracted: completes its complement
//!   |   0   | smaller, shifted right               | sticky |
//! ```

use crate::units::{
    assemble::Limits,
    class::Class,
    exact::{ExactResult, Magnitude},
    normalize::{Sum, normalize},
    picture,
    round::decide::{below_code_bits, makes_minus_zero},
    target::FloatTarget,
    unpack::{Unpacked, unpack},
};
use binade_circuit::{Bits, Circuit, Int, concat};
use binade_spec::{Float, Infinity, Nan, Sign};

/// The bits of the terms, above the section that aligns them.
const PICTURE: [&str; 3] = [
    "| carry | integer | trailing | guard, and more | sticky |",
    "|   0   | larger             | 0 ..            | 1 if the smaller is subtracted: -s is ~s + 1",
    "|   0   | smaller, shifted right               | sticky |",
];

/// Begins the section that aligns the terms of a sum.
pub fn section(circuit: &Circuit, target: &FloatTarget, title: &str) {
    let [parts, larger, smaller] = PICTURE;
    let bits = [1, 1, target.format.trailing_bits, below_code_bits(target.rounding) + 1, 1];
    circuit.section_with(title, &[parts, &picture::widths(parts, &bits), larger, smaller]);
}

/// The exact sum of the codes `x` and `y`; bits that only matter as sticky are joined. `rm` is the port with the rounding, if there is one.
pub fn sum_of_codes<'c>(
    target: &FloatTarget,
    x: (&str, Bits<'c>),
    y: (&str, Bits<'c>),
    rm: Option<Bits<'c>>,
) -> ExactResult<'c> {
    let format = &target.format;
    let pair = order(format, x, y);
    let sum = add_aligned(target, &pair);
    let positive = sum.circuit().zero();
    let total = Sum { negative: positive, digits: sum, exponent: pair.larger.exponent.plus(1) };
    let magnitude = normalize(format, total, sum.width());
    let is_zero = (!nonzero_digits(format, sum, positive))
        .explained("sum_is_zero", "a sum that is not zero has a 1 among these bits");

    sum.circuit().section("Sign and class of the sum");
    let (larger, smaller) = (pair.larger.class, pair.smaller.class);
    let both_infinite = larger.is_infinite & smaller.is_infinite;
    let is_nan = match format.nan {
        // The smaller is infinite or NaN only if the larger is.
        Nan::TopField => {
            larger.is_nan
                | (pair.subtract & (smaller.is_infinite | smaller.is_nan).called("smaller_is_infinite_or_nan"))
        }
        Nan::None | Nan::AllOnes | Nan::NanInfinity | Nan::LastCode => larger.is_nan | (pair.subtract & both_infinite),
        Nan::SignAlone => (larger.is_nan | smaller.is_nan).called("operand_is_nan") | (pair.subtract & both_infinite),
    };
    let (magnitude, is_large) = overflow_of_carry(target, sum.msb(), pair.larger.exponent, magnitude);
    // NaN overrides infinity, so the larger may be either.
    let top_field = if format.nan == Nan::TopField { larger.is_nan } else { sum.circuit().zero() };
    let class = Class {
        sign: sign(makes_minus_zero(target.rounding, sum.circuit(), rm), &pair, is_zero),
        is_zero,
        is_infinite: named_infinite(larger.is_infinite | top_field | is_large, top_field),
        is_nan: is_nan.named("sum_is_nan"),
        is_invalid: larger.is_invalid
            | smaller.is_invalid
            | (pair.subtract & both_infinite & !larger.is_nan & !smaller.is_nan),
    };
    ExactResult { class, magnitude, payload: None }
}

/// The name of the signal that is 1 for an infinite sum; with `nan`, also for NaN, which overrides it.
pub fn named_infinite<'c>(is_infinite: Bits<'c>, nan: Bits<'c>) -> Bits<'c> {
    match nan.known() {
        Some(0) => is_infinite.named("sum_is_infinite"),
        _ => is_infinite.explained("sum_is_infinite", "or NaN, which overrides it"),
    }
}

/// The operands by magnitude.
struct Ordered<'c> {
    larger: Unpacked<'c>,
    smaller: Unpacked<'c>,
    subtract: Bits<'c>,
}

fn order<'c>(format: &Float, (x_name, x): (&str, Bits<'c>), (y_name, y): (&str, Bits<'c>)) -> Ordered<'c> {
    let circuit = x.circuit();
    circuit.section("Order by magnitude: codes ascend with their values");
    let width = format.magnitude_bits();
    let magnitude = |name: &str, code: Bits<'c>| code.low(width).named(format!("{name}_magnitude"));
    let (x_magnitude, y_magnitude) = (magnitude(x_name, x), magnitude(y_name, y));
    let y_is_larger = x_magnitude.less_than(y_magnitude).named(format!("{y_name}_is_larger"));
    let mut larger = y_is_larger.select(y_magnitude, x_magnitude);
    let mut smaller = y_is_larger.select(x_magnitude, y_magnitude);
    let mut subtract = circuit.zero();
    if format.sign == Sign::Signed {
        subtract = (x.msb() ^ y.msb()).named("subtract");
        larger = concat(&[y_is_larger.select(y.msb(), x.msb()), larger]);
        smaller = concat(&[y_is_larger.select(x.msb(), y.msb()), smaller]);
    }
    let taken_apart = |name: &str, code: Bits<'c>| unpack((*format).into(), code.named(name), name);
    Ordered { larger: taken_apart("larger", larger), smaller: taken_apart("smaller", smaller), subtract }
}

/// Magnitude of the sum: a carry bit, `p` bits, the bits for rounding below them, and sticky.
fn add_aligned<'c>(target: &FloatTarget, pair: &Ordered<'c>) -> Bits<'c> {
    let circuit = pair.subtract.circuit();
    section(circuit, target, "Align the smaller with the larger");
    // Cancellation by more than one place needs a distance of at most 1. Otherwise the leading one of the sum is at
    // most one place below the larger's integer bit.
    let below = below_code_bits(target.rounding) + 1;
    let distance = pair.larger.exponent.sub(pair.smaller.exponent);
    let distance = distance.within(0, distance.max()).to_unsigned().named("distance");
    let larger = pair.larger.significand.zeros_below(below);
    let smaller = pair.smaller.significand.zeros_below(below);
    let (aligned, sticky) = smaller.shift_right_sticky(distance, "aligned");
    sum_of_terms(target, larger, with_sticky(target, aligned, sticky), pair.subtract)
}

/// A shifted term with its sticky bit.
pub fn with_sticky<'c>(target: &FloatTarget, shifted: Bits<'c>, sticky: Bits<'c>) -> Bits<'c> {
    let p = target.format.precision();
    let aligned = concat(&[shifted, sticky.named("aligned_sticky")]);
    aligned.made_of("aligned", &[(p, "of the smaller"), (shifted.width() - p, "for rounding"), (1, "sticky")])
}

/// The sum of the larger term, and of the smaller one with its sticky bit or its complement.
pub fn sum_of_terms<'c>(target: &FloatTarget, larger: Bits<'c>, smaller: Bits<'c>, subtract: Bits<'c>) -> Bits<'c> {
    let carry_in = "The 1 (subtract) is in the last place of the larger, which has no sticky bit.";
    match subtract.known() {
        Some(0) => larger.circuit().section("Add"),
        _ => larger.circuit().section_with("Add, or subtract as larger + ~smaller + 1", &[carry_in]),
    }
    let (p, width) = (target.format.precision(), larger.width() + 2);
    let parts = [(1, "carry"), (p, "of the larger"), (larger.width() - p, "for rounding"), (1, "sticky")];
    let smaller = (smaller.zext(width) ^ subtract.repeat(width)).called("smaller_or_complement");
    concat(&[larger, subtract]).zext(width).add(smaller).made_of("sum", &parts)
}

/// Whether a sum that is not negative has a 1, from its bits down to the one below `p`. If any lower bit is 1, there is a 1 at most one
/// place below the larger's integer bit. Meaningless if the sum is negative.
pub fn nonzero_digits<'c>(format: &Float, sum: Bits<'c>, negative: Bits<'c>) -> Bits<'c> {
    let looked_at = format.precision() + 2;
    // The first stage of the normalization tests the same top half.
    let top = 1 << (sum.width() - 1).ilog2();
    if top >= looked_at {
        sum.high(looked_at).any()
    } else {
        let tested = (sum.high(top) ^ negative.repeat(top)).any();
        tested | sum.high(looked_at).low(looked_at - top).any()
    }
}

/// If overflow gives infinity, it is known from the carry and the larger's exponent before the sum is normalized. The
/// magnitude's exponent then stays in the format's range.
pub fn overflow_of_carry<'c>(
    target: &FloatTarget,
    carry: Bits<'c>,
    larger_exponent: Int<'c>,
    magnitude: Magnitude<'c>,
) -> (Magnitude<'c>, Bits<'c>) {
    let (limits, format) = (Limits::new(target), &target.format);
    if target.flags.is_some() || limits.overflow != [limits.infinite; 2] || format.infinity != Infinity::TopField {
        return (magnitude, carry.circuit().zero());
    }
    let largest = format.max_exponent();
    let is_large = (carry & larger_exponent.equals(largest)).named("sum_is_large");
    let exponent = magnitude.exponent.within(magnitude.exponent.min(), largest);
    (Magnitude { exponent, ..magnitude }, is_large)
}

/// The larger's sign. A difference of zero is positive, or negative if `minus_zero`.
fn sign<'c>(minus_zero: Bits<'c>, pair: &Ordered<'c>, is_zero: Bits<'c>) -> Bits<'c> {
    let larger = pair.larger.class;
    let canceled = is_zero & pair.subtract & !larger.is_infinite;
    let sign = minus_zero.select(larger.sign | canceled, larger.sign & !canceled);
    sign.named("sum_sign")
}
