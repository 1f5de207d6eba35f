//! The leading one of a sum.

use super::{exact::Magnitude, unpack::with_integer_one};
use binade_circuit::{Bits, Int};
use binade_spec::Float;

/// Moves the leading one (of a negative sum in two's complement, the leading zero) to the top bit, but no further than
/// the subnormals of `format` reach. The top bit is a carry, and `exponent` that of the bit below.
pub fn normalise<'c>(format: &Float, exponent: Int<'c>, (negative, sum): (Bits<'c>, Bits<'c>)) -> Magnitude<'c> {
    sum.circuit().section("Normalise");
    let top_exponent = exponent.plus(1);
    let max_shift = i64::from(sum.width()) - 1;
    if !format.underflows_gradually() {
        let (normalised, shift) = sum.normalise_signed(negative, None, "normalised");
        let exponent = top_exponent.sub(Int::unsigned(shift).within(0, max_shift)).named("sum_exponent");
        return Magnitude { exponent, significand: with_integer_one(normalised) };
    }
    let min_exponent = 1 - i64::from(format.bias);
    let limit = top_exponent.plus(-min_exponent);
    let limit = limit.within(0, limit.max()).to_unsigned().named("normalised_limit");
    let (normalised, shift) = sum.normalise_signed(negative, Some(limit), "normalised");
    let exponent = top_exponent.sub(Int::unsigned(shift).within(0, max_shift));
    let exponent = exponent.within(min_exponent, exponent.max()).named("sum_exponent");
    Magnitude { exponent, significand: normalised }
}
