//! Arithmetic on numbers in 64-bit limbs, the lowest first. Operands may have fewer limbs than results; missing limbs are 0.

use crate::word::limbs;

fn limb(number: &[u64], index: usize) -> u64 {
    number.get(index).copied().unwrap_or(0)
}

/// Clears the bits from `width` up.
pub fn cut(number: &mut [u64], width: u32) {
    if !width.is_multiple_of(64) {
        number[limbs(width) - 1] &= (1 << (width % 64)) - 1;
    }
}

/// Applies `f` limb by limb.
pub fn bitwise(result: &mut [u64], a: &[u64], b: &[u64], f: impl Fn(u64, u64) -> u64) {
    for (index, result) in result.iter_mut().enumerate() {
        *result = f(limb(a, index), limb(b, index));
    }
}

/// Sum plus the carry in, modulo the range of the limbs. `invert` is applied to each limb of `b`.
pub fn add(result: &mut [u64], a: &[u64], b: &[u64], invert: impl Fn(u64) -> u64, carry_in: bool) {
    let mut carry = carry_in;
    for (index, result) in result.iter_mut().enumerate() {
        let (sum, first) = limb(a, index).overflowing_add(invert(limb(b, index)));
        let (sum, second) = sum.overflowing_add(carry.into());
        (*result, carry) = (sum, first | second);
    }
}

/// Unsigned product; the result must be wide enough and 0 at first.
pub fn multiply(result: &mut [u64], a: &[u64], b: &[u64]) {
    for (place, &digit) in a.iter().enumerate() {
        let mut carry = 0;
        for (result, index) in result.iter_mut().skip(place).zip(0..) {
            let sum = u128::from(digit) * u128::from(limb(b, index)) + u128::from(*result) + carry;
            (*result, carry) = (sum as u64, sum >> 64);
        }
    }
}

pub fn is_less(a: &[u64], b: &[u64]) -> bool {
    let differing = (0..a.len().max(b.len())).rev().find(|&index| limb(a, index) != limb(b, index));
    differing.is_some_and(|index| limb(a, index) < limb(b, index))
}

/// The bits from `low` up.
pub fn shift_down(result: &mut [u64], a: &[u64], low: u32) {
    let (skipped, shift) = ((low / 64) as usize, low % 64);
    for (index, result) in result.iter_mut().enumerate() {
        let pair = u128::from(limb(a, skipped + index + 1)) << 64 | u128::from(limb(a, skipped + index));
        *result = (pair >> shift) as u64;
    }
}

/// Sets the bits of a part, which are 0 so far, from `low` up.
pub fn place(result: &mut [u64], part: &[u64], low: u32) {
    let (skipped, shift) = ((low / 64) as usize, low % 64);
    for (index, &limb) in part.iter().enumerate() {
        let pair = u128::from(limb) << shift;
        for (place, half) in [(skipped + index, pair as u64), (skipped + index + 1, (pair >> 64) as u64)] {
            if half != 0 {
                result[place] |= half;
            }
        }
    }
}
