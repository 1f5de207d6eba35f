//! The leading one of a sum.

use super::{exact::Magnitude, target::FloatTarget, unpack::with_integer_one};
use binade_circuit::{Bits, Int, concat};
use binade_spec::{Float, Ties};

/// A sum in two's complement without its sign bit.
#[derive(Clone, Copy)]
pub struct Sum<'c> {
    pub negative: Bits<'c>,
    pub digits: Bits<'c>,
    /// Exponent of the top digit.
    pub exponent: Int<'c>,
}

/// The magnitude of a sum, normalized for a float. Below the first `kept` bits, the last bit may be sticky.
pub fn magnitude_of_sum<'c>(target: &FloatTarget, sum: Sum<'c>, kept: u32) -> Magnitude<'c> {
    if negation_joins_rounding(target) {
        let normalized = normalize(&target.format, sum, kept);
        magnitude_to_nearest(target.format.precision(), sum.negative, normalized)
    } else {
        normalize(&target.format, sum.negated(), kept)
    }
}

/// The magnitude of a sum, with its leading one on top. Below the first `kept` bits, the last bit may be sticky.
pub fn normalized_magnitude<'c>(sum: Sum<'c>, kept: u32) -> Magnitude<'c> {
    normalize_fully(sum.negated(), kept)
}

impl<'c> Sum<'c> {
    /// The magnitude, as a sum that is not negative.
    pub fn negated(self) -> Sum<'c> {
        let Sum { negative, digits, .. } = self;
        let complement = (digits ^ negative.repeat(digits.width())).called("sum_or_complement");
        let digits = complement.add(negative.zext(digits.width())).named("sum_magnitude");
        Sum { negative: negative.circuit().zero(), digits, ..self }
    }
}

/// Whether the rounding can add the 1 of the negation. To nearest, this 1 only matters if it reaches the guard bit. Flags
/// and the other roundings need more than that, and so does the binade below the smallest in formats without subnormals.
pub fn negation_joins_rounding(target: &FloatTarget) -> bool {
    let to_nearest = matches!(target.rounding.facets().tie, Some(Ties::ToEven | Ties::Away));
    to_nearest && target.flags.is_none() && target.format.underflows_gradually()
}

/// The magnitude of a normalized sum in two's complement, for rounding to nearest.
///
/// Negation inverts the bits above the lowest 1. If the guard bit is the lowest 1, it stays. If the lowest 1 is further
/// up, the inverted bits must be incremented, so guard and sticky are set to round up.
fn magnitude_to_nearest<'c>(precision: u32, negative: Bits<'c>, sum: Magnitude<'c>) -> Magnitude<'c> {
    let bits = sum.significand;
    let rest = bits.width() - precision;
    let kept = (bits.high(precision) ^ negative.repeat(precision)).named("kept");
    let (guard, below) = (bits.bit(rest - 1), bits.low(rest - 1).any().named("below_guard"));
    let increments = negative & !guard & !below;
    let note = "the 1 of the negation reaches the bits kept: guard and sticky, set, round them up";
    let increments = increments.explained("negation_increments", note);
    let guard = (guard ^ (negative & below).called("borrow_reaches_guard")) | increments;
    Magnitude { exponent: sum.exponent, significand: concat(&[kept, guard, below | increments]) }
}

/// Moves the leading one (for a negative sum in two's complement, the leading zero) to the top bit, but no further than
/// the subnormals of `format` reach. Below the first `kept` bits, the last bit may be sticky.
pub fn normalize<'c>(format: &Float, sum: Sum<'c>, kept: u32) -> Magnitude<'c> {
    if !format.underflows_gradually() {
        return normalize_fully(sum, kept);
    }
    sum.digits.circuit().section("Normalize");
    let limit = Some(limit(format, sum));
    graded(format, sum, sum.digits.normalize_signed(sum.negative, limit, kept, "normalized"))
}

/// The same for a format with subnormals, with the digits of a negative sum inverted, those below its last digit among them.
pub fn normalize_inverted<'c>(format: &Float, sum: Sum<'c>) -> Magnitude<'c> {
    let note = "A negative sum is inverted, and ones follow its last bit as it is shifted. Then guard and sticky bit are 1, and \
                rounding up adds the 1 of the negation, since -s is ~s + 1.";
    sum.digits.circuit().section_with("Normalize, and invert a negative sum", &[note]);
    graded(format, sum, sum.digits.normalize_inverted(sum.negative, limit(format, sum), "normalized"))
}

/// How far a sum may be shifted up.
fn limit<'c>(format: &Float, sum: Sum<'c>) -> Bits<'c> {
    let limit = sum.exponent.plus(i64::from(format.bias) - 1);
    limit.within(0, limit.max()).to_unsigned().named("normalized_limit")
}

/// The magnitude after a shift that ends at the subnormals.
fn graded<'c>(format: &Float, sum: Sum<'c>, (significand, shift): (Bits<'c>, Bits<'c>)) -> Magnitude<'c> {
    let exponent = sum.exponent.sub(Int::unsigned(shift).within(0, max_shift(sum)));
    let exponent = exponent.within(1 - i64::from(format.bias), exponent.max()).named("sum_exponent");
    Magnitude { exponent, significand }
}

/// Moves the leading one to the top bit, wherever it is.
fn normalize_fully<'c>(sum: Sum<'c>, kept: u32) -> Magnitude<'c> {
    sum.digits.circuit().section("Normalize");
    let (normalized, shift) = sum.digits.normalize_signed(sum.negative, None, kept, "normalized");
    let exponent = sum.exponent.sub(Int::unsigned(shift).within(0, max_shift(sum))).named("sum_exponent");
    Magnitude { exponent, significand: with_integer_one(normalized) }
}

fn max_shift(sum: Sum) -> i64 {
    i64::from(sum.digits.width()) - 1
}
