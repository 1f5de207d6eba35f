//! Owned columns of words, one per port.

use binade_spec::word::limbs;
use binade_spec::{Column, ColumnMut, Word};
use std::ops::Range;

/// The vectors of a block.
#[derive(Clone, Debug)]
pub struct Columns {
    columns: Vec<OwnedColumn>,
}

#[derive(Clone, Debug)]
struct OwnedColumn {
    limbs: usize,
    words: Vec<u64>,
}

impl Columns {
    /// Empty columns for ports of these widths.
    pub fn new(widths: impl IntoIterator<Item = u32>) -> Columns {
        let column = |width| OwnedColumn { limbs: limbs(width), words: vec![] };
        Columns { columns: widths.into_iter().map(column).collect() }
    }

    /// Columns of zeros for this many vectors.
    pub fn zeros(widths: impl IntoIterator<Item = u32>, vectors: usize) -> Columns {
        let mut columns = Columns::new(widths);
        columns.columns.iter_mut().for_each(|column| column.words.resize(column.limbs * vectors, 0));
        columns
    }

    /// The columns that hold these vectors.
    pub fn of_vectors(widths: impl IntoIterator<Item = u32>, vectors: &[Vec<Word>]) -> Columns {
        let mut columns = Columns::zeros(widths, vectors.len());
        for (port, mut column) in columns.views_mut(vectors.len()).into_iter().enumerate() {
            vectors.iter().enumerate().for_each(|(at, vector)| column.set(at, &vector[port]));
        }
        columns
    }

    /// Removes all vectors.
    pub fn clear(&mut self) {
        self.columns.iter_mut().for_each(|column| column.words.clear());
    }

    /// The number of vectors.
    pub fn len(&self) -> usize {
        self.columns[0].words.len() / self.columns[0].limbs
    }

    /// Whether there is no vector.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Rotates the vectors: the first `places` move to the end.
    pub fn rotate(&mut self, places: usize) {
        self.columns.iter_mut().for_each(|column| column.words.rotate_left(places * column.limbs));
    }

    /// Appends one vector, its limbs side by side.
    pub fn push(&mut self, mut limbs: &[u64]) {
        for column in &mut self.columns {
            let (own, rest) = limbs.split_at(column.limbs);
            column.words.extend_from_slice(own);
            limbs = rest;
        }
    }

    /// Appends one vector from each of these columns, which are for the same ports.
    pub fn gather<'c>(&mut self, from: impl Iterator<Item = &'c Columns> + Clone, vector: usize) {
        for (port, OwnedColumn { limbs, words }) in self.columns.iter_mut().enumerate() {
            let limbs = *limbs;
            match limbs {
                1 => words.extend(from.clone().map(|columns| columns.columns[port].words[vector])),
                _ => from.clone().for_each(|columns| {
                    words.extend_from_slice(&columns.columns[port].words[vector * limbs..][..limbs]);
                }),
            }
        }
    }

    /// The limbs of one port, for appending.
    pub fn limbs_mut(&mut self, port: usize) -> &mut Vec<u64> {
        &mut self.columns[port].words
    }

    /// The limbs of a port in one vector, for writing.
    pub fn word_mut(&mut self, port: usize, vector: usize) -> &mut [u64] {
        let OwnedColumn { limbs, words } = &mut self.columns[port];
        &mut words[vector * *limbs..][..*limbs]
    }

    /// The code of a port in one vector.
    pub fn code(&self, port: usize, vector: usize) -> u128 {
        let OwnedColumn { limbs, words } = &self.columns[port];
        let word = &words[vector * limbs..][..*limbs];
        u128::from(word[0]) | word.get(1).map_or(0, |&high| u128::from(high) << 64)
    }

    /// Sets the code of a port in one vector.
    pub fn set_code(&mut self, port: usize, vector: usize, code: u128) {
        let OwnedColumn { limbs, words } = &mut self.columns[port];
        let halves = [code as u64, (code >> 64) as u64];
        words[vector * *limbs..][..*limbs].iter_mut().zip(halves).for_each(|(limb, half)| *limb = half);
    }

    /// The vectors, for reading.
    pub fn views(&self) -> Vec<Column<'_>> {
        self.columns.iter().map(|column| Column { limbs: column.limbs, words: &column.words }).collect()
    }

    /// The first `vectors` vectors, for writing.
    pub fn views_mut(&mut self, vectors: usize) -> Vec<ColumnMut<'_>> {
        let columns = self.columns.iter_mut();
        columns
            .map(|OwnedColumn { limbs, words }| ColumnMut { limbs: *limbs, words: &mut words[..vectors * *limbs] })
            .collect()
    }

    /// The words of a vector.
    pub fn vector(&self, at: usize) -> Vec<Word> {
        self.views().iter().map(|column| column.word(at)).collect()
    }

    /// The first of these vectors in which the two differ.
    pub fn first_difference(&self, other: &Columns, vectors: Range<usize>) -> Option<usize> {
        let pairs = self.columns.iter().zip(&other.columns);
        let differing = pairs.filter_map(|(own, other)| {
            let words = vectors.start * own.limbs..vectors.end * own.limbs;
            let (own_words, other_words) = (&own.words[words.clone()], &other.words[words]);
            if own_words == other_words {
                return None;
            }
            let at = own_words.iter().zip(other_words).position(|(own, other)| own != other)?;
            Some(vectors.start + at / own.limbs)
        });
        differing.min()
    }
}
