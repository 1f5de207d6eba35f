//! Codebooks: a search in the list of values.

use crate::code_line::{Line, Natural};
use crate::position::Position;
use crate::{Exact, Rest, Value};
use binade_spec::{Codebook, Family};
use ethnum::I256;
use num_bigint::BigUint;
use std::ops::Deref;

/// The codes of a codebook.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CodebookCodes(pub Codebook);

impl CodebookCodes {
    /// The value of `code`.
    pub(crate) fn decode(&self, code: u128) -> Value {
        let negative = code > self.max_code();
        match self.magnitudes[self.magnitude(code) as usize] {
            0 => Value::Zero { negative },
            n => Value::Finite(Exact { negative, n: n.into(), k: self.exponent }),
        }
    }

    /// Where `n * 2^k` lies between the magnitudes of the list. Above the largest one, the line continues with steps as
    /// wide as the last.
    pub(crate) fn locate<N: Natural>(&self, n: &N, k: i32, random_bits: u32) -> Position<I256> {
        // Everything in units of 2^-shift of the codebook's unit.
        let shift = (self.exponent - k).max(0) as u32;
        let units = n.large() << (k - self.exponent).max(0);
        let scaled = |magnitude: u64| BigUint::from(magnitude) << shift;
        let index = self.magnitudes.partition_point(|&magnitude| scaled(magnitude) <= units) - 1;
        let [low, step] = match self.magnitudes.get(index..index + 2) {
            Some(&[low, high]) => [low, high - low],
            _ => [self.magnitudes[index], self.magnitudes[index] - self.magnitudes[index - 1]],
        };
        let (above, step) = (units - scaled(low), scaled(step));
        let (steps, above) = (&above / &step, &above % &step);
        let fraction = u64::try_from((&above << random_bits) / &step).unwrap_or(0);
        let rest = Rest::of(above.bits() == 0, (above << 1_u32).cmp(&step));
        // Far beyond the range, all places are equivalent.
        let steps = u64::try_from(steps).unwrap_or(u64::MAX);
        Position { code: I256::of(index as u128) + I256::of(steps.into()), rest, fraction }
    }
}

impl Deref for CodebookCodes {
    type Target = Codebook;

    fn deref(&self) -> &Codebook {
        &self.0
    }
}
