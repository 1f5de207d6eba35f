//! Code to value.

use crate::code_line::Line;
use crate::codes::ask;
use crate::coding::Coding;
use crate::{Codes, Exact, FloatCodes, Value};
use binade_spec::{FieldZero, Nan};

impl Codes {
    /// The value of `code`. Bits above the format's width must be 0.
    pub fn decode(&self, code: u128) -> Value {
        ask!(self.family, codes => Coding::decode(codes, code))
    }
}

impl<L: Line> FloatCodes<L> {
    pub(crate) fn decode(&self, code: u128) -> Value {
        let (magnitude, negative) = self.taken_apart(code);
        let zero = L::of(0);
        if magnitude > self.largest {
            return if self.infinity == Some(magnitude) { Value::Infinite { negative } } else { Value::Nan };
        }
        if magnitude == zero && self.has_zero() {
            let is_nan = negative && self.nan == Nan::SignAlone;
            return if is_nan { Value::Nan } else { Value::Zero { negative } };
        }
        match self.decode_magnitude(magnitude) {
            (0, _) => Value::Zero { negative },
            (n, k) => Value::Finite(Exact { negative, n, k }),
        }
    }

    /// `(n, k)` with value `n * 2^k` for a magnitude code, as if no code were infinity or NaN.
    pub(crate) fn decode_magnitude(&self, magnitude: L) -> (u128, i32) {
        let t = self.trailing_bits;
        let power_of_two = |first_exponent: i32, codes: L| (1, first_exponent + codes.low() as i32);
        if magnitude == L::of(0) && self.has_zero() {
            return (0, 0);
        }
        if magnitude < self.first_ordinary {
            return power_of_two(self.binades_below as i32 - self.bias, magnitude - self.first_ordinary);
        }
        if magnitude > self.last_ordinary {
            let first = (1 << self.exponent_bits) - self.binades_above as i32 - self.bias;
            return power_of_two(first, magnitude - self.last_ordinary - L::of(1));
        }
        let field = magnitude >> t;
        let trailing = (magnitude - (field << t)).word();
        let leading_one = 1 << t;
        match (field.low() as i32, self.field_zero) {
            (0, FieldZero::Subnormal) => (trailing, 1 - self.bias - t as i32),
            (0, FieldZero::Zero) => (0, 0),
            (field, _) => (leading_one | trailing, field - self.bias - t as i32),
        }
    }
}
