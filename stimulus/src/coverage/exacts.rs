//! The possible exact values of the terms of a formula, and samples of them.

use super::bound::Bound;
use super::magnitudes::{Magnitudes, largest_exponent};
use super::subject::{CoveredUnit, class_exponents, has_negative, is_signed};
use binade_golden::{Codec, Codes, Exact, Value, function_of};
use binade_spec::{Class, Format, Function, Invalid, NanFrom, Overflow, Target, Term, TermId};

/// The possible values of a term. This is an upper bound: everything else is impossible, but not all of it need occur.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers {
    /// Magnitudes of the numbers of both signs.
    pub magnitudes: Magnitudes,
    /// Magnitudes of the negative numbers, if there are any.
    pub negative: Option<Magnitudes>,
    /// Lists of the magnitudes of positive and negative numbers, if they are few.
    listed: Option<[Vec<Exact>; 2]>,
    /// An upper bound for magnitudes.
    largest: Option<Bound>,
    pub is_zero: bool,
    pub infinity: Option<Infinity>,
    pub is_nan: bool,
    /// An upper bound for the bits from the leading one to the last one; `None` for sums of distant terms, which may
    /// have any number of bits.
    pub bits: Option<u32>,
    /// What is known of numbers with very many bits: quotients and roots.
    endless: Option<Endless>,
}

/// Quotients and roots. They end after few bits or never.
#[derive(Clone, Copy, Debug)]
struct Endless {
    /// An upper bound for the bits of the numbers that end.
    ending_bits: u32,
    /// The numbers that never end are less than the next power of two by more than `2^-below` of it.
    below: u32,
    /// They exceed the power of two before by more than `2^-above` of it.
    above: u32,
}

impl Endless {
    /// Whether there may be a number that never ends just above `n`, which has `bits` bits after the leading one.
    fn has(&self, n: u128, bits: i32) -> bool {
        let (first, bits) = (1_u128 << bits, bits as u32);
        let distance = |places: u32| first.checked_shr(places).filter(|_| places <= bits);
        let is_low = distance(self.above).is_none_or(|above| n - first >= above);
        let is_high = distance(self.below).is_none_or(|below| 2 * first - n > 2 * below);
        is_low && is_high
    }
}

/// The possible infinities of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Infinity {
    pub has_negative: bool,
}

/// The possible values of the terms of a formula.
pub(crate) fn exacts(subject: &CoveredUnit) -> Vec<Numbers> {
    let state_quantum = state_quantum(subject);
    let mut all: Vec<Numbers> = vec![];
    for (at, term) in subject.formula.terms().iter().enumerate() {
        let numbers = match term {
            Term::Operand { .. } => Numbers::of(&subject.format(TermId(at))),
            Term::State { register } => {
                Numbers::of(&subject.formula.registers()[*register].format).of_state(state_quantum)
            }
            Term::Zero => Numbers { is_zero: true, bits: Some(0), ..Numbers::default() },
            Term::Power(exponent) => Numbers::power(*exponent),
            Term::Largest(of) => {
                let (first, others) = of.split_first().expect("there are codes");
                others.iter().fold(all[first.0].clone(), |any, term| any.union(&all[term.0]))
            }
            Term::Parts => Numbers::of_parts(subject),
            Term::Product(a, b) => {
                let formats = [a, b].map(|id| subject.coded(*id).then(|| subject.format(*id)));
                all[a.0].product(&all[b.0], formats)
            }
            // Truncating terms does not add possible numbers.
            Term::Sum { of, .. } | Term::Aligned { of, .. } | Term::Grouped { of, .. } => {
                let (first, others) = of.split_first().expect("a sum has terms");
                others.iter().fold(all[first.0].clone(), |sum, term| sum.sum(&all[term.0]))
            }
            Term::Choose { one, zero, .. } => all[one.0].union(&all[zero.0]),
            Term::Round { of, target } | Term::Convert { of, target } => all[of.0].rounded(target),
            Term::Rectify(of) => Numbers {
                negative: None,
                is_zero: true,
                infinity: all[of.0].infinity.map(|_| Infinity { has_negative: false }),
                ..all[of.0].clone()
            },
            // Subnormal numbers are a part of these.
            Term::Flush { of, .. } => Numbers { is_zero: true, ..all[of.0].clone() },
            Term::Negate(of) => all[of.0].negated(),
            Term::Scale { format, .. } => Numbers::of(format),
            Term::Quotient(x, y) => all[x.0].quotient(&all[y.0], subject.format(*y).has_minus_zero()),
            Term::Root { of, is_reciprocal } => all[of.0].root(*is_reciprocal, subject.format(*of).has_minus_zero()),
            Term::Function { of, function } => Numbers::of_function(*function, subject.model.codes(*of)),
        };
        all.push(numbers);
    }
    mark_nans(subject, &mut all);
    all
}

/// Marks the terms that can be NaN: a register only if some sequence from a reset produces one.
fn mark_nans(subject: &CoveredUnit, all: &mut [Numbers]) {
    let mut is_settled = false;
    while !is_settled {
        is_settled = true;
        for at in 0..all.len() {
            if !all[at].is_nan && makes_nan(subject, all, TermId(at)) {
                all[at].is_nan = true;
                is_settled = false;
            }
        }
    }
}

fn makes_nan(subject: &CoveredUnit, all: &[Numbers], id: TermId) -> bool {
    let term = &subject.formula.terms()[id.0];
    let is_made = match term {
        Term::Operand { .. } => subject.format(id).nan_code().is_some(),
        Term::State { register } => all[subject.formula.registers()[*register].next.0].is_nan,
        Term::Parts => true,
        Term::Scale { of, .. } => of.iter().any(|term| all[term.0].infinity.is_some()),
        // A value without a code in the format becomes NaN.
        Term::Round { of, target } | Term::Convert { of, target } => {
            let is_negative = all[of.0].has_negative() && !is_signed(&target.format);
            target.format.nan_code().is_some() && (!has(&target.format, Class::Infinity) || is_negative)
        }
        Term::Function { of, function: Function::Recip | Function::Rsqrt }
        | Term::Quotient(_, of)
        | Term::Root { of, is_reciprocal: true }
            if all[of.0].is_zero && !subject.format(*of).has_minus_zero() =>
        {
            true
        }
        _ => is_invalid_possible(subject, all, id),
    };
    is_made || term.facets().nan != NanFrom::None && term.uses().iter().any(|used| all[used.0].is_nan)
}

/// Whether a term can be an invalid operation.
pub(crate) fn is_invalid_possible(subject: &CoveredUnit, exacts: &[Numbers], id: TermId) -> bool {
    let term = &subject.formula.terms()[id.0];
    let of: Vec<&Numbers> = term.uses().iter().map(|used| &exacts[used.0]).collect();
    match term.facets().invalid {
        Invalid::Never => false,
        Invalid::SignalingNan => has(&subject.format(id), Class::SignalingNan),
        Invalid::InfinityTimesZero => [(0, 1), (1, 0)].iter().any(|&(a, b)| of[a].infinity.is_some() && of[b].is_zero),
        Invalid::DifferenceOfInfinities => {
            let infinite: Vec<Infinity> = of.iter().filter_map(|term| term.infinity).collect();
            infinite.len() > 1 && infinite.iter().any(|infinity| infinity.has_negative)
        }
        Invalid::NoCode => of[0].is_nan || of[0].infinity.is_some(),
        Invalid::NoQuotient => {
            let is_of_infinities = of[0].infinity.is_some() && (of[1].infinity.is_some() || of[1].is_zero);
            of[0].is_zero && of[1].is_zero || is_of_infinities
        }
        Invalid::NegativeRadicand => of[0].has_negative(),
        Invalid::OutsideDomain => {
            let Term::Function { of, function } = term else { unreachable!("only functions have a domain") };
            let codes = subject.model.codes(*of);
            let is_nan = |code| codes.decode(code) == Value::Nan;
            (0..1 << codes.width()).any(|code| !is_nan(code) && is_outside(*function, codes, code))
        }
    }
}

/// Whether a function is NaN at a code that is not, and not because of a zero without a sign.
fn is_outside(function: Function, codes: &Codes, code: u128) -> bool {
    let (value, is_pole) = function_of(function, codes, code);
    value == Value::Nan && !is_pole
}

/// Whether a register can hold a code of this class.
pub(crate) fn is_held(subject: &CoveredUnit, exacts: &[Numbers], source: usize, class: Class) -> bool {
    if matches!(class, Class::SignalingNan | Class::Flushed) {
        return false;
    }
    let format = subject.sources[source].format().expect("a register has a format");
    let state = (0..exacts.len()).find(|&at| subject.source(TermId(at)) == Some(source));
    match (state, class_exponents(&format, class)) {
        (Some(state), None) if class == Class::Nan => exacts[state].is_nan,
        (Some(state), Some((low, high))) => {
            exacts[state].magnitudes.first_from(low).is_some_and(|exponent| exponent <= high)
        }
        (None, _) | (_, None) => true,
    }
}

/// The largest value of a format.
fn largest_value(format: &Format) -> Bound {
    let code = if has(format, Class::Lowest) { format.sign_mask() } else { format.largest_code() };
    match format.decode(code) {
        Value::Finite(Exact { n, k, .. }) => Bound { n, k },
        other => unreachable!("{other} is not the largest value"),
    }
}

fn has(format: &Format, class: Class) -> bool {
    format.class_codes(class).is_some()
}

/// The infinities of a format.
fn infinity_of(format: &Format) -> Option<Infinity> {
    has(format, Class::Infinity).then(|| Infinity { has_negative: has_negative(format, Class::Infinity) })
}

impl Numbers {
    /// Whether a negative number or -infinity is possible.
    pub fn has_negative(&self) -> bool {
        self.negative.is_some() || self.infinity.is_some_and(|infinity| infinity.has_negative)
    }

    fn of(format: &Format) -> Numbers {
        let magnitudes = Magnitudes::of(format);
        Numbers {
            negative: is_signed(format).then(|| magnitudes.clone()),
            magnitudes,
            listed: Magnitudes::listed(format),
            largest: Some(largest_value(format)),
            is_zero: has(format, Class::Zero) || has(format, Class::Flushed),
            infinity: infinity_of(format),
            is_nan: false,
            bits: Some(format.precision()),
            endless: None,
        }
    }

    /// The possible values of a register with these codes.
    fn of_state(self, quantum: Option<i32>) -> Numbers {
        let whole = |magnitudes: Magnitudes| match quantum {
            Some(quantum) => magnitudes.multiples_of(quantum),
            None => magnitudes,
        };
        let (magnitudes, negative) = (whole(self.magnitudes), self.negative.map(whole));
        Numbers { magnitudes, negative, listed: None, is_zero: true, ..self }
    }

    fn of_parts(subject: &CoveredUnit) -> Numbers {
        let [exponent, significand] = [3, 4].map(|port: usize| subject.inputs()[port].width());
        let exponent_reach = 1 << (exponent - 1);
        // One more bit for the sticky bit.
        let bits = significand + 1;
        let magnitudes = Magnitudes::significands(-exponent_reach..=exponent_reach - 1, bits as i32);
        Numbers {
            negative: Some(magnitudes.clone()),
            magnitudes,
            is_zero: true,
            bits: Some(bits),
            ..Numbers::default()
        }
    }

    /// Products; `formats` are given for factors that are codes.
    fn product(&self, other: &Numbers, formats: [Option<Format>; 2]) -> Numbers {
        let magnitudes = match formats {
            [Some(a), Some(b)] => Magnitudes::products(&a, &b),
            [None, _] | [_, None] => self.magnitudes.times(&other.magnitudes),
        };
        let has_negative = self.has_negative() || other.has_negative();
        let has_infinity = self.infinity.is_some() || other.infinity.is_some();
        let listed = match (&self.listed, &other.listed) {
            (Some(a), Some(b)) => Magnitudes::listed_products(a, b),
            (None, _) | (_, None) => None,
        };
        Numbers {
            negative: (self.negative.is_some() || other.negative.is_some()).then(|| magnitudes.clone()),
            magnitudes,
            listed,
            largest: self.largest.zip(other.largest).map(|(x, y)| x.product(y)),
            is_zero: self.is_zero || other.is_zero,
            infinity: has_infinity.then_some(Infinity { has_negative }),
            is_nan: false,
            // The largest product, `(2^p - 1)^2`, is far from the next power of two, so one bit less suffices.
            bits: self.bits.zip(other.bits).map(|(x, y)| x + y - 1),
            endless: None,
        }
    }

    fn power(k: i32) -> Numbers {
        let power = Exact { negative: false, n: 1, k };
        Numbers {
            magnitudes: Magnitudes::significands(k..=k, 1),
            listed: Some([vec![power], vec![]]),
            largest: Some(Bound { n: 1, k }),
            bits: Some(1),
            ..Numbers::default()
        }
    }

    /// Quotients. Zero has a sign if `zero_has_sign`; else nothing is divided by it.
    fn quotient(&self, divisor: &Numbers, zero_has_sign: bool) -> Numbers {
        let magnitudes = self.magnitudes.over(&divisor.magnitudes);
        let is_by_zero = divisor.is_zero && zero_has_sign;
        let has_negative = self.has_negative() || divisor.has_negative() || is_by_zero;
        let bits = self.bits.zip(divisor.bits);
        Numbers {
            negative: (self.negative.is_some() || divisor.negative.is_some()).then(|| magnitudes.clone()),
            magnitudes,
            listed: self.listed.as_ref().zip(divisor.listed.as_ref()).and_then(|(x, y)| listed_quotients(x, y)),
            largest: None,
            is_zero: self.is_zero || divisor.infinity.is_some(),
            infinity: (self.infinity.is_some() || is_by_zero).then_some(Infinity { has_negative }),
            is_nan: false,
            bits: None,
            // x / y = q has no more bits than x, if it ends; and x and y differ by at least one unit of the finer one.
            endless: bits.map(|(x, y)| Endless { ending_bits: x, below: x.max(y), above: x.max(y) }),
        }
    }

    /// Roots, or their reciprocals.
    fn root(&self, is_reciprocal: bool, zero_has_sign: bool) -> Numbers {
        let magnitudes = if is_reciprocal { self.magnitudes.reciprocal_roots() } else { self.magnitudes.roots() };
        let infinity = match is_reciprocal {
            true => (self.is_zero && zero_has_sign).then_some(Infinity { has_negative: true }),
            false => self.infinity.map(|_| Infinity { has_negative: false }),
        };
        let ending_bits = |bits: u32| if is_reciprocal { 1 } else { bits.div_ceil(2) };
        Numbers {
            negative: None,
            magnitudes,
            listed: self.listed.as_ref().map(|[positive, _]| [listed_roots(positive, is_reciprocal), vec![]]),
            largest: None,
            is_zero: if is_reciprocal { self.infinity.is_some() } else { self.is_zero },
            infinity,
            is_nan: false,
            bits: None,
            // The root of 1 - d is less than 1 - d/2.
            endless: self.bits.map(|bits| Endless { ending_bits: ending_bits(bits), below: bits + 1, above: u32::MAX }),
        }
    }

    /// The values of a function of all codes.
    fn of_function(function: Function, codes: &Codes) -> Numbers {
        let mut numbers = Numbers { bits: None, listed: Some(Default::default()), ..Numbers::default() };
        let mut negative = Magnitudes::default();
        for code in 0..1 << codes.width() {
            match function_of(function, codes, code).0 {
                Value::Zero { .. } => numbers.is_zero = true,
                Value::Infinite { negative } => {
                    let has_negative = negative || numbers.infinity.is_some_and(|infinity| infinity.has_negative);
                    numbers.infinity = Some(Infinity { has_negative });
                }
                Value::Nan => {}
                Value::Finite(exact) => {
                    let magnitudes = if exact.negative { &mut negative } else { &mut numbers.magnitudes };
                    magnitudes.add(exact.exponent(), exact.k);
                    let listed = numbers.listed.as_mut().expect("all are listed");
                    listed[usize::from(exact.negative)].push(exact);
                }
            }
        }
        let has_negative = negative.iter().next().is_some();
        numbers.negative = has_negative.then_some(negative);
        numbers
    }

    /// Sums of two terms of either sign.
    fn sum(&self, other: &Numbers) -> Numbers {
        let magnitudes = self.magnitudes.sums(&other.magnitudes, self.negative.is_some() || other.negative.is_some());
        let negative = match (&self.negative, &other.negative) {
            (Some(_), Some(_)) => Some(magnitudes.clone()),
            (Some(negative), None) => Some(negative.excesses(&other.magnitudes)),
            (None, Some(negative)) => Some(negative.excesses(&self.magnitudes)),
            (None, None) => None,
        };
        Numbers {
            magnitudes,
            negative,
            listed: None,
            largest: self.largest.zip(other.largest).map(|(x, y)| x.sum(y)),
            is_zero: true,
            infinity: either(self.infinity, other.infinity),
            is_nan: false,
            bits: None,
            endless: None,
        }
    }

    /// The negated numbers.
    fn negated(&self) -> Numbers {
        Numbers {
            negative: Some(self.magnitudes.clone()),
            infinity: self.infinity.map(|_| Infinity { has_negative: true }),
            listed: self.listed.clone().map(|[positive, negative]| [negative, positive]),
            ..self.clone()
        }
    }

    fn union(&self, other: &Numbers) -> Numbers {
        let negative = match (&self.negative, &other.negative) {
            (Some(x), Some(y)) => Some(x.union(y)),
            (one, other) => one.clone().or(other.clone()),
        };
        Numbers {
            magnitudes: self.magnitudes.union(&other.magnitudes),
            negative,
            listed: self
                .listed
                .as_ref()
                .zip(other.listed.as_ref())
                .map(|(x, y)| [0, 1].map(|sign: usize| [x[sign].as_slice(), &y[sign]].concat())),
            largest: self.largest.zip(other.largest).map(|(x, y)| x.or_larger(y)),
            is_zero: self.is_zero || other.is_zero,
            infinity: either(self.infinity, other.infinity),
            is_nan: false,
            bits: self.bits.zip(other.bits).map(|(x, y)| x.max(y)),
            endless: None,
        }
    }

    /// The numbers after rounding.
    fn rounded(&self, target: &Target) -> Numbers {
        let format = &target.format;
        let ends_finite = target.overflow == Overflow::Saturate || !has(format, Class::Infinity);
        let largest_of_format = largest_value(format);
        let top = Magnitudes::of(format).last_up_to(i32::MAX).filter(|_| self.infinity.is_some() && ends_finite);
        let rounded = |magnitudes: &Magnitudes| {
            let mut rounded = magnitudes.rounded(format);
            // The result for an infinity.
            if let Some(top) = top {
                rounded.add(top, Magnitudes::of(format).quantum(top).unwrap_or(top));
                if let Format::Fixed(fixed) = format {
                    rounded.add(largest_exponent(fixed), fixed.min_exponent() as i32);
                }
            }
            rounded
        };
        let largest = match self.largest {
            // Rounding up gives at most the next power of two.
            Some(largest) if top.is_none() && largest.exponent() < largest_of_format.exponent() => {
                Bound { n: 1, k: largest.exponent() + 1 }
            }
            Some(_) | None => largest_of_format,
        };
        Numbers {
            magnitudes: rounded(&self.magnitudes),
            negative: self.negative.as_ref().filter(|_| is_signed(format)).map(rounded),
            listed: None,
            largest: Some(largest),
            is_zero: true,
            infinity: infinity_of(format)
                .map(|infinity| Infinity { has_negative: infinity.has_negative && self.has_negative() }),
            is_nan: false,
            bits: Some(format.precision()),
            endless: None,
        }
    }

    /// Numbers of every possible kind and both signs, before a rounding to this format.
    pub fn samples(&self, format: &Format) -> Vec<Exact> {
        let of_sign = |magnitudes: &Magnitudes, negative| -> Vec<Exact> {
            let exacts = match &self.listed {
                Some(listed) => listed[usize::from(negative)].clone(),
                None => {
                    let binades = distinct_binades(format, magnitudes);
                    let of_binade = |&(exponent, quantum): &(i32, i32)| match &self.endless {
                        Some(endless) if exponent - quantum >= MANY_BITS => {
                            endless_patterns(format, exponent, quantum, endless)
                        }
                        Some(_) | None => patterns(format, exponent, quantum),
                    };
                    let all = binades.iter().flat_map(of_binade);
                    all.filter(|exact| self.largest.is_none_or(|largest| !largest.is_exceeded_by(exact))).collect()
                }
            };
            exacts.into_iter().map(|exact| Exact { negative, ..exact }).collect()
        };
        let negative = self.negative.as_ref().map(|magnitudes| of_sign(magnitudes, true));
        [of_sign(&self.magnitudes, false), negative.unwrap_or_default()].concat()
    }
}

/// The infinities of both.
fn either(one: Option<Infinity>, other: Option<Infinity>) -> Option<Infinity> {
    let has_negative = [one, other].into_iter().flatten().any(|infinity| infinity.has_negative);
    one.or(other).map(|_| Infinity { has_negative })
}

/// The quantum of registers that hold sums of operands: all sums are multiples of the power of two of the operands'
/// finest bits; `None` if they are not.
///
/// A multiple of `2^q` stays one when it is rounded to a format: where the format is finer the result is exact, where
/// it is coarser the result is a multiple of its steps. Only the smallest and the largest value, for results outside
/// the range, may not be multiples.
fn state_quantum(subject: &CoveredUnit) -> Option<i32> {
    let registers = subject.formula.registers();
    let quanta: Option<Vec<i32>> = registers.iter().map(|register| least_quantum(subject, register.next)).collect();
    quanta?.into_iter().min()
}

/// The finest bit of a term without the registers in it, which are multiples of another power of two; `None` if there
/// is no such bit.
fn least_quantum(subject: &CoveredUnit, id: TermId) -> Option<i32> {
    let finest = |magnitudes: &Magnitudes| magnitudes.iter().map(|(_, quantum)| quantum).min();
    let least =
        |of: &[TermId]| of.iter().map(|id| least_quantum(subject, *id)).collect::<Option<Vec<_>>>()?.into_iter().min();
    match &subject.formula.terms()[id.0] {
        Term::Operand { .. } => finest(&Magnitudes::of(&subject.format(id))),
        Term::State { .. } | Term::Zero => Some(i32::MAX),
        Term::Power(exponent) => Some(*exponent),
        Term::Parts
        | Term::Product(..)
        | Term::Quotient(..)
        | Term::Root { .. }
        | Term::Function { .. }
        | Term::Scale { .. } => None,
        Term::Sum { of, .. } | Term::Aligned { of, .. } | Term::Grouped { of, .. } | Term::Largest(of) => least(of),
        Term::Choose { one, zero, .. } => least(&[*one, *zero]),
        Term::Rectify(of) | Term::Flush { of, .. } | Term::Negate(of) => least(&[*of]),
        Term::Round { of, target } | Term::Convert { of, target } => {
            let (quantum, values) = (least(&[*of])?, Magnitudes::of(&target.format));
            let [first, last] = [values.first_from(i32::MIN)?, values.last_up_to(i32::MAX)?];
            let has_gaps = (quantum..=last).any(|exponent| exponent >= first && values.quantum(exponent).is_none());
            let beyond = values.quantum(last)?;
            let below = if quantum <= first { values.quantum(first)? } else { quantum };
            (!has_gaps).then_some(quantum.min(beyond).min(below))
        }
    }
}

/// The exponents and quanta to sample. In the middle of a floating-point format's range, and below and above it, only
/// two binades with the same number of bits are kept: rounding in all others works alike.
fn distinct_binades(format: &Format, magnitudes: &Magnitudes) -> Vec<(i32, i32)> {
    let Format::Float(float) = format else { return magnitudes.iter().collect() };
    let (low, high) = (float.min_exponent() as i32, float.max_exponent() as i32);
    let ordinary = |class| format.class_codes(class).map(|codes| codes.map(|code| exponent(format, code)));
    let [first, last] = ordinary(Class::Normal).unwrap_or([low, high]);
    let zone = |exponent: i32| match exponent {
        _ if exponent < low - 2 => Some(0),
        _ if (first + 2..last - 1).contains(&exponent) => Some(1),
        _ if exponent > high + 2 => Some(2),
        _ => None,
    };
    let mut binades: Vec<(i32, i32)> = magnitudes.iter().collect();
    // Binades nearest to the format's range come first: stochastic rounding can still distinguish them.
    binades.sort_by_key(|(exponent, _)| (i64::from(*exponent) * 2 - i64::from(low) - i64::from(high)).abs());
    let mut met: Vec<((i32, i32), u32)> = vec![];
    binades.retain(|&(exponent, quantum)| {
        let Some(zone) = zone(exponent) else { return true };
        let key = (zone, kept_bits(format, exponent, quantum));
        match met.iter_mut().find(|(other, _)| *other == key) {
            Some((_, count)) => {
                *count += 1;
                *count <= 2
            }
            None => {
                met.push((key, 1));
                true
            }
        }
    });
    binades
}

fn exponent(format: &Format, code: u128) -> i32 {
    match format.decode(code) {
        Value::Finite(exact) => exact.exponent(),
        other => unreachable!("{other} is no number"),
    }
}

/// Relevant bits after the leading one: anything further below the format's last bit acts like a sticky bit.
fn kept_bits(format: &Format, exponent: i32, quantum: i32) -> i32 {
    (exponent - quantum).min(format.precision() as i32 + 3)
}

/// Numbers with more bits than this are quotients or roots.
const MANY_BITS: i32 = 200;

/// The numbers with this exponent that end, and those just above each pattern, which never end.
fn endless_patterns(format: &Format, exponent: i32, quantum: i32, endless: &Endless) -> Vec<Exact> {
    let ending = exponent + 1 - endless.ending_bits as i32;
    let bits = kept_bits(format, exponent, quantum);
    let never_ending = patterns(format, exponent, quantum).into_iter().filter(|exact| endless.has(exact.n, bits));
    let just_above = never_ending.map(|exact| Exact { n: 2 * exact.n + 1, k: exact.k - 1, ..exact });
    patterns(format, exponent, ending).into_iter().chain(just_above).collect()
}

/// The longest lists whose quotients are listed.
const MOST_LISTED: usize = 1 << 15;

/// Bits of listed quotients and roots besides those of their operands: more than any result has.
const LISTED_BITS: u32 = 80;

/// Truncated, with a sticky bit below: it rounds like the exact number.
fn with_sticky(n: u128, is_exact: bool, k: i32) -> Exact {
    Exact { negative: false, n: n << 1 | u128::from(!is_exact), k: k - 1 }
}

/// The lists of positive and negative quotients of listed values, if they are short.
fn listed_quotients([x, minus_x]: &[Vec<Exact>; 2], [y, minus_y]: &[Vec<Exact>; 2]) -> Option<[Vec<Exact>; 2]> {
    let quotient = |x: &Exact, y: &Exact| {
        let dividend = x.n << LISTED_BITS;
        with_sticky(dividend / y.n, dividend.is_multiple_of(y.n), x.k - y.k - LISTED_BITS as i32)
    };
    let of = |xs: &Vec<Exact>, ys: &Vec<Exact>| -> Option<Vec<Exact>> {
        let is_short = xs.len() * ys.len() <= MOST_LISTED;
        is_short.then(|| xs.iter().flat_map(|x| ys.iter().map(move |y| quotient(x, y))).collect())
    };
    Some([[of(x, y)?, of(minus_x, minus_y)?].concat(), [of(x, minus_y)?, of(minus_x, y)?].concat()])
}

/// The roots of listed values, or their reciprocals.
fn listed_roots(values: &[Exact], is_reciprocal: bool) -> Vec<Exact> {
    let root = |x: &Exact| {
        let (n, k) = if x.k % 2 == 0 { (x.n, x.k) } else { (x.n << 1, x.k - 1) };
        let shift = LISTED_BITS as i32;
        if is_reciprocal {
            let root = ((1 << LISTED_BITS) / n).isqrt();
            with_sticky(root, root * root * n == 1 << LISTED_BITS, -k / 2 - shift / 2)
        } else {
            let radicand = n << LISTED_BITS;
            let root = radicand.isqrt();
            with_sticky(root, root * root == radicand, k / 2 - shift / 2)
        }
    };
    values.iter().map(root).collect()
}

/// Magnitudes with this exponent, multiples of `2^quantum`, with every pattern around every bit, near both ends of the
/// binade.
fn patterns(format: &Format, exponent: i32, quantum: i32) -> Vec<Exact> {
    let bits = kept_bits(format, exponent, quantum);
    let first = 1_u128 << bits;
    let mut fractions = vec![0, 1];
    for bit in 0..bits {
        let (one, half) = (1_u128 << bit, (1_u128 << bit) >> 1);
        fractions.extend([
            one,
            one + 1,
            one.saturating_sub(1),
            one + half,
            one + half + 1,
            one + half.saturating_sub(1),
        ]);
    }
    let both_ends = fractions.iter().flat_map(|&fraction| [first + fraction, (2 * first).saturating_sub(fraction)]);
    let mut numbers: Vec<u128> = both_ends.filter(|number| (first..2 * first).contains(number)).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.into_iter().map(|n| Exact { negative: false, n, k: exponent - bits }).collect()
}
