//! Negation of codes.

use super::code::Code;
use binade_circuit::{Bits, concat};
use binade_spec::{Float, Format};

/// The code of the negated value, in formats where every value has a negative; NaR, and zeros and NaNs without a sign, do not change.
pub fn negated<'c>(code: &Code<'c>) -> Option<Code<'c>> {
    let &Code { format, bits, ref name } = code;
    let name = format!("minus_{name}");
    let bits = match &format {
        Format::Float(float) => sign_inverted(float, bits),
        Format::Posit(_) => bits.circuit().constant(0, bits.width()).sub(bits),
        Format::Fixed(_) | Format::Codebook(_) => return None,
    };
    Some(Code { format, bits: bits.named(&name), name })
}

/// In formats without -0, its place holds NaN or is free.
fn sign_inverted<'c>(format: &Float, code: Bits<'c>) -> Bits<'c> {
    let (sign, magnitude) = (code.msb(), code.low(format.magnitude_bits()));
    let inverts = if format.has_minus_zero() { code.circuit().ones(1) } else { magnitude.any() };
    concat(&[sign ^ inverts, magnitude])
}
