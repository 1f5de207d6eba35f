//! The conversion of a new accumulator to an output format, after an activation.

use super::{
    class::Class, coded::Coded, convert::convert, function::function, sums::Code, target::Target, unpack::unpack,
};
use binade_circuit::Bits;
use binade_spec::{Activation, Format};

/// The code `y` of the accumulator, activated and converted.
pub fn output<'c>(
    accumulator: Format,
    target: &Target,
    activation: Option<Activation>,
    y: Bits<'c>,
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    let converted = |y| convert(accumulator, target, ("y", y), random);
    let circuit = y.circuit();
    match activation {
        None => circuit.prefixed("out", || converted(y)),
        Some(Activation::Relu) => {
            let y = rectified(accumulator, y);
            circuit.prefixed("out", || converted(y))
        }
        Some(Activation::Function(of)) => {
            let y = Code { name: "y".into(), format: accumulator, bits: y };
            circuit.prefixed("out", || function(target, of, &y, random))
        }
    }
}

/// Zero for negative codes; a NaN stays.
fn rectified<'c>(format: Format, y: Bits<'c>) -> Bits<'c> {
    let Class { sign, is_nan, .. } = unpack(format, y, "y").class;
    y.circuit().section("Activation: rectified linear unit");
    let is_negative = (sign & !is_nan).named("is_rectified");
    match format.zero_code(false) {
        0 => (!is_negative).gate(y).named("activated"),
        zero => is_negative.select(y.circuit().constant(zero, y.width()), y).named("activated"),
    }
}
