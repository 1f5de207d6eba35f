//! The number at the inputs of `posit-encoder`.

use crate::{Exact, Model, Value};

impl Model {
    /// `(-1)^sign * significand * 2^exponent`, plus a little more if `sticky`. NaR takes precedence over zero, and zero
    /// over a number; the leading one counts as 1 whatever the port says.
    pub(crate) fn value_of_parts(&self, [sign, zero, nar, exponent, significand, sticky]: [u64; 6]) -> Value {
        if nar == 1 {
            return Value::Nan;
        }
        if zero == 1 {
            return Value::Zero { negative: false };
        }
        let fraction_bits = self.inputs[4].width() - 1;
        let leading_one = 1 << fraction_bits;
        let exponent = sign_extended(exponent, self.inputs[3].width());
        let n = u128::from(leading_one | significand) << 1 | u128::from(sticky);
        Value::Finite(Exact { negative: sign == 1, n, k: exponent - fraction_bits as i32 - 1 })
    }
}

/// The lowest `width` bits as a number in two's complement.
fn sign_extended(word: u64, width: u32) -> i32 {
    let unused = u64::BITS - width;
    ((word << unused) as i64 >> unused) as i32
}
