//! The values of codes.

use num_bigint::BigUint;
use std::fmt;

/// A nonzero finite value, exactly `(-1)^negative * n * 2^k`.
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    /// Whether it is below zero.
    pub negative: bool,
    /// The integer that is scaled: never 0, and it may be even.
    pub n: u128,
    /// The power of two that scales it.
    pub k: i32,
}

/// The value of a code. Zeros and infinities carry their sign; NaN payloads are not part of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Zero, with its sign.
    Zero {
        /// Whether it is -0.
        negative: bool,
    },
    /// A nonzero number.
    Finite(Exact),
    /// An infinity.
    Infinite {
        /// Whether it is -infinity.
        negative: bool,
    },
    /// NaN, or NaR of a posit.
    Nan,
}

impl Exact {
    /// An equal value with an odd `n`.
    fn reduced(self) -> Exact {
        let zeros = self.n.trailing_zeros();
        Exact { n: self.n >> zeros, k: self.k + zeros as i32, ..self }
    }

    /// Bits from the leading one down to the last one.
    pub fn precision(&self) -> u32 {
        self.n.ilog2() + 1 - self.n.trailing_zeros()
    }

    /// floor(log2) of the magnitude.
    pub fn exponent(&self) -> i32 {
        self.k + self.n.ilog2() as i32
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Exact) -> bool {
        let (x, y) = (self.reduced(), other.reduced());
        (x.negative, x.n, x.k) == (y.negative, y.n, y.k)
    }
}

impl Eq for Exact {}

/// `1.75*2^14`: the significand in decimal (exact), times its binade.
impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&decimal(self.negative, &self.n.into(), self.k))
    }
}

/// `(-1)^negative * n * 2^k`, `n` not 0, as a significand in decimal times its binade.
pub(crate) fn decimal(negative: bool, n: &BigUint, k: i32) -> String {
    let sign = if negative { "-" } else { "" };
    let fraction_bits = n.bits() - 1;
    let one = BigUint::from(1_u32) << fraction_bits;
    format!("{sign}1{}*2^{}", decimal_fraction(n - &one, &one), k + fraction_bits as i32)
}

/// `rest / one` (below 1) as `.ddd`; nothing if it is 0.
fn decimal_fraction(mut rest: BigUint, one: &BigUint) -> String {
    let mut digits = String::new();
    while rest.bits() > 0 {
        rest *= 10_u32;
        let digit = &rest / one;
        rest -= &digit * one;
        digits += &digit.to_string();
    }
    if digits.is_empty() { digits } else { format!(".{digits}") }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let text = match self {
            Value::Zero { negative: false } => "0".into(),
            Value::Zero { negative: true } => "-0".into(),
            Value::Finite(exact) => exact.to_string(),
            Value::Infinite { negative: false } => "inf".into(),
            Value::Infinite { negative: true } => "-inf".into(),
            Value::Nan => "NaN".into(),
        };
        f.pad(&text)
    }
}
