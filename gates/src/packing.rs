//! Conversion between columns of words and planes of bits.

use crate::program::Plane;
use crate::transpose::{to_planes, to_words};
use binade_spec::word::limbs;
use binade_spec::{Column, ColumnMut};
use std::ops::Range;

/// How the words of the ports become planes: narrow neighbouring ports are packed into one word, since 64 bits are
/// transposed at once.
pub struct Packing {
    groups: Vec<Vec<Piece>>,
    /// One word per vector.
    words: Vec<u64>,
}

/// One limb of a port's words.
#[derive(Clone, Copy)]
struct Piece {
    port: usize,
    limb: usize,
    /// Bits of the limb: 64 except in the top limb.
    width: u32,
}

impl Packing {
    /// The packing for ports of these widths.
    pub fn new(widths: impl IntoIterator<Item = u32>) -> Packing {
        let mut groups: Vec<Vec<Piece>> = vec![];
        for (port, width) in widths.into_iter().enumerate() {
            for limb in 0..limbs(width) {
                let piece = Piece { port, limb, width: u64::BITS.min(width - limb as u32 * u64::BITS) };
                match groups.last_mut() {
                    Some(group) if bits(group) + piece.width <= u64::BITS => group.push(piece),
                    _ => groups.push(vec![piece]),
                }
            }
        }
        Packing { groups, words: vec![] }
    }

    /// Fills the planes with `count` vectors, port by port, lowest bit first.
    pub fn fill_planes(&self, columns: &[Column], count: usize, planes: &mut [Plane]) {
        let mut first = 0;
        for group in &self.groups {
            let bits = bits(group) as usize;
            to_planes(count, &mut planes[first..first + bits], |vectors, words| pack(group, columns, vectors, words));
            first += bits;
        }
    }

    /// The inverse: fills the range `vectors` of the columns from the planes that `plane` returns.
    pub fn fill_columns<'p>(
        &mut self,
        plane: impl Fn(usize) -> &'p Plane,
        columns: &mut [ColumnMut],
        vectors: Range<usize>,
    ) {
        let mut first = 0;
        for group in &self.groups {
            self.words.resize(vectors.len(), 0);
            to_words(|bit| plane(first + bit), bits(group) as usize, &mut self.words);
            first += bits(group) as usize;
            let mut low = 0;
            for piece in group {
                let column = &mut columns[piece.port];
                let mask = u64::MAX >> (u64::BITS - piece.width);
                let limbs =
                    column.words[vectors.start * column.limbs..].iter_mut().skip(piece.limb).step_by(column.limbs);
                limbs.zip(&self.words).for_each(|(limb, word)| *limb = word >> low & mask);
                low += piece.width;
            }
        }
    }
}

fn bits(group: &[Piece]) -> u32 {
    group.iter().map(|piece| piece.width).sum()
}

/// Packs the pieces of each vector into words that are 0 before, the first piece in the lowest bits.
fn pack(group: &[Piece], columns: &[Column], vectors: Range<usize>, words: &mut [u64]) {
    let mut low = 0;
    for piece in group {
        let Column { limbs, words: column } = columns[piece.port];
        if limbs == 1 {
            words.iter_mut().zip(&column[vectors.clone()]).for_each(|(word, part)| *word |= part << low);
        } else {
            let parts = column[vectors.start * limbs..].iter().skip(piece.limb).step_by(limbs);
            words[..vectors.len()].iter_mut().zip(parts).for_each(|(word, part)| *word |= part << low);
        }
        low += piece.width;
    }
}
