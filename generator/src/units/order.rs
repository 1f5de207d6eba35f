//! Codes as unsigned numbers that ascend with their values.

use super::{class::Class, unpack::unpack};
use binade_circuit::{Bits, concat};
use binade_spec::{FieldZero, Format, Sign};

/// An operand to be compared.
#[derive(Clone, Copy)]
pub struct Ordered<'c> {
    pub class: Class<'c>,
    /// Ascends with the magnitudes; 0 for all zeros.
    pub magnitude: Bits<'c>,
    /// Ascends with the values; -0 is below +0.
    pub key: Bits<'c>,
}

/// The order of a code among the others; the signals are named after the operand.
pub fn ordered<'c>(format: Format, code: Bits<'c>, operand: &str) -> Ordered<'c> {
    let name = |part: &str| format!("{operand}_{part}");
    let unpacked = unpack(format, code, operand);
    let mut class = unpacked.class;
    if let Format::Codebook(_) = format {
        let key = ascending(class.sign, unpacked.magnitude).named(name("key"));
        return Ordered { class, magnitude: unpacked.magnitude, key };
    }
    let Format::Float(float) = &format else {
        // In two's complement all codes ascend, the negative ones below the others.
        let key = match format.sign() {
            Sign::Signed => concat(&[!class.sign, code.low(code.width() - 1)]).named(name("key")),
            Sign::Unsigned => code,
        };
        return Ordered { class, magnitude: unpacked.magnitude, key };
    };
    let magnitude = match float.field_zero {
        FieldZero::Zero => (!class.is_zero).gate(unpacked.magnitude).named(name("flushed")),
        FieldZero::Subnormal | FieldZero::Binade | FieldZero::NoZero => unpacked.magnitude,
    };
    if format.ignores_sign_of_specials() {
        class.sign = class.sign & !class.is_zero;
    }
    let key = ascending(class.sign, magnitude).named(name("key"));
    Ordered { class, magnitude, key }
}

impl<'c> Ordered<'c> {
    /// The key by which -0 equals +0.
    pub fn numeric_key(&self, operand: &str) -> Bits<'c> {
        let sign = self.class.sign & !self.class.is_zero;
        ascending(sign, self.magnitude).named(format!("{operand}_numeric_key"))
    }
}

/// A code that ascends with its number: the complement of a negative code is below all positive ones.
fn ascending<'c>(sign: Bits<'c>, magnitude: Bits<'c>) -> Bits<'c> {
    concat(&[!sign, magnitude ^ sign.repeat(magnitude.width())])
}

/// The code, with flushed values as zero and meaningless signs as positive.
pub fn canonical<'c>(format: Format, code: Bits<'c>, operand: &Ordered<'c>) -> Bits<'c> {
    match (format, format.sign()) {
        (Format::Posit(_) | Format::Fixed(_) | Format::Codebook(_), _) => code,
        (Format::Float(_), Sign::Signed) => concat(&[operand.class.sign, operand.magnitude]),
        (Format::Float(_), Sign::Unsigned) => operand.magnitude,
    }
}
