//! The conversion of a new accumulator to an output format, after an activation.

use super::{class::Class, coded::Coded, convert::convert, target::Target, unpack::unpack};
use binade_circuit::Bits;
use binade_spec::Format;

/// The code `y` of the accumulator, rectified first if `relu`, then converted.
pub fn output<'c>(
    accumulator: Format,
    target: &Target,
    relu: bool,
    y: Bits<'c>,
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    let y = if relu { rectified(accumulator, y) } else { y };
    y.circuit().prefixed("out", || convert(accumulator, target, ("y", y), random))
}

/// Zero for negative codes; a NaN stays.
fn rectified<'c>(format: Format, y: Bits<'c>) -> Bits<'c> {
    let Class { sign, is_nan, .. } = unpack(format, y, "y").class;
    y.circuit().section("Activation: rectified linear unit");
    let is_negative = (sign & !is_nan).named("is_rectified");
    (!is_negative).gate(y).named("activated")
}
