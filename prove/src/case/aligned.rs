//! Sums whose terms are cut off at a place below the largest exponent, as in matrix units of GPUs.

use super::Builder;
use super::sums::special_or;
use crate::number::{Number, nonzero};
use crate::plans::{Meeting, products_window};
use crate::words::{
    Multiplier, Word, bits_of, choose, constant, difference, highest_one, is_less_signed, negated_if, plus, raised,
    resized, shifted_down, sum, sum_in_pairs, sum_in_tree,
};
use binade_gates::{Graph, Literal};
use binade_spec::{Alignment, Rounding, Term, TermId};

/// The exponent by which a term is aligned.
pub(super) struct Top {
    /// The exponent plus the bias, in two's complement.
    biased: Word,
    /// The bias.
    pub bias: i128,
    /// Whether it does not count: that of zero.
    pub is_without: Literal,
    /// The least exponent of such a term.
    pub least: i128,
    /// The places between it and the significand's last place, if they are always as many.
    pub places: Option<i128>,
}

impl Top {
    /// The exponent with another bias.
    pub fn biased_by(&self, graph: &mut Graph, bias: i128) -> Word {
        plus(graph, &self.biased, bias - self.bias)
    }

    /// That of a product.
    fn of_product(graph: &mut Graph, a: &Top, b: &Top) -> Top {
        Top {
            biased: sum(graph, &a.biased, &b.biased),
            bias: a.bias + b.bias,
            is_without: graph.or(a.is_without, b.is_without),
            least: a.least + b.least,
            places: a.places.zip(b.places).map(|(a, b)| a + b),
        }
    }
}

impl Builder<'_> {
    /// The sum of terms that are truncated.
    pub(super) fn aligned(&mut self, of: &[TermId], alignment: &Alignment, rounding: Rounding) -> Number {
        let terms: Vec<Number> = of.iter().map(|id| self.of(*id).number.clone()).collect();
        let graph = &mut self.graph;
        let special: Vec<Literal> = terms.iter().map(|term| graph.or(term.nan, term.infinite)).collect();
        let is_special = graph.any(&special);
        let special = self.special_sum(&terms);
        match self.plan.meeting {
            Meeting::Special => {
                self.conditions.push(is_special);
                return special;
            }
            Meeting::Finite => self.conditions.push(!is_special),
            _ => {}
        }
        let sum = self.sum_of_cut_off(of, &terms, alignment);
        let graph = &mut self.graph;
        let signs: Vec<Literal> = terms.iter().map(|term| term.negative).collect();
        let of_zero = if rounding == Rounding::Rdn { graph.any(&signs) } else { graph.all(&signs) };
        let negative = graph.mux(sum.zero, of_zero, sum.negative);
        special_or(graph, (is_special, &special), Number { negative, ..sum })
    }

    /// The sum of finite terms.
    fn sum_of_cut_off(&mut self, of: &[TermId], terms: &[Number], alignment: &Alignment) -> Number {
        let tops: Vec<Top> = of.iter().map(|id| self.top(*id)).collect();
        // Exponents are compared as units store them: with the bias of the first term.
        let bias = tops[0].bias;
        let largest = self.largest(&tops.iter().collect::<Vec<_>>(), alignment.floor, bias);
        let (graph, fraction) = (&mut self.graph, i128::from(alignment.fraction_bits));
        let mut rows = vec![];
        for (term, top) in terms.iter().zip(&tops) {
            let (word, from) = match top.places {
                Some(places) => (moved(&term.significand, fraction - places), top.biased_by(graph, bias)),
                None => (raised(&term.significand, fraction as usize), plus(graph, &term.exponent, bias)),
            };
            let distance = difference(graph, &largest, &from);
            let (kept, _) = shifted_down(graph, &word, &distance, Literal::FALSE);
            rows.push((kept, term.negative));
        }
        let total = self.signed_total(rows);
        let graph = &mut self.graph;
        let (negative, bits) = (total[total.len() - 1], total.len() - 1);
        let magnitude = negated_if(graph, negative, &total)[..bits].to_vec();
        let is_nonzero = graph.any(&magnitude);
        let exponent = plus(graph, &largest, -fraction - bias);
        let number = Number { zero: !is_nonzero, ..nonzero(negative, magnitude, exponent) };
        match self.plan.meeting {
            Meeting::Finite => {
                self.sum_bits = bits;
                self.with_sum_as_planned(number)
            }
            _ => number,
        }
    }

    /// The sum of magnitudes with signs, in two's complement.
    pub(super) fn signed_total(&mut self, rows: Vec<(Word, Literal)>) -> Word {
        let graph = &mut self.graph;
        let longest = rows.iter().map(|(row, _)| row.len()).max().unwrap_or(0);
        let width = longest + bits_of(rows.len() as i128) + 1;
        let (last, mut ones) = (rows.len() - 1, vec![]);
        let mut complements = vec![];
        for (row, sign) in rows {
            complements.push(resized(&row, width).iter().map(|&bit| graph.xor(bit, sign)).collect::<Word>());
            ones.push(sign);
        }
        // Each adder takes a 1 as its carry; the last 1 is a row.
        complements.push(resized(&ones[last..], width));
        ones.truncate(last);
        match self.multiplier {
            Multiplier::Rows | Multiplier::RowsExchanged | Multiplier::Pairs => sum_in_pairs(graph, complements, &ones),
            Multiplier::Tree => sum_in_tree(graph, complements, &ones),
        }
    }

    /// The largest exponent of all terms; any exponent that none is below if all are zero.
    pub(super) fn largest(&mut self, tops: &[&Top], floor: Option<i32>, bias: i128) -> Word {
        let least = tops.iter().map(|top| top.least).min().expect("a sum has terms");
        let least = floor.map_or(least, |floor| least.max(floor.into()));
        let (graph, width) = (&mut self.graph, self.width);
        let least = constant(least + bias, width);
        let or_least = |top: &&Top| {
            let biased = top.biased_by(graph, bias);
            choose(graph, top.is_without, &least, &biased)
        };
        let mut exponents: Vec<Word> = tops.iter().map(or_least).collect();
        exponents.extend(floor.map(|floor| constant(i128::from(floor) + bias, width)));
        let larger = |x: Word, y: Word| {
            let is_less = is_less_signed(graph, &x, &y);
            choose(graph, is_less, &y, &x)
        };
        exponents.into_iter().reduce(larger).expect("a sum has terms")
    }

    /// The exponent of a term: for a code that of its binade, but at least the smallest normal one; for a product the sum of its
    /// factors'; for a sum in a product with scales 0.
    pub(super) fn top(&mut self, id: TermId) -> Top {
        match self.formula.terms()[id.0] {
            Term::Product(a, b) => {
                let (a, b) = (self.top(a), self.top(b));
                return Top::of_product(&mut self.graph, &a, &b);
            }
            Term::Sum { .. } => {
                let places = -products_window(self.operation).lowest;
                let biased = constant(0, self.width);
                return Top { biased, bias: 0, is_without: Literal::FALSE, least: 0, places: Some(places) };
            }
            _ => {}
        }
        let format = self.format(id);
        let number = self.of(id).number.clone();
        let graph = &mut self.graph;
        let bits = number.significand.len() as i128;
        let (is_gradual, is_without) = (format.underflows_gradually(), number.zero);
        let bias = format.float().map_or(0, |float| i128::from(float.bias));
        if is_gradual || number.significand.last() == Some(&Literal::TRUE) {
            let least = format.float().filter(|_| is_gradual).map(|float| i128::from(1 - float.bias));
            let least = least.unwrap_or(format.min_exponent().into());
            let biased = plus(graph, &number.exponent, bias + bits - 1);
            return Top { biased, bias, is_without, least, places: Some(bits - 1) };
        }
        let leading = highest_one(graph, &number.significand);
        let biased = plus(graph, &number.exponent, bias);
        let biased = sum(graph, &biased, &resized(&leading, number.exponent.len()));
        Top { biased, bias, is_without, least: format.min_exponent().into(), places: None }
    }
}

/// A magnitude with its last place moved down, or without that many of its last places.
pub(super) fn moved(magnitude: &[Literal], places: i128) -> Word {
    match usize::try_from(places) {
        Ok(up) => raised(magnitude, up),
        Err(_) => magnitude[(-places as usize).min(magnitude.len())..].to_vec(),
    }
}
