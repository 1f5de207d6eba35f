//! `posit-decoder`.

use crate::PositCodes;
use binade_spec::Operation;

/// sign, zero, nar, exponent, significand. Zero and NaR have significand 0, and the exponent of a regime of `n - 1` zeros; the
/// sign is the code's top bit.
pub(super) fn posit_decoder(operation: &Operation, inputs: &[u128], outputs: &mut [u128]) {
    let posit = operation.operand.posit().expect("posit units have posit formats");
    let codes = PositCodes::new(*posit);
    let (magnitude, negative) = codes.magnitude(inputs[0] as u64);
    let is_number = (1..=codes.largest as u64).contains(&magnitude);
    let fields = codes.take_apart(magnitude & codes.largest as u64);
    let exponent = (fields.regime << posit.exponent_bits) + fields.exponent + posit.scale;
    let significand = if is_number { u128::from(1 << fields.fraction_bits | fields.fraction) } else { 0 };
    // Shorter fractions stand at the top.
    let significand = significand << (posit.precision() - 1 - fields.fraction_bits.min(posit.precision() - 1));
    let exponent = exponent as u128 & ((1 << posit.exponent_port_bits()) - 1);
    let (zero, nar) = (!is_number && !negative, !is_number && negative);
    outputs.copy_from_slice(&[negative.into(), zero.into(), nar.into(), exponent, significand]);
}
