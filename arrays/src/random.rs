//! The random words of stochastic rounding.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Where stochastic rounding takes its random words from, one for each element of the result.
#[derive(Clone, Copy, Debug)]
pub enum Random<'a> {
    /// Nowhere: the rounding takes none.
    Unused,
    /// From an array as long as that of the result. A rounding `sr<k>` takes the lowest `k` bits; a unit that rounds twice
    /// takes the next `k` the second time.
    Words(&'a [u64]),
    /// From xoshiro256++. The same seed gives the same words on any machine and any number of cores.
    Seed(u64),
}

impl Random<'_> {
    /// Panics where words are missing.
    #[track_caller]
    pub(crate) fn check(&self, bits: u32, count: usize) {
        match self {
            Random::Unused => assert_eq!(bits, 0, "stochastic rounding takes {bits} random bits for each element"),
            Random::Words(words) => assert_eq!(words.len(), count, "one random word for each element"),
            Random::Seed(_) => {}
        }
    }

    /// The words, each of `bits` bits, of the elements of one chunk, of which `first` is the first.
    pub(crate) fn words(&self, bits: u32, first: usize, words: &mut [u64]) {
        let mask = u64::MAX.checked_shr(u64::BITS - bits).unwrap_or(0);
        match self {
            Random::Unused => words.fill(0),
            Random::Words(all) => words.copy_from_slice(&all[first..][..words.len()]),
            Random::Seed(seed) => {
                let chunk = (first / crate::CHUNK) as u64;
                let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ chunk.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                words.fill_with(|| random.next_u64());
            }
        }
        words.iter_mut().for_each(|word| *word &= mask);
    }
}
