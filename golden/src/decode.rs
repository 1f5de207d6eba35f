//! Code to value.

use crate::codec::Family;
use crate::{Codes, Exact, FloatCodes, Value};
use binade_spec::{FieldZero, Infinity, Nan};

impl Codes {
    /// What `code` stands for. Bits above the format's width must be 0.
    pub fn decode(&self, code: u128) -> Value {
        match &self.family {
            Family::Float(float) => float.decode(code),
            Family::Posit(posit) => posit.decode(code),
        }
    }
}

impl FloatCodes {
    pub(crate) fn decode(&self, code: u128) -> Value {
        let negative = code & self.sign_mask() != 0;
        let magnitude = (code & self.magnitude_mask()) as i64;
        if magnitude > self.largest {
            let is_infinite = self.infinity != Infinity::None && magnitude as u128 == self.infinity_magnitude();
            return if is_infinite { Value::Infinite { negative } } else { Value::Nan };
        }
        if magnitude == 0 && self.has_zero() {
            let is_nan = negative && self.nan == Nan::SignAlone;
            return if is_nan { Value::Nan } else { Value::Zero { negative } };
        }
        match self.decode_magnitude(magnitude) {
            (0, _) => Value::Zero { negative },
            (n, k) => Value::Finite(Exact { negative, n: n as u128, k }),
        }
    }

    /// `(n, k)` with value `n * 2^k` for a magnitude code, as if no code were infinity or NaN.
    pub(crate) fn decode_magnitude(&self, magnitude: i64) -> (i64, i32) {
        let t = self.trailing_bits;
        let power_of_two = |first_exponent: i32, codes: i64| (1, first_exponent + codes as i32);
        if magnitude == 0 && self.has_zero() {
            return (0, 0);
        }
        if magnitude < self.first_ordinary {
            return power_of_two(self.binades_below as i32 - self.bias, magnitude - self.first_ordinary);
        }
        if magnitude > self.last_ordinary {
            let first = (1 << self.exponent_bits) - self.binades_above as i32 - self.bias;
            return power_of_two(first, magnitude - self.last_ordinary - 1);
        }
        let field = (magnitude >> t) as i32;
        let trailing = magnitude & ((1 << t) - 1);
        let leading_one = 1 << t;
        match (field, self.field_zero) {
            (0, FieldZero::Subnormal) => (trailing, 1 - self.bias - t as i32),
            (0, FieldZero::Zero) => (0, 0),
            (_, _) => (leading_one | trailing, field - self.bias - t as i32),
        }
    }
}
