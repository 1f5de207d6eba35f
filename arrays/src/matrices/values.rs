//! The numbers of matrices in binary64.

use binade_golden::{Codes, Exact, Value};
use binade_spec::Format;

/// The values of a format's codes in binary64.
pub enum Values {
    /// Those of all codes.
    Listed(Vec<f64>),
    /// Those of binary32.
    Binary32,
    /// Those of another format of many codes.
    Decoded(Box<Codes>),
}

/// The widest codes whose values are listed.
const MOST_LISTED_BITS: u32 = 16;

impl Values {
    /// The values of a format.
    pub fn of(format: &Format) -> Values {
        let codes = Codes::new(*format);
        match format.width() {
            width @ ..=MOST_LISTED_BITS => {
                Values::Listed((0..1 << width).map(|code| binary64(codes.decode(code))).collect())
            }
            _ if *format == Format::binary32() => Values::Binary32,
            _ => Values::Decoded(codes.into()),
        }
    }

    /// The value of a code, with the sign of a zero; NaN if it is not finite, or none of binary64.
    #[inline(always)]
    pub fn value(&self, code: u64) -> f64 {
        match self {
            Values::Listed(values) => values[code as usize],
            Values::Binary32 => {
                let number = f64::from(f32::from_bits(code as u32));
                if number.is_finite() { number } else { f64::NAN }
            }
            Values::Decoded(codes) => binary64(codes.decode(code.into())),
        }
    }
}

/// The number in binary64, if it is 0 or a normal number there, far from both ends of the range; else NaN.
fn binary64(value: Value) -> f64 {
    let signed = |negative: bool, magnitude: f64| if negative { -magnitude } else { magnitude };
    match value {
        Value::Zero { negative } => signed(negative, 0.0),
        Value::Finite(Exact { negative, n, k }) if n < 1 << 53 && k.abs() < 400 => {
            signed(negative, n as f64 * power_of_two(k))
        }
        Value::Finite(_) | Value::Infinite { .. } | Value::Nan => f64::NAN,
    }
}

/// The exact value of a number of binary64 that is neither infinite nor NaN.
pub fn exact(number: f64) -> Value {
    let bits = number.to_bits();
    let field = (bits >> 52 & 0x7ff) as i32;
    let n = bits & ((1 << 52) - 1) | u64::from(field != 0) << 52;
    let negative = number.is_sign_negative();
    match n {
        0 => Value::Zero { negative },
        n => Value::Finite(Exact { negative, n: n.into(), k: field.max(1) - 1075 }),
    }
}

/// floor(log2) of the magnitude of a normal number of binary64.
#[inline(always)]
pub fn exponent(number: f64) -> i32 {
    (number.to_bits() >> 52 & 0x7ff) as i32 - 1023
}

/// `2^exponent`, infinite or 0 beyond the range of normal numbers.
#[inline(always)]
pub fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent.clamp(-1023, 1024) + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_apart() {
        for number in [1.0, -3.0, 5e-324, f64::MAX, 2.0_f64.powi(-1022)] {
            let Value::Finite(Exact { negative, n, k }) = exact(number) else { panic!("{number} is finite") };
            let sign = if negative { -1.0 } else { 1.0 };
            assert_eq!(sign * n as f64 * 2.0_f64.powi(k / 2) * 2.0_f64.powi(k - k / 2), number);
        }
        assert_eq!([0.0, -0.0].map(exact), [false, true].map(|negative| Value::Zero { negative }));
    }
}
