//! The units `posit-decoder` and `posit-encoder`.

use crate::arithmetic::Random;
use crate::{Exact, Model, PositCodes, Value};
use binade_spec::{Posit, encoder_ports};

impl Model {
    /// The unit `posit-encoder`: the code of [`Operation::value_of_parts`].
    pub(crate) fn posit_from_parts(&self, words: &[u64], mut random: Random) -> u64 {
        self.result.encode_by(self.value_of_parts(words), &self.policy(&mut random)) as u64
    }

    /// `(-1)^sign * significand * 2^exponent`, a little more if `sticky`. NaR goes before zero, zero before a number; the
    /// leading one counts as 1 whatever the port says.
    pub(crate) fn value_of_parts(&self, words: &[u64]) -> Value {
        let &[sign, zero, nar, exponent, significand, sticky] = words else {
            unreachable!("the inputs of posit-encoder");
        };
        if nar == 1 {
            return Value::Nan;
        }
        if zero == 1 {
            return Value::Zero { negative: false };
        }
        let ports = encoder_ports(self.posit(), self.rounding);
        let fraction_bits = ports[4].width() - 1;
        let leading_one = 1 << fraction_bits;
        let exponent = sign_extended(exponent, ports[3].width());
        let n = u128::from(leading_one | significand) << 1 | u128::from(sticky);
        Value::Finite(Exact { negative: sign == 1, n, k: exponent - fraction_bits as i32 - 1 })
    }
}

/// The outputs of `posit-decoder` for a code. Zero and NaR have significand 0, and the exponent of a regime of `n - 1` zeros;
/// the sign is the code's top bit.
pub(crate) fn posit_parts(posit: &Posit, code: u64) -> u64 {
    let code = u128::from(code);
    let negative = code & posit.nar() != 0;
    let magnitude = posit.with_sign(negative, code) & posit.max_code();
    let fields = PositCodes::new(*posit).take_apart(magnitude);
    let is_number = magnitude != 0;
    let exponent = (fields.regime << posit.exponent_bits) + fields.exponent + posit.scale;
    let significand = if is_number { 1 << fields.fraction_bits | fields.fraction } else { 0 };
    // Shorter fractions stand at the top.
    let significand = significand << (posit.precision() - 1 - fields.fraction_bits.min(posit.precision() - 1));
    let (sign, exponent_bits) = (u64::from(negative), posit.exponent_port_bits());
    let (zero, nar) = (!is_number && !negative, !is_number && negative);
    let exponent = exponent as u64 & ((1 << exponent_bits) - 1);
    sign | u64::from(zero) << 1 | u64::from(nar) << 2 | (exponent | (significand as u64) << exponent_bits) << 3
}

/// The number that the lowest `width` bits spell in two's complement.
fn sign_extended(word: u64, width: u32) -> i32 {
    let unused = u64::BITS - width;
    ((word << unused) as i64 >> unused) as i32
}
