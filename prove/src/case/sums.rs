//! The exact sum of terms that meet as the plan says.

use super::Builder;
use crate::number::{Number, aligned_sum, nonzero, sum_of_significands};
use crate::plans::{Meeting, Sum};
use crate::words::{choose, constant, difference, is_below, is_equal, literal, plus};
use binade_sim::lanes::Literal;
use binade_spec::Rounding;

impl Builder<'_> {
    /// The exact sum of two terms that meet as the plan says.
    pub(super) fn sum(&mut self, x: &Number, y: &Number, rounding: Rounding) -> Number {
        let graph = &mut self.graph;
        let [special_x, special_y] = [x, y].map(|term| graph.or(term.nan, term.infinite));
        let special = graph.or(special_x, special_y);
        let zero = graph.or(x.zero, y.zero);
        let invalid = graph.or(x.invalid, y.invalid);
        let mut number = match self.plan.meeting {
            Meeting::None => unreachable!("a sum whose terms do not meet"),
            Meeting::Anyhow => return self.sum_anyhow(x, y, rounding),
            Meeting::Special => {
                self.conditions.push(special);
                return self.special_sum(x, y);
            }
            Meeting::Alone => {
                let alone = graph.and(!special, zero);
                self.conditions.push(alone);
                return self.sum_with_zero(x, y, rounding);
            }
            Meeting::At(distance) => self.sum_at(x, y, distance),
            Meeting::Below(distance) => self.sum_far(y, x, distance, false),
            Meeting::Above(distance) => self.sum_far(x, y, distance, true),
        };
        self.conditions.extend([!special, !zero]);
        number.invalid = invalid;
        number.negative = self.graph.mux(number.zero, literal(rounding == Rounding::Rdn), number.negative);
        number
    }

    /// The sum of any two terms.
    fn sum_anyhow(&mut self, x: &Number, y: &Number, rounding: Rounding) -> Number {
        let [special, alone] = [self.special_sum(x, y), self.sum_with_zero(x, y, rounding)];
        let graph = &mut self.graph;
        let is_special = graph.any(&[x.nan, x.infinite, y.nan, y.infinite]);
        let is_alone = graph.or(x.zero, y.zero);
        let sum = aligned_sum(graph, x, y, self.plan.reach);
        let negative = graph.mux(sum.zero, literal(rounding == Rounding::Rdn), sum.negative);
        let negative = graph.mux(is_alone, alone.negative, negative);
        let zero = graph.mux(is_alone, alone.zero, sum.zero);
        Number {
            nan: graph.and(is_special, special.nan),
            infinite: graph.and(is_special, special.infinite),
            zero: graph.and(zero, !is_special),
            negative: graph.mux(is_special, special.negative, negative),
            significand: choose(graph, is_alone, &alone.significand, &sum.significand),
            exponent: choose(graph, is_alone, &alone.exponent, &sum.exponent),
            signed: None,
            invalid: special.invalid,
        }
    }

    fn special_sum(&mut self, x: &Number, y: &Number) -> Number {
        let graph = &mut self.graph;
        let unlike = graph.xor(x.negative, y.negative);
        let is_new = graph.all(&[x.infinite, y.infinite, unlike]);
        let nan = graph.any(&[x.nan, y.nan, is_new]);
        let negative = graph.mux(x.infinite, x.negative, y.negative);
        let mut number = nonzero(negative, vec![], constant(0, self.width));
        let invalid = graph.any(&[x.invalid, y.invalid, is_new]);
        self.flags[3].push(invalid);
        (number.nan, number.infinite, number.invalid) = (nan, !nan, invalid);
        number
    }

    fn sum_with_zero(&mut self, x: &Number, y: &Number, rounding: Rounding) -> Number {
        let graph = &mut self.graph;
        let zero = graph.and(x.zero, y.zero);
        let [both, either] = [graph.and(x.negative, y.negative), graph.or(x.negative, y.negative)];
        let of_zeros = if rounding == Rounding::Rdn { either } else { both };
        let negative = graph.mux(x.zero, y.negative, x.negative);
        let negative = graph.mux(zero, of_zeros, negative);
        let significand = choose(graph, x.zero, &y.significand, &x.significand);
        let exponent = choose(graph, x.zero, &y.exponent, &x.exponent);
        let mut number = nonzero(negative, significand, exponent);
        number.zero = zero;
        number.invalid = graph.or(x.invalid, y.invalid);
        number
    }

    fn sum_at(&mut self, x: &Number, y: &Number, distance: i128) -> Number {
        let graph = &mut self.graph;
        let actual = difference(graph, &x.exponent, &y.exponent);
        let is_there = is_equal(graph, &actual, distance);
        self.conditions.push(is_there);
        let (up, down) = (distance.max(0) as usize, (-distance).max(0) as usize);
        let (negative, magnitude, zero) = sum_of_significands(graph, (x, up), (y, down));
        let exponent = if distance < 0 { &x.exponent } else { &y.exponent };
        let mut number = nonzero(negative, magnitude, exponent.clone());
        number.zero = zero;
        self.sum_bits = number.significand.len();
        self.with_sum_as_planned(number)
    }

    /// The sum, if it is what the plan says.
    fn with_sum_as_planned(&mut self, mut number: Number) -> Number {
        match self.plan.sum {
            Sum::Any => {}
            Sum::Zero => {
                self.conditions.push(number.zero);
                number.zero = Literal::TRUE;
                number.significand.clear();
            }
            Sum::Leading(place) => {
                let above = self.graph.any(&number.significand[place + 1..]);
                self.conditions.extend([!above, number.significand[place]]);
                number.zero = Literal::FALSE;
                number.significand.truncate(place);
                number.significand.push(Literal::TRUE);
            }
        }
        number
    }

    /// A sum with something so small that only its sign counts: the second term, or the first.
    fn sum_far(&mut self, large: &Number, small: &Number, distance: i128, is_second: bool) -> Number {
        let graph = &mut self.graph;
        let actual = match is_second {
            false => difference(graph, &small.exponent, &large.exponent),
            true => difference(graph, &large.exponent, &small.exponent),
        };
        let is_far = match is_second {
            false => is_below(graph, &actual, distance + 1),
            true => !is_below(graph, &actual, distance),
        };
        self.conditions.push(is_far);
        let unit = nonzero(small.negative, vec![Literal::TRUE], vec![]);
        let (negative, magnitude, _) = sum_of_significands(graph, (large, self.plan.reach), (&unit, 0));
        let exponent = plus(graph, &large.exponent, -(self.plan.reach as i128));
        nonzero(negative, magnitude, exponent)
    }
}
