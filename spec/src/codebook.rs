//! Codebooks: formats whose values are listed.

use crate::{Class, Family, FormatError, Sign};
use serde::Serialize;
use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, PoisonError};

/// The most values with one sign.
const MOST_MAGNITUDES: usize = 1 << 15;

/// The lists of all codebooks created so far, each once.
static LISTS: LazyLock<Mutex<HashSet<&'static [u64]>>> = LazyLock::new(Mutex::default);

/// A codebook: a code is a sign bit and an index into a list of magnitudes, which are integers times `2^exponent`.
/// There is a -0, no infinity and no NaN. All copies of the format share one list, which is kept until the process
/// ends.
///
/// Values in a codebook can be decoded, encoded and compared. No unit has circuits for codebooks yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Codebook {
    /// The magnitudes in units of `2^exponent`, ascending from 0.
    pub magnitudes: &'static [u64],
    /// log2 of the unit.
    pub exponent: i32,
}

impl Codebook {
    /// The codebook with these magnitudes, in units of `2^exponent`.
    ///
    /// ```
    /// use binade_spec::{Codebook, Format};
    ///
    /// let primes = Format::from(Codebook::new(&[0, 2, 3, 5, 7, 11, 13, 17], -1)).check()?;
    /// assert_eq!((primes.width(), primes.max_code(), primes.max_exponent()), (4, 7, 3));
    /// # Ok::<(), binade_spec::FormatError>(())
    /// ```
    pub fn new(magnitudes: &[u64], exponent: i32) -> Codebook {
        let mut lists = LISTS.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lists.get(magnitudes).copied();
        let magnitudes = known.unwrap_or_else(|| {
            let list: &'static [u64] = Box::leak(magnitudes.into());
            lists.insert(list);
            list
        });
        Codebook { magnitudes, exponent }
    }

    /// Panics: circuits are built and proven only for checked operations, and no operation has codebooks.
    ///
    /// # Panics
    /// Always.
    pub fn is_in_no_operation(&self) -> ! {
        unreachable!("{} is a codebook, and no unit computes with codebooks", self.systematic_name())
    }

    fn last(&self) -> u64 {
        self.magnitudes.last().copied().unwrap_or(0)
    }

    /// floor(log2) of a magnitude.
    fn exponent_of(&self, magnitude: u64) -> i128 {
        i128::from(self.exponent) + i128::from(magnitude.checked_ilog2().unwrap_or(0))
    }

    fn mask(&self) -> u128 {
        (1 << self.magnitude_bits()) - 1
    }
}

impl Family for Codebook {
    fn check(&self) -> Result<(), FormatError> {
        let count = self.magnitudes.len();
        let is_ascending = self.magnitudes.first() == Some(&0) && self.magnitudes.is_sorted_by(|low, high| low < high);
        if (2..=MOST_MAGNITUDES).contains(&count) && count.is_power_of_two() && is_ascending {
            return Ok(());
        }
        Err(FormatError(format!(
            "has {count} magnitudes; a codebook has a power of two of them, from 2 to {MOST_MAGNITUDES}, ascending from 0"
        )))
    }

    fn exponents(&self) -> [i128; 2] {
        [self.magnitudes.get(1).copied().unwrap_or(0), self.last()].map(|magnitude| self.exponent_of(magnitude))
    }

    fn width(&self) -> u32 {
        self.magnitude_bits() + 1
    }

    fn sign(&self) -> Sign {
        Sign::Signed
    }

    fn magnitude_bits(&self) -> u32 {
        self.magnitudes.len().checked_ilog2().unwrap_or(0)
    }

    fn precision(&self) -> u32 {
        u64::BITS - self.last().leading_zeros()
    }

    fn magnitude(&self, code: u128) -> u128 {
        code & self.mask()
    }

    fn code(&self, negative: bool, magnitude: u128) -> u128 {
        u128::from(negative) << self.magnitude_bits() | magnitude
    }

    fn negated(&self, code: u128) -> u128 {
        code ^ (self.mask() + 1)
    }

    fn max_code(&self) -> u128 {
        self.mask()
    }

    fn has_minus_zero(&self) -> bool {
        true
    }

    fn classes(&self) -> &'static [Class] {
        &Class::CODEBOOK
    }

    fn class_of_magnitude(&self, magnitude: u128) -> Class {
        if magnitude == 0 { Class::Zero } else { Class::Listed }
    }

    fn class_codes(&self, class: Class) -> Option<[u128; 2]> {
        match class {
            Class::Zero => Some([0, 0]),
            Class::Listed => Some([1, self.max_code()]),
            _ => None,
        }
    }

    fn summary(&self) -> String {
        format!(
            "codebook of {} bits: sign, {} magnitudes; no infinity; no NaN; results beyond the range saturate",
            self.width(),
            self.magnitudes.len()
        )
    }

    fn systematic_name(&self) -> String {
        let magnitudes: Vec<String> = self.magnitudes.iter().map(u64::to_string).collect();
        format!("codebook{}_{},scale=2^{}", self.width(), magnitudes.join("_"), self.exponent)
    }
}
