//! Words of any width: the values of constants, and the 64-bit limbs of signals in columns.

use num_bigint::BigUint;

/// `width` ones, up to 128.
///
/// # Panics
/// If `width` is more than 128; [`ones`] has no such limit.
pub fn mask(width: u32) -> u128 {
    assert!(width <= 128, "{width} ones are more than a u128 holds");
    u128::MAX.checked_shr(128 - width).unwrap_or(0)
}

/// `width` ones.
pub fn ones(width: u32) -> BigUint {
    (BigUint::from(1_u32) << width) - 1_u32
}

/// The 64-bit limbs that a signal of `width` bits takes in a column.
pub fn limbs(width: u32) -> usize {
    width.div_ceil(64) as usize
}

/// A number of `width` bits in a column, for a single vector.
pub(crate) fn column(number: &BigUint, width: u32) -> Vec<u64> {
    let mut column = number.to_u64_digits();
    column.resize(limbs(width), 0);
    column
}

/// The lowest `width` bits.
pub(crate) fn low_bits(word: BigUint, width: u32) -> BigUint {
    if word.bits() <= u64::from(width) { word } else { word & ones(width) }
}

pub(crate) fn is_zero(word: &BigUint) -> bool {
    word.bits() == 0
}

/// Whether all of its `width` bits are 1.
pub(crate) fn is_ones(word: &BigUint, width: u32) -> bool {
    word.count_ones() == u64::from(width)
}

/// The lowest `width` bits of an integer in two's complement.
pub(crate) fn twos_complement(integer: i64, width: u32) -> BigUint {
    let magnitude = BigUint::from(integer.unsigned_abs());
    if integer < 0 {
        low_bits((BigUint::from(1_u32) << width.max(64)) - magnitude, width)
    } else {
        low_bits(magnitude, width)
    }
}
