//! Operands whose exact values meet, found by solving the formula for the last term of a sum.
//!
//! The golden model evaluates a sum without its last term, which is then chosen to cancel the rest, to lie some binades
//! away, or to make the sum a tie of the result. If the last term is a product, it is solved for one factor.

use super::corners::{midpoint, one, random_related, random_word};
use crate::places::{Place, places};
use binade_golden::{Codes, Exact, Model, Number, Value};
use binade_spec::word::limbs;
use binade_spec::{Rounding, Term, TermId, Word};
use rand::{Rng, RngExt};

/// Chooses operands so that the terms of a sum meet, or a quotient or a root is near a code or a tie.
pub(crate) struct Solver {
    model: Model,
    places: Vec<Place>,
    /// The number of the first lane of each port.
    first_lanes: Vec<usize>,
    /// Results and the sums that are rounded to them, or the quotient or root if there are no sums.
    sums: Vec<(TermId, TermId)>,
}

/// How the last term of a sum meets the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meeting {
    /// It cancels the others.
    Cancel,
    /// The sum is halfway between two results.
    Tie,
    /// It is some binades larger or smaller.
    Near,
    /// It is the smallest normal value or its negative, and the others are smaller, so that the underflow flag depends
    /// on every digit.
    Tiny,
}

impl Meeting {
    pub const ALL: [Meeting; 3] = [Meeting::Cancel, Meeting::Tie, Meeting::Near];
}

impl Solver {
    /// `None` for units without a sum that is rounded to a result.
    pub fn of(model: Model) -> Option<Solver> {
        let formula = model.formula()?;
        let sums = formula.results().filter_map(|result| formula.last_sum(result)).collect();
        Solver::with(model, sums)
    }

    /// `None` for units whose results are not all quotients or roots of operands.
    pub fn of_quotient(model: Model) -> Option<Solver> {
        let formula = model.formula()?;
        let is_exact = |id: TermId| matches!(formula.terms()[id.0], Term::Quotient(..) | Term::Root { .. });
        let of_result = |result: TermId| match formula.terms()[result.0] {
            Term::Round { of, .. } if is_exact(of) => Some((result, of)),
            _ => None,
        };
        let quotients = formula.results().map(of_result).collect::<Option<_>>()?;
        Solver::with(model, quotients)
    }

    fn with(model: Model, sums: Vec<(TermId, TermId)>) -> Option<Solver> {
        let places = places(model.input_ports());
        let first_lane = |port: usize| places.iter().position(|place| place.port == port).expect("a port has a lane");
        let first_lanes = (0..model.input_ports().len()).map(first_lane).collect();
        (!sums.is_empty()).then_some(Solver { model, places, first_lanes, sums })
    }

    /// Changes operands so that the last term of a sum meets the others. The lanes are those of all ports.
    pub fn meet(&self, meeting: Meeting, lanes: &mut [u128], random: &mut impl Rng) {
        let (result, sum) = self.sums[random.random_range(0..self.sums.len())];
        let (Term::Sum { of, .. } | Term::Aligned { of, .. } | Term::Grouped { of, .. }) = &self.terms()[sum.0] else {
            return;
        };
        let (last, others) = of.split_last().expect("a sum has terms");
        if meeting == Meeting::Tiny {
            self.make_little(others, result, lanes, random);
        }
        let rest = self.sum_of(others, lanes);
        let wanted = match meeting {
            Meeting::Cancel => rest.negated(),
            Meeting::Tie => {
                let tie = self.tie(result, &rest, random);
                Number::sum(&[&tie, &rest.negated()], Rounding::Rne)
            }
            Meeting::Near => {
                let reach = self.model.codes(result).precision() as i32 + 3;
                let moved = scaled(rest, random.random_range(-reach..=reach));
                if random.random() { moved.negated() } else { moved }
            }
            Meeting::Tiny => finite(random.random(), 1, self.smallest_normal_exponent(result)),
        };
        self.approach(*last, &wanted, lanes, random);
    }

    /// Changes operands so that terms are some binades below the smallest normal value, with digits below the last
    /// place of results.
    fn make_little(&self, of: &[TermId], result: TermId, lanes: &mut [u128], random: &mut impl Rng) {
        let precision = self.model.codes(result).precision() as i32;
        for &term in of {
            let exponent = self.smallest_normal_exponent(result) - random.random_range(4..precision + 6);
            if let Term::Product(a, _) = self.terms()[term.0] {
                self.approach(a, &finite(false, 1, exponent / 2), lanes, random);
            }
            let little = finite(random.random(), random.random_range(1..8), exponent);
            self.approach(term, &little, lanes, random);
        }
    }

    /// The exponent of the smallest normal value of a result, or of the smallest value if there are no subnormals.
    fn smallest_normal_exponent(&self, result: TermId) -> i32 {
        let codes = self.model.codes(result);
        let subnormals = if codes.underflows_gradually() { codes.precision() - 1 } else { 0 };
        codes.min_exponent() as i32 + subnormals as i32
    }

    /// Changes operands so that the first result is near a code, or halfway to the next one.
    pub fn aim(&self, code: u128, lanes: &mut [u128], random: &mut impl Rng) {
        let (result, sum) = self.sums[0];
        let codes = self.model.codes(result);
        let halfway = if random.random() { midpoint(codes, code) } else { None };
        self.approach(sum, &halfway.unwrap_or(codes.decode(code)).into(), lanes, random);
    }

    fn terms(&self) -> &[Term] {
        self.model.formula().map_or(&[], |formula| formula.terms())
    }

    /// The exact sum of terms.
    fn sum_of(&self, of: &[TermId], lanes: &[u128]) -> Number {
        let numbers: Option<Vec<Number>> = of.iter().map(|id| self.exact(*id, lanes)).collect();
        if let Some(numbers) = numbers {
            return Number::sum(&numbers.iter().collect::<Vec<_>>(), Rounding::Rne);
        }
        let mut words: Vec<Vec<u64>> =
            self.model.input_ports().iter().map(|port| vec![0; limbs(port.width())]).collect();
        self.places.iter().zip(lanes).for_each(|(place, lane)| place.put(*lane, &mut words[place.port]));
        let words: Vec<&[u64]> = words.iter().map(Vec::as_slice).collect();
        let reset: Vec<Vec<u64>> = self.model.reset().iter().map(Word::to_u64_digits).collect();
        let reset: Vec<&[u64]> = reset.iter().map(Vec::as_slice).collect();
        let numbers = self.model.numbers_of(&reset, &words, of);
        Number::sum(&numbers.iter().collect::<Vec<_>>(), Rounding::Rne)
    }

    /// The exact value of an operand, or of a product or sum of operands; `None` if there are other terms.
    fn exact(&self, id: TermId, lanes: &[u128]) -> Option<Number> {
        match &self.terms()[id.0] {
            Term::Operand { port, lane } => Some(self.model.codes(id).decode(lanes[self.lane(*port, *lane)]).into()),
            Term::Product(a, b) => Some(Number::product(&self.exact(*a, lanes)?, &self.exact(*b, lanes)?)),
            Term::Sum { of, rounding } if *rounding != Rounding::Any => {
                let numbers: Vec<Number> = of.iter().map(|id| self.exact(*id, lanes)).collect::<Option<_>>()?;
                Some(Number::sum(&numbers.iter().collect::<Vec<_>>(), *rounding))
            }
            _ => None,
        }
    }

    /// The number of a lane among those of all ports.
    fn lane(&self, port: usize, lane: u32) -> usize {
        self.first_lanes[port] + lane as usize
    }

    /// A tie between results, near a number or anywhere.
    fn tie(&self, result: TermId, near: &Number, random: &mut impl Rng) -> Number {
        let codes = self.model.codes(result);
        let code = match random.random() {
            true => random_related(codes, codes.nearest(near), random),
            false => random_word(random, codes.code_mask()),
        };
        midpoint(codes, code).unwrap_or(codes.decode(code)).into()
    }

    /// Changes operands so that a term is near a number.
    fn approach(&self, id: TermId, wanted: &Number, lanes: &mut [u128], random: &mut impl Rng) {
        match &self.terms()[id.0] {
            Term::Operand { port, lane } => {
                lanes[self.lane(*port, *lane)] = self.model.codes(id).nearest(wanted);
            }
            Term::Product(a, b) => {
                // With a factor of 1, the other one is the whole product.
                if random.random() {
                    let unit = self.codes(*a).map(|codes| codes.decode(one(codes)).into());
                    self.approach(*a, &unit.unwrap_or(wanted.clone()), lanes, random);
                }
                let a = self.sum_of(&[*a], lanes);
                if let Some(quotient) = Number::quotient(wanted, &a) {
                    self.approach(*b, &quotient, lanes, random);
                }
            }
            Term::Sum { of, .. } | Term::Aligned { of, .. } | Term::Grouped { of, .. } => {
                let (last, others) = of.split_last().expect("a sum has terms");
                let rest = self.sum_of(others, lanes).negated();
                self.approach(*last, &Number::sum(&[wanted, &rest], Rounding::Rne), lanes, random);
            }
            Term::Choose { port, one, zero } => {
                let bit: bool = random.random();
                lanes[self.lane(*port, 0)] = bit.into();
                self.approach(if bit { *one } else { *zero }, wanted, lanes, random);
            }
            Term::Round { of, .. } | Term::Convert { of, .. } | Term::Rectify(of) | Term::Flush { of, .. } => {
                self.approach(*of, wanted, lanes, random);
            }
            Term::Negate(of) => self.approach(*of, &wanted.negated(), lanes, random),
            Term::Quotient(x, y) if self.terms()[x.0] == Term::Power(0) => {
                let reciprocal = Number::quotient(&one_number(), wanted);
                reciprocal.into_iter().for_each(|reciprocal| self.approach(*y, &reciprocal, lanes, random));
            }
            Term::Quotient(x, y) => {
                let y = self.sum_of(&[*y], lanes);
                self.approach(*x, &Number::product(wanted, &y), lanes, random);
            }
            Term::Root { of, is_reciprocal } => {
                let square = Number::product(wanted, wanted);
                let radicand = if *is_reciprocal { Number::quotient(&one_number(), &square) } else { Some(square) };
                radicand.into_iter().for_each(|radicand| self.approach(*of, &radicand, lanes, random));
            }
            // Constants, registers and the parts of posits cannot be changed.
            Term::Zero | Term::Power(_) | Term::State { .. } | Term::Parts => {}
            // An operand of about the size of a result is one where most functions bend.
            Term::Function { of, .. } => self.approach(*of, wanted, lanes, random),
            Term::Scale { of, .. } | Term::Largest(of) => {
                of.iter().for_each(|term| self.approach(*term, wanted, lanes, random))
            }
        }
    }

    /// The codes of an operand.
    fn codes(&self, id: TermId) -> Option<&Codes> {
        matches!(self.terms()[id.0], Term::Operand { .. }).then(|| self.model.codes(id))
    }
}

fn one_number() -> Number {
    finite(false, 1, 0)
}

fn finite(negative: bool, n: u128, k: i32) -> Number {
    Value::Finite(Exact { negative, n, k }).into()
}

/// A number times a power of two.
fn scaled(number: Number, binades: i32) -> Number {
    match number {
        Number::Finite { negative, n, k } => Number::Finite { negative, n, k: k + binades },
        Number::Zero { .. } | Number::Infinite { .. } | Number::Nan => number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::places::join;
    use crate::vectors::formulas::{dot, shared_product, sum_of_sums};
    use binade_golden::{Facts, Rest};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// The facts about some vectors whose operands meet.
    fn facts_of(model: &Model, meeting: Meeting) -> Vec<Facts> {
        let solver = Solver::of(model.clone()).unwrap();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut vector = || {
            let any = |place: &Place| random_word(&mut random, u128::MAX >> (u128::BITS - place.width));
            let mut lanes: Vec<u128> = solver.places.iter().map(any).collect();
            solver.meet(meeting, &mut lanes, &mut random);
            let words: Vec<Word> = lanes.into_iter().map(Word::from).collect();
            model.examine(&join(&solver.places, &words))
        };
        (0..1000).map(|_| vector()).collect()
    }

    fn models() -> [Model; 4] {
        let format = |name: &str| name.parse().unwrap();
        [
            dot(2, format("e4m3"), format("binary32")),
            dot(3, format("e3m2"), format("binary16")),
            sum_of_sums(format("e5m2")),
            shared_product(format("e4m3")),
        ]
    }

    /// Without solving, hardly any sum is zero.
    #[test]
    fn sums_cancel() {
        for model in models() {
            let (_, sum) = Solver::of(model.clone()).unwrap().sums[0];
            let facts = facts_of(&model, Meeting::Cancel);
            let zeros = facts.iter().filter(|facts| facts.sum(sum).is_some_and(|sum| sum.canceled.is_none()));
            assert!(zeros.count() > 100, "{:?}", model.formula());
        }
    }

    #[test]
    fn sums_are_ties() {
        for model in models() {
            let (result, _) = Solver::of(model.clone()).unwrap().sums[0];
            let facts = facts_of(&model, Meeting::Tie);
            let ties = facts.iter().filter(|facts| facts.landing(result).is_some_and(|it| it.rest == Rest::Half));
            assert!(ties.count() > 20, "{:?}", model.formula());
        }
    }

    /// Sums just below the smallest normal value, with more digits than results have there.
    #[test]
    fn sums_are_tiny() {
        for operand in ["e5m2", "binary16"] {
            let model = dot(2, operand.parse().unwrap(), "binary16".parse().unwrap());
            let (result, _) = Solver::of(model.clone()).unwrap().sums[0];
            let codes = model.codes(result);
            let first_normal = 1 << (codes.precision() - 1);
            let facts = facts_of(&model, Meeting::Tiny);
            let tiny = facts
                .iter()
                .filter_map(|facts| facts.landing(result))
                .filter(|it| it.rest != Rest::Zero && it.goes_up && it.code & codes.magnitude_mask() == first_normal);
            assert!(tiny.count() > 20, "{:?}", model.formula());
        }
    }

    #[test]
    fn terms_meet_at_every_difference() {
        for model in models() {
            let (_, sum) = Solver::of(model.clone()).unwrap().sums[0];
            let facts = facts_of(&model, Meeting::Near);
            let has = |difference: i32| {
                facts.iter().any(|facts| facts.sum(sum).is_some_and(|sum| sum.difference == difference))
            };
            assert!((-3..=3).all(has), "{:?}", model.formula());
        }
    }
}
