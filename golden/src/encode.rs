//! Exact value to code: the one place that rounds.
//!
//! Magnitude codes ascend with their values, so rounding is a walk on a line of codes: find the largest code whose
//! value is not above the exact one, see where between it and the next code the exact value lies, take one of the two,
//! and look whether the line ends before it.

use crate::codec::Family;
use crate::{Codes, Exact, FloatCodes, Policy, PositCodes, Value};
use binade_spec::{FieldZero, Infinity, Nan, Overflow, PositRange, Rounding, Sign, Tininess, Underflow};
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
pub enum Rest {
    Zero,
    LessThanHalf,
    Half,
    MoreThanHalf,
}

/// Where a magnitude lies on the line of magnitude codes: at `code`, or `rest` of the way to the next one.
/// Beyond the ends of the format the line goes on, so `code` may be no code of the format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    pub code: i64,
    pub rest: Rest,
    /// The rest in units of `2^-k` of the way, rounded down, where `k` random bits are added to it; else 0.
    fraction: u64,
}

/// A stretch of the line with equal steps: code `origin + i` has the value `i * 2^unit`.
struct Steps {
    unit: i32,
    /// The code that 0 would have, if the stretch went down to it.
    origin: i64,
}

impl Steps {
    /// Where `n * 2^k` lies on this stretch, its fraction in `bits` bits.
    #[inline(always)]
    fn place<N: Natural>(&self, n: &N, k: i32, bits: u32) -> Position {
        let (count, rest) = n.split(self.unit - k);
        let fraction = if bits == 0 { 0 } else { n.split(self.unit - k - bits as i32).0 as u64 & ((1 << bits) - 1) };
        Position { code: self.origin + count, rest, fraction }
    }
}

impl Codes {
    /// The code of `value`, rounded once. NaN gives the canonical NaN, or +0 where there is none.
    pub fn encode_by(&self, value: Value, policy: &Policy) -> u128 {
        match value {
            Value::Zero { negative } => self.zero_code(negative),
            Value::Finite(Exact { negative, n, k }) => match u64::try_from(n) {
                Ok(n) => self.encode_finite(negative, &n, k, policy),
                Err(_) => self.encode_finite(negative, &n, k, policy),
            },
            Value::Infinite { negative } => match &self.family {
                Family::Float(float) => float.infinite_code(negative, policy.overflow),
                Family::Posit(posit) => posit.nar(),
            },
            Value::Nan => self.nan_code().unwrap_or(0),
        }
    }

    /// The same with the flags that the rounding raises, if there are flags.
    #[inline(always)]
    pub(crate) fn encode_with_flags<N: Natural>(
        &self,
        negative: bool,
        n: &N,
        k: i32,
        policy: &Policy,
        flags: Option<Tininess>,
    ) -> (u128, u64) {
        let raised = match (flags, &self.family) {
            (Some(tininess), Family::Float(float)) => float.exceptions(negative, n, k, policy, tininess),
            (Some(_), Family::Posit(_)) | (None, _) => 0,
        };
        (self.encode_finite(negative, n, k, policy), raised)
    }

    /// The code of `(-1)^negative * n * 2^k`, `n` not 0.
    pub(crate) fn encode_finite<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> u128 {
        match &self.family {
            Family::Float(float) => float.encode_finite(negative, n, k, policy),
            Family::Posit(posit) => posit.encode_finite(negative, n, k, policy),
        }
    }
}

impl FloatCodes {
    fn encode_finite<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> u128 {
        let position = self.locate(n, k, policy.rounding);
        let code = position.code + i64::from(self.goes_up(position, negative, policy));
        let underflows = self.underflow == Underflow::ToZero && code < self.smallest;
        if self.has_zero() && (underflows || code == 0) {
            if negative && self.has_minus_zero() { self.sign_mask() } else { 0 }
        } else if code > self.largest {
            self.overflow_code(negative, policy)
        } else {
            self.with_sign(negative, code.max(0) as u128, policy)
        }
    }

    /// Whether a magnitude at `position` becomes the next code.
    #[inline(always)]
    pub(crate) fn goes_up(&self, position: Position, negative: bool, policy: &Policy) -> bool {
        match policy.rounding {
            Rounding::Mptorch => self.goes_up_in_mptorch(position),
            _ => position.goes_up(negative, policy),
        }
    }

    /// Supernormals in the MPTorch software: zero and the largest value hold on to nothing that is not theirs.
    fn goes_up_in_mptorch(&self, position: Position) -> bool {
        let is_ordinary = (self.first_ordinary..=self.last_ordinary).contains(&position.code);
        match position.code {
            0 => false,
            code if code == self.largest => position.rest != Rest::Zero,
            code if is_ordinary => position.rest > Rest::Half || (position.rest == Rest::Half && code & 1 == 1),
            _ => position.rest >= Rest::Half,
        }
    }

    /// Where `n * 2^k` lies among the magnitude codes.
    #[inline(always)]
    pub(crate) fn locate<N: Natural>(&self, n: &N, k: i32, rounding: Rounding) -> Position {
        let exponent = k + n.bit_length() - 1;
        let random_bits = rounding.random_bits();
        let position = self.steps(exponent).place(n, k, random_bits);
        let zero_is_next = self.field_zero == FieldZero::Binade && self.binades_below == 0;
        if zero_is_next && self.underflow == Underflow::Nearest && position.code < 1 {
            return self.locate_below_nosub(n, k, random_bits);
        }
        position
    }

    /// The steps between codes for values in `[2^exponent, 2^(exponent+1))`.
    fn steps(&self, exponent: i32) -> Steps {
        let t = self.trailing_bits as i32;
        let field = i64::from(exponent) + i64::from(self.bias);
        let one_code_each = |first_code: i64| Steps { unit: exponent, origin: first_code - 1 };
        if self.binades_below > 0 && field < i64::from(self.binades_below) {
            let code = self.first_ordinary + field - i64::from(self.binades_below);
            if code < 1 {
                // Between zero and the smallest value: one step.
                return Steps { unit: self.smallest_exponent, origin: 0 };
            }
            return one_code_each(code);
        }
        let first_upper_field = (1 << self.exponent_bits) - i64::from(self.binades_above);
        if self.binades_above > 0 && field >= first_upper_field {
            return one_code_each(self.last_ordinary + 1 + field - first_upper_field);
        }
        if field < 1 && self.field_zero == FieldZero::Subnormal {
            return Steps { unit: 1 - self.bias - t, origin: 0 };
        }
        self.unbounded_steps(exponent)
    }

    /// The same as if the exponent range had no ends.
    fn unbounded_steps(&self, exponent: i32) -> Steps {
        let t = self.trailing_bits as i32;
        Steps { unit: exponent - t, origin: (i64::from(exponent) + i64::from(self.bias) - 1) << t }
    }

    /// Where `n * 2^k` would lie among the magnitude codes if the exponent range had no ends.
    pub(crate) fn locate_unbounded<N: Natural>(&self, n: &N, k: i32, rounding: Rounding) -> Position {
        self.unbounded_steps(k + n.bit_length() - 1).place(n, k, rounding.random_bits())
    }

    /// Nosub: zero, then `(1 + 2^-t) * 2^-bias`. Half of that is `2^t + 1` units of `2^(-bias-t-1)`.
    fn locate_below_nosub<N: Natural>(&self, n: &N, k: i32, random_bits: u32) -> Position {
        let t = self.trailing_bits as i32;
        let smallest = (1_i64 << t) + 1;
        let unit = -self.bias - t - 1;
        let (count, rest) = n.split(unit - k);
        let rest = match (count.cmp(&smallest), rest) {
            (Ordering::Less, _) => Rest::LessThanHalf,
            (Ordering::Equal, Rest::Zero) => Rest::Half,
            (Ordering::Equal | Ordering::Greater, _) => Rest::MoreThanHalf,
        };
        // In whole units of 2^-random_bits; what is below a unit changes no quotient.
        let (fine, _) = n.split(unit + 1 - k - random_bits as i32);
        Position { code: 0, rest, fraction: (fine / smallest) as u64 }
    }

    /// What stands for a finite magnitude beyond the largest one.
    fn overflow_code(&self, negative: bool, policy: &Policy) -> u128 {
        match policy.overflow {
            Overflow::Inf if !self.stays_finite(negative, policy.rounding) => {
                self.infinite_code(negative, policy.overflow)
            }
            Overflow::Inf | Overflow::Saturate | Overflow::Propagate => {
                self.with_sign(negative, self.max_code(), policy)
            }
        }
    }

    /// Whether a magnitude beyond the largest finite one is rounded back to that. To odd, it is if that code is odd.
    fn stays_finite(&self, negative: bool, rounding: Rounding) -> bool {
        match rounding {
            Rounding::Rne | Rounding::Rna | Rounding::Rnu | Rounding::Sr(_) | Rounding::Mptorch => false,
            Rounding::Rtz => true,
            Rounding::Rup => negative,
            Rounding::Rdn => !negative,
            Rounding::Rto => self.max_code() & 1 == 1,
        }
    }

    /// What stands for an infinity.
    pub(crate) fn infinite_code(&self, negative: bool, overflow: Overflow) -> u128 {
        let magnitude = match (overflow, self.infinity) {
            (Overflow::Saturate, _) => self.max_code(),
            (Overflow::Inf | Overflow::Propagate, Infinity::TopField | Infinity::LastCode) => self.infinity_magnitude(),
            (Overflow::Inf | Overflow::Propagate, Infinity::None) => match self.nan {
                Nan::AllOnes if self.sign == Sign::Signed || !negative => return self.magnitude_mask(),
                Nan::NanInfinity => self.magnitude_mask(),
                Nan::None | Nan::TopField | Nan::AllOnes | Nan::SignAlone | Nan::LastCode => self.max_code(),
            },
        };
        // Infinity is no result of rounding: into an unsigned format, -infinity is as far below zero in any direction.
        self.with_sign(negative, magnitude, &Policy::new(Rounding::Rne, overflow))
    }

    /// `magnitude` (not zero) with its sign. A negative result into an unsigned format is 0 if it saturates or is
    /// rounded upward to there, else NaN.
    fn with_sign(&self, negative: bool, magnitude: u128, policy: &Policy) -> u128 {
        match (negative, self.sign) {
            (true, Sign::Unsigned) => match (policy.overflow, policy.rounding) {
                (Overflow::Saturate | Overflow::Propagate, _) | (_, Rounding::Rtz | Rounding::Rup) => 0,
                (Overflow::Inf, _) => self.nan_code().unwrap_or(0),
            },
            (true, Sign::Signed) => magnitude | self.sign_mask(),
            (false, _) => magnitude,
        }
    }
}

impl PositCodes {
    pub(crate) fn encode_finite<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> u128 {
        let position = self.locate(n, k, policy.rounding.random_bits());
        let exponent = i64::from(k + n.bit_length() - 1);
        let is_beyond = position.code == self.largest && position.rest != Rest::Zero;
        match policy.posit_range {
            PositRange::Float if exponent < self.min_exponent() - 1 => return 0,
            PositRange::Float if is_beyond => return self.nar(),
            PositRange::Float | PositRange::Saturate => {}
        }
        let code = position.code + i64::from(position.goes_up(negative, policy));
        // Never to zero, never to NaR.
        self.with_sign(negative, code.clamp(1, self.largest) as u128)
    }

    /// Where `n * 2^k` lies among the magnitude codes: the bit string regime, exponent, fraction without an end, of which
    /// the code keeps `bits - 1`.
    pub(crate) fn locate<N: Natural>(&self, n: &N, k: i32, random_bits: u32) -> Position {
        let fraction_bits = n.bit_length() - 1;
        let plain_exponent = k + fraction_bits - self.scale;
        let (regime, exponent) =
            (plain_exponent >> self.exponent_bits, plain_exponent & ((1 << self.exponent_bits) - 1));
        let bits = self.bits as i32 - 1;
        if regime >= bits - 1 {
            let is_max = plain_exponent == (bits - 1) << self.exponent_bits && n.split(fraction_bits).1 == Rest::Zero;
            let rest = if is_max { Rest::Zero } else { Rest::MoreThanHalf };
            return Position { code: self.largest, rest, fraction: 0 };
        }
        if regime < -(bits - 1) {
            return Position { code: 0, rest: Rest::MoreThanHalf, fraction: 0 };
        }
        let (regime_bits, regime_code) =
            if regime >= 0 { (regime + 2, (1_i64 << (regime + 2)) - 2) } else { (1 - regime, 1) };
        let kept = bits - regime_bits;
        let cut = self.exponent_bits as i32 - kept;
        if cut <= 0 {
            // The exponent is whole: steps are equal, and the code of the binade's first value counts 2^-cut steps as 0.
            let first = regime_code << kept | i64::from(exponent) << -cut;
            let steps = Steps { unit: plain_exponent + self.scale + cut, origin: first - (1 << -cut) };
            return steps.place(n, k, random_bits);
        }
        let code = regime_code << kept | i64::from(exponent >> cut);
        let tail = Tail { bits: cut, exponent: exponent & ((1 << cut) - 1), fraction_bits };
        Position { code, rest: tail.rest(n), fraction: tail.fraction(n, random_bits) }
    }
}

/// What a posit that ends among its exponent bits leaves out: so many low exponent bits, then the fraction.
struct Tail {
    bits: i32,
    exponent: i32,
    fraction_bits: i32,
}

impl Tail {
    /// Against the bit string 1000..., which is half.
    fn rest<N: Natural>(&self, n: &N) -> Rest {
        let has_fraction = n.split(self.fraction_bits).1 != Rest::Zero;
        Rest::of(
            self.exponent == 0 && !has_fraction,
            self.exponent.cmp(&(1 << (self.bits - 1))).then(has_fraction.cmp(&false)),
        )
    }

    /// Its first `bits` bits.
    fn fraction<N: Natural>(&self, n: &N, bits: u32) -> u64 {
        let more = bits as i32 - self.bits;
        if more <= 0 {
            return (self.exponent >> -more) as u64;
        }
        let leading_one = 1 << more;
        ((self.exponent as u64) << more) + (n.split(self.fraction_bits - more).0 - leading_one) as u64
    }
}

impl Position {
    /// Whether it is not exactly at `code`.
    pub fn is_inexact(self) -> bool {
        self.rest != Rest::Zero
    }

    /// Whether a magnitude here becomes the next code.
    pub fn goes_up(self, negative: bool, policy: &Policy) -> bool {
        let odd = self.code & 1 == 1;
        let inexact = self.is_inexact();
        match policy.rounding {
            Rounding::Rne => self.rest > Rest::Half || (self.rest == Rest::Half && odd),
            Rounding::Rna | Rounding::Rnu => self.rest >= Rest::Half,
            Rounding::Rtz => false,
            Rounding::Rup => inexact && !negative,
            Rounding::Rdn => inexact && negative,
            Rounding::Rto => inexact && !odd,
            Rounding::Sr(bits) => self.fraction + policy.random >= 1 << bits,
            Rounding::Mptorch => unreachable!("only supernormals are rounded so, and they ask themselves"),
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
