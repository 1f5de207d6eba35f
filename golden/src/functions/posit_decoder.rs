//! `posit-decoder`.

use crate::PositCodes;
use binade_spec::Significand;

/// sign, zero, nar, exponent, significand. Zero and NaR have significand 0, and the exponent of the longest regime
/// of zeros; the sign is the code's top bit.
pub(super) fn posit_decoder(codes: &PositCodes, form: Significand, inputs: &[u128], outputs: &mut [u128]) {
    let (magnitude, negative) = codes.magnitude(inputs[0] as u64);
    let is_number = (1..=codes.largest as u64).contains(&magnitude);
    let fields = codes.take_apart(magnitude & codes.largest as u64);
    let exponent = fields.exponent + codes.scale;
    let significand = if is_number { 1 << fields.fraction_bits | fields.fraction } else { 0 };
    // Shorter fractions are left-aligned.
    let significand = significand << (codes.precision - 1 - fields.fraction_bits.min(codes.precision - 1));
    let (exponent, significand) = match form {
        Significand::TwosComplement if negative => twos_complement(exponent, significand, codes.precision),
        Significand::TwosComplement | Significand::SignMagnitude => (exponent, significand),
    };
    let (zero, nar) = (!is_number && !negative, !is_number && negative);
    let exponent = exponent as u64 & codes.exponent_mask;
    outputs.copy_from_slice(&[negative.into(), zero.into(), nar.into(), exponent.into(), significand.into()]);
}

/// The negated number `significand * 2^exponent`, with a significand in [-2, -1) of one bit more. That of -1 is -2 with the next lower
/// exponent; 0 stays.
fn twos_complement(exponent: i32, significand: u64, precision: u32) -> (i32, u64) {
    let one = 1 << (precision - 1);
    match significand {
        0 => (exponent, 0),
        _ if significand == one => (exponent - 1, 2 * one),
        _ => (exponent, 4 * one - significand),
    }
}
