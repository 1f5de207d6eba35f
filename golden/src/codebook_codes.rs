//! Codebooks: a search in the list of values.

use crate::code_line::{Line, Natural};
use crate::position::Position;
use crate::{Exact, Policy, Rest, Value};
use binade_spec::{Codebook, Family, Listed, Overflow, Rounding};
use ethnum::I256;
use num_bigint::BigUint;
use std::cmp::Ordering;
use std::ops::Deref;

/// The codes of a codebook.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CodebookCodes(pub Codebook);

/// A magnitude `n * 2^k`.
type Dyadic = (BigUint, i32);

impl CodebookCodes {
    /// The value of `code`.
    pub(crate) fn decode(&self, code: u128) -> Value {
        match self.value(code) {
            Listed::Zero { negative } => Value::Zero { negative },
            Listed::Number { negative, n, k } => Value::Finite(Exact { negative, n: n.into(), k }),
            Listed::Infinity { negative } => Value::Infinite { negative },
            Listed::Nan => Value::Nan,
        }
    }

    /// The magnitude at a finite place of the line of a sign.
    fn magnitude_at(&self, negative: bool, place: u128) -> Dyadic {
        match self.value_at(negative, place) {
            Some(Listed::Number { n, k, .. }) => (n.into(), k),
            _ => (BigUint::ZERO, 0),
        }
    }

    /// Where the line of a sign continues above its largest number: at the place of infinity, or as far above as the next number is below.
    fn above_largest(&self, negative: bool) -> Dyadic {
        if let Some((n, k)) = self.place_of_infinity {
            return (n.into(), k);
        }
        let largest = self.max_magnitude(negative);
        let [high, low] = [largest, largest.saturating_sub(1)].map(|place| self.magnitude_at(negative, place));
        let unit = high.1.min(low.1);
        let double = in_units(&high, unit) << 1_u32;
        (double - in_units(&low, unit), unit)
    }

    /// Where `n * 2^k` lies between the magnitudes of a sign. Above the largest one, there is one more place.
    pub(crate) fn locate<N: Natural>(&self, negative: bool, n: &N, k: i32, rounding: Rounding) -> Position<I256> {
        let number = (n.large(), k);
        let (mut low, mut high) = (0, self.max_magnitude(negative) + 1);
        while high - low > 1 {
            let middle = (low + high) / 2;
            match compared(&self.magnitude_at(negative, middle), &number) {
                Ordering::Greater => high = middle,
                Ordering::Less | Ordering::Equal => low = middle,
            }
        }
        let below = self.magnitude_at(negative, low);
        let above = match high > self.max_magnitude(negative) {
            true => self.above_largest(negative),
            false => self.magnitude_at(negative, high),
        };
        if compared(&above, &number) != Ordering::Greater {
            return Position { code: I256::of(high), rest: Rest::Zero, fraction: 0 };
        }
        let unit = below.1.min(above.1).min(k);
        let [below, above, number] = [&below, &above, &number].map(|magnitude| in_units(magnitude, unit));
        let (part, step) = (number - &below, above - below);
        let fraction = u64::try_from((&part << rounding.random_bits()) / &step).unwrap_or(0);
        let rest = Rest::of(part.bits() == 0, (part << 1_u32).cmp(&step));
        Position { code: I256::of(low), rest, fraction }
    }

    /// The code of `(-1)^negative * n * 2^k`: beyond the range infinity, unless the rounding is inward or there is none.
    pub(crate) fn rounded<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> u128 {
        let position = self.locate(negative, n, k, policy.rounding);
        let place = position.code.stepped(position.goes_up(negative, policy)).word();
        let largest = self.max_magnitude(negative);
        if place <= largest {
            return self.code(negative, place);
        }
        let stays = policy.is_inward(negative, largest % 2 == 1) || policy.overflow != Overflow::Inf;
        if stays { self.code(negative, largest) } else { self.infinite_code(negative, policy.overflow) }
    }
}

/// A magnitude in units of `2^unit`, which is at most its own.
fn in_units((n, k): &Dyadic, unit: i32) -> BigUint {
    n << (k - unit).max(0) as u32
}

fn compared(one: &Dyadic, other: &Dyadic) -> Ordering {
    let top = |(n, k): &Dyadic| if n.bits() == 0 { i64::MIN } else { n.bits() as i64 + i64::from(*k) };
    let unit = one.1.min(other.1);
    top(one).cmp(&top(other)).then_with(|| in_units(one, unit).cmp(&in_units(other, unit)))
}

impl Deref for CodebookCodes {
    type Target = Codebook;

    fn deref(&self) -> &Codebook {
        &self.0
    }
}
