//! Between words of vectors and planes of bits.

use super::program::Plane;
use multiversion::multiversion;

/// Turns 64 words around: bit `j` of word `i` becomes bit `i` of word `j`. Blocks of 32, 16, .. 1 bits change places.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub fn transpose(words: &mut [u64; 64]) {
    let mut size = 32;
    let mut mask = u64::MAX >> 32;
    while size > 0 {
        for block in (0..64).step_by(2 * size) {
            let (low, high) = words[block..block + 2 * size].split_at_mut(size);
            for (low, high) in low.iter_mut().zip(high) {
                let swapped = (*low >> size ^ *high) & mask;
                *high ^= swapped;
                *low ^= swapped << size;
            }
        }
        size /= 2;
        mask ^= mask << size;
    }
}

/// Bit `bit` of word `v` becomes bit `v` of plane `bit`. There are at most as many words as a plane has bits; lanes without
/// a word become 0.
pub fn to_planes(words: &[u64], planes: &mut [Plane]) {
    for index in 0..words.len().div_ceil(64) {
        let chunk = &words[index * 64..words.len().min(index * 64 + 64)];
        let mut square = [0; 64];
        square[..chunk.len()].copy_from_slice(chunk);
        transpose(&mut square);
        for (plane, word) in planes.iter_mut().zip(square) {
            plane[index] = word;
        }
    }
}

/// The reverse for so many planes, which `plane` gives.
pub fn to_words<'p>(plane: impl Fn(usize) -> &'p Plane, planes: usize, words: &mut [u64]) {
    for (index, chunk) in words.chunks_mut(64).enumerate() {
        let mut square = [0; 64];
        (0..planes).for_each(|bit| square[bit] = plane(bit)[index]);
        transpose(&mut square);
        chunk.copy_from_slice(&square[..chunk.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_change_places() {
        let mut words = [0_u64; 64];
        for (i, word) in words.iter_mut().enumerate() {
            *word = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        let before = words;
        transpose(&mut words);
        for (i, row) in before.iter().enumerate() {
            for (j, column) in words.iter().enumerate() {
                assert_eq!(row >> j & 1, column >> i & 1);
            }
        }
    }
}
