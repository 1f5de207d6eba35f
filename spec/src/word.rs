//! Words of any width, alone and in columns.

/// The bits of a port at one time, as an unsigned number.
pub type Word = num_bigint::BigUint;

/// The number of 64-bit limbs per word of `width` bits in a column.
pub fn limbs(width: u32) -> usize {
    width.div_ceil(u64::BITS).max(1) as usize
}

/// The words of one port for many vectors, one after the other: `limbs` limbs each, the lowest first. A port of up to
/// 64 bits has one limb, so its column is a plain list of words.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    /// 64-bit limbs of one word.
    pub limbs: usize,
    /// The limbs of all words, `limbs` per vector.
    pub words: &'a [u64],
}

/// A [`Column`] for writing.
#[derive(Debug)]
pub struct ColumnMut<'a> {
    /// 64-bit limbs of one word.
    pub limbs: usize,
    /// The limbs of all words, `limbs` per vector.
    pub words: &'a mut [u64],
}

impl<'a> Column<'a> {
    /// A column of words of up to 64 bits.
    pub fn narrow(words: &'a [u64]) -> Column<'a> {
        Column { limbs: 1, words }
    }

    /// The number of vectors.
    pub fn len(&self) -> usize {
        self.words.len() / self.limbs
    }

    /// Whether there are no vectors.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The word of a vector.
    pub fn word(&self, vector: usize) -> Word {
        word_of_limbs(self.only(vector).words)
    }

    /// The column of a single vector.
    pub fn only(&self, vector: usize) -> Column<'a> {
        Column { words: &self.words[vector * self.limbs..][..self.limbs], ..*self }
    }
}

impl<'a> ColumnMut<'a> {
    /// A column of words of up to 64 bits.
    pub fn narrow(words: &'a mut [u64]) -> ColumnMut<'a> {
        ColumnMut { limbs: 1, words }
    }

    /// The word of a vector.
    pub fn word(&self, vector: usize) -> Word {
        word_of_limbs(&self.words[vector * self.limbs..][..self.limbs])
    }

    /// Sets the word of a vector.
    pub fn set(&mut self, vector: usize, word: &Word) {
        write_limbs(word, &mut self.words[vector * self.limbs..][..self.limbs]);
    }
}

/// The word with these limbs, lowest first.
pub fn word_of_limbs(limbs: &[u64]) -> Word {
    match limbs {
        &[low] => Word::from(low),
        _ => Word::new(limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]).collect()),
    }
}

/// Writes the limbs of a word, lowest first, with zeros above.
///
/// # Panics
/// When the word has more limbs.
pub fn write_limbs(word: &Word, limbs: &mut [u64]) {
    limbs.fill(0);
    for (at, digit) in word.iter_u64_digits().enumerate() {
        limbs[at] = digit;
    }
}

/// The lowest 128 bits of a word.
pub fn low_bits(word: &Word) -> u128 {
    let mut digits = word.iter_u64_digits();
    let mut next = || u128::from(digits.next().unwrap_or(0));
    next() | next() << 64
}

/// The `width` bits of a word from `low` up, at most 128.
pub fn field(word: &Word, low: u32, width: u32) -> u128 {
    let bits = if low == 0 { low_bits(word) } else { low_bits(&(word >> low)) };
    if width == u128::BITS { bits } else { bits & ((1 << width) - 1) }
}
