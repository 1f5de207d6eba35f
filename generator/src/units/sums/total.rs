//! Rounds the sum of all terms to a result.

use crate::units::{
    assemble::Origin,
    class::Class,
    coded::Coded,
    exact::ExactResult,
    fixed,
    flags::bits_to_look_at,
    normalize::{Sum, magnitude_of_sum, normalized_magnitude},
    result::encode,
    target::{FamilyTarget, Target},
};
use binade_circuit::{Bits, Int};

/// A sum in two's complement.
pub struct Total<'c> {
    pub sum: Bits<'c>,
    /// Exponent of the place below the sign.
    pub top: Int<'c>,
    /// Exponent of the lowest place in which the exact sum can have a digit.
    pub lowest: i64,
}

impl<'c> Total<'c> {
    /// A sum with digits in all places, its top one below the sign.
    pub fn new(sum: Bits<'c>, top: Int<'c>) -> Total<'c> {
        Total { sum, top, lowest: top.min() - i64::from(sum.width()) + 2 }
    }

    /// A sum in units of `2^lowest`.
    pub fn from_lowest(sum: Bits<'c>, lowest: i64) -> Total<'c> {
        Total::new(sum, Int::constant(sum.circuit(), lowest + i64::from(sum.width()) - 2))
    }
}

/// The rounded sum; `class_of` gives its class from whether it is negative and whether it is zero.
pub fn rounded<'c>(
    target: &Target,
    Total { sum, top, lowest }: Total<'c>,
    class_of: impl FnOnce(Bits<'c>, Bits<'c>) -> Class<'c>,
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    if let FamilyTarget::Fixed(target) = FamilyTarget::from(target) {
        let class = class_of(sum.msb(), sum.none());
        let last = top.min() - i64::from(sum.width()) + 2;
        return fixed::of_sum(&target, sum, last, &class, random);
    }
    // Normalization stops at the smallest exponent of the result: the top digit must be no lower.
    let missing = smallest_exponent(target).map_or(0, |least| (least - top.min()).max(0));
    let is_zero = sum.none().named("sum_is_zero");
    let sum = sum.sext(sum.width() + missing as u32);
    let digits = sum.width() - 1;
    let negative = sum.msb().named("sum_is_negative");
    // Below these bits of the result, it only matters whether there is a 1. The complement of -1 has none, so a place is
    // added.
    let kept = target.format.precision() + bits_to_look_at(target, lowest);
    let padding = (kept + 1).saturating_sub(digits).max(1);
    let total = Sum { negative, digits: sum.low(digits).zeros_below(padding), exponent: top.plus(missing) };
    let magnitude = match FamilyTarget::from(target) {
        FamilyTarget::Float(target) => magnitude_of_sum(&target, total, kept),
        FamilyTarget::Posit(_) | FamilyTarget::Fixed(_) | FamilyTarget::Codebook(_) => {
            normalized_magnitude(total, kept)
        }
    };
    let class = class_of(negative, is_zero);
    encode(target, Origin::Arithmetic, &ExactResult { class, magnitude, payload: None }, random)
}

/// The exponent at which subnormals begin, if the result has subnormals.
fn smallest_exponent(target: &Target) -> Option<i64> {
    let float = target.format.float().filter(|float| float.underflows_gradually())?;
    Some(1 - i64::from(float.bias))
}
