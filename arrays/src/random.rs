//! The random words of stochastic rounding.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The source of the random words for stochastic rounding, one per element of the result.
#[derive(Clone, Copy, Debug)]
pub enum Random<'a> {
    /// None: the rounding is not stochastic.
    Unused,
    /// An array as long as the result. A rounding `sr<k>` uses the lowest `k` bits of a word; a unit that rounds twice uses the next `k`
    /// bits for the second rounding.
    Words(&'a [u64]),
    /// The generator xoshiro256++. The same seed gives the same words on any machine and any number of cores.
    Seed(u64),
}

impl Random<'_> {
    /// Panics if words are missing.
    #[track_caller]
    pub(crate) fn check(&self, bits: u32, count: usize) {
        match self {
            Random::Unused => assert_eq!(bits, 0, "stochastic rounding takes {bits} random bits for each element"),
            Random::Words(words) => assert_eq!(words.len(), count, "one random word for each element"),
            Random::Seed(_) => {}
        }
    }

    /// The words, each of `bits` bits, for the elements of a chunk that starts at element `first`.
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
