//! The conversion of a new accumulator to an output format, after an activation.

use super::{
    convert::convert,
    result::Coded,
    unpack::{Unpacked, unpack},
};
use crate::circuit::Bits;
use binade_golden::{Operation, OutputConversion};

/// The accumulator's code `y` in the output format.
pub fn output<'c>(
    operation: &Operation,
    output: &OutputConversion,
    y: Bits<'c>,
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    let y = if output.relu { relu(operation, y) } else { y };
    convert(&operation.output_conversion(output), y, random)
}

/// Zero for negative codes; a NaN stays.
fn relu<'c>(operation: &Operation, y: Bits<'c>) -> Bits<'c> {
    let Unpacked { sign, is_nan, .. } = unpack(operation.result, y, "y");
    y.circuit().section("Activation: the rectified linear unit");
    let is_negative = (sign & !is_nan).named("is_rectified");
    (!is_negative).gate(y).named("activated")
}
