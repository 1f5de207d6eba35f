//! The right signature: the golden model of the shift register gives the operands, that of the unit the results.

use super::{POLYNOMIAL, SLICE, SelfTest};
use binade_golden::{Bits, Model, RandomWords};
use binade_spec::word::limbs;
use binade_spec::{Port, Word};
use binade_stimulus::Columns;
use binade_stimulus::words::widths;
use binade_tools::{Error, interrupted};
use rayon::prelude::*;
use std::ops::Range;

/// Vectors that are evaluated at once.
const BLOCK: u64 = 4096;

/// Blocks that are evaluated in parallel before they are folded.
const TOGETHER: u64 = 256;

impl SelfTest<'_> {
    /// The signature of a device that gives the right results for all vectors.
    ///
    /// # Errors
    /// After Ctrl-C.
    pub fn signature(&self) -> Result<u32, Error> {
        let model = Model::new(&self.unit.design.operation);
        let (source, results) = (Source::new(self), model.output_ports());
        let mut signature = 0;
        if model.has_state() {
            self.in_sequence(&model, &source, |outputs| signature = folded(signature, outputs, results))?;
            return Ok(signature);
        }
        let blocks = self.vectors.div_ceil(BLOCK);
        for first in (0..blocks).step_by(TOGETHER as usize) {
            let evaluate = |block: u64| {
                let vectors = block * BLOCK..((block + 1) * BLOCK).min(self.vectors);
                let count = (vectors.end - vectors.start) as usize;
                let mut outputs = Columns::zeros(widths(results), count);
                model.evaluate_columns(&source.operands(vectors).views(), &mut outputs.views_mut(count));
                outputs
            };
            let last = (first + TOGETHER).min(blocks);
            let evaluated: Vec<Columns> = (first..last).into_par_iter().map(evaluate).collect();
            if interrupted() {
                return Err(Error::Interrupted);
            }
            signature = evaluated.iter().fold(signature, |signature, outputs| folded(signature, outputs, results));
        }
        Ok(signature)
    }

    /// The steps of a unit with state from a reset on; `fold` receives the results of each.
    fn in_sequence(&self, model: &Model, source: &Source, mut fold: impl FnMut(&Columns)) -> Result<(), Error> {
        let state: Vec<Word> = model.reset();
        let mut state = Columns::of_vectors(widths(&model.registers()), &[state]);
        let mut outputs = Columns::zeros(widths(model.output_ports()), 1);
        for first in (0..self.vectors).step_by(BLOCK as usize) {
            let block = source.operands(first..(first + BLOCK).min(self.vectors));
            for vector in 0..block.len() {
                let inputs: Vec<_> = block.views().iter().map(|column| column.only(vector)).collect();
                model.step_columns(&mut state.views_mut(1), &inputs, &mut outputs.views_mut(1));
                fold(&outputs);
            }
            if interrupted() {
                return Err(Error::Interrupted);
            }
        }
        Ok(())
    }
}

/// The source of the operands.
struct Source {
    ports: Vec<Port>,
    words: RandomWords,
    /// Words drawn per vector; the last of them form the operands.
    drawn: u32,
    used: u32,
}

impl Source {
    fn new(test: &SelfTest) -> Source {
        let ports = test.unit.design.operation.inputs();
        Source { ports, words: test.random_words(), drawn: test.clocks_a_vector(), used: test.words() }
    }

    /// The operands of vectors.
    fn operands(&self, vectors: Range<u64>) -> Columns {
        let drawn = u128::from(self.drawn);
        let mut state = self.words.jump(self.words.generator.reset(), u128::from(vectors.start) * drawn);
        let mut columns = Columns::new(widths(&self.ports));
        let mut row = vec![];
        for _ in vectors {
            let mut all = vec![0; limbs(self.used * self.words.bits)];
            for word in 0..self.drawn {
                if let Some(place) = (word + self.used).checked_sub(self.drawn) {
                    put(&mut all, place * self.words.bits, self.words.word(state) as u64);
                }
                state = self.words.next(state);
            }
            row.clear();
            let mut low = 0;
            for port in &self.ports {
                row.extend(pieces(&all, low..low + port.width(), u64::BITS));
                low += port.width();
            }
            columns.push(&row);
        }
        columns
    }
}

/// Writes a word of up to 32 bits into limbs that are 0 there.
fn put(limbs: &mut [u64], low: u32, word: u64) {
    let (at, shift) = ((low / u64::BITS) as usize, low % u64::BITS);
    let placed = u128::from(word) << shift;
    limbs[at] |= placed as u64;
    if let Some(next) = limbs.get_mut(at + 1) {
        *next |= (placed >> u64::BITS) as u64;
    }
}

/// The bits of a range in pieces of `width` bits, the lowest first.
fn pieces(limbs: &[u64], Range { start, end }: Range<u32>, width: u32) -> impl Iterator<Item = u64> {
    (start..end).step_by(width as usize).map(move |low| limbs.field(low, width.min(end - low)) as u64)
}

/// Folds these results into the signature.
fn folded(signature: u32, outputs: &Columns, ports: &[Port]) -> u32 {
    let views = outputs.views();
    let results: u32 = widths(ports).sum();
    let mut all = vec![0; limbs(results)];
    (0..outputs.len()).fold(signature, |signature, vector| {
        all.fill(0);
        let mut low = 0;
        for (port, view) in ports.iter().zip(&views) {
            for piece in (0..port.width()).step_by(SLICE as usize) {
                let width = SLICE.min(port.width() - piece);
                put(&mut all, low + piece, view.only(vector).words.field(piece, width) as u64);
            }
            low += port.width();
        }
        pieces(&all, 0..results, SLICE).fold(signature, |signature, slice| step(signature) ^ slice as u32)
    })
}

/// The signature times x, modulo the polynomial.
fn step(signature: u32) -> u32 {
    signature << 1 ^ if signature >> 31 == 1 { POLYNOMIAL } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The CRC-32 of a one followed by 31, 32 and 33 zeros: powers of x.
    #[test]
    fn the_signature_is_a_remainder() {
        let power = |steps: u32| (0..steps).fold(1, |signature, _| step(signature));
        assert_eq!(power(31), 1 << 31);
        assert_eq!(power(32), POLYNOMIAL);
        assert_eq!(power(33), POLYNOMIAL << 1);
    }

    /// The polynomial is primitive: x has the order 2^32 - 1, so an error in a single bit is seen after any number of clocks, and an error
    /// in two bits unless they are exactly that many clocks apart.
    #[test]
    fn the_polynomial_is_primitive() {
        let times =
            |a: u32, b: u32| (0..32).rev().fold(0, |sum, bit| step(sum) ^ if b >> bit & 1 == 1 { a } else { 0 });
        let power = |mut exponent: u64| {
            let (mut square, mut product) = (2, 1);
            while exponent > 0 {
                product = if exponent % 2 == 1 { times(product, square) } else { product };
                (square, exponent) = (times(square, square), exponent / 2);
            }
            product
        };
        let order = (1_u64 << 32) - 1;
        assert_eq!(power(order), 1);
        for prime in [3, 5, 17, 257, 65537] {
            assert_ne!(power(order / prime), 1, "{prime}");
        }
    }

    #[test]
    fn bits_are_put_where_they_are_taken_from() {
        let mut limbs = [0; 3];
        for (at, word) in [0x1234_5678, 0x7fff_ffff, 5, 0x7654_3210].into_iter().enumerate() {
            put(&mut limbs, 31 * at as u32, word);
        }
        let back: Vec<u64> = pieces(&limbs, 0..124, 31).collect();
        assert_eq!(back, [0x1234_5678, 0x7fff_ffff, 5, 0x7654_3210]);
    }
}
