//! The integers of the rounding step: places on the line of magnitude codes, and magnitudes.

use ethnum::{I256, U256};
use num_bigint::BigUint;
use std::cmp::Ordering;
use std::fmt::Debug;
use std::ops::{Add, Shl, Shr, Sub};

/// A signed integer that counts places on a line of magnitude codes. Its range extends below 0, where there are no
/// codes, and a whole binade beyond the largest finite one.
pub(crate) trait Line:
    Copy
    + Debug
    + Ord
    + From<i32>
    + From<i64>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The place of a word (or of its lowest bits, if the integer is narrower).
    fn of(word: u128) -> Self;
    /// The word of a nonnegative place.
    fn word(self) -> u128;
    /// The lowest bits.
    fn low(self) -> i64;
    /// The lowest and the highest factor of `2^bits` for which all places up to the next multiple are in range.
    fn fields(bits: u32) -> [i64; 2];
    /// The next place if `up`, or the last one if that is out of range.
    fn stepped(self, up: bool) -> Self;
    /// The place in the widest integer.
    fn widest(self) -> I256;

    fn is_odd(self) -> bool {
        self.low() & 1 == 1
    }
}

impl Line for i64 {
    fn of(word: u128) -> i64 {
        word as i64
    }

    fn word(self) -> u128 {
        u128::from(self as u64)
    }

    fn low(self) -> i64 {
        self
    }

    fn fields(bits: u32) -> [i64; 2] {
        [(i64::MIN >> bits) + 1, i64::MAX >> bits]
    }

    fn stepped(self, up: bool) -> i64 {
        self.saturating_add(up.into())
    }

    fn widest(self) -> I256 {
        self.into()
    }
}

impl Line for I256 {
    fn of(word: u128) -> I256 {
        word.into()
    }

    fn word(self) -> u128 {
        self.as_u128()
    }

    fn low(self) -> i64 {
        self.as_i64()
    }

    /// Codes have at most 128 bits, so fields and places with 64 more bits fit in 256.
    fn fields(_: u32) -> [i64; 2] {
        [i64::MIN, i64::MAX]
    }

    fn stepped(self, up: bool) -> I256 {
        self + I256::from(up)
    }

    fn widest(self) -> I256 {
        self
    }
}

/// A magnitude of any size that can be counted in units of `2^drop`.
pub(crate) trait Natural {
    /// Position of the leading one, plus one.
    fn bit_length(&self) -> i32;
    /// `floor(self / 2^drop)` (which fits) and the remainder; a negative `drop` multiplies.
    fn split<L: Line>(&self, drop: i32) -> (L, Rest);
    /// Whether the remainder of dividing by `2^drop` is zero.
    fn is_multiple(&self, drop: i32) -> bool;
    /// The highest `bits` bits of the remainder of dividing by `2^drop`, truncated.
    fn below(&self, drop: i32, bits: u32) -> u64;
    /// The number in an integer of any size.
    fn large(&self) -> BigUint;
}

/// The remainder after division into whole units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rest {
    /// Zero: the number is exact.
    Zero,
    /// More than zero, less than half a unit.
    LessThanHalf,
    /// Exactly half a unit: a tie.
    Half,
    /// More than half a unit, less than a whole one.
    MoreThanHalf,
}

impl Rest {
    pub(crate) fn of(is_zero: bool, against_half: Ordering) -> Rest {
        match against_half {
            _ if is_zero => Rest::Zero,
            Ordering::Less => Rest::LessThanHalf,
            Ordering::Equal => Rest::Half,
            Ordering::Greater => Rest::MoreThanHalf,
        }
    }
}

/// [`Natural`] for words of each width; narrow ones are faster. `$lowest` returns the lowest bits of a word as `u128`.
macro_rules! natural_word {
    ($word:ty, $lowest:expr) => {
        impl Natural for $word {
            #[inline(always)]
            fn bit_length(&self) -> i32 {
                (<$word>::BITS - self.leading_zeros()) as i32
            }

            #[inline(always)]
            fn split<L: Line>(&self, drop: i32) -> (L, Rest) {
                if drop <= 0 {
                    return (L::of($lowest(*self)) << drop.unsigned_abs(), Rest::Zero);
                }
                let zero = <$word>::from(0_u8);
                if drop > <$word>::BITS as i32 {
                    return (L::of(0), if *self == zero { Rest::Zero } else { Rest::LessThanHalf });
                }
                let one = <$word>::from(1_u8);
                let half = one << (drop - 1);
                let left = *self & (half | (half - one));
                (L::of($lowest(*self >> (drop - 1) >> 1)), Rest::of(left == zero, left.cmp(&half)))
            }

            #[inline(always)]
            fn is_multiple(&self, drop: i32) -> bool {
                drop <= 0 || *self == <$word>::from(0_u8) || self.trailing_zeros() >= drop as u32
            }

            #[inline(always)]
            fn below(&self, drop: i32, bits: u32) -> u64 {
                let lowest = drop - bits as i32;
                let kept = match lowest {
                    _ if lowest >= <$word>::BITS as i32 || lowest <= -64 => 0,
                    _ if lowest >= 0 => $lowest(*self >> lowest) as u64,
                    _ => ($lowest(*self) as u64) << -lowest,
                };
                kept & ((1 << bits) - 1)
            }

            fn large(&self) -> BigUint {
                BigUint::from_bytes_be(&self.to_be_bytes())
            }
        }
    };
}

natural_word!(u64, u128::from);
natural_word!(u128, u128::from);
natural_word!(U256, |word: U256| word.as_u128());

impl Natural for BigUint {
    fn bit_length(&self) -> i32 {
        self.bits() as i32
    }

    fn split<L: Line>(&self, drop: i32) -> (L, Rest) {
        let count = |n: &BigUint| L::of(u128::try_from(n).expect("a count of units fits in 128 bits"));
        if drop <= 0 {
            return (count(self) << drop.unsigned_abs(), Rest::Zero);
        }
        let whole: BigUint = self >> drop;
        let left = self - (&whole << drop);
        let half = BigUint::from(1_u32) << (drop - 1);
        (count(&whole), Rest::of(left.bits() == 0, left.cmp(&half)))
    }

    fn is_multiple(&self, drop: i32) -> bool {
        self.trailing_zeros().is_none_or(|zeros| zeros as i64 >= i64::from(drop))
    }

    fn below(&self, drop: i32, bits: u32) -> u64 {
        let lowest = drop - bits as i32;
        let kept = if lowest >= 0 { self >> lowest } else { self << -lowest };
        kept.iter_u64_digits().next().unwrap_or(0) & ((1 << bits) - 1)
    }

    fn large(&self) -> BigUint {
        self.clone()
    }
}
