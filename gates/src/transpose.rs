//! Transposition between words of vectors and planes of bits.

use crate::program::Plane;
use multiversion::multiversion;
use std::ops::Range;

/// Transposes a 64 x 64 matrix of bits: bit `j` of word `i` becomes bit `i` of word `j`, for `j` below `rows`. Blocks
/// of 32, 16, .. 1 bits are swapped; blocks without any of these rows are skipped.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub fn transpose(words: &mut [u64; 64], rows: usize) {
    change_places::<32>(words, rows);
    change_places::<16>(words, rows);
    change_places::<8>(words, rows);
    change_places::<4>(words, rows);
    change_places::<2>(words, rows);
    change_places::<1>(words, rows);
}

/// Swaps the upper blocks of `SIZE` bits in `SIZE` words with the lower blocks in the next `SIZE` words.
#[inline(always)]
fn change_places<const SIZE: usize>(words: &mut [u64; 64], rows: usize) {
    let mask = u64::MAX / ((1 << SIZE) + 1);
    for block in words.chunks_exact_mut(2 * SIZE).take(rows.div_ceil(2 * SIZE)) {
        let (low, high) = block.split_at_mut(SIZE);
        for (low, high) in low.iter_mut().zip(high) {
            let swapped = (*low >> SIZE ^ *high) & mask;
            *high ^= swapped;
            *low ^= swapped << SIZE;
        }
    }
}

/// Bit `bit` of the word of vector `v` becomes bit `v` of plane `bit`. There are at most as many vectors as lanes;
/// unused lanes, up to the next multiple of 64, become 0. `fill` writes the words of up to 64 vectors over zeros.
pub fn to_planes(vectors: usize, planes: &mut [Plane], fill: impl Fn(Range<usize>, &mut [u64])) {
    for index in 0..vectors.div_ceil(64) {
        let mut square = [0; 64];
        fill(index * 64..vectors.min(index * 64 + 64), &mut square);
        transpose(&mut square, planes.len());
        for (plane, word) in planes.iter_mut().zip(square) {
            plane[index] = word;
        }
    }
}

/// The inverse, for `planes` planes that `plane` returns.
pub fn to_words<'p>(plane: impl Fn(usize) -> &'p Plane, planes: usize, words: &mut [u64]) {
    for (index, chunk) in words.chunks_mut(64).enumerate() {
        let mut square = [0; 64];
        (0..planes).for_each(|bit| square[bit] = plane(bit)[index]);
        transpose(&mut square, 64);
        chunk.copy_from_slice(&square[..chunk.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_change_places() {
        let words: [u64; 64] = std::array::from_fn(|i| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for rows in [1, 2, 3, 8, 31, 32, 33, 63, 64] {
            let mut turned = words;
            transpose(&mut turned, rows);
            for (i, row) in words.iter().enumerate() {
                for (j, column) in turned[..rows].iter().enumerate() {
                    assert_eq!(row >> j & 1, column >> i & 1);
                }
            }
        }
    }
}
