//! Exception flags (IEEE 754 section 7), as the word of the port `flags`: invalid, overflow, underflow, inexact from
//! the top bit down. Units that may divide by zero have a flag for that in second place ([`port_word`]).

use crate::code_line::{Line, Natural};
use crate::codes::ask;
use crate::coding::Coding;
use crate::fixed_codes::FixedCodes;
use crate::position::Position;
use crate::{Codes, FloatCodes, Policy, Value};
use binade_spec::{Tininess, Underflow};

pub(crate) const INEXACT: u64 = 1;
pub(crate) const UNDERFLOW: u64 = 2;
pub(crate) const OVERFLOW: u64 = 4;
pub(crate) const INVALID: u64 = 8;
/// Above the others here; on the port, it is below invalid.
pub(crate) const DIVISION_BY_ZERO: u64 = 16;

/// The word on the port `flags` for raised flags: with `divides`, that of a unit that may divide by zero.
pub(crate) fn port_word(raised: u64, divides: bool) -> u64 {
    let below_invalid = raised & (INVALID - 1);
    match divides {
        true => (raised & INVALID) << 1 | (raised & DIVISION_BY_ZERO) >> 1 | below_invalid,
        false => raised,
    }
}

impl Codes {
    /// The flags of rounding `(-1)^negative * n * 2^k`, `n` not 0; none for posits.
    pub(crate) fn exceptions<N: Natural>(
        &self,
        negative: bool,
        n: &N,
        k: i32,
        policy: &Policy,
        tininess: Tininess,
    ) -> u64 {
        ask!(self.family, codes => Coding::exceptions(codes, negative, n, k, policy, tininess))
    }

    /// The flags of converting an infinity or NaN: invalid if the format has neither but has flags, as fixed-point
    /// formats do.
    pub(crate) fn exceptions_of_special(&self, value: Value) -> u64 {
        let is_special = matches!(value, Value::Infinite { .. } | Value::Nan);
        if is_special && self.fixed().is_some() { INVALID } else { 0 }
    }
}

impl<L: Line> FloatCodes<L> {
    pub(crate) fn exceptions<N: Natural>(
        &self,
        negative: bool,
        n: &N,
        k: i32,
        policy: &Policy,
        tininess: Tininess,
    ) -> u64 {
        let rounded = |position: Position<L>| position.code.stepped(position.goes_up(negative, policy));
        let position = self.locate(n, k, policy.rounding);
        let code = rounded(position);
        let overflows = code > self.largest;
        let is_flushed = self.underflow == Underflow::ToZero && code < self.smallest;
        // Without a zero, everything below the smallest value becomes that value.
        let is_raised = !self.has_zero() && code < self.smallest;
        let is_inexact = overflows || is_flushed || is_raised || position.is_inexact();
        // Without subnormals, a result that is rounded to the smallest value is not tiny; the only alternative is zero.
        let (first_normal, unbounded) = match self.has_only_normals() {
            true => (self.smallest, position),
            false => (L::of(1) << self.trailing_bits, self.locate_unbounded(n, k, policy.rounding)),
        };
        let is_tiny = match tininess {
            Tininess::After if self.has_zero() => rounded(unbounded) < first_normal,
            Tininess::After | Tininess::Before => unbounded.code < first_normal,
        };
        let flag = |condition: bool, flag: u64| if condition { flag } else { 0 };
        flag(is_inexact, INEXACT) | flag(is_tiny && is_inexact, UNDERFLOW) | flag(overflows, OVERFLOW)
    }
}

impl FixedCodes {
    /// Beyond the range, a result is invalid and nothing else (IEEE 754-2019 section 5.8, convertToIntegerExact).
    pub(crate) fn exceptions<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> u64 {
        let (position, _) = self.position(negative, n, k, policy);
        match self.rounded(negative, n, k, policy) {
            None => INVALID,
            Some(_) if position.is_inexact() => INEXACT,
            Some(_) => 0,
        }
    }
}
