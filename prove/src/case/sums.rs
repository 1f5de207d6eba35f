//! The exact sum of terms that meet as the plan says.

use super::Builder;
use crate::number::{Number, SignedDigits, aligned_sum, nonzero, sum_of_significands};
use crate::plans::{Meeting, OTHER_PLAN, Specified, Sum, is_operand_beside, lowest_place, products_window};
use crate::window::{sum_in_window, sum_of_integers};
use crate::words::{choose, constant, difference, is_below, is_equal, literal, plus};
use binade_gates::{Graph, Literal};
use binade_spec::{Float, Operation, Rounding, Shape, TermId};

/// The terms of a sum.
struct Terms {
    /// The first term, or the sum of all but the last.
    first: Number,
    /// The last term.
    second: Number,
    /// All terms but the last.
    others: Vec<Number>,
}

impl Terms {
    fn all(&self) -> impl Iterator<Item = &Number> {
        self.others.iter().chain([&self.second])
    }
}

impl Builder<'_> {
    /// The exact sum of terms, the last of which meets the others as the plan says.
    pub(super) fn sum(&mut self, of: &[TermId], rounding: Rounding) -> Specified<Number> {
        let (last, others) = of.split_last().expect("a sum has terms");
        let others: Vec<Number> = others.iter().map(|id| self.of(*id).number.clone()).collect();
        let first = match others.as_slice() {
            [first] => first.clone(),
            _ if is_operand_beside(self.operation) => self.sum_of_elements(&others, rounding),
            _ => self.sum_of_products(&others, rounding),
        };
        if self.outcomes[last.0].is_none() {
            self.outcomes[last.0] = Some(self.meeting_operand(*last, &first)?);
        }
        let second = self.of(*last).number.clone();
        self.sum_as_planned(&Terms { first, second, others }, rounding)
    }

    fn sum_as_planned(&mut self, terms: &Terms, rounding: Rounding) -> Specified<Number> {
        let Terms { first: x, second: y, others } = terms;
        let graph = &mut self.graph;
        let special = terms.all().map(|term| graph.or(term.nan, term.infinite)).collect::<Vec<_>>();
        let special = graph.any(&special);
        let zero = graph.or(x.zero, y.zero);
        let mut number = match self.plan.meeting {
            Meeting::None => return Err(OTHER_PLAN),
            Meeting::Anyhow | Meeting::Finite => return Ok(self.sum_anyhow(terms, special, rounding)),
            Meeting::Special => {
                self.conditions.push(special);
                return Ok(self.special_sum(terms.all()));
            }
            Meeting::Alone => {
                let alone = graph.and(!special, zero);
                self.conditions.push(alone);
                return Ok(self.sum_with_zero(x, y, rounding));
            }
            Meeting::At(distance) if others.len() > 1 && x.signed.is_none() => self.sum_in_window_at(terms, distance),
            Meeting::At(distance) => self.sum_at(x, y, distance),
            Meeting::Below(distance) => self.sum_far(y, x, distance, false),
            Meeting::Above(distance) => self.sum_far(x, y, distance, true),
        };
        self.conditions.extend([!special, !zero]);
        number.negative = self.graph.mux(number.zero, literal(rounding == Rounding::Rdn), number.negative);
        Ok(number)
    }

    /// The sum of unrestricted terms.
    fn sum_anyhow(&mut self, terms: &Terms, is_special: Literal, rounding: Rounding) -> Number {
        let Terms { first: x, second: y, .. } = terms;
        let [special, alone] = [self.special_sum(terms.all()), self.sum_with_zero(x, y, rounding)];
        let reach = self.reach_anyhow(x, y);
        let graph = &mut self.graph;
        let is_alone = graph.or(x.zero, y.zero);
        let of_integers = sum_of_integers(graph, self.multiplier, &terms.all().cloned().collect::<Vec<_>>());
        let are_integers = of_integers.is_some();
        let sum = of_integers.unwrap_or_else(|| aligned_sum(graph, x, y, reach));
        let negative = graph.mux(sum.zero, literal(rounding == Rounding::Rdn), sum.negative);
        // For integers, a nonzero term alone has the sign of the sum; only zeros need the other sign.
        let is_of_alone = if are_integers { graph.and(is_alone, sum.zero) } else { is_alone };
        let negative = graph.mux(is_of_alone, alone.negative, negative);
        // Integers are added at fixed places. Other terms are aligned by exponent, which zeros do not have.
        let is_apart = graph.and(is_alone, literal(!are_integers));
        let zero = graph.mux(is_apart, alone.zero, sum.zero);
        let significand = choose(graph, is_apart, &alone.significand, &sum.significand);
        let exponent = choose(graph, is_apart, &alone.exponent, &sum.exponent);
        let finite = Number { zero, ..nonzero(negative, significand, exponent) };
        special_or(graph, (is_special, &special), finite)
    }

    /// The places needed below the last one of the term with the larger exponent, at any distance.
    fn reach_anyhow(&self, x: &Number, y: &Number) -> usize {
        let Operation { operand, result, .. } = *self.operation;
        let is_sum = self.operation.signed_shape().0 == Shape::Sum;
        let is_normalized = |float: &Float| float.binades_below == 0 && float.binades_above == 0;
        if is_sum && operand == result && operand.float().is_some_and(is_normalized) {
            // The leading digit is 1: one place in case it cancels, one for the guard, and one for the sticky bit,
            // besides those that random bits are added to.
            return 2 + self.operation.rounding.tail_bits() as usize;
        }
        // The last digit may be the leading one.
        let longest = x.significand.len().max(y.significand.len());
        self.plan.reach.max(longest + 2)
    }

    /// A sum that is infinite or NaN.
    pub(super) fn special_sum<'t>(&mut self, terms: impl IntoIterator<Item = &'t Number>) -> Number {
        let (graph, all) = (&mut self.graph, terms.into_iter().collect::<Vec<_>>());
        let some = |graph: &mut Graph, bit: &dyn Fn(&mut Graph, &Number) -> Literal| {
            let bits: Vec<Literal> = all.iter().map(|term| bit(graph, term)).collect();
            graph.any(&bits)
        };
        let is_nan = some(graph, &|_, term| term.nan);
        let plus = some(graph, &|graph, term| graph.and(term.infinite, !term.negative));
        let minus = some(graph, &|graph, term| graph.and(term.infinite, term.negative));
        let is_new = graph.all(&[plus, minus, !is_nan]);
        let signals = some(graph, &|_, term| term.invalid);
        let invalid = graph.or(signals, is_new);
        let nan = graph.or(is_nan, is_new);
        Number { nan, infinite: !nan, invalid, ..nonzero(minus, vec![], constant(0, self.width)) }
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
        let exponent = if distance < 0 { &x.exponent } else { &y.exponent };
        let number = sum_of_significands(graph, (x, up), (y, down), exponent.clone());
        self.sum_bits = number.significand.len();
        self.with_sum_as_planned(number)
    }

    /// The exact sum of products in a window; adding the last term handles the specials.
    fn sum_of_products(&mut self, products: &[Number], rounding: Rounding) -> Number {
        let graph = &mut self.graph;
        let of_zero = sign_of_zero(graph, products, rounding);
        let invalid: Vec<Literal> = products.iter().map(|term| term.invalid).collect();
        let window = products_window(self.operation);
        let nothing = nonzero(Literal::FALSE, vec![], constant(window.lowest, self.width));
        // Units add in a window for all terms, at whose lowest place the complements of negative products are completed.
        let of_all = window.with_places_from(lowest_place(self.operation));
        let sum = sum_in_window(graph, self.multiplier, &[products, &[nothing]].concat(), &of_all);
        let negative = graph.mux(sum.zero, of_zero, sum.negative);
        // The products have no digits in places of the operand alone.
        let significand = sum.significand[(window.lowest - of_all.lowest) as usize..].to_vec();
        let exponent = constant(window.lowest, self.width);
        Number { negative, significand, exponent, signed: None, invalid: graph.any(&invalid), ..sum }
    }

    /// The exact sum of products, with its signed significand.
    pub(super) fn sum_of_elements(&mut self, elements: &[Number], rounding: Rounding) -> Number {
        let graph = &mut self.graph;
        let of_zero = sign_of_zero(graph, elements, rounding);
        let specials: Vec<Literal> = elements.iter().map(|term| graph.or(term.nan, term.infinite)).collect();
        let is_special = graph.any(&specials);
        let sum = sum_in_window(graph, self.multiplier, elements, &products_window(self.operation));
        let special = self.special_sum(elements);
        let graph = &mut self.graph;
        let negative = graph.mux(sum.zero, of_zero, sum.negative);
        special_or(graph, (is_special, &special), Number { negative, ..sum })
    }

    /// The sum of products and a last term, whose last place is `distance` below the lowest place of the products.
    fn sum_in_window_at(&mut self, terms: &Terms, distance: i128) -> Number {
        let Terms { first, second, others } = terms;
        let graph = &mut self.graph;
        let actual = difference(graph, &first.exponent, &second.exponent);
        let is_there = is_equal(graph, &actual, distance);
        self.conditions.push(is_there);
        let window = products_window(self.operation);
        let lowest = window.lowest - distance;
        let window = window.with_places_from(lowest_place(self.operation));
        let window = window.with_term(lowest, lowest + second.significand.len() as i128);
        let last = Number { exponent: constant(lowest, self.width), ..second.clone() };
        let number = sum_in_window(graph, self.multiplier, &[others.as_slice(), &[last]].concat(), &window);
        self.sum_bits = number.significand.len();
        self.with_sum_as_planned(number)
    }

    /// Restricts the sum to what the plan says.
    pub(super) fn with_sum_as_planned(&mut self, mut number: Number) -> Number {
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
                // That digit, and the sign.
                if let Some(SignedDigits::Integer(digits)) = &mut number.signed {
                    digits.truncate(place + 2);
                }
            }
        }
        number
    }

    /// A sum with a term so small that only its sign matters: the second term, or the first.
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
        let exponent = plus(graph, &large.exponent, -(self.plan.reach as i128));
        let sum = sum_of_significands(graph, (large, self.plan.reach), (&unit, 0), exponent);
        Number { zero: Literal::FALSE, ..sum }
    }
}

/// A sum that is infinite or NaN if `is_special` is 1, else the finite sum.
pub(super) fn special_or(graph: &mut Graph, (is_special, special): (Literal, &Number), finite: Number) -> Number {
    Number {
        nan: graph.and(is_special, special.nan),
        infinite: graph.and(is_special, special.infinite),
        zero: graph.and(finite.zero, !is_special),
        negative: graph.mux(is_special, special.negative, finite.negative),
        invalid: special.invalid,
        ..finite
    }
}

/// The sign of an exact sum of finite terms that is zero (IEEE 754-2019 section 6.3).
fn sign_of_zero(graph: &mut Graph, terms: &[Number], rounding: Rounding) -> Literal {
    let [zeros, minus] =
        [|term: &Number| term.zero, |term: &Number| term.negative].map(|bit| terms.iter().map(bit).collect::<Vec<_>>());
    let is_rdn = rounding == Rounding::Rdn;
    let of_zeros = if is_rdn { graph.any(&minus) } else { graph.all(&minus) };
    let are_zeros = graph.all(&zeros);
    graph.mux(are_zeros, of_zeros, literal(is_rdn))
}
