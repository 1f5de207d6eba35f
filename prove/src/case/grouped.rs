//! Sums of groups of products, and a code, as in matrix units of AMD's CDNA 3: rounded down where they are added.

use super::Builder;
use super::aligned::{Top, moved};
use super::sums::special_or;
use crate::number::{Number, nonzero};
use crate::plans::{Meeting, Specified, UNSPECIFIED};
use crate::words::{
    Word, choose, constant, difference, is_below, is_less_signed, negated_if, plus, raised, resized, shifted_down,
    sign_extended, sum,
};
use binade_gates::{Graph, Literal};
use binade_spec::{Format, Grouping, Term, TermId};

/// The sum of a group in two's complement.
struct Group {
    total: Word,
    /// The exponent below which the products are cut off, plus the bias.
    biased: Word,
    /// Whether all products are zero: then the exponent does not count.
    is_zero: Literal,
}

impl Builder<'_> {
    /// The sum of groups of products and a code.
    pub(super) fn grouped(&mut self, of: &[TermId], grouping: &Grouping) -> Specified<Number> {
        let terms: Vec<Number> = of.iter().map(|id| self.of(*id).number.clone()).collect();
        let graph = &mut self.graph;
        let special: Vec<Literal> = terms.iter().map(|term| graph.or(term.nan, term.infinite)).collect();
        let is_special = graph.any(&special);
        let special = self.special_sum(&terms);
        match self.plan.meeting {
            Meeting::Special => {
                self.conditions.push(is_special);
                return Ok(special);
            }
            Meeting::Finite => self.conditions.push(!is_special),
            _ => {}
        }
        let sum = self.sum_of_groups(of, &terms, grouping);
        let [above, below] = self.beyond(of, &terms, grouping.limit)?;
        let graph = &mut self.graph;
        let sum = special_or(graph, (is_special, &special), sum);
        // Infinities and NaN of operands come first.
        let [above, below] = [above, below].map(|beyond| graph.and(beyond, !is_special));
        let (is_beyond, are_both) = (graph.or(above, below), graph.and(above, below));
        let is_infinite = graph.or(sum.infinite, is_beyond);
        Ok(Number {
            nan: graph.or(sum.nan, are_both),
            infinite: graph.and(is_infinite, !are_both),
            zero: graph.and(sum.zero, !is_beyond),
            negative: graph.mux(is_beyond, below, sum.negative),
            ..sum
        })
    }

    /// The sum of finite terms, if no product is too large.
    fn sum_of_groups(&mut self, of: &[TermId], terms: &[Number], grouping: &Grouping) -> Number {
        let Grouping { fraction_bits, sum_bits, floor, is_interleaved, .. } = *grouping;
        let count = of.len() - 1;
        let tops: Vec<Top> = of.iter().map(|id| self.top(*id)).collect();
        // Exponents are compared as units store them: with the bias of the first product.
        let bias = tops[0].bias;
        let step = if is_interleaved { 2 } else { 1 };
        let mut groups = vec![];
        for first in 0..step.min(count) {
            let members: Vec<usize> = (first..count).step_by(step).collect();
            groups.push(self.group(&members, terms, &tops, (fraction_bits, bias)));
        }
        let all = self.joined(groups, &tops[..count], bias);
        let least = constant(i128::from(floor) + bias, self.width);
        let graph = &mut self.graph;
        let of_products = choose(graph, all.is_zero, &least, &all.biased);
        let addend = &tops[count];
        let of_addend = addend.biased_by(graph, bias);
        let counted = choose(graph, addend.is_without, &least, &of_addend);
        let largest = larger(graph, &of_products, &counted);
        let largest = larger(graph, &largest, &least);
        let more = (sum_bits - fraction_bits) as usize;
        let products = down(graph, &raised(&all.total, more), &largest, &all.biased);
        let (row, one) = addend_down(graph, &terms[count], addend, (&largest, &of_addend), grouping);
        let width = (products.len() - more).max(row.len()) + 1;
        let high = sign_extended(&products[more..], width);
        let total = graph.add(&high, &sign_extended(&row, width), one).0;
        let total = [&products[..more], &total].concat();
        let (negative, bits) = (total[total.len() - 1], total.len() - 1);
        let magnitude = negated_if(graph, negative, &total)[..bits].to_vec();
        let is_nonzero = graph.any(&magnitude);
        let exponent = plus(graph, &largest, -i128::from(sum_bits) - bias);
        let number = Number { zero: !is_nonzero, ..nonzero(negative, magnitude, exponent) };
        match self.plan.meeting {
            Meeting::Finite => {
                self.sum_bits = bits;
                self.with_sum_as_planned(number)
            }
            _ => number,
        }
    }

    /// The sum of the truncated products of a group.
    fn group(&mut self, members: &[usize], terms: &[Number], tops: &[Top], places: (u32, i128)) -> Group {
        let (fraction, bias) = (i128::from(places.0), places.1);
        let of_members: Vec<&Top> = members.iter().map(|&at| &tops[at]).collect();
        let biased = self.largest(&of_members, None, bias);
        let graph = &mut self.graph;
        let mut rows = vec![];
        for &at in members {
            let (term, top) = (&terms[at], &tops[at]);
            let (word, from) = match top.places {
                Some(places) => (moved(&term.significand, fraction - places), top.biased_by(graph, bias)),
                None => (raised(&term.significand, fraction as usize), plus(graph, &term.exponent, bias)),
            };
            let distance = difference(graph, &biased, &from);
            rows.push((shifted_down(graph, &word, &distance, Literal::FALSE).0, term.negative));
        }
        let zeros: Vec<Literal> = of_members.iter().map(|top| top.is_without).collect();
        let is_zero = graph.all(&zeros);
        Group { total: self.signed_total(rows), biased, is_zero }
    }

    /// The sum of one group or two, rounded down below the larger exponent.
    fn joined(&mut self, mut groups: Vec<Group>, tops: &[Top], bias: i128) -> Group {
        let second = groups.pop().expect("there is a group");
        let Some(first) = groups.pop() else { return second };
        let least = tops.iter().map(|top| top.least).min().expect("there are products");
        let (least, graph) = (constant(least + bias, self.width), &mut self.graph);
        let [x, y] = [&first, &second].map(|group| choose(graph, group.is_zero, &least, &group.biased));
        let biased = larger(graph, &x, &y);
        let [x, y] = [&first, &second].map(|group| down(graph, &group.total, &biased, &group.biased));
        let width = x.len().max(y.len()) + 1;
        let total = sum(graph, &sign_extended(&x, width), &sign_extended(&y, width));
        Group { total, biased, is_zero: graph.and(first.is_zero, second.is_zero) }
    }

    /// Whether a positive product is at least two to this power, and whether a negative one is.
    fn beyond(&mut self, of: &[TermId], terms: &[Number], limit: i32) -> Specified<[Literal; 2]> {
        let mut signs = [vec![], vec![]];
        for (id, term) in of[..of.len() - 1].iter().zip(terms) {
            let Term::Product(a, b) = self.formula.terms()[id.0] else { return Err(UNSPECIFIED) };
            let formats = [a, b].map(|factor| self.format(factor));
            let is_beyond = is_beyond(&mut self.graph, formats, term, limit.into());
            signs[0].push(self.graph.and(is_beyond, !term.negative));
            signs[1].push(self.graph.and(is_beyond, term.negative));
        }
        Ok(signs.map(|bits| self.graph.any(&bits)))
    }
}

/// Whether a product is at least two to the power `limit`: a digit is 1 at this place or above.
fn is_beyond(graph: &mut Graph, formats: [Format; 2], product: &Number, limit: i128) -> Literal {
    let [a, b] = formats;
    let largest = i128::from(a.max_exponent()) + i128::from(b.max_exponent()) + 1;
    if largest < limit || product.significand.is_empty() {
        return Literal::FALSE;
    }
    // A product with a subnormal factor is less than two to the power of the sum of these exponents, plus 1.
    let least =
        |format: Format| i128::from(format.float().map_or(format.min_exponent(), |float| 1 - i64::from(float.bias)));
    let of_subnormal = (least(a) + i128::from(b.max_exponent())).max(least(b) + i128::from(a.max_exponent())) + 1;
    let are_floats = formats.iter().all(|format| format.float().is_some());
    let digits = product.significand.len();
    // Two factors with a leading 1 have a product that begins in one of its first two places.
    let first = if are_floats && of_subnormal < limit { digits.saturating_sub(2) } else { 0 };
    let reached: Vec<Literal> = (first..digits)
        .map(|at| {
            let is_below = is_below(graph, &product.exponent, limit - at as i128);
            graph.and(product.significand[at], !is_below)
        })
        .collect();
    let reached = graph.any(&reached);
    let is_number = !graph.any(&[product.nan, product.infinite, product.zero]);
    graph.and(reached, is_number)
}

/// The larger of two exponents.
fn larger(graph: &mut Graph, x: &[Literal], y: &[Literal]) -> Word {
    let is_less = is_less_signed(graph, x, y);
    choose(graph, is_less, y, x)
}

/// A total that is rounded down where its exponent is that far below the largest.
fn down(graph: &mut Graph, total: &[Literal], largest: &[Literal], exponent: &[Literal]) -> Word {
    let distance = difference(graph, largest, exponent);
    shifted_down(graph, total, &distance, total[total.len() - 1]).0
}

/// The addend, rounded down: a word in two's complement, and a 1 to be added.
fn addend_down(
    graph: &mut Graph,
    addend: &Number,
    top: &Top,
    (largest, exponent): (&[Literal], &[Literal]),
    grouping: &Grouping,
) -> (Word, Literal) {
    let fraction = i128::from(grouping.fraction_bits);
    let places = top.places.expect("results have digits at fixed places");
    let distance = difference(graph, largest, exponent);
    let is_near = is_below(graph, &distance, fraction + 2);
    let counts = if grouping.is_interleaved { graph.and(!addend.zero, is_near) } else { !addend.zero };
    let word: Word = moved(&addend.significand, fraction - places).iter().map(|&bit| graph.and(bit, counts)).collect();
    let (kept, lost) = shifted_down(graph, &word, &distance, Literal::FALSE);
    let negative = graph.and(addend.negative, counts);
    let row = resized(&kept, kept.len() + 1).iter().map(|&bit| graph.xor(bit, negative)).collect();
    (row, graph.and(negative, !lost))
}
