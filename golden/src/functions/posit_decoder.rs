//! `posit-decoder`.

use crate::PositCodes;
use binade_spec::Operation;

/// sign, zero, nar, exponent, significand. Zero and NaR have significand 0, and the exponent of a regime of `n - 1` zeros; the
/// sign is the code's top bit.
pub(super) fn posit_decoder(operation: &Operation, inputs: &[u128], outputs: &mut [u128]) {
    let posit = operation.operand.posit().expect("posit units have posit formats");
    let code = inputs[0];
    let negative = code & posit.nar() != 0;
    let magnitude = posit.with_sign(negative, code) & posit.max_code();
    let fields = PositCodes::new(*posit).take_apart(magnitude);
    let is_number = magnitude != 0;
    let exponent = (fields.regime << posit.exponent_bits) + fields.exponent + posit.scale;
    let significand = if is_number { 1 << fields.fraction_bits | fields.fraction } else { 0 };
    // Shorter fractions stand at the top.
    let significand = significand << (posit.precision() - 1 - fields.fraction_bits.min(posit.precision() - 1));
    let exponent = exponent as u128 & ((1 << posit.exponent_port_bits()) - 1);
    let (zero, nar) = (!is_number && !negative, !is_number && negative);
    outputs.copy_from_slice(&[negative.into(), zero.into(), nar.into(), exponent, significand]);
}
