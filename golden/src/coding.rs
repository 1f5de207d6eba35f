//! The interface of the golden model to the families of formats.

use crate::code_line::{Line, Natural};
use crate::codebook_codes::CodebookCodes;
use crate::fixed_codes::FixedCodes;
use crate::position::Position;
use crate::{FloatCodes, Policy, PositCodes, Region, Value};
use binade_spec::{Class, Family, Overflow, Rounding, Tininess};
use ethnum::I256;

/// The codes of one format. Magnitude codes ascend with their values; a number lies at one of them, or between two
/// neighbours.
pub(crate) trait Coding {
    /// The value of `code`. Bits above the format's width must be 0.
    fn decode(&self, code: u128) -> Value;

    /// The code of `(-1)^negative * n * 2^k`, `n` not 0, rounded once.
    fn encode_finite<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> u128;

    /// The code for an infinity.
    fn infinite_code(&self, negative: bool, overflow: Overflow) -> u128;

    /// Where `n * 2^k` lies among the magnitude codes of a sign.
    fn locate_widest<N: Natural>(&self, negative: bool, n: &N, k: i32, rounding: Rounding) -> Position<I256>;

    /// Where a magnitude lies, and whether it is rounded up to the next code.
    fn position<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> (Position<I256>, bool);

    /// The flags of rounding `(-1)^negative * n * 2^k`, `n` not 0; none if the format has no flags.
    fn exceptions<N: Natural>(&self, _negative: bool, _n: &N, _k: i32, _policy: &Policy, _tininess: Tininess) -> u64 {
        0
    }

    /// The region that begins at the magnitude code of a nonzero number.
    fn region_of(&self, _magnitude: u128) -> Region {
        Region::Ordinary
    }

    /// Whether all values are evenly spaced.
    fn has_equal_steps(&self) -> bool {
        false
    }

    /// Whether a magnitude above the largest one overflows even if it is nearer to that than to the next place.
    fn overflows_above_largest(&self) -> bool {
        false
    }

    /// A code in binary, with spaces between its fields.
    fn fields(&self, code: u128) -> String;

    /// The regime of a nonzero code's magnitude, if codes have regimes.
    fn regime(&self, _code: u128) -> Option<i32> {
        None
    }
}

impl<L: Line> Coding for FloatCodes<L> {
    fn decode(&self, code: u128) -> Value {
        self.decode(code)
    }

    fn encode_finite<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> u128 {
        self.encode_finite(negative, n, k, policy)
    }

    fn infinite_code(&self, negative: bool, overflow: Overflow) -> u128 {
        self.infinite_code(negative, overflow)
    }

    fn locate_widest<N: Natural>(&self, _negative: bool, n: &N, k: i32, rounding: Rounding) -> Position<I256> {
        self.locate(n, k, rounding).widest()
    }

    fn position<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> (Position<I256>, bool) {
        let position = self.locate(n, k, policy.rounding);
        (position.widest(), self.goes_up(position, negative, policy))
    }

    fn exceptions<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy, tininess: Tininess) -> u64 {
        self.exceptions(negative, n, k, policy, tininess)
    }

    fn region_of(&self, magnitude: u128) -> Region {
        match self.class_of_magnitude(magnitude) {
            Class::Subnormal => Region::Subnormal,
            Class::LowerSupernormal => Region::LowerSupernormal,
            Class::UpperSupernormal => Region::UpperSupernormal,
            class => {
                debug_assert_eq!(class, Class::Normal, "the class of a nonzero number");
                Region::Normal
            }
        }
    }

    /// Sign, exponent field, trailing significand.
    fn fields(&self, code: u128) -> String {
        (**self).fields(code)
    }
}

impl Coding for PositCodes {
    fn decode(&self, code: u128) -> Value {
        self.decode(code)
    }

    fn encode_finite<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> u128 {
        self.encode_finite(negative, n, k, policy)
    }

    fn infinite_code(&self, _negative: bool, _overflow: Overflow) -> u128 {
        self.nar()
    }

    fn locate_widest<N: Natural>(&self, _negative: bool, n: &N, k: i32, rounding: Rounding) -> Position<I256> {
        self.locate(n, k, rounding).widest()
    }

    fn position<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> (Position<I256>, bool) {
        self.position(negative, n, k, policy)
    }

    /// No magnitude above maxpos overflows: posits have no place for that.
    fn overflows_above_largest(&self) -> bool {
        true
    }

    fn fields(&self, code: u128) -> String {
        self.fields(code)
    }

    fn regime(&self, code: u128) -> Option<i32> {
        Some(self.regime(code))
    }
}

impl Coding for FixedCodes {
    fn decode(&self, code: u128) -> Value {
        self.decode(code)
    }

    fn encode_finite<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> u128 {
        self.encode_finite(negative, n, k, policy)
    }

    fn infinite_code(&self, negative: bool, _overflow: Overflow) -> u128 {
        self.outermost(negative)
    }

    fn locate_widest<N: Natural>(&self, _negative: bool, n: &N, k: i32, rounding: Rounding) -> Position<I256> {
        self.locate(n, k, rounding)
    }

    fn position<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> (Position<I256>, bool) {
        self.position(negative, n, k, policy)
    }

    fn exceptions<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy, _tininess: Tininess) -> u64 {
        self.exceptions(negative, n, k, policy)
    }

    fn has_equal_steps(&self) -> bool {
        true
    }

    fn fields(&self, code: u128) -> String {
        self.fields(code)
    }
}

impl Coding for CodebookCodes {
    fn decode(&self, code: u128) -> Value {
        self.decode(code)
    }

    fn encode_finite<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> u128 {
        self.rounded(negative, n, k, policy)
    }

    fn infinite_code(&self, negative: bool, overflow: Overflow) -> u128 {
        (**self).infinite_code(negative, overflow)
    }

    fn locate_widest<N: Natural>(&self, negative: bool, n: &N, k: i32, rounding: Rounding) -> Position<I256> {
        self.locate(negative, n, k, rounding)
    }

    fn position<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> (Position<I256>, bool) {
        let position = self.locate(negative, n, k, policy.rounding);
        (position, position.goes_up(negative, policy))
    }

    /// The code in binary: a codebook has no fields.
    fn fields(&self, code: u128) -> String {
        format!("{code:0digits$b}", digits = self.width() as usize)
    }
}
