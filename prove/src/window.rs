//! Exact sums of many terms: each is shifted to its place in a fixed-point window that is wide enough for all of them.
//!
//! For a negative term, its complement is added, and a 1, which is the carry into an adder. There is one adder less
//! than there are terms: the last term is negated before it is shifted.

use crate::number::{Number, SignedDigits, nonzero, signed};
use crate::words::{
    Multiplier, Word, bits_of, constant, negated_if, plus, raised, resized, shifted_left, sign_extended, sum_in_pairs,
    sum_in_tree,
};
use binade_gates::{Graph, Literal};

/// The places of a fixed-point sum, and one for the sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The exponent of the lowest place.
    pub lowest: i128,
    /// The exponent of the sign's place.
    pub highest: i128,
}

impl Window {
    /// The window for this many terms, all multiples of `2^lowest` and less than `2^end`.
    pub fn of_terms(terms: usize, lowest: i128, end: i128) -> Window {
        Window { lowest, highest: end + bits_of(terms as i128) as i128 }
    }

    /// The number of places without the sign.
    pub fn places(&self) -> usize {
        (self.highest - self.lowest) as usize
    }

    /// The window with more places below.
    pub fn with_places_from(&self, lowest: i128) -> Window {
        Window { lowest: self.lowest.min(lowest), ..*self }
    }

    /// The window for one more term, a multiple of `2^lowest` and less than `2^end`.
    pub fn with_term(&self, lowest: i128, end: i128) -> Window {
        Window { lowest: self.lowest.min(lowest), highest: self.highest.max(end) + 1 }
    }
}

/// The sum of as many finite terms as the window was made for.
pub fn sum_in_window(graph: &mut Graph, multiplier: Multiplier, terms: &[Number], window: &Window) -> Number {
    let (last, others) = terms.split_last().expect("a sum has terms");
    let mut rows: Vec<Word> = others.iter().map(|term| complement(graph, term, window)).collect();
    rows.push(negated(graph, last, window));
    let ones: Word = others.iter().map(|term| term.negative).collect();
    let total = match multiplier {
        Multiplier::Rows | Multiplier::RowsExchanged | Multiplier::Pairs => sum_in_pairs(graph, rows, &ones),
        Multiplier::Tree => sum_in_tree(graph, rows, &ones),
    };
    number_of(graph, &total, window, last.exponent.len())
}

/// The sum of terms with known exponents, such as numbers in fixed point: each is added with its sign, in two's
/// complement. `None` if some exponent is not constant.
pub fn sum_of_integers(graph: &mut Graph, multiplier: Multiplier, terms: &[Number]) -> Option<Number> {
    let exponents: Vec<i128> = terms.iter().map(|term| known(&term.exponent)).collect::<Option<_>>()?;
    let ends = terms.iter().zip(&exponents).map(|(term, exponent)| exponent + term.significand.len() as i128);
    let window = Window::of_terms(terms.len(), *exponents.iter().min()?, ends.max()?);
    let row = |(term, exponent): (&Number, &i128)| {
        let placed = raised(&signed(graph, term), (exponent - window.lowest) as usize);
        sign_extended(&placed, window.places() + 1)[..=window.places()].to_vec()
    };
    let rows: Vec<Word> = terms.iter().zip(&exponents).map(row).collect();
    let total = match multiplier {
        Multiplier::Rows | Multiplier::RowsExchanged | Multiplier::Pairs => sum_in_pairs(graph, rows, &[]),
        Multiplier::Tree => sum_in_tree(graph, rows, &[]),
    };
    Some(number_of(graph, &total, &window, terms[0].exponent.len()))
}

/// The value of a constant word.
fn known(word: &[Literal]) -> Option<i128> {
    let bits: Vec<bool> = word
        .iter()
        .map(|&bit| match bit {
            Literal::TRUE => Some(true),
            Literal::FALSE => Some(false),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let sign = if bits.last() == Some(&true) { -1 } else { 0 };
    Some(bits.iter().rev().fold(sign, |number, &bit| number << 1 | i128::from(bit)))
}

/// The number for a total in a window.
fn number_of(graph: &mut Graph, total: &[Literal], window: &Window, exponent_bits: usize) -> Number {
    let negative = total[window.places()];
    let mut magnitude = negated_if(graph, negative, total);
    // A negative total needs no sign place for its magnitude.
    magnitude.truncate(window.places());
    let is_nonzero = graph.any(&magnitude);
    let number = nonzero(negative, magnitude, constant(window.lowest, exponent_bits));
    Number { zero: !is_nonzero, signed: Some(SignedDigits::Integer(total.to_vec())), ..number }
}

/// A term at its place, with every bit of the window inverted if it is negative.
fn complement(graph: &mut Graph, term: &Number, window: &Window) -> Word {
    let placed = placed(graph, term, &resized(&term.significand, window.places() + 1), window);
    placed.iter().map(|&bit| graph.xor(bit, term.negative)).collect()
}

/// A signed term at its place, in two's complement.
fn negated(graph: &mut Graph, term: &Number, window: &Window) -> Word {
    let signed = signed(graph, term);
    placed(graph, term, &sign_extended(&signed, window.places() + 1)[..=window.places()], window)
}

/// A word shifted left to the place of its term.
fn placed(graph: &mut Graph, term: &Number, word: &[Literal], window: &Window) -> Word {
    let places = plus(graph, &term.exponent, -window.lowest);
    shifted_left(graph, word, &places[..bits_of(window.places() as i128).min(places.len())])
}
