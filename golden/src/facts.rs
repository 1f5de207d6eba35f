//! Facts about an evaluation from its exact values, for counting coverage.

use crate::code_line::{Line, Natural};
use crate::codes::ask;
use crate::coding::Coding;
use crate::number::{Magnitude, Number};
use crate::position::Position;
use crate::walk::{Outcome, Walk};
use crate::{Bits, Codes, Exact, Model, Policy, Region, Rest, Value, functions};
use binade_spec::{Class, Formula, MachineFunction, Meaning, Target, Term, TermId, Word};
use ethnum::I256;

/// The facts about one vector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// One fact for each term of the formula; empty for units that are plain functions.
    pub terms: Vec<Fact>,
    /// The codes and words in the lanes of the outputs.
    pub outputs: Vec<u128>,
    /// The new codes in the registers.
    pub next: Vec<u128>,
}

/// Facts about vectors, one after the other, in reused storage.
#[derive(Clone, Debug, Default)]
pub struct Examination {
    facts: Facts,
    outcomes: Vec<Outcome>,
}

/// The fact about a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Nothing: the term neither adds nor rounds, or an operand is zero, infinite or NaN.
    Nothing,
    /// The sum of nonzero numbers.
    Sum(Sum),
    /// The rounding of a nonzero number.
    Landing(Landing),
    /// A negative code became zero.
    Rectified,
}

impl Facts {
    /// The sum of nonzero numbers, if the term is one.
    #[inline]
    pub fn sum(&self, id: TermId) -> Option<Sum> {
        match self.terms.get(id.0) {
            Some(Fact::Sum(sum)) => Some(*sum),
            Some(Fact::Nothing | Fact::Landing(_) | Fact::Rectified) | None => None,
        }
    }

    /// The rounding of a nonzero number, if the term is one.
    #[inline]
    pub fn landing(&self, id: TermId) -> Option<Landing> {
        match self.terms.get(id.0) {
            Some(Fact::Landing(landing)) => Some(*landing),
            Some(Fact::Nothing | Fact::Sum(_) | Fact::Rectified) | None => None,
        }
    }
}

/// A sum whose last term, and at least one other term, is a nonzero number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sum {
    /// Whether their signs differ: magnitudes are subtracted.
    pub is_subtraction: bool,
    /// The largest exponent of the terms before the last one (for a multiply-add, that of the product) minus that of
    /// the last one.
    pub difference: i32,
    /// How far the exponent of the sum is below that of the larger term; none if the sum is exactly zero. Only
    /// subtractions cancel; additions give 0.
    pub canceled: Option<u32>,
}

/// Where an exact result lies among the values of the format, and how it is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Landing {
    /// The sign of the exact result.
    pub negative: bool,
    /// Where the exact magnitude lies.
    pub region: Region,
    /// How far the exact magnitude lies from the lower of the two codes around it to the upper one.
    pub rest: Rest,
    /// Whether the lower code is odd: the lowest kept bit.
    pub is_odd: bool,
    /// Whether it is rounded up to the upper code, or what represents it.
    pub goes_up: bool,
    /// The boundary that the rounding crosses on its way up.
    pub step: Step,
    /// Whether it is beyond the largest value after rounding.
    pub overflows: bool,
    /// The resulting code.
    pub code: u128,
    /// Class of the result.
    pub class: Class,
    /// The flags of this rounding, if requested.
    pub flags: u64,
}

/// The boundary that a rounding up crosses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// None: it is exact or rounded down, or was beyond the largest value already.
    None,
    /// From one value to the next one in the same binade, or of a fixed-point format.
    WithinBinade,
    /// From the last value of a binade to the first one of the next.
    NextBinade,
    /// From a posit to one whose regime is longer or shorter.
    NextRegime,
    /// From zero to the smallest value.
    ToSmallest,
    /// From the largest subnormal to the smallest normal value.
    SubnormalToNormal,
    /// From the largest power of two of the lower supernormal region to the smallest ordinary value.
    LowerToNormal,
    /// From the largest ordinary value to the smallest power of two above.
    NormalToUpper,
    /// From the largest value to overflow.
    ToOverflow,
}

impl Model {
    /// The facts for these input words; a unit with state starts from a reset.
    pub fn examine<W: Clone + Into<Word>>(&self, inputs: &[W]) -> Facts {
        let inputs: Vec<Word> = inputs.iter().cloned().map(Into::into).collect();
        let mut examination = Examination::default();
        self.examine_in(&mut examination, &self.reset(), &inputs);
        examination.facts
    }

    /// The facts for these input words and registers.
    pub fn examine_in<'e, W: Bits>(&self, examination: &'e mut Examination, state: &[W], inputs: &[W]) -> &'e Facts {
        let Examination { facts, outcomes } = examination;
        let formula = match &self.meaning {
            Meaning::Formula(formula) => formula,
            &Meaning::Function(function) => {
                let words: Vec<u128> = inputs.iter().map(|input| input.field(0, u128::BITS)).collect();
                facts.outputs.resize(self.outputs.len(), 0);
                functions::evaluate(self, function, &words, &mut facts.outputs);
                return facts;
            }
            &Meaning::Machine(function, _) => return self.examine_step(facts, function, state, inputs),
        };
        let walk = Walk::reusing(self, formula, inputs, state, std::mem::take(outcomes));
        facts.terms.clear();
        facts.terms.extend((0..formula.terms().len()).map(|at| fact(&walk, formula, TermId(at))));
        facts.outputs.clear();
        facts.outputs.extend(walk.outputs());
        facts.next.clear();
        facts.next.extend(walk.next_state());
        *outcomes = walk.into_outcomes();
        facts
    }

    fn examine_step<'e, W: Bits>(
        &self,
        facts: &'e mut Facts,
        function: MachineFunction,
        state: &[W],
        inputs: &[W],
    ) -> &'e Facts {
        facts.outputs.resize(self.outputs.len(), 0);
        facts.next.clear();
        facts.next.extend(state.iter().map(|word| word.field(0, u128::BITS)));
        functions::step(self, function, &mut facts.next, inputs, &mut facts.outputs);
        facts
    }

    /// The exact values of all terms for these input words and registers; none for plain functions.
    pub fn numbers<W: Bits>(&self, state: &[W], inputs: &[W]) -> Vec<Number> {
        let Meaning::Formula(formula) = &self.meaning else { return vec![] };
        Walk::new(self, formula, inputs, state).into_outcomes().into_iter().map(|outcome| outcome.number).collect()
    }

    /// The exact values of these terms for these input words and registers; none for plain functions.
    pub fn numbers_of<W: Bits>(&self, state: &[W], inputs: &[W], terms: &[TermId]) -> Vec<Number> {
        let Meaning::Formula(formula) = &self.meaning else { return vec![] };
        let walk = Walk::within(self, formula, inputs, state, terms);
        terms.iter().map(|id| walk.of(*id).number.clone()).collect()
    }
}

impl Codes {
    /// Where an exact value lands when rounded to these codes for a target; `random` is the random integer of
    /// stochastic rounding, or the value of port `rm`.
    pub fn landing(&self, target: &Target, exact: Exact, random: u64) -> Landing {
        let policy = Policy::of(target, random);
        let Exact { negative, n, k } = exact;
        landing(self, negative, &n, k, &policy, self.encode_with_flags(negative, &n, k, &policy, target.flags))
    }
}

fn fact<W: Bits>(walk: &Walk<W>, formula: &Formula, id: TermId) -> Fact {
    match &formula.terms()[id.0] {
        Term::Sum { of, .. } | Term::Aligned { of, .. } | Term::Grouped { of, .. } => {
            sum_fact(walk, of, id).map_or(Fact::Nothing, Fact::Sum)
        }
        Term::Round { of, target } | Term::Convert { of, target } => {
            let (codes, policy) = (walk.codes(id), walk.policy(id, target));
            // The result of the walk, unless the flags of this rounding alone are needed.
            let known = walk.of(id).code.filter(|_| target.flags.is_none()).map(|(code, _)| (code, 0));
            match &walk.of(*of).number {
                Number::Finite { negative, n: Magnitude::Small(n), k } => {
                    let rounded =
                        known.unwrap_or_else(|| codes.encode_with_flags(*negative, n, *k, &policy, target.flags));
                    Fact::Landing(landing(codes, *negative, n, *k, &policy, rounded))
                }
                Number::Finite { negative, n: Magnitude::Large(n), k } => {
                    let rounded =
                        known.unwrap_or_else(|| codes.encode_with_flags(*negative, n, *k, &policy, target.flags));
                    Fact::Landing(landing(codes, *negative, n, *k, &policy, rounded))
                }
                Number::Zero { .. } | Number::Infinite { .. } | Number::Nan => Fact::Nothing,
            }
        }
        Term::Rectify(of) if walk.of(*of).number.is_negative() => Fact::Rectified,
        Term::Operand { .. }
        | Term::Zero
        | Term::Power(_)
        | Term::Largest(_)
        | Term::Parts
        | Term::State { .. }
        | Term::Product(..)
        | Term::Choose { .. }
        | Term::Rectify(_)
        | Term::Flush { .. }
        | Term::Negate(_)
        | Term::Scale { .. }
        | Term::Quotient(..)
        | Term::Root { .. }
        | Term::Function { .. } => Fact::Nothing,
    }
}

fn sum_fact<W: Bits>(walk: &Walk<W>, of: &[TermId], id: TermId) -> Option<Sum> {
    let (last, others) = of.split_last()?;
    let sum = &walk.of(id).number;
    let exponent = |term: &TermId| walk.of(*term).number.exponent();
    let (first, last) = (others.iter().filter_map(exponent).max()?, exponent(last)?);
    if matches!(sum, Number::Infinite { .. } | Number::Nan) {
        return None;
    }
    let mut numbers = of.iter().map(|term| &walk.of(*term).number).filter(|number| number.exponent().is_some());
    let is_negative = numbers.next().is_some_and(Number::is_negative);
    let is_subtraction = numbers.any(|number| number.is_negative() != is_negative);
    // An addition with a carry cancels nothing.
    let canceled = sum.exponent().map(|exponent| (first.max(last) - exponent).max(0) as u32);
    Some(Sum { is_subtraction, difference: first - last, canceled })
}

/// Where a nonzero number lands that is rounded to this code with these flags.
fn landing<N: Natural>(
    codes: &Codes,
    negative: bool,
    n: &N,
    k: i32,
    policy: &Policy,
    (code, flags): (u128, u64),
) -> Landing {
    let (position, goes_up) = codes.position(negative, n, k, policy);
    Landing {
        negative,
        region: codes.region(position, negative),
        rest: position.rest,
        is_odd: position.code.is_odd(),
        goes_up,
        step: if goes_up { codes.step_from(position.code, negative) } else { Step::None },
        overflows: codes.overflows(position, goes_up, negative),
        code,
        class: codes.class(code),
        flags,
    }
}

impl Codes {
    fn region(&self, position: Position<I256>, negative: bool) -> Region {
        let (max, min) = (I256::of(self.max_magnitude(negative)), I256::of(self.min_code()));
        match position.code {
            code if code > max => Region::Beyond,
            code if code == max && position.is_inexact() => Region::AboveLargest,
            code if code < min => Region::BelowSmallest,
            code => self.region_of(code.word()),
        }
    }

    /// The region that begins at a magnitude code.
    fn region_of(&self, magnitude: u128) -> Region {
        ask!(self.family, codes => codes.region_of(magnitude))
    }

    /// The boundary between one place on the line of magnitude codes and the next.
    fn step_from(&self, code: I256, negative: bool) -> Step {
        let (max, min) = (I256::of(self.max_magnitude(negative)), I256::of(self.min_code()));
        match code {
            _ if code > max => return Step::None,
            _ if code == max => return Step::ToOverflow,
            _ if code.stepped(true) == min => return Step::ToSmallest,
            _ if code < min => return Step::WithinBinade,
            _ => {}
        }
        let (lower, upper) = (code.word(), code.word() + 1);
        let regime = |magnitude| ask!(self.family, codes => Coding::regime(codes, magnitude));
        match (self.region_of(lower), self.region_of(upper)) {
            (Region::Subnormal, Region::Normal) => Step::SubnormalToNormal,
            (Region::LowerSupernormal, Region::Normal) => Step::LowerToNormal,
            (Region::Normal, Region::UpperSupernormal) => Step::NormalToUpper,
            _ if regime(lower) != regime(upper) => Step::NextRegime,
            _ if ask!(self.family, codes => codes.has_equal_steps()) => Step::WithinBinade,
            _ if self.exponent_of(negative, lower) != self.exponent_of(negative, upper) => Step::NextBinade,
            _ => Step::WithinBinade,
        }
    }

    /// floor(log2) of the value of a magnitude code, if that is a nonzero number.
    fn exponent_of(&self, negative: bool, magnitude: u128) -> Option<i32> {
        let value = self.decode(self.code(negative, magnitude));
        if let Value::Finite(exact) = value { Some(exact.exponent()) } else { None }
    }

    fn overflows(&self, position: Position<I256>, goes_up: bool, negative: bool) -> bool {
        if ask!(self.family, codes => codes.overflows_above_largest()) {
            return matches!(self.region(position, negative), Region::AboveLargest | Region::Beyond);
        }
        position.code.stepped(goes_up) > I256::of(self.max_magnitude(negative))
    }
}
