//! Exact value to code: the one place that rounds.
//!
//! Magnitude codes ascend with their values, so rounding is a walk on a line of codes: find the largest code whose
//! value is not above the exact one, see where between it and the next code the exact value lies, take one of the two,
//! and look whether the line ends before it.

use crate::{Exact, FieldZero, Format, Infinity, Nan, Overflow, Rounding, Sign, Underflow, Value};
use num_bigint::BigUint;
use std::cmp::Ordering;

/// A magnitude of any size that can be counted in units of `2^drop`.
pub(crate) trait Natural {
    /// Position of the leading one, plus one.
    fn bit_length(&self) -> i32;
    /// `floor(self / 2^drop)` (which fits) and what is left; a negative `drop` multiplies.
    fn split(&self, drop: i32) -> (i64, Rest);
}

/// What is left of a number after whole units were counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rest {
    Zero,
    LessThanHalf,
    Half,
    MoreThanHalf,
}

/// Where a magnitude lies on the line of magnitude codes: at `code`, or `rest` of the way to the next one.
/// Beyond the ends of the format the line goes on, so `code` may be no code of the format.
#[derive(Clone, Copy, Debug)]
struct Position {
    code: i64,
    rest: Rest,
}

/// A stretch of the line with equal steps: code `origin + i` has the value `i * 2^unit`.
struct Steps {
    unit: i32,
    /// The code that 0 would have, if the stretch went down to it.
    origin: i64,
}

impl Format {
    /// The code of `value`, rounded once. NaN gives the canonical NaN, or +0 where there is none.
    pub fn encode(&self, value: Value, rounding: Rounding, overflow: Overflow) -> u64 {
        match value {
            Value::Zero { negative } => self.zero_code(negative),
            Value::Finite(Exact { negative, n, k }) => match u64::try_from(n) {
                Ok(n) => self.encode_finite(negative, &n, k, rounding, overflow),
                Err(_) => self.encode_finite(negative, &n, k, rounding, overflow),
            },
            Value::Infinite { negative } => self.infinite_code(negative, overflow),
            Value::Nan => self.nan_code().unwrap_or(0),
        }
    }

    /// The code of `(-1)^negative * n * 2^k`, `n` not 0.
    pub(crate) fn encode_finite<N: Natural>(
        &self,
        negative: bool,
        n: &N,
        k: i32,
        rounding: Rounding,
        overflow: Overflow,
    ) -> u64 {
        let position = self.locate(n, k);
        let code = position.code + i64::from(rounding.goes_up(position, negative));
        let underflows = self.underflow == Underflow::ToZero && code < self.min_code() as i64;
        if underflows || code == 0 {
            self.zero_code(negative)
        } else if code > self.max_code() as i64 {
            self.overflow_code(negative, rounding, overflow)
        } else {
            self.with_sign(negative, code as u64, rounding, overflow)
        }
    }

    /// Where `n * 2^k` lies among the magnitude codes.
    fn locate<N: Natural>(&self, n: &N, k: i32) -> Position {
        let exponent = k + n.bit_length() - 1;
        let steps = self.steps(exponent);
        let (count, rest) = n.split(steps.unit - k);
        let position = Position { code: steps.origin + count, rest };
        let zero_is_next = self.field_zero == FieldZero::Binade && self.binades_below == 0;
        if zero_is_next && self.underflow == Underflow::Nearest && position.code < 1 {
            return self.locate_below_nosub(n, k);
        }
        position
    }

    /// The steps between codes for values in `[2^exponent, 2^(exponent+1))`.
    fn steps(&self, exponent: i32) -> Steps {
        let t = self.trailing_bits as i32;
        let field = i64::from(exponent) + i64::from(self.bias);
        let one_code_each = |first_code: i64| Steps { unit: exponent, origin: first_code - 1 };
        let first_ordinary = self.first_ordinary_code() as i64;
        if self.binades_below > 0 && field < i64::from(self.binades_below) {
            let code = first_ordinary + field - i64::from(self.binades_below);
            if code < 1 {
                // Between zero and the smallest value: one step.
                return Steps { unit: self.min_exponent() as i32, origin: 0 };
            }
            return one_code_each(code);
        }
        let first_upper_field = (1 << self.exponent_bits) - i64::from(self.binades_above);
        if self.binades_above > 0 && field >= first_upper_field {
            return one_code_each(self.first_upper_code() as i64 + field - first_upper_field);
        }
        if field < 1 && self.field_zero == FieldZero::Subnormal {
            return Steps { unit: 1 - self.bias - t, origin: 0 };
        }
        Steps { unit: exponent - t, origin: (field - 1) << t }
    }

    /// Nosub: zero, then `(1 + 2^-t) * 2^-bias`. Half of that is `2^t + 1` units of `2^(-bias-t-1)`.
    fn locate_below_nosub<N: Natural>(&self, n: &N, k: i32) -> Position {
        let t = self.trailing_bits as i32;
        let below_half = 1_i64 << t;
        let unit = -self.bias - t - 1;
        let (count, rest) = if k + n.bit_length() < unit { (0, Rest::LessThanHalf) } else { n.split(unit - k) };
        let rest = match (count.cmp(&(below_half + 1)), rest) {
            (Ordering::Less, _) => Rest::LessThanHalf,
            (Ordering::Equal, Rest::Zero) => Rest::Half,
            (Ordering::Equal | Ordering::Greater, _) => Rest::MoreThanHalf,
        };
        Position { code: 0, rest }
    }

    /// Zero of the given sign, or the only zero.
    pub(crate) fn zero_code(&self, negative: bool) -> u64 {
        if negative && self.has_minus_zero() { self.sign_mask() } else { 0 }
    }

    /// What stands for a finite magnitude beyond the largest one.
    fn overflow_code(&self, negative: bool, rounding: Rounding, overflow: Overflow) -> u64 {
        match overflow {
            Overflow::Inf if !self.stays_finite(negative, rounding) => self.infinite_code(negative, overflow),
            Overflow::Inf | Overflow::Saturate | Overflow::Propagate => {
                self.with_sign(negative, self.max_code(), rounding, overflow)
            }
        }
    }

    /// Whether a magnitude beyond the largest finite one is rounded back to that. To odd, it is if that code is odd.
    fn stays_finite(&self, negative: bool, rounding: Rounding) -> bool {
        match rounding {
            Rounding::Rne | Rounding::Rna | Rounding::Rnu => false,
            Rounding::Rtz => true,
            Rounding::Rup => negative,
            Rounding::Rdn => !negative,
            Rounding::Rto => self.max_code() & 1 == 1,
        }
    }

    /// What stands for an infinity.
    fn infinite_code(&self, negative: bool, overflow: Overflow) -> u64 {
        let magnitude = match (overflow, self.infinity) {
            (Overflow::Saturate, _) => self.max_code(),
            (Overflow::Inf | Overflow::Propagate, Infinity::TopField | Infinity::LastCode) => self.infinity_magnitude(),
            (Overflow::Inf | Overflow::Propagate, Infinity::None) => match self.nan {
                Nan::AllOnes => return self.magnitude_mask(),
                Nan::NanInfinity => self.magnitude_mask(),
                Nan::None | Nan::TopField | Nan::SignAlone | Nan::LastCode => self.max_code(),
            },
        };
        // Infinity is no result of rounding: into an unsigned format, -infinity is as far below zero in any direction.
        self.with_sign(negative, magnitude, Rounding::Rne, overflow)
    }

    /// `magnitude` (not zero) with its sign. A negative result into an unsigned format is 0 if it saturates or is
    /// rounded upward to there, else NaN.
    fn with_sign(&self, negative: bool, magnitude: u64, rounding: Rounding, overflow: Overflow) -> u64 {
        match (negative, self.sign) {
            (true, Sign::Unsigned) => match (overflow, rounding) {
                (Overflow::Saturate | Overflow::Propagate, _) | (_, Rounding::Rtz | Rounding::Rup) => 0,
                (Overflow::Inf, _) => self.nan_code().unwrap_or(0),
            },
            (true, Sign::Signed) => magnitude | self.sign_mask(),
            (false, _) => magnitude,
        }
    }
}

impl Rounding {
    /// Whether a magnitude at `position` becomes the next code.
    fn goes_up(self, position: Position, negative: bool) -> bool {
        let odd = position.code & 1 == 1;
        let inexact = position.rest != Rest::Zero;
        match self {
            Rounding::Rne => position.rest > Rest::Half || (position.rest == Rest::Half && odd),
            Rounding::Rna | Rounding::Rnu => position.rest >= Rest::Half,
            Rounding::Rtz => false,
            Rounding::Rup => inexact && !negative,
            Rounding::Rdn => inexact && negative,
            Rounding::Rto => inexact && !odd,
        }
    }
}

/// The same for words of either width; the narrower one is faster.
macro_rules! natural_word {
    ($word:ty) => {
        impl Natural for $word {
            fn bit_length(&self) -> i32 {
                (<$word>::BITS - self.leading_zeros()) as i32
            }

            fn split(&self, drop: i32) -> (i64, Rest) {
                if drop <= 0 {
                    return ((self << -drop) as i64, Rest::Zero);
                }
                if drop > <$word>::BITS as i32 {
                    return (0, if *self == 0 { Rest::Zero } else { Rest::LessThanHalf });
                }
                let half: $word = 1 << (drop - 1);
                let left = self & (half | (half - 1));
                let whole = (self >> (drop - 1) >> 1) as i64;
                (whole, Rest::of(left == 0, left.cmp(&half)))
            }
        }
    };
}

natural_word!(u64);
natural_word!(u128);

impl Natural for BigUint {
    fn bit_length(&self) -> i32 {
        self.bits() as i32
    }

    fn split(&self, drop: i32) -> (i64, Rest) {
        let to_i64 = |n: BigUint| i64::try_from(n).expect("a count of units fits in 64 bits");
        if drop <= 0 {
            return (to_i64(self << -drop), Rest::Zero);
        }
        let whole: BigUint = self >> drop;
        let left = self - (&whole << drop);
        let half = BigUint::from(1_u32) << (drop - 1);
        (to_i64(whole), Rest::of(left.bits() == 0, left.cmp(&half)))
    }
}

impl Rest {
    fn of(is_zero: bool, against_half: Ordering) -> Rest {
        match against_half {
            _ if is_zero => Rest::Zero,
            Ordering::Less => Rest::LessThanHalf,
            Ordering::Equal => Rest::Half,
            Ordering::Greater => Rest::MoreThanHalf,
        }
    }
}
