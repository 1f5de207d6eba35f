//! `dot-exact`, with an accumulator in integers of any size.

use crate::number::Number;
use crate::{Bits, Codec, Exact, Model, Policy, Value};
use binade_spec::Operation;
use num_bigint::{BigInt, BigUint, Sign};

/// Words of the state after those of the accumulator.
const SEEN: usize = 3;

/// Bits of a word of the accumulator.
const WORD_BITS: u32 = u128::BITS;

/// The sum since the last clear.
#[derive(Default)]
struct Sum {
    /// In units of the accumulator's lowest place.
    units: BigInt,
    is_nan: bool,
    /// Whether +infinity occurred, and -infinity.
    infinite: [bool; 2],
}

/// One clock: the state is the accumulator in words, then whether NaN, +infinity and -infinity occurred.
pub(super) fn step<W: Bits>(model: &Model, state: &mut [u128], inputs: &[W], outputs: &mut [u128]) {
    let [clear, negate] = [2, 3].map(|port: usize| inputs[port].field(0, 1) == 1);
    let mut sum = if clear { Sum::default() } else { Sum::of_state(model, state) };
    let [a_bits, b_bits] = model.operation().factors().map(|format| format.width());
    let ([_, b_format], lowest) = (model.operation().factors(), model.accumulator().lowest);
    for lane in 0..model.lanes() {
        let a = model.operand.decode(inputs[0].field(lane * a_bits, a_bits));
        let b = b_format.decode(inputs[1].field(lane * b_bits, b_bits));
        sum.add(Value::product(a, b), negate, lowest);
    }
    sum.write(model, state);
    outputs[0] = sum.rounded(model);
    if model.has_quire() {
        sum.quire(model.accumulator().width, &mut outputs[1..]);
    }
}

impl Sum {
    fn of_state(model: &Model, state: &[u128]) -> Sum {
        let (words, seen) = state.split_at(state.len() - SEEN);
        let digits = words.iter().rev().fold(BigUint::ZERO, |digits, &word| digits << WORD_BITS | BigUint::from(word));
        let infinite = [seen[1] == 1, seen[2] == 1];
        Sum { units: signed(digits, model.accumulator().width), is_nan: seen[0] == 1, infinite }
    }

    fn add(&mut self, product: Value, negate: bool, lowest: i64) {
        match product {
            Value::Nan => self.is_nan = true,
            Value::Zero { .. } => {}
            Value::Infinite { negative } => self.infinite[usize::from(negative != negate)] = true,
            Value::Finite(Exact { negative, n, k }) => {
                let (n, places) = (BigInt::from(n), i64::from(k) - lowest);
                // All digits below the lowest place are zeros.
                let units = if places < 0 { n >> -places } else { n << places };
                self.units += if negative != negate { -units } else { units };
            }
        }
    }

    /// Writes the words of the state; the highest digits of a sum that is too wide are lost.
    fn write(&mut self, model: &Model, state: &mut [u128]) {
        let width = model.accumulator().width;
        let digits = digits(&self.units, width);
        let (words, seen) = state.split_at_mut(state.len() - SEEN);
        put(&digits, words);
        let [above, below] = self.infinite;
        seen.copy_from_slice(&[self.is_nan, above, below].map(u128::from));
        self.units = signed(digits, width);
    }

    /// Writes the words of the quire: the digits, or for NaR the lowest number, which has no positive counterpart.
    fn quire(&self, width: u32, words: &mut [u128]) {
        let nar = BigUint::from(1_u8) << (width - 1);
        put(&if self.is_nan { nar } else { digits(&self.units, width) }, words);
    }

    fn rounded(&self, model: &Model) -> u128 {
        let Operation { rounding, overflow, posit_range, .. } = **model;
        let policy = Policy { rounding, overflow, posit_range, random: 0 };
        let lowest = model.accumulator().lowest as i32;
        let number = match self.infinite {
            _ if self.is_nan => Number::Nan,
            [true, true] => Number::Nan,
            [above, below] if above || below => Number::Infinite { negative: below },
            _ => Number::of_integer(&self.units, lowest),
        };
        let (code, _) = model.result.encode_number(&number, &policy, None);
        model.result.without_idle_sign(code)
    }
}

/// Writes digits into words, the lowest first.
fn put(digits: &BigUint, words: &mut [u128]) {
    let mut limbs = digits.iter_u64_digits().map(u128::from);
    let mut limb = || limbs.next().unwrap_or(0);
    words.fill_with(|| limb() | limb() << u64::BITS);
}

/// The lowest digits in two's complement.
fn digits(units: &BigInt, width: u32) -> BigUint {
    let modulus = BigInt::from(1) << width;
    let rest = units % &modulus;
    let rest = if rest.sign() == Sign::Minus { rest + modulus } else { rest };
    rest.magnitude().clone()
}

/// The number with these digits in two's complement.
fn signed(digits: BigUint, width: u32) -> BigInt {
    let is_negative = digits.bit(u64::from(width) - 1);
    let units = BigInt::from(digits);
    if is_negative { units - (BigInt::from(1) << width) } else { units }
}
