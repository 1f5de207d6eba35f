//! The plain walk over a formula, term by term, with numbers of any size: the definition of a unit's results. The fast
//! paths (`evaluate.rs`) are tested against it.

use crate::flags::{DIVISION_BY_ZERO, INVALID};
use crate::number::{Magnitude, Number};
use crate::{Bits, Codec, Codes, Model, Policy};
use binade_spec::{
    Alignment, Format, Formula, Function, Grouping, Nan, NanResult, Output, Overflow, Port, PositRange, Rounding,
    ScaleRule, Target, Term, TermId, Tininess, Word,
};
use std::cmp::Ordering;

/// The result of a term.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub number: Number,
    /// The code and its format, for terms that have one.
    pub code: Option<(u128, Format)>,
    /// The exception flags of the term and its operands.
    pub flags: u64,
}

/// The operands of one evaluation.
pub(crate) struct Walk<'m, W> {
    model: &'m Model,
    formula: &'m Formula,
    inputs: &'m [W],
    /// The codes in the registers.
    state: &'m [W],
    outcomes: Vec<Outcome>,
}

impl<'m, W: Bits> Walk<'m, W> {
    /// Evaluates all terms.
    pub fn new(model: &'m Model, formula: &'m Formula, inputs: &'m [W], state: &'m [W]) -> Walk<'m, W> {
        Walk::reusing(model, formula, inputs, state, Vec::with_capacity(formula.terms().len()))
    }

    /// Evaluates all terms in the storage of an earlier walk.
    pub fn reusing(
        model: &'m Model,
        formula: &'m Formula,
        inputs: &'m [W],
        state: &'m [W],
        mut outcomes: Vec<Outcome>,
    ) -> Walk<'m, W> {
        outcomes.clear();
        let mut walk = Walk { model, formula, inputs, state, outcomes };
        for at in 0..formula.terms().len() {
            let outcome = walk.outcome(TermId(at));
            walk.outcomes.push(outcome);
        }
        walk
    }

    /// Evaluates only these terms and what they depend on; the other ones count as zero.
    pub fn within(
        model: &'m Model,
        formula: &'m Formula,
        inputs: &'m [W],
        state: &'m [W],
        terms: &[TermId],
    ) -> Walk<'m, W> {
        let mut is_needed = vec![false; terms.iter().map(|id| id.0 + 1).max().unwrap_or(0)];
        terms.iter().for_each(|id| is_needed[id.0] = true);
        for at in (0..is_needed.len()).rev() {
            if is_needed[at] {
                formula.terms()[at].uses().iter().for_each(|used| is_needed[used.0] = true);
            }
        }
        let mut walk = Walk { model, formula, inputs, state, outcomes: Vec::with_capacity(is_needed.len()) };
        for (at, is_needed) in is_needed.into_iter().enumerate() {
            let zero = || Outcome { number: Number::Zero { negative: false }, code: None, flags: 0 };
            let outcome = if is_needed { walk.outcome(TermId(at)) } else { zero() };
            walk.outcomes.push(outcome);
        }
        walk
    }

    /// The results of all terms: storage for the next walk.
    pub fn into_outcomes(self) -> Vec<Outcome> {
        self.outcomes
    }

    /// The result of a term.
    pub fn of(&self, id: TermId) -> &Outcome {
        &self.outcomes[id.0]
    }

    /// The codes that a term can have.
    pub fn codes(&self, id: TermId) -> &Codes {
        self.model.codes(id)
    }

    /// The codes in the lanes of the outputs, and the flags.
    pub fn outputs(&self) -> impl Iterator<Item = u128> {
        let flags = self.model.port_flags(self.formula.results().fold(0, |all, id| all | self.of(id).flags));
        self.formula.outputs().iter().flat_map(move |output| {
            let has_flags = *output == Output::Flags;
            let codes = output.codes().iter().map(|id| self.code(*id).0);
            codes.chain(has_flags.then_some(flags.into()))
        })
    }

    /// The words of the outputs.
    pub fn words(&self, ports: &[Port]) -> Vec<Word> {
        let mut lanes = self.outputs();
        let mut lane = || lanes.next().expect("a code for each lane");
        let word = |port: &Port| {
            let place = |word: Word, at: u32| word | Word::from(lane()) << (at * port.lane_width());
            (0..port.lanes).fold(Word::ZERO, place)
        };
        ports.iter().map(word).collect()
    }

    /// The new codes in the registers.
    pub fn next_state(&self) -> impl Iterator<Item = u128> {
        self.formula.registers().iter().map(|register| self.code(register.next).0)
    }

    fn code(&self, id: TermId) -> (u128, Format) {
        self.of(id).code.expect("an output is a code")
    }

    /// The policy of a rounding, with its part of the random word.
    pub fn policy(&self, id: TermId, target: &Target) -> Policy {
        let bits = target.rounding.port_bits();
        let random = match self.inputs.last() {
            Some(word) if bits > 0 => word.field(self.model.random_offset(id), bits) as u64,
            _ => 0,
        };
        Policy::of(target, random)
    }

    /// A rounding of the formula in this vector.
    fn resolved(&self, rounding: Rounding) -> Rounding {
        let rm = self.inputs.last().map_or(0, |word| word.field(0, 3) as u64);
        rounding.resolved(rm)
    }

    fn outcome(&self, id: TermId) -> Outcome {
        let term = &self.formula.terms()[id.0];
        let inherited = |terms: &[TermId]| terms.iter().fold(0, |flags, term| flags | self.of(*term).flags);
        match term {
            Term::Operand { port, lane } => self.operand(id, *port, *lane),
            Term::Zero => Outcome { number: Number::Zero { negative: false }, code: None, flags: 0 },
            Term::Power(exponent) => Outcome { number: Number::power_of_two(*exponent), code: None, flags: 0 },
            Term::Largest(of) => self.largest(id, of),
            Term::Parts => {
                let word = |port: usize| self.inputs[port].field(0, u64::BITS) as u64;
                let parts = self.model.value_of_parts([0, 1, 2, 3, 4, 5].map(word));
                Outcome { number: parts.into(), code: None, flags: 0 }
            }
            Term::State { register } => {
                let format = self.formula.registers()[*register].format;
                self.coded(id, self.state[*register].field(0, format.width()), 0)
            }
            Term::Product(a, b) => {
                let number = Number::product(&self.of(*a).number, &self.of(*b).number);
                let flags = inherited(&[*a, *b]) | self.invalid_nan(&number, &[*a, *b]);
                Outcome { number, code: None, flags }
            }
            Term::Sum { of, rounding } => {
                let terms: Vec<&Number> = of.iter().map(|term| &self.of(*term).number).collect();
                let number = Number::sum(&terms, self.resolved(*rounding));
                let flags = inherited(of) | self.invalid_nan(&number, of);
                Outcome { number, code: None, flags }
            }
            Term::Aligned { of, alignment, cut, rounding } => {
                let number = self.aligned_sum(of, alignment, *cut, self.resolved(*rounding));
                Outcome { number, code: None, flags: inherited(of) | self.opposite_infinities(of) }
            }
            Term::Grouped { of, grouping } => {
                let number = self.grouped_sum(of, grouping);
                Outcome { number, code: None, flags: inherited(of) | self.opposite_infinities(of) }
            }
            Term::Choose { port, one, zero } => {
                let chosen = if self.inputs[*port].field(0, 1) == 1 { one } else { zero };
                self.of(*chosen).clone()
            }
            Term::Round { of, target } => self.round(id, *of, target),
            Term::Convert { of, target } => self.convert(id, *of, target),
            Term::Rectify(of) => {
                let Outcome { number, flags, .. } = self.of(*of);
                let (code, format) = self.code(*of);
                let code = if number.is_negative() { format.zero_code(false) } else { code };
                self.coded(id, code, *flags)
            }
            Term::Flush { of, keeps_sign } => self.flush(id, *of, *keeps_sign),
            Term::Negate(of) => {
                let Outcome { number, flags, .. } = self.of(*of);
                Outcome { number: number.negated(), code: None, flags: *flags }
            }
            Term::Scale { of, element, rule, .. } => self.scale(id, of, element, *rule),
            Term::Quotient(x, y) => {
                let number = Number::divided(&self.of(*x).number, &self.of(*y).number);
                self.divided(number, *x, *y, inherited(&[*x, *y]))
            }
            Term::Root { of, is_reciprocal: true } => {
                let number = Number::root(&self.of(*of).number, true);
                self.divided(number, *of, *of, inherited(&[*of]))
            }
            Term::Function { of, function } => self.function(id, *function, *of),
            Term::Root { of, is_reciprocal: false } => {
                let number = Number::root(&self.of(*of).number, false);
                let flags = inherited(&[*of]) | self.invalid_nan(&number, &[*of]);
                Outcome { number, code: None, flags }
            }
        }
    }

    /// A quotient whose divisor is `y`, or the root of `y`. By a zero without a sign, it is NaN. A quotient of numbers
    /// that is infinite or NaN because the divisor is zero raises division by zero, unless the dividend `x` is zero, too
    /// (IEEE 754-2019 section 7.3).
    fn divided(&self, quotient: Number, x: TermId, y: TermId, inherited: u64) -> Outcome {
        let is_zero = |id: TermId| matches!(self.of(id).number, Number::Zero { .. });
        let has_sign = || self.code(y).1.has_minus_zero();
        let number = if is_zero(y) && !has_sign() { Number::Nan } else { quotient };
        let is_finite = x == y || matches!(self.of(x).number, Number::Finite { .. });
        let raised = match self.model.flags {
            Some(_) if is_zero(y) && is_finite => DIVISION_BY_ZERO,
            _ => self.invalid_nan(&number, &[x, y]),
        };
        Outcome { number, code: None, flags: inherited | raised }
    }

    /// A function of a code. At a pole it raises division by zero, outside its domain invalid.
    fn function(&self, id: TermId, function: Function, of: TermId) -> Outcome {
        let (number, is_pole) = self.model.function(id, function, of, self.code(of).0);
        let inherited = self.of(of).flags;
        let raised = match self.model.flags {
            Some(_) if is_pole => DIVISION_BY_ZERO,
            _ => self.invalid_nan(&number, &[of]),
        };
        Outcome { number, code: None, flags: inherited | raised }
    }

    fn operand(&self, id: TermId, port: usize, lane: u32) -> Outcome {
        let format = self.model.codes(id);
        let code = self.inputs[port].field(lane * format.width(), format.width());
        let flags = if self.model.flags.is_some() && format.is_signaling(code) { INVALID } else { 0 };
        self.coded(id, code, flags)
    }

    /// The largest of several codes, as the code of its number.
    fn largest(&self, id: TermId, of: &[TermId]) -> Outcome {
        let flags = of.iter().fold(0, |flags, term| flags | self.of(*term).flags);
        let numbers = || of.iter().map(|term| &self.of(*term).number);
        let largest = match numbers().any(|number| *number == Number::Nan) {
            true => &Number::Nan,
            false => numbers().max_by(|x, y| Number::compare(x, y)).expect("there are codes"),
        };
        let codes = self.codes(id);
        let (code, _) = codes.encode_number(largest, &EXACT, None);
        self.coded(id, codes.without_idle_sign(code), flags)
    }

    /// The scale of a block.
    fn scale(&self, id: TermId, of: &[TermId], element: &Format, rule: ScaleRule) -> Outcome {
        let codes = self.model.codes(id);
        let flags = of.iter().fold(0, |flags, term| flags | self.of(*term).flags);
        let numbers: Vec<&Number> = of.iter().map(|term| &self.of(*term).number).collect();
        if numbers.iter().any(|number| matches!(number, Number::Infinite { .. } | Number::Nan)) {
            return self.coded(id, codes.nan_code().expect("scales have a NaN"), flags);
        }
        let largest = numbers.into_iter().max_by(|x, y| Number::compare_magnitudes(x, y)).expect("a block has terms");
        let exact = if codes.precision() == 1 {
            exponent_of_scale(largest, element, rule).map_or(Number::Zero { negative: false }, Number::power_of_two)
        } else {
            Number::divided(&largest.absolute(), &element.decode(element.max_code()).into())
        };
        let nearest = Policy { overflow: Overflow::Saturate, ..EXACT };
        let (code, _) = codes.encode_number(&exact, &nearest, None);
        self.coded(id, code.max(codes.min_code()), flags)
    }

    /// The sum of terms that are cut off below the largest exponent of all.
    fn aligned_sum(&self, of: &[TermId], alignment: &Alignment, cut: Rounding, rounding: Rounding) -> Number {
        let largest = of.iter().filter_map(|term| self.exponent(*term)).max().unwrap_or(0);
        let largest = alignment.floor.map_or(largest, |floor| largest.max(floor));
        let least = largest - alignment.fraction_bits as i32;
        let kept: Vec<Number> = of.iter().map(|term| self.of(*term).number.cut_off(least, cut)).collect();
        Number::sum(&kept.iter().collect::<Vec<_>>(), rounding)
    }

    /// The sum of groups of truncated products and a code, rounded down where they are added.
    fn grouped_sum(&self, of: &[TermId], grouping: &Grouping) -> Number {
        let Grouping { fraction_bits, sum_bits, floor, limit, is_interleaved } = *grouping;
        let (addend, products) = of.split_last().expect("a sum has terms");
        let [fraction_bits, sum_bits] = [fraction_bits as i32, sum_bits as i32];
        let number = |id: &TermId| &self.of(*id).number;
        if of.iter().map(number).any(|number| matches!(number, Number::Infinite { .. } | Number::Nan)) {
            return Number::sum(&of.iter().map(number).collect::<Vec<_>>(), Rounding::Rne);
        }
        let is_beyond = |negative: bool| {
            let is_it = |product: &Number| {
                product.is_negative() == negative && product.exponent().is_some_and(|exponent| exponent >= limit)
            };
            products.iter().map(number).any(is_it)
        };
        match [is_beyond(false), is_beyond(true)] {
            [false, false] => {}
            [true, true] => return Number::Nan,
            [_, negative] => return Number::Infinite { negative },
        }
        // The sum of each group with a nonzero product, and its exponent.
        let of_group = |group: Vec<TermId>| {
            let exponent = group.iter().filter_map(|id| self.exponent(*id)).max()?;
            let kept: Vec<Number> =
                group.iter().map(|id| number(id).cut_off(exponent - fraction_bits, Rounding::Rtz)).collect();
            Some((Number::sum(&kept.iter().collect::<Vec<_>>(), Rounding::Rne), exponent))
        };
        let sums: Vec<(Number, i32)> = grouping.groups(products).into_iter().filter_map(of_group).collect();
        let of_sums = sums.iter().map(|(_, exponent)| *exponent).max();
        let of_addend = self.exponent(*addend);
        let largest = [of_sums, of_addend].into_iter().flatten().fold(floor, i32::max);
        let down = |number: &Number, least: i32| number.cut_off(least, Rounding::Rdn);
        let down_to_larger = |(sum, _): &(Number, i32)| of_sums.map(|larger| down(sum, larger - fraction_bits));
        let parts: Vec<Number> = sums.iter().filter_map(down_to_larger).collect();
        let products = down(&Number::sum(&parts.iter().collect::<Vec<_>>(), Rounding::Rne), largest - sum_bits);
        let zero = Number::Zero { negative: false };
        let is_dropped = of_addend.is_none_or(|exponent| is_interleaved && exponent < largest - fraction_bits - 1);
        let addend = if is_dropped { zero.clone() } else { down(number(addend), largest - fraction_bits) };
        Number::sum(&[&products, &addend, &zero], Rounding::Rne)
    }

    /// A code, or zero if it is subnormal.
    fn flush(&self, id: TermId, of: TermId, keeps_sign: bool) -> Outcome {
        let Outcome { number, flags, .. } = self.of(of);
        let (code, format) = self.code(of);
        let smallest = format.float().filter(|_| format.underflows_gradually()).map(|float| 1 - float.bias);
        let is_zero = matches!(number, Number::Zero { .. });
        let is_subnormal = smallest.zip(number.exponent()).is_some_and(|(smallest, exponent)| exponent < smallest);
        let code = match is_zero && !keeps_sign || is_subnormal {
            true => format.zero_code(number.is_negative() && keeps_sign),
            false => code,
        };
        self.coded(id, code, *flags)
    }

    /// The exponent for aligning a term, if it is a nonzero number: for a code `floor(log2)`, but not below the
    /// smallest normal exponent; for a product the sum of its factors' exponents; for an exact sum 0, even if it is zero.
    fn exponent(&self, id: TermId) -> Option<i32> {
        match self.formula.terms()[id.0] {
            Term::Product(a, b) => return Some(self.exponent(a)? + self.exponent(b)?),
            Term::Sum { .. } => return Some(0),
            _ => {}
        }
        let exponent = self.of(id).number.exponent()?;
        let (_, format) = self.code(id);
        let has_subnormals = format.underflows_gradually();
        let least = format.float().filter(|_| has_subnormals).map_or(i32::MIN, |float| 1 - float.bias);
        Some(exponent.max(least))
    }

    /// Invalid, if flags are requested and there are infinities of both signs, whether or not a term is NaN.
    fn opposite_infinities(&self, of: &[TermId]) -> u64 {
        let is_infinity = |wanted: bool| {
            let is_wanted = |number: &Number| matches!(number, Number::Infinite { negative } if *negative == wanted);
            of.iter().any(|term| is_wanted(&self.of(*term).number))
        };
        if self.model.flags.is_some() && is_infinity(false) && is_infinity(true) { INVALID } else { 0 }
    }

    fn coded(&self, id: TermId, code: u128, flags: u64) -> Outcome {
        let format = self.model.codes(id);
        Outcome { number: format.decode(code).into(), code: Some((code, **format)), flags }
    }

    /// Invalid, if flags are requested and terms without NaN give a NaN.
    fn invalid_nan(&self, number: &Number, terms: &[TermId]) -> u64 {
        let is_new = *number == Number::Nan && terms.iter().all(|term| self.of(*term).number != Number::Nan);
        if is_new && self.model.flags.is_some() { INVALID } else { 0 }
    }

    fn round(&self, id: TermId, of: TermId, target: &Target) -> Outcome {
        let (code, flags) = self.encode(id, of, target);
        self.coded(id, self.model.codes(id).without_idle_sign(code), flags)
    }

    /// The code of a number before meaningless signs are normalized, and the flags.
    fn encode(&self, id: TermId, of: TermId, target: &Target) -> (u128, u64) {
        let Outcome { number, flags, .. } = self.of(of);
        let (code, raised) = self.model.codes(id).encode_number(number, &self.policy(id, target), target.flags);
        (code, flags | raised)
    }

    fn convert(&self, id: TermId, of: TermId, target: &Target) -> Outcome {
        let (from, format) = self.code(of);
        if target.nan == NanResult::Payload
            && let Some(code) = converted_nan_payload(from, &format, &target.format, target.flags.is_some())
        {
            return self.coded(id, code, self.of(of).flags);
        }
        let (code, flags) = self.encode(id, of, target);
        let code = if format.is_nan(from) { target.nan_code() } else { code };
        // The operand's sign is kept, even for zero and NaN.
        let is_negative = format.float().is_some() && from & format.sign_mask() != 0;
        let keeps_sign = target.format.ignores_sign_of_specials() && is_negative;
        let sign = if keeps_sign { target.format.sign_mask() } else { 0 };
        self.coded(id, code | sign, flags)
    }
}

/// The policy for numbers that have a code.
const EXACT: Policy =
    Policy { rounding: Rounding::Rne, overflow: Overflow::Inf, posit_range: PositRange::Saturate, random: 0 };

impl Codes {
    /// The code of a number of any size, rounded once, and the flags.
    pub(crate) fn encode_number(&self, number: &Number, policy: &Policy, tininess: Option<Tininess>) -> (u128, u64) {
        match number {
            Number::Finite { negative, n: Magnitude::Small(n), k } => {
                self.encode_with_flags(*negative, n, *k, policy, tininess)
            }
            Number::Finite { negative, n: Magnitude::Large(n), k } => {
                self.encode_with_flags(*negative, n, *k, policy, tininess)
            }
            Number::Zero { .. } | Number::Infinite { .. } | Number::Nan => {
                let value = number.small().expect("no number");
                let raised = tininess.map_or(0, |_| self.exceptions_of_special(value));
                (self.encode_by(value, policy), raised)
            }
        }
    }

    /// The code of an arithmetic result, without a meaningless sign.
    pub(crate) fn without_idle_sign(&self, code: u128) -> u128 {
        let is_special = code & self.magnitude_mask() == 0 || self.is_nan(code);
        if self.ignores_sign_of_specials() && is_special { code & self.magnitude_mask() } else { code }
    }
}

/// A NaN converted between IEEE 754 encodings keeps sign and payload if the result has room for it. With flags, which
/// report a signaling NaN, it becomes quiet.
pub(crate) fn converted_nan_payload(code: u128, from: &Format, to: &Format, has_flags: bool) -> Option<u128> {
    let (Format::Float(from), Format::Float(to)) = (from, to) else { return None };
    let keeps = from.nan == Nan::TopField && to.nan == Nan::TopField && to.trailing_bits >= from.trailing_bits;
    if !keeps || !from.is_nan(code) {
        return None;
    }
    let sign = if code & from.sign_mask() != 0 { to.sign_mask() } else { 0 };
    let payload = code & ((1 << from.trailing_bits) - 1);
    let quiet = if has_flags { 1 << (to.trailing_bits - 1) } else { 0 };
    Some(sign | to.infinity_magnitude() | quiet | payload << (to.trailing_bits - from.trailing_bits))
}

/// The exponent of the scale of a block whose largest number is given; none if that is zero.
fn exponent_of_scale(largest: &Number, element: &Format, rule: ScaleRule) -> Option<i32> {
    let exponent = largest.exponent()?;
    let of_element = element.largest_exponent() as i32;
    // The largest magnitude with which the exponent of the scale is still that of the largest magnitude, less that of elements.
    let last = |bound: Number| Number::compare_magnitudes(largest, &bound) != Ordering::Greater;
    let stays = match rule {
        ScaleRule::Floor => true,
        ScaleRule::Ceil => last(Number::power_of_two(exponent)),
        // Halfway between the last number of the binade and the next power of two, which is even.
        ScaleRule::Even => {
            let half = Number::power_of_two(exponent - element.precision() as i32).negated();
            let halfway = Number::sum(&[&Number::power_of_two(exponent + 1), &half], Rounding::Rne);
            Number::compare_magnitudes(largest, &halfway) == Ordering::Less
        }
        ScaleRule::Rceil => {
            let power = Number::power_of_two(exponent - of_element);
            last(Number::product(&element.decode(element.largest_code()).into(), &power))
        }
    };
    Some(exponent - of_element + i32::from(!stays))
}
