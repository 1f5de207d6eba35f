//! The leading one of a sum.

use super::{exact::Magnitude, unpack::with_integer_one};
use binade_circuit::{Bits, Int};
use binade_spec::Format;

/// Moves the leading one (of a negative sum in two's complement, the leading zero) to the top bit, but no further than
/// the result's subnormals reach. The top bit is a carry, above `integer_bits`; `exponent` is that of the last of these.
pub fn normalise<'c>(
    result: &Format,
    integer_bits: u32,
    exponent: Int<'c>,
    (negative, sum): (Bits<'c>, Bits<'c>),
) -> Magnitude<'c> {
    sum.circuit().section("Normalise");
    let top_exponent = exponent.plus(i64::from(integer_bits));
    let max_shift = i64::from(sum.width()) - 1;
    let Some(result) = result.float().filter(|result| result.underflows_gradually()) else {
        let (normalised, shift) = sum.normalise_signed(negative, None, "normalised");
        let exponent = top_exponent.sub(Int::unsigned(shift).within(0, max_shift)).named("sum_exponent");
        return Magnitude { exponent, significand: with_integer_one(normalised) };
    };
    let min_exponent = 1 - i64::from(result.bias);
    let limit = top_exponent.plus(-min_exponent);
    let limit = limit.within(0, limit.max()).to_unsigned().named("normalised_limit");
    let (normalised, shift) = sum.normalise_signed(negative, Some(limit), "normalised");
    let exponent = top_exponent.sub(Int::unsigned(shift).within(0, max_shift));
    let exponent = exponent.within(min_exponent, exponent.max()).named("sum_exponent");
    Magnitude { exponent, significand: normalised }
}
