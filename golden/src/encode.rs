//! Exact value to code: the one place that rounds.
//!
//! Magnitude codes ascend with their values, so rounding is a walk on a line of codes: find the largest code whose
//! value does not exceed the exact one, see where the exact value lies between it and the next code, take one of the
//! two, and check whether it is beyond the end of the line.

use crate::code_line::{Line, Natural};
use crate::codes::ask;
use crate::coding::Coding;
use crate::fixed_codes::FixedCodes;
use crate::number::{Magnitude, Number};
use crate::position::{Position, Steps};
use crate::{Codes, Exact, FloatCodes, Policy, PositCodes, Rest, Value};
use binade_spec::{FieldZero, Nan, Overflow, PositRange, Rounding, Sign, Tininess, Underflow};
use ethnum::I256;
use std::cmp::Ordering;

impl Codes {
    /// The code of `value`, rounded once. NaN becomes the canonical NaN, or +0 if there is none.
    pub fn encode(&self, value: Value, rounding: Rounding, overflow: Overflow) -> u128 {
        self.encode_by(value, &Policy::new(rounding, overflow))
    }

    /// The code of `value`, rounded once under the whole policy. NaN becomes the canonical NaN, or +0 if there is none.
    pub fn encode_by(&self, value: Value, policy: &Policy) -> u128 {
        match value {
            Value::Zero { negative } => self.zero_code(negative),
            Value::Finite(Exact { negative, n, k }) => match u64::try_from(n) {
                Ok(n) => self.encode_finite(negative, &n, k, policy),
                Err(_) => self.encode_finite(negative, &n, k, policy),
            },
            Value::Infinite { negative } => ask!(self.family, codes => codes.infinite_code(negative, policy.overflow)),
            Value::Nan => self.nan_or_zero_code(),
        }
    }

    /// The code of the value nearest to a number of any size; the largest one beyond the range.
    pub fn nearest(&self, number: &Number) -> u128 {
        let policy = Policy::new(Rounding::Rne, Overflow::Saturate);
        match number {
            Number::Finite { negative, n: Magnitude::Large(n), k } => self.encode_finite(*negative, n, *k, &policy),
            Number::Finite { negative, n: Magnitude::Small(n), k } => self.encode_finite(*negative, n, *k, &policy),
            Number::Zero { negative } => self.encode_by(Value::Zero { negative: *negative }, &policy),
            Number::Infinite { negative } => self.encode_by(Value::Infinite { negative: *negative }, &policy),
            Number::Nan => self.encode_by(Value::Nan, &policy),
        }
    }

    /// The code of a nonzero number, with the flags that the rounding raises, if flags are requested.
    #[inline(always)]
    pub(crate) fn encode_with_flags<N: Natural>(
        &self,
        negative: bool,
        n: &N,
        k: i32,
        policy: &Policy,
        flags: Option<Tininess>,
    ) -> (u128, u64) {
        let raised = match flags {
            Some(tininess) => self.exceptions(negative, n, k, policy, tininess),
            None => 0,
        };
        (self.encode_finite(negative, n, k, policy), raised)
    }

    /// The code of `(-1)^negative * n * 2^k`, `n` not 0.
    pub(crate) fn encode_finite<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> u128 {
        ask!(self.family, codes => codes.encode_finite(negative, n, k, policy))
    }

    /// Where `n * 2^k` lies among the magnitude codes.
    pub(crate) fn locate<N: Natural>(&self, negative: bool, n: &N, k: i32, rounding: Rounding) -> Position<I256> {
        ask!(self.family, codes => codes.locate_widest(negative, n, k, rounding))
    }

    /// Where a magnitude lies, and whether it is rounded up to the next code.
    pub(crate) fn position<N: Natural>(
        &self,
        negative: bool,
        n: &N,
        k: i32,
        policy: &Policy,
    ) -> (Position<I256>, bool) {
        ask!(self.family, codes => codes.position(negative, n, k, policy))
    }
}

impl<L: Line> FloatCodes<L> {
    pub(crate) fn encode_finite<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> u128 {
        let position = self.locate(n, k, policy.rounding);
        let code = position.code.stepped(self.goes_up(position, negative, policy));
        let zero = L::of(0);
        let underflows = self.underflow == Underflow::ToZero && code < self.smallest;
        if self.has_zero() && (underflows || code == zero) {
            if negative && self.has_minus_zero() { self.sign_mask } else { 0 }
        } else if code > self.largest {
            self.overflow_code(negative, policy)
        } else {
            self.with_sign(negative, code.max(zero).word(), policy)
        }
    }

    /// Whether a magnitude at `position` is rounded up to the next code.
    #[inline(always)]
    pub(crate) fn goes_up(&self, position: Position<L>, negative: bool, policy: &Policy) -> bool {
        match policy.rounding {
            Rounding::Mptorch => self.goes_up_in_mptorch(position, negative, policy),
            _ => position.goes_up(negative, policy),
        }
    }

    /// Supernormals in the MPTorch software: no magnitude is rounded down to the largest value, or up from zero.
    fn goes_up_in_mptorch(&self, position: Position<L>, negative: bool, policy: &Policy) -> bool {
        let is_ordinary = (self.first_ordinary..=self.last_ordinary).contains(&position.code);
        match position.code {
            code if code == L::of(0) => false,
            code if code == self.largest => position.rest != Rest::Zero,
            _ if is_ordinary => position.goes_up(negative, policy),
            _ => position.rest >= Rest::Half,
        }
    }

    /// Where `n * 2^k` lies among the magnitude codes.
    #[inline(always)]
    pub(crate) fn locate<N: Natural>(&self, n: &N, k: i32, rounding: Rounding) -> Position<L> {
        let exponent = k + n.bit_length() - 1;
        let position = self.steps(exponent).place(n, k, rounding);
        if self.rounds_to_zero_from_field_0 && position.code < L::of(1) {
            return self.locate_below_nosub(n, k, rounding.random_bits());
        }
        position
    }

    /// The steps between codes for values in `[2^exponent, 2^(exponent+1))`.
    #[inline(always)]
    fn steps(&self, exponent: i32) -> Steps<L> {
        let field = i64::from(exponent) + i64::from(self.bias);
        let [first, last] = self.ordinary_fields;
        if (first..=last).contains(&field) {
            return self.ordinary_steps(exponent, field);
        }
        self.outer_steps(exponent, field)
    }

    /// The steps of an ordinary binade.
    #[inline(always)]
    fn ordinary_steps(&self, exponent: i32, field: i64) -> Steps<L> {
        let t = self.trailing_bits;
        Steps { unit: exponent - t as i32, origin: L::from(field - 1) << t }
    }

    /// The steps at exponents outside the ordinary fields.
    fn outer_steps(&self, exponent: i32, field: i64) -> Steps<L> {
        let one_code_each = |first_code: L| Steps { unit: exponent, origin: first_code - L::of(1) };
        let [first, last] = self.ordinary_fields;
        if self.binades_below > 0 && field < first {
            let code = self.first_ordinary + L::from(field - first);
            if code < L::of(1) {
                // One step between zero and the smallest value.
                return Steps { unit: self.smallest_exponent, origin: L::of(0) };
            }
            return one_code_each(code);
        }
        if self.binades_above > 0 && field > last {
            return one_code_each(self.last_ordinary + L::from(field - last));
        }
        if field < first && self.field_zero == FieldZero::Subnormal {
            return Steps { unit: 1 - self.bias - self.trailing_bits as i32, origin: L::of(0) };
        }
        self.unbounded_steps(exponent)
    }

    /// The steps around values of this exponent with an unbounded exponent range.
    fn unbounded_steps(&self, exponent: i32) -> Steps<L> {
        let [first, last] = L::fields(self.trailing_bits);
        self.ordinary_steps(exponent, (i64::from(exponent) + i64::from(self.bias)).clamp(first, last))
    }

    /// Where `n * 2^k` would lie among the magnitude codes with an unbounded exponent range.
    pub(crate) fn locate_unbounded<N: Natural>(&self, n: &N, k: i32, rounding: Rounding) -> Position<L> {
        self.unbounded_steps(k + n.bit_length() - 1).place(n, k, rounding)
    }

    /// Nosub: zero, then `(1 + 2^-t) * 2^-bias`. Half of that is `2^t + 1` units of `2^(-bias-t-1)`.
    fn locate_below_nosub<N: Natural>(&self, n: &N, k: i32, random_bits: u32) -> Position<L> {
        let t = self.trailing_bits as i32;
        let smallest = (1_u128 << t) + 1;
        let unit = -self.bias - t - 1;
        let (count, rest) = n.split::<L>(unit - k);
        let rest = match (count.word().cmp(&smallest), rest) {
            (Ordering::Less, _) => Rest::LessThanHalf,
            (Ordering::Equal, Rest::Zero) => Rest::Half,
            (Ordering::Equal | Ordering::Greater, _) => Rest::MoreThanHalf,
        };
        let (whole, _) = n.split::<L>(unit + 1 - k);
        let fraction = binary_digits(whole.word(), n.below(unit + 1 - k, random_bits), smallest, random_bits);
        Position { code: L::of(0), rest, fraction }
    }

    /// The code for a finite magnitude beyond the largest one.
    fn overflow_code(&self, negative: bool, policy: &Policy) -> u128 {
        match policy.overflow {
            Overflow::ToInfinity => self.infinite_code(negative, policy.overflow),
            Overflow::Inf if !policy.is_inward(negative, self.largest.is_odd()) => {
                self.infinite_code(negative, policy.overflow)
            }
            Overflow::Inf | Overflow::Saturate | Overflow::Propagate => {
                self.with_sign(negative, self.largest.word(), policy)
            }
        }
    }

    /// The code for an infinity.
    pub(crate) fn infinite_code(&self, negative: bool, overflow: Overflow) -> u128 {
        let magnitude = match (overflow, self.infinity) {
            (Overflow::Saturate, _) => self.largest.word(),
            (Overflow::Inf | Overflow::ToInfinity | Overflow::Propagate, Some(infinity)) => infinity.word(),
            (Overflow::Inf | Overflow::ToInfinity | Overflow::Propagate, None) => match self.nan {
                Nan::AllOnes if self.sign == Sign::Signed || !negative => return self.magnitude_mask(),
                Nan::NanInfinity => self.magnitude_mask(),
                Nan::None | Nan::TopField | Nan::AllOnes | Nan::SignAlone | Nan::LastCode => self.largest.word(),
            },
        };
        // Infinity does not come from rounding: for an unsigned format, -infinity is equally far below zero in any
        // direction.
        self.with_sign(negative, magnitude, &Policy::new(Rounding::Rne, overflow))
    }

    /// `magnitude` (not zero) with its sign. In an unsigned format, a negative result becomes 0 if it saturates or is
    /// rounded up to zero, else NaN.
    fn with_sign(&self, negative: bool, magnitude: u128, policy: &Policy) -> u128 {
        match (negative, self.sign) {
            (true, Sign::Unsigned) => match (policy.overflow, policy.rounding) {
                (Overflow::Saturate | Overflow::Propagate, _) | (_, Rounding::Rtz | Rounding::Rup) => 0,
                (Overflow::Inf | Overflow::ToInfinity, _) => self.nan_code().unwrap_or(0),
            },
            (true, Sign::Signed) => magnitude | self.sign_mask,
            (false, _) => magnitude,
        }
    }
}

impl FixedCodes {
    pub(crate) fn encode_finite<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> u128 {
        match self.rounded(negative, n, k, policy) {
            Some(magnitude) => self.with_sign(negative, magnitude),
            None => self.outermost(negative),
        }
    }

    /// The magnitude after rounding, unless it is beyond the range.
    pub(crate) fn rounded<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> Option<u128> {
        let (position, goes_up) = self.position(negative, n, k, policy);
        let magnitude = position.code.stepped(goes_up);
        (magnitude <= I256::of(self.max_magnitude(negative))).then(|| magnitude.word())
    }

    pub(crate) fn position<N: Natural>(
        &self,
        negative: bool,
        n: &N,
        k: i32,
        policy: &Policy,
    ) -> (Position<I256>, bool) {
        let position = self.locate(n, k, policy.rounding);
        (position, position.goes_up(negative, policy))
    }

    /// Where `n * 2^k` lies among the magnitudes, which are evenly spaced; far beyond the range, at the first place
    /// that no magnitude reaches.
    pub(crate) fn locate<N: Natural>(&self, n: &N, k: i32, rounding: Rounding) -> Position<I256> {
        let unit = -self.fraction_bits;
        if k + n.bit_length() > unit + self.bits as i32 + 1 {
            return Position { code: I256::of(1) << (self.bits + 1), rest: Rest::Zero, fraction: 0 };
        }
        Steps { unit, origin: I256::of(0) }.place(n, k, rounding)
    }
}

/// The first `bits` binary digits of `(dividend + rest / 2^bits) / divisor`, which is below 1, by long division.
fn binary_digits(dividend: u128, rest: u64, divisor: u128, bits: u32) -> u64 {
    let (mut left, mut digits) = (dividend, 0);
    for bit in (0..bits).rev() {
        left = left << 1 | u128::from(rest >> bit & 1);
        let fits = left >= divisor;
        left -= if fits { divisor } else { 0 };
        digits = digits << 1 | u64::from(fits);
    }
    digits
}

impl PositCodes {
    pub(crate) fn encode_finite<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> u128 {
        let position = self.locate(n, k, policy.rounding);
        let exponent = i64::from(k + n.bit_length() - 1);
        let is_beyond = position.code == self.largest && position.rest != Rest::Zero;
        match policy.posit_range {
            PositRange::Float if exponent < self.min_exponent() - 1 => return 0,
            PositRange::Float if is_beyond => return self.nar(),
            PositRange::Float | PositRange::Saturate => {}
        }
        let code = position.code.stepped(position.goes_up(negative, policy));
        // Never round to zero or NaR.
        let code = code.clamp(1, self.largest);
        let mask = (self.largest as u64) << 1 | 1;
        u128::from(if negative { -code } else { code } as u64 & mask)
    }

    /// With saturation, magnitudes are rounded up to minpos, and never up from maxpos.
    pub(crate) fn position<N: Natural>(
        &self,
        negative: bool,
        n: &N,
        k: i32,
        policy: &Policy,
    ) -> (Position<I256>, bool) {
        let position = self.locate(n, k, policy.rounding);
        let goes_up = match policy.posit_range {
            _ if position.code == 0 => self.encode_finite(negative, n, k, policy) != 0,
            PositRange::Saturate if position.code == self.largest => false,
            PositRange::Float if position.code == self.largest => position.is_inexact(),
            PositRange::Saturate | PositRange::Float => position.goes_up(negative, policy),
        };
        (position.widest(), goes_up)
    }

    /// Where `n * 2^k` lies among the magnitude codes: in the unbounded bit string of regime, exponent and fraction, of
    /// which the code keeps `bits - 1`. Nothing is half of the way to zero or to a code above maxpos.
    pub(crate) fn locate<N: Natural>(&self, n: &N, k: i32, rounding: Rounding) -> Position<i64> {
        let beyond = |code| Position { code, rest: Rest::MoreThanHalf, fraction: 0 };
        let fraction_bits = n.bit_length() - 1;
        let exponent = k + fraction_bits - self.scale;
        let Some(head) = self.head(exponent) else {
            return beyond(if exponent > 0 { self.largest } else { 0 });
        };
        let kept = self.bits as i32 - 1 - head.bits;
        let cut = head.exponent_bits as i32 - kept;
        let position = if cut <= 0 {
            // The exponent is complete: steps are equal, and the first value of the binade counts 2^-cut steps from
            // `origin`.
            let first = head.code << kept | i64::from(head.exponent) << -cut;
            let steps = Steps { unit: exponent + self.scale + cut, origin: first - (1 << -cut) };
            steps.place(n, k, rounding)
        } else {
            let code = head.code << kept | i64::from(head.exponent >> cut);
            let tail = Tail { bits: cut, exponent: head.exponent & ((1 << cut) - 1), fraction_bits };
            Position { code, rest: tail.rest(n), fraction: tail.fraction(n, rounding.random_bits()) }
        };
        match position.code {
            0 => beyond(0),
            code if code == self.largest && position.is_inexact() => beyond(code),
            _ => position,
        }
    }
}

/// The part that a posit truncates when it ends among its exponent bits: some low exponent bits, then the fraction.
struct Tail {
    bits: i32,
    exponent: i32,
    fraction_bits: i32,
}

impl Tail {
    /// Compares the tail with the bit string 1000..., which is half.
    fn rest<N: Natural>(&self, n: &N) -> Rest {
        let has_fraction = !n.is_multiple(self.fraction_bits);
        Rest::of(
            self.exponent == 0 && !has_fraction,
            self.exponent.cmp(&(1 << (self.bits - 1))).then(has_fraction.cmp(&false)),
        )
    }

    /// The first `bits` bits of the tail.
    fn fraction<N: Natural>(&self, n: &N, bits: u32) -> u64 {
        let more = bits as i32 - self.bits;
        if more <= 0 {
            return (self.exponent >> -more) as u64;
        }
        (self.exponent as u64) << more | n.below(self.fraction_bits, more as u32)
    }
}
