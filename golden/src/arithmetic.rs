//! Exact products and sums, rounded once.

use crate::line::Natural;
use crate::walk::converted_nan_payload;
use crate::{Exact, Model, Policy, Value};
use binade_spec::Rounding;
use num_bigint::{BigInt, Sign as BigSign};
use std::ops::Neg;

/// A result with its flags; those are 0 unless they are asked for.
#[derive(Clone, Copy)]
pub(crate) struct Rounded {
    pub code: u128,
    pub flags: u64,
}

/// The random word of one evaluation, taken from the lowest bits up.
#[derive(Clone, Copy)]
pub(crate) struct Random(pub u64);

impl Model {
    /// Rounds an exact result of arithmetic.
    pub(crate) fn round(&self, value: Value, random: &mut Random) -> Rounded {
        let rounded = self.encode(value, random);
        Rounded { code: self.settle(rounded.code), ..rounded }
    }

    /// Rounds an exact value.
    pub(crate) fn encode(&self, value: Value, random: &mut Random) -> Rounded {
        match value {
            Value::Finite(Exact { negative, n, k }) => match u64::try_from(n) {
                Ok(n) => self.round_finite(negative, &n, k, random),
                Err(_) => self.round_finite(negative, &n, k, random),
            },
            _ => Rounded { code: self.result.encode_by(value, &self.policy(random)), flags: 0 },
        }
    }

    /// The code of `(-1)^negative * n * 2^k`, `n` not 0.
    #[inline(always)]
    pub(crate) fn round_finite<N: Natural>(&self, negative: bool, n: &N, k: i32, random: &mut Random) -> Rounded {
        let policy = self.policy(random);
        let (code, flags) = self.result.encode_with_flags(negative, n, k, &policy, self.flags);
        Rounded { code, flags }
    }

    /// How the next rounding goes.
    pub(crate) fn policy(&self, random: &mut Random) -> Policy {
        Policy {
            rounding: self.rounding,
            overflow: self.overflow,
            posit_range: self.posit_range,
            random: random.take(self.rounding.random_bits()),
        }
    }

    /// Arithmetic gives the positive code where the sign of a zero or NaN means nothing (DLFloat16).
    pub(crate) fn settle(&self, code: u128) -> u128 {
        if !self.result.ignores_sign_of_specials() {
            return code;
        }
        let magnitude = code & self.result.magnitude_mask();
        let sign_is_free = magnitude == 0 || self.result.is_nan(code);
        if sign_is_free { magnitude } else { code }
    }

    /// The conversion of code `x`, which stands for `value`.
    pub(crate) fn convert(&self, x: u128, value: Value, mut random: Random) -> Rounded {
        let signals = self.signals(&self.operand, x);
        if value == Value::Nan
            && let Some(code) = converted_nan_payload(x, &self.operand, &self.result)
        {
            return Rounded { code, flags: signals };
        }
        let mut rounded = self.encode(value, &mut random).with_flags(signals);
        if self.result.ignores_sign_of_specials() {
            // The operand's sign passes through, on zero and NaN, too.
            let is_negative = self.operand.float().is_some() && x & self.operand.sign_mask() != 0;
            rounded.code |= if is_negative { self.result.sign_mask() } else { 0 };
        }
        rounded
    }

    /// The rounded sum.
    pub(crate) fn sum(&self, x: Value, y: Value, random: &mut Random) -> Rounded {
        use Value::*;
        let value = match (x, y) {
            (Finite(x), Finite(y)) => {
                let rounded = self.finite_sum(x, y, random);
                return Rounded { code: self.settle(rounded.code), ..rounded };
            }
            (Nan, _) | (_, Nan) => Nan,
            (Infinite { negative: s }, Infinite { negative: t }) if s != t => {
                return self.round(Nan, random).with_flags(self.invalid_if(true));
            }
            (inf @ Infinite { .. }, _) | (_, inf @ Infinite { .. }) => inf,
            (Zero { negative: s }, Zero { negative: t }) => Zero {
                // Zeros of unlike sign cancel like other numbers.
                negative: if self.rounding == Rounding::Rdn { s || t } else { s && t },
            },
            (Zero { .. }, finite) | (finite, Zero { .. }) => finite,
        };
        self.round(value, random)
    }

    /// The rounded sum of two nonzero values: both as integers in units of the smaller `2^k`, in the narrowest word that
    /// holds the sum.
    pub(crate) fn finite_sum(&self, x: Exact, y: Exact, random: &mut Random) -> Rounded {
        let (high, low) = if x.k >= y.k { (x, y) } else { (y, x) };
        let gap = (high.k - low.k) as u32;
        // Two bits to spare: one for the sign, one for the carry.
        let fits = |bits: u32| bit_length(high.n) + gap + 2 <= bits && bit_length(low.n) + 2 <= bits;
        if fits(u64::BITS) {
            let sum = signed(high.negative, (high.n as i64) << gap) + signed(low.negative, low.n as i64);
            return self.round_integer(sum < 0, &sum.unsigned_abs(), low.k, sum == 0, random);
        }
        if fits(u128::BITS) {
            let sum = signed(high.negative, (high.n as i128) << gap) + signed(low.negative, low.n as i128);
            return self.round_integer(sum < 0, &sum.unsigned_abs(), low.k, sum == 0, random);
        }
        let sum = (big(high) << gap) + big(low);
        let (sign, is_zero) = (sum.sign() == BigSign::Minus, sum.sign() == BigSign::NoSign);
        self.round_integer(sign, sum.magnitude(), low.k, is_zero, random)
    }

    /// The code of `n * 2^k`; an exact zero from nonzero values is +0, toward -infinity -0.
    pub(crate) fn round_integer<N: Natural>(
        &self,
        negative: bool,
        n: &N,
        k: i32,
        is_zero: bool,
        random: &mut Random,
    ) -> Rounded {
        if is_zero {
            return Rounded { code: self.result.zero_code(self.rounding == Rounding::Rdn), flags: 0 };
        }
        self.round_finite(negative, n, k, random)
    }
}

impl Random {
    /// The next `bits` bits.
    pub fn take(&mut self, bits: u32) -> u64 {
        let word = self.0 & ((1 << bits) - 1);
        self.0 >>= bits;
        word
    }
}

impl Rounded {
    pub fn with_flags(self, flags: u64) -> Rounded {
        Rounded { flags: self.flags | flags, ..self }
    }
}

fn bit_length(n: u128) -> u32 {
    u128::BITS - n.leading_zeros()
}

fn signed<Word: Neg<Output = Word>>(negative: bool, n: Word) -> Word {
    if negative { -n } else { n }
}

pub(crate) fn big(x: Exact) -> BigInt {
    let sign = if x.negative { BigSign::Minus } else { BigSign::Plus };
    BigInt::from_biguint(sign, x.n.into())
}

impl Value {
    /// The exact product.
    pub(crate) fn product(x: Value, y: Value) -> Value {
        use Value::*;
        match (x, y) {
            (Nan, _) | (_, Nan) | (Infinite { .. }, Zero { .. }) | (Zero { .. }, Infinite { .. }) => Nan,
            (Finite(x), Finite(y)) => Finite(Exact { negative: x.negative ^ y.negative, n: x.n * y.n, k: x.k + y.k }),
            (x @ Infinite { .. }, y) | (x, y @ Infinite { .. }) => {
                Infinite { negative: x.is_negative() ^ y.is_negative() }
            }
            (x, y) => Zero { negative: x.is_negative() ^ y.is_negative() },
        }
    }

    /// The sign, where there is one.
    pub(crate) fn is_negative(&self) -> bool {
        match *self {
            Value::Zero { negative } | Value::Infinite { negative } => negative,
            Value::Finite(Exact { negative, .. }) => negative,
            Value::Nan => false,
        }
    }
}
