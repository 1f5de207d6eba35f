//! Exact products and sums, rounded once.

use crate::code_line::Natural;
use crate::walk::converted_nan_payload;
use crate::{Exact, Model, Policy, Value};
use binade_spec::{NanResult, Rounding};
use ethnum::I256;
use std::ops::Neg;

/// A result with its flags, which are 0 unless requested.
#[derive(Clone, Copy)]
pub(crate) struct Rounded {
    pub code: u64,
    pub flags: u64,
}

/// The random word of one evaluation, consumed from the lowest bits.
#[derive(Clone, Copy)]
pub(crate) struct Random(pub u64);

impl Model {
    /// The code of an exact result of arithmetic; a stochastic rounding takes the lowest bits of `random`.
    pub fn rounded(&self, value: Value, random: u64) -> u64 {
        self.round(value, &mut Random(random)).code
    }

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
            _ => Rounded {
                code: self.result.encode_by(value, &self.policy(random)) as u64,
                flags: self.flags.map_or(0, |_| self.result.exceptions_of_special(value)),
            },
        }
    }

    /// The code of `(-1)^negative * n * 2^k`, `n` not 0.
    #[inline(always)]
    pub(crate) fn round_finite<N: Natural>(&self, negative: bool, n: &N, k: i32, random: &mut Random) -> Rounded {
        let policy = self.policy(random);
        let flags = match self.flags {
            Some(tininess) => self.result.exceptions(negative, n, k, &policy, tininess),
            None => 0,
        };
        Rounded { code: self.result.encode_finite(negative, n, k, &policy) as u64, flags }
    }

    /// The policy of the next rounding.
    pub(crate) fn policy(&self, random: &mut Random) -> Policy {
        Policy {
            rounding: self.rounding,
            overflow: self.overflow,
            posit_range: self.posit_range,
            random: random.take(self.rounding.random_bits()),
        }
    }

    /// If the sign of a zero or NaN is ignored, arithmetic returns the positive code (DLFloat16).
    fn settle(&self, code: u64) -> u64 {
        if !self.result.ignores_sign_of_specials() {
            return code;
        }
        let magnitude = code & self.result.magnitude_mask() as u64;
        let sign_is_free = magnitude == 0 || self.result.is_nan(code.into());
        if sign_is_free { magnitude } else { code }
    }

    /// The conversion of code `x`, whose value is `value`.
    pub(crate) fn convert(&self, x: u64, value: Value, mut random: Random) -> Rounded {
        let signals = self.signals(&self.operand, x, value);
        if value == Value::Nan
            && self.nan == NanResult::Payload
            && let Some(code) = converted_nan_payload(x.into(), &self.operand, &self.result, self.flags.is_some())
        {
            return Rounded { code: code as u64, flags: signals };
        }
        let mut rounded = self.encode(value, &mut random).with_flags(signals);
        if value == Value::Nan {
            rounded.code = self.target().nan_code() as u64;
        }
        if self.result.ignores_sign_of_specials() {
            // The operand's sign is kept, even for zero and NaN.
            let is_negative = self.operand.float().is_some() && u128::from(x) & self.operand.sign_mask() != 0;
            rounded.code |= if is_negative { self.result.sign_mask() as u64 } else { 0 };
        }
        rounded
    }

    /// The rounded sum.
    #[inline(always)]
    pub(crate) fn sum(&self, x: Value, y: Value, random: &mut Random) -> Rounded {
        let (Value::Finite(x), Value::Finite(y)) = (x, y) else { return self.special_sum(x, y, random) };
        let rounded = self.finite_sum(x, y, random);
        Rounded { code: self.settle(rounded.code), ..rounded }
    }

    /// The rounded sum of two values, at least one of which is not a nonzero number.
    fn special_sum(&self, x: Value, y: Value, random: &mut Random) -> Rounded {
        use Value::*;
        let value = match (x, y) {
            (Nan, _) | (_, Nan) => Nan,
            (Infinite { negative: s }, Infinite { negative: t }) if s != t => {
                return self.round(Nan, random).with_flags(self.invalid_if(true));
            }
            (inf @ Infinite { .. }, _) | (_, inf @ Infinite { .. }) => inf,
            (Zero { negative: s }, Zero { negative: t }) => Zero {
                // Zeros with different signs cancel like other numbers.
                negative: if self.rounding == Rounding::Rdn { s || t } else { s && t },
            },
            (Zero { .. }, other) | (other, _) => other,
        };
        self.round(value, random)
    }

    /// The rounded sum of two nonzero values: both as integers in units of the smaller `2^k`, in the narrowest word
    /// that holds the sum.
    #[inline(always)]
    fn finite_sum(&self, x: Exact, y: Exact, random: &mut Random) -> Rounded {
        let k = x.k.min(y.k);
        if !(fits(x, k, u64::BITS) && fits(y, k, u64::BITS)) {
            return self.wide_sum(x, y, random);
        }
        let term = |Exact { negative, n, k: own }: Exact| signed(negative, (n as i64) << (own - k));
        let sum = term(x) + term(y);
        self.round_integer(sum < 0, &sum.unsigned_abs(), k, sum == 0, random)
    }

    /// The rounded sum of terms that need more than 64 bits. A term too small for its size to matter is replaced by a
    /// representative of all such terms.
    #[inline(never)]
    fn wide_sum(&self, x: Exact, y: Exact, random: &mut Random) -> Rounded {
        if let Some(Exact { negative, n, k }) = self.beside(x, y) {
            return match u64::try_from(n) {
                Ok(n) => self.round_finite(negative, &n, k, random),
                Err(_) => self.round_finite(negative, &n, k, random),
            };
        }
        let k = x.k.min(y.k);
        if fits(x, k, u128::BITS) && fits(y, k, u128::BITS) {
            let term = |Exact { negative, n, k: own }: Exact| signed(negative, (n as i128) << (own - k));
            let sum = term(x) + term(y);
            return self.round_integer(sum < 0, &sum.unsigned_abs(), k, sum == 0, random);
        }
        // Terms have up to 124 bits, and no bound lies more than 94 below the leading one: if the terms were more than
        // 256 bits apart, one of them would be too small to matter.
        debug_assert!(fits(x, k, I256::BITS) && fits(y, k, I256::BITS), "{x} + {y}");
        let term = |Exact { negative, n, k: own }: Exact| signed(negative, I256::from(n) << (own - k));
        let sum = term(x) + term(y);
        self.round_integer(sum < 0, &sum.unsigned_abs(), k, sum == 0, random)
    }

    /// For two nonzero values, one of them too small for its size to matter, returns a value that rounds like their
    /// sum, including flags: the larger one plus or minus `2^(edge - 1)`.
    ///
    /// Let the larger be `l = n * 2^k` with its leading bit at `2^e`. Rounding a sum compares it with some bounds: the
    /// codes around it, the midpoint between them (the nearest bound in rounding to nearest), the `2^-r` fractions
    /// between them (with `r` random bits), the ends of the range, and for tininess the same with an unbounded range.
    /// For results with their leading bit at `2^f`, neighbouring codes differ by at least `2^(f - (p - 1))`: by exactly
    /// that in an ordinary binade, by more among subnormals, outer powers of two, near zero, and where a posit's
    /// exponent is truncated. So all bounds are multiples of `2^(f - p - max(r, 1) + 1)`. If the magnitude of the other
    /// term is below `2^e`, `f` is at least `e - 1`, and all bounds are multiples of `2^edge`, where `edge = e - p -
    /// max(r, 1)` (or `k`, if that is less). So is `l`. Hence there is no bound between `l` and the next multiple of
    /// `2^edge` on either side, and a sum `l ± s` with `0 < s < 2^edge` rounds like `l ± 2^(edge - 1)`.
    fn beside(&self, x: Exact, y: Exact) -> Option<Exact> {
        let (larger, smaller) = if x.exponent() >= y.exponent() { (x, y) } else { (y, x) };
        let places = self.result.precision() + self.rounding.tail_bits();
        let edge = larger.k.min(larger.exponent() - places as i32);
        let shift = (larger.k - edge + 1) as u32;
        if smaller.exponent() >= edge || bit_length(larger.n) + shift > u128::BITS {
            return None;
        }
        let doubled = larger.n << shift;
        let n = if larger.negative == smaller.negative { doubled + 1 } else { doubled - 1 };
        Some(Exact { n, k: edge - 1, ..larger })
    }

    /// The code of `n * 2^k`. An exact zero from nonzero values is +0, or -0 when rounding toward -infinity.
    pub(crate) fn round_integer<N: Natural>(
        &self,
        negative: bool,
        n: &N,
        k: i32,
        is_zero: bool,
        random: &mut Random,
    ) -> Rounded {
        if is_zero {
            return Rounded { code: self.result.zero_code(self.rounding == Rounding::Rdn) as u64, flags: 0 };
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

/// Whether a value is an integer of this many bits in units of `2^k`, with two bits to spare: one for the sign, one for
/// the carry of a sum.
#[inline(always)]
fn fits(x: Exact, k: i32, bits: u32) -> bool {
    bit_length(x.n) + (x.k - k) as u32 + 2 <= bits
}

fn signed<Word: Neg<Output = Word>>(negative: bool, n: Word) -> Word {
    if negative { -n } else { n }
}

impl Value {
    /// The negated value.
    pub(crate) fn negated(self) -> Value {
        match self {
            Value::Zero { negative } => Value::Zero { negative: !negative },
            Value::Finite(exact) => Value::Finite(Exact { negative: !exact.negative, ..exact }),
            Value::Infinite { negative } => Value::Infinite { negative: !negative },
            Value::Nan => Value::Nan,
        }
    }

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

    /// The sign, if the value has one.
    pub(crate) fn is_negative(&self) -> bool {
        match *self {
            Value::Zero { negative } | Value::Infinite { negative } => negative,
            Value::Finite(Exact { negative, .. }) => negative,
            Value::Nan => false,
        }
    }
}
