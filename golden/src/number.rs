//! Exact values of any size, for the terms of formulas.

use crate::value::decimal;
use crate::{Exact, Value};
use binade_spec::Rounding;
use num_bigint::{BigInt, BigUint, Sign};
use std::cmp::Ordering;
use std::fmt;

/// A natural number other than 0: small ones, which are nearly all, need no allocation.
#[derive(Clone, Debug)]
pub enum Magnitude {
    /// A number that fits in 128 bits.
    Small(u128),
    /// A number of more than 128 bits.
    Large(BigUint),
}

/// An exact value of any size; [`Value`] is limited to magnitudes of 128 bits.
#[derive(Clone, Debug)]
pub enum Number {
    /// Zero, with its sign.
    Zero {
        /// Whether it is -0.
        negative: bool,
    },
    /// A nonzero number, exactly `(-1)^negative * n * 2^k`.
    Finite {
        /// Whether it is below zero.
        negative: bool,
        /// The integer that is scaled; it may be even.
        n: Magnitude,
        /// The power of two that scales it.
        k: i32,
    },
    /// An infinity.
    Infinite {
        /// Whether it is -infinity.
        negative: bool,
    },
    /// NaN, or NaR of a posit.
    Nan,
}

/// Bits of a quotient: more than those of a result and of random bits together.
const QUOTIENT_BITS: u32 = 256;

impl Magnitude {
    /// Position of the leading one, plus one.
    pub fn bit_length(&self) -> u32 {
        match self {
            Magnitude::Small(n) => u128::BITS - n.leading_zeros(),
            Magnitude::Large(n) => n.bits() as u32,
        }
    }

    /// Zeros below the last one.
    fn trailing_zeros(&self) -> u32 {
        match self {
            Magnitude::Small(n) => n.trailing_zeros(),
            Magnitude::Large(n) => n.trailing_zeros().unwrap_or(0) as u32,
        }
    }

    /// The number with a one in the lowest place.
    fn with_last_one(self) -> Magnitude {
        match self {
            Magnitude::Small(n) => Magnitude::Small(n | 1),
            Magnitude::Large(n) => Magnitude::from(n | BigUint::from(1_u32)),
        }
    }

    /// The next larger number.
    fn plus_one(self) -> Magnitude {
        match self {
            Magnitude::Small(n) if n < u128::MAX => Magnitude::Small(n + 1),
            n => Magnitude::from(n.big() + 1_u32),
        }
    }

    pub(crate) fn big(&self) -> BigUint {
        match self {
            Magnitude::Small(n) => BigUint::from(*n),
            Magnitude::Large(n) => n.clone(),
        }
    }

    fn times(&self, other: &Magnitude) -> Magnitude {
        if let (Magnitude::Small(x), Magnitude::Small(y)) = (self, other)
            && let Some(product) = x.checked_mul(*y)
        {
            return Magnitude::Small(product);
        }
        Magnitude::Large(self.big() * other.big())
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        match (self, other) {
            (Number::Zero { negative: s }, Number::Zero { negative: t }) => s == t,
            (Number::Infinite { negative: s }, Number::Infinite { negative: t }) => s == t,
            (Number::Nan, Number::Nan) => true,
            (Number::Finite { negative: s, n, k }, Number::Finite { negative: t, n: m, k: l }) => {
                s == t && self.exponent() == other.exponent() && {
                    let least = *k.min(l);
                    n.big() << (k - least) as u32 == m.big() << (l - least) as u32
                }
            }
            _ => false,
        }
    }
}

impl Eq for Number {}

impl From<Value> for Number {
    fn from(value: Value) -> Number {
        match value {
            Value::Zero { negative } => Number::Zero { negative },
            Value::Finite(Exact { negative, n, k }) => Number::Finite { negative, n: Magnitude::Small(n), k },
            Value::Infinite { negative } => Number::Infinite { negative },
            Value::Nan => Number::Nan,
        }
    }
}

impl Number {
    /// The sign, if the number has one.
    pub fn is_negative(&self) -> bool {
        match *self {
            Number::Zero { negative } | Number::Finite { negative, .. } | Number::Infinite { negative } => negative,
            Number::Nan => false,
        }
    }

    /// floor(log2) of the magnitude of a nonzero number.
    pub fn exponent(&self) -> Option<i32> {
        match self {
            Number::Finite { n, k, .. } => Some(k + n.bit_length() as i32 - 1),
            Number::Zero { .. } | Number::Infinite { .. } | Number::Nan => None,
        }
    }

    /// The exact product; infinity times zero is NaN.
    pub fn product(x: &Number, y: &Number) -> Number {
        use Number::*;
        let negative = x.is_negative() ^ y.is_negative();
        match (x, y) {
            (Nan, _) | (_, Nan) | (Infinite { .. }, Zero { .. }) | (Zero { .. }, Infinite { .. }) => Nan,
            (Infinite { .. }, _) | (_, Infinite { .. }) => Infinite { negative },
            (Zero { .. }, _) | (_, Zero { .. }) => Zero { negative },
            (Finite { n, k, .. }, Finite { n: m, k: l, .. }) => Finite { negative, n: n.times(m), k: k + l },
        }
    }

    /// The exact sum. Infinities with different signs give NaN. An exact zero is -0 if all terms are, or if the
    /// rounding is toward -infinity and not all terms are +0 (IEEE 754 section 6.3).
    pub fn sum(terms: &[&Number], rounding: Rounding) -> Number {
        let has_infinity =
            |sign| terms.iter().any(|term| matches!(term, Number::Infinite { negative } if *negative == sign));
        match (has_infinity(false), has_infinity(true)) {
            _ if terms.iter().any(|term| matches!(term, Number::Nan)) => return Number::Nan,
            (true, true) => return Number::Nan,
            (false, true) => return Number::Infinite { negative: true },
            (true, false) => return Number::Infinite { negative: false },
            (false, false) => {}
        }
        let finite: Vec<&Number> = terms.iter().copied().filter(|term| matches!(term, Number::Finite { .. })).collect();
        match finite.as_slice() {
            [] => {
                let mut signs = terms.iter().map(|term| term.is_negative());
                let negative = if rounding == Rounding::Rdn { signs.any(|sign| sign) } else { signs.all(|sign| sign) };
                Number::Zero { negative }
            }
            [single] => (*single).clone(),
            several => sum_of_finite(several, rounding),
        }
    }

    /// The quotient of two finite nonzero numbers, truncated after at least 128 bits; none for others.
    pub fn quotient(x: &Number, y: &Number) -> Option<Number> {
        let (Number::Finite { negative: s, n, k }, Number::Finite { negative: t, n: m, k: l }) = (x, y) else {
            return None;
        };
        let shift = u128::BITS + m.bit_length();
        let quotient = (n.big() << shift) / m.big();
        Some(Number::Finite { negative: s ^ t, n: Magnitude::from(quotient), k: k - l - shift as i32 })
    }

    /// `2^exponent`.
    pub(crate) fn power_of_two(exponent: i32) -> Number {
        Number::Finite { negative: false, n: Magnitude::Small(1), k: exponent }
    }

    /// The magnitude: the number without its sign.
    pub fn absolute(&self) -> Number {
        if self.is_negative() { self.negated() } else { self.clone() }
    }

    /// The order of the magnitudes of two numbers.
    pub(crate) fn compare_magnitudes(x: &Number, y: &Number) -> Ordering {
        let (Number::Finite { n, k, .. }, Number::Finite { n: m, k: l, .. }) = (x, y) else {
            return x.exponent().cmp(&y.exponent());
        };
        let least = *k.min(l);
        x.exponent()
            .cmp(&y.exponent())
            .then_with(|| (n.big() << (k - least) as u32).cmp(&(m.big() << (l - least) as u32)))
    }

    /// The order of two numbers; -0 is less than +0.
    pub(crate) fn compare(x: &Number, y: &Number) -> Ordering {
        let is_finite = |number: &Number| matches!(number, Number::Finite { .. } | Number::Zero { .. });
        let magnitudes = match (is_finite(x), is_finite(y)) {
            (true, true) => Number::compare_magnitudes(x, y),
            (is_x, is_y) => is_y.cmp(&is_x),
        };
        match (x.is_negative(), y.is_negative()) {
            (false, false) => magnitudes,
            (true, true) => magnitudes.reverse(),
            (is_negative, _) => {
                if is_negative {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
        }
    }

    /// The quotient. It is exact for powers of two, else truncated, with a sticky bit at the end; it rounds like the
    /// exact quotient in formats of up to 128 bits. Zero divided by zero and infinity by infinity are NaN.
    pub(crate) fn divided(x: &Number, y: &Number) -> Number {
        use Number::*;
        let negative = x.is_negative() ^ y.is_negative();
        match (x, y) {
            (Nan, _) | (_, Nan) | (Zero { .. }, Zero { .. }) | (Infinite { .. }, Infinite { .. }) => Nan,
            (Infinite { .. }, _) | (_, Zero { .. }) => Infinite { negative },
            (Zero { .. }, _) | (_, Infinite { .. }) => Zero { negative },
            (Finite { n, k, .. }, Finite { n: m, k: l, .. }) => {
                let zeros = m.big().trailing_zeros().expect("a number other than zero");
                if zeros + 1 == u64::from(m.bit_length()) {
                    return Finite { negative, n: n.clone(), k: k - l - zeros as i32 };
                }
                let shift = QUOTIENT_BITS + m.bit_length();
                let (dividend, divisor) = (n.big() << shift, m.big());
                let rest = u32::from(&dividend % &divisor != BigUint::ZERO);
                let quotient = ((dividend / divisor) << 1) | BigUint::from(rest);
                Finite { negative, n: Magnitude::from(quotient), k: k - l - shift as i32 - 1 }
            }
        }
    }

    /// The positive square root, or the reciprocal of that root: exact, or truncated with a sticky bit at the end like a
    /// quotient. The root of -0 is -0, its reciprocal -infinity; a negative number has none (NaN).
    pub(crate) fn root(x: &Number, is_reciprocal: bool) -> Number {
        match *x {
            Number::Zero { negative } if is_reciprocal => Number::Infinite { negative },
            Number::Infinite { negative: false } if is_reciprocal => Number::Zero { negative: false },
            Number::Zero { .. } | Number::Infinite { negative: false } => x.clone(),
            Number::Nan | Number::Infinite { .. } | Number::Finite { negative: true, .. } => Number::Nan,
            Number::Finite { ref n, k, .. } => {
                // With an even exponent, the root of the power of two is a power of two.
                let (n, k) = if k % 2 == 0 { (n.big(), k) } else { (n.big() << 1, k - 1) };
                // Twice the bits of the root, which is that of n * 2^shift, or of 2^shift / n.
                let shift = 2 * QUOTIENT_BITS + 2 * n.bits() as u32;
                let radicand = if is_reciprocal { (BigUint::from(1_u32) << shift) / &n } else { &n << shift };
                let root = radicand.sqrt();
                let is_exact = match is_reciprocal {
                    true => &root * &root * &n == BigUint::from(1_u32) << shift,
                    false => &root * &root == radicand,
                };
                let root = (root << 1) | BigUint::from(u32::from(!is_exact));
                let half = if is_reciprocal { -k / 2 } else { k / 2 };
                Number::Finite { negative: false, n: Magnitude::from(root), k: half - shift as i32 / 2 - 1 }
            }
        }
    }

    /// The cube root: exact, or truncated with a sticky bit at the end like a quotient.
    pub(crate) fn cube_root(x: &Number) -> Number {
        let Number::Finite { negative, n, k } = x else { return x.clone() };
        // With an exponent that three divides, the root of the power of two is a power of two.
        let below = k.rem_euclid(3);
        let radicand = n.big() << (3 * QUOTIENT_BITS + below as u32);
        let root = radicand.cbrt();
        let is_exact = root.pow(3) == radicand;
        let root = (root << 1) | BigUint::from(u32::from(!is_exact));
        Number::Finite { negative: *negative, n: Magnitude::from(root), k: (k - below) / 3 - QUOTIENT_BITS as i32 - 1 }
    }

    /// The number, truncated to a multiple of `2^least`, or rounded there to odd or down.
    pub fn cut_off(&self, least: i32, rounding: Rounding) -> Number {
        let Number::Finite { negative, n, k } = self else { return self.clone() };
        let shift = u32::try_from(least - k).unwrap_or(0);
        let left = match n {
            Magnitude::Small(n) => Magnitude::Small(n.checked_shr(shift).unwrap_or(0)),
            Magnitude::Large(n) => Magnitude::from(n >> shift),
        };
        let left = match rounding {
            Rounding::Rto if n.trailing_zeros() < shift => left.with_last_one(),
            Rounding::Rdn if *negative && n.trailing_zeros() < shift => left.plus_one(),
            _ => left,
        };
        if left.bit_length() == 0 {
            return Number::Zero { negative: *negative };
        }
        Number::Finite { negative: *negative, n: left, k: k + shift as i32 }
    }

    /// An integer times a power of two; zero is +0.
    pub(crate) fn of_integer(units: &BigInt, k: i32) -> Number {
        let negative = units.sign() == Sign::Minus;
        match (units.sign(), u128::try_from(units.magnitude())) {
            (Sign::NoSign, _) => Number::Zero { negative: false },
            (_, Ok(n)) => Number::Finite { negative, n: Magnitude::Small(n), k },
            (_, Err(_)) => Number::Finite { negative, n: Magnitude::Large(units.magnitude().clone()), k },
        }
    }

    /// The negated number.
    pub fn negated(&self) -> Number {
        match self.clone() {
            Number::Zero { negative } => Number::Zero { negative: !negative },
            Number::Finite { negative, n, k } => Number::Finite { negative: !negative, n, k },
            Number::Infinite { negative } => Number::Infinite { negative: !negative },
            Number::Nan => Number::Nan,
        }
    }

    /// The value, if 128 bits hold its magnitude.
    pub fn small(&self) -> Option<Value> {
        Some(match *self {
            Number::Zero { negative } => Value::Zero { negative },
            Number::Finite { negative, n: Magnitude::Small(n), k } => Value::Finite(Exact { negative, n, k }),
            Number::Finite { .. } => return None,
            Number::Infinite { negative } => Value::Infinite { negative },
            Number::Nan => Value::Nan,
        })
    }
}

/// All terms as integers in units of the smallest `2^k`.
fn sum_of_finite(terms: &[&Number], rounding: Rounding) -> Number {
    let parts = || {
        terms.iter().filter_map(|term| match term {
            Number::Finite { negative, n, k } => Some((*negative, n, *k)),
            Number::Zero { .. } | Number::Infinite { .. } | Number::Nan => None,
        })
    };
    let least = parts().map(|(_, _, k)| k).min().unwrap_or(0);
    let zero = Number::Zero { negative: rounding == Rounding::Rdn };
    if let Some(sum) = small_sum(parts(), least, terms.len()) {
        let magnitude = Magnitude::Small(sum.unsigned_abs());
        return if sum == 0 { zero } else { Number::Finite { negative: sum < 0, n: magnitude, k: least } };
    }
    let sum: BigInt = parts()
        .map(|(negative, n, k)| {
            let sign = if negative { Sign::Minus } else { Sign::Plus };
            BigInt::from_biguint(sign, n.big() << (k - least) as u32)
        })
        .sum();
    match sum.sign() {
        Sign::NoSign => zero,
        sign => Number::Finite { negative: sign == Sign::Minus, n: Magnitude::from(sum.into_parts().1), k: least },
    }
}

/// The sum in units of `2^least`, if it fits in 128 bits for any signs.
fn small_sum<'n>(parts: impl Iterator<Item = (bool, &'n Magnitude, i32)>, least: i32, count: usize) -> Option<i128> {
    // One bit for the sign, and the carries.
    let spare = 1 + count.ilog2() + 1;
    let mut sum = 0;
    for (negative, n, k) in parts {
        let Magnitude::Small(n) = n else { return None };
        let shift = (k - least) as u32;
        if shift.saturating_add(spare) > n.leading_zeros() {
            return None;
        }
        let term = (n << shift) as i128;
        sum += if negative { -term } else { term };
    }
    Some(sum)
}

impl From<BigUint> for Magnitude {
    fn from(n: BigUint) -> Magnitude {
        match u128::try_from(&n) {
            Ok(small) => Magnitude::Small(small),
            Err(_) => Magnitude::Large(n),
        }
    }
}

/// Written like a [`Value`].
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Number::Zero { negative } => Value::Zero { negative: *negative }.fmt(f),
            Number::Infinite { negative } => Value::Infinite { negative: *negative }.fmt(f),
            Number::Nan => Value::Nan.fmt(f),
            Number::Finite { negative, n, k } => f.pad(&decimal(*negative, &n.big(), *k)),
        }
    }
}
