//! The classes that results can have for classes of operands.

use super::axes::Axis;
use super::exacts::{Numbers, is_held};
use super::groups::{Group, factors};
use super::magnitudes::Magnitudes;
use super::subject::{CoveredUnit, class_exponents, has_negative, has_positive, is_signed};
use binade_golden::{Codec, Exact, Examination, Landing, Value};
use binade_spec::{Class, Format, Overflow, Rounding, Term, TermId};

/// The operands of one kind: their classes, their signs and the select bits.
struct Operands<'o> {
    /// The sources of codes, with their formats.
    sources: &'o [(usize, Format)],
    classes: Vec<Class>,
    /// The signs as bits, 1 for negative.
    signs: u32,
    /// One for each source of a select bit.
    choices: Vec<usize>,
}

/// Marks the possible combinations of operand classes, sign and result class. Where the smallest and the largest
/// operands do not decide, everything that the formats have is marked.
pub(crate) fn mark(subject: &CoveredUnit, exacts: &[Numbers], group: &Group, possible: &mut [bool]) {
    let sources: Vec<(usize, Format)> = subject.operands().collect();
    let result = subject.result().expect("a unit with operands has a result");
    let results = &group.axes[group.axes.len() - 1];
    let random_words = random_words(subject);
    for places in places(&group.axes[..group.axes.len() - 2]) {
        let classes = group.axes.iter().zip(&places).take(sources.len());
        let classes: Vec<Class> = classes.map(|(axis, &place)| axis.classes[place]).collect();
        let is_there = |(&(source, _), &class): (&(usize, Format), &Class)| {
            subject.sources[source].register.is_none() || is_held(subject, exacts, source, class)
        };
        if !sources.iter().zip(&classes).all(is_there) {
            continue;
        }
        let choices = places[sources.len()..].to_vec();
        let mut operands = Operands { sources: &sources, classes, signs: 0, choices };
        let is_told = is_told(subject, exacts, result, &operands);
        let gap = Gap::new(subject, exacts, result, &operands);
        for signs in 0..1_u32 << sources.len() {
            operands.signs = signs;
            if !operands.has_signs() {
                continue;
            }
            let range = is_told.then(|| ResultRange::of(subject, result, &operands, &random_words, gap));
            for (class_place, &class) in results.classes.iter().enumerate() {
                if range.as_ref().is_none_or(|range| range.has(&subject.format(result), class)) {
                    let sign = (signs.count_ones() % 2) as usize;
                    possible[group.bin(places.iter().copied().chain([sign, class_place]))] = true;
                }
            }
        }
    }
}

/// Marks the possible classes and signs of two factors.
pub(crate) fn mark_factors(subject: &CoveredUnit, id: TermId, group: &Group, possible: &mut [bool]) {
    let Some(sources) = factors(subject, id) else { return };
    let formats = sources.map(|source| subject.sources[source].format().expect("a factor has a format"));
    for places in places(&group.axes[..2]) {
        let class = |at: usize| group.axes[at].classes[places[at]];
        let is_same = sources[0] == sources[1];
        if is_same && places[0] != places[1] {
            continue;
        }
        let [a, b] = [0, 1].map(|at: usize| [has_positive(class(at)), has_negative(&formats[at], class(at))]);
        let (are_alike, are_unlike) = ((a[0] && b[0]) || (a[1] && b[1]), (a[0] && b[1]) || (a[1] && b[0]));
        possible[group.bin(places.iter().copied().chain([0]))] = is_same || are_alike;
        possible[group.bin(places.iter().copied().chain([1]))] = !is_same && are_unlike;
    }
}

/// Whether results lie between those of the smallest and the largest operands, because they are monotonic in each
/// operand. This holds if each operand is used once, unless an intermediate rounding could give NaN for sums of only
/// one sign.
fn is_told(subject: &CoveredUnit, exacts: &[Numbers], result: TermId, operands: &Operands) -> bool {
    let terms = subject.formula.terms();
    let mut used = operands.uses(subject, result);
    let count = used.len();
    used.sort_unstable();
    used.dedup();
    let within = subject.formula.within(result);
    let is_kept = |id: &TermId| match &terms[id.0] {
        Term::Round { of, target } | Term::Convert { of, target } => {
            *id == result
                || is_signed(&target.format)
                || !exacts[of.0].has_negative()
                || matches!(terms[of.0], Term::Product(..))
        }
        term => term.facets().is_monotone,
    };
    subject.formula.rounding_port_bits() <= u128::BITS
        && used.len() == count
        && terms[result.0].target().is_some()
        && within.iter().all(is_kept)
}

/// All combinations of places on these axes.
fn places(axes: &[Axis]) -> Vec<Vec<usize>> {
    axes.iter().fold(vec![vec![]], |all, axis| {
        let more = |places: &Vec<usize>, place| [places.as_slice(), &[place]].concat();
        all.iter().flat_map(|places| (0..axis.labels.len()).map(move |place| more(places, place))).collect()
    })
}

impl Operands<'_> {
    fn is_negative(&self, at: usize) -> bool {
        self.signs >> at & 1 == 1
    }

    /// Whether the classes have codes of these signs.
    fn has_signs(&self) -> bool {
        let mut operands = self.sources.iter().zip(&self.classes).enumerate();
        operands.all(|(at, ((_, format), class))| match self.is_negative(at) {
            true => has_negative(format, *class),
            false => has_positive(*class),
        })
    }

    /// Every combination of the smallest and largest codes of the classes.
    fn corners(&self) -> Vec<Vec<u128>> {
        let mut all = vec![vec![]];
        for (at, ((_, format), &class)) in self.sources.iter().zip(&self.classes).enumerate() {
            let [first, last] = format.class_codes(class).expect("the axis lists the classes that the format has");
            let signed = |code: u128| if class.is_nan() { code } else { format.code(self.is_negative(at), code) };
            let mut codes = vec![signed(first), signed(last)];
            codes.dedup();
            all = all
                .iter()
                .flat_map(|before| codes.iter().map(move |&code| [before.as_slice(), &[code]].concat()))
                .collect();
        }
        all
    }

    /// The sources of a term, each as often as it is used.
    fn uses(&self, subject: &CoveredUnit, id: TermId) -> Vec<usize> {
        let id = self.chosen(subject, id);
        match subject.source(id) {
            Some(source) => vec![source],
            None => {
                let uses = subject.formula.terms()[id.0].uses();
                uses.iter().flat_map(|used| self.uses(subject, *used)).collect()
            }
        }
    }

    /// The term that is finally chosen.
    fn chosen(&self, subject: &CoveredUnit, id: TermId) -> TermId {
        let Term::Choose { port, one, zero } = subject.formula.terms()[id.0] else { return id };
        let at = subject.choices.iter().position(|&at| subject.places[at].port == port);
        let bit = at.map_or(0, |at| self.choices[at]);
        self.chosen(subject, if bit == 1 { one } else { zero })
    }
}

/// The range of results between those of some vectors.
struct ResultRange {
    /// Classes of those results.
    classes: Vec<Class>,
    /// Smallest and largest place on the code line, negative ones below 0, if the results are numbers or zero.
    line: Option<(i128, i128)>,
    /// The gap around zero in a line that crosses it.
    gap: Option<Gap>,
}

impl ResultRange {
    /// Evaluates each corner with all random bits 0 or 1 in every rounding.
    fn of(
        subject: &CoveredUnit,
        result: TermId,
        operands: &Operands,
        random_words: &[u128],
        gap: Option<Gap>,
    ) -> ResultRange {
        let mut range = ResultRange { classes: vec![], line: None, gap };
        let format = subject.format(result);
        let within = subject.formula.within(result);
        let mut examination = Examination::default();
        let mut sources = vec![0; subject.sources.len()];
        subject.choices.iter().zip(&operands.choices).for_each(|(&at, &bit)| sources[at] = bit as u128);
        let random = subject.sources.iter().position(|source| source.is_random());
        for corner in operands.corners() {
            operands.sources.iter().zip(&corner).for_each(|((at, _), &code)| sources[*at] = code);
            for &word in random_words {
                if let Some(at) = random {
                    sources[at] = word;
                }
                let facts = subject.examine(&mut examination, &sources);
                let y = facts.outputs[0];
                // For a product that overflows before the sum: products of smaller operands do not overflow, but come
                // near.
                let landing = facts.landing(result);
                let inner = within.iter().filter_map(|&id| facts.landing(id)).filter(|inner| inner.overflows);
                let inner: Vec<Landing> = if landing.is_some() { vec![] } else { inner.collect() };
                range.add(&format, y, landing.into_iter().chain(inner));
            }
        }
        range
    }

    fn add(&mut self, format: &Format, y: u128, landings: impl Iterator<Item = Landing>) {
        let class = format.class(y);
        if !self.classes.contains(&class) {
            self.classes.push(class);
        }
        let mut places: Vec<i128> = landings.map(|landing| place(format, y, &landing)).collect();
        if places.is_empty() && class == Class::Zero {
            places.push(0);
        }
        for place in places {
            let (low, high) = self.line.unwrap_or((place, place));
            self.line = Some((low.min(place), high.max(place)));
        }
    }

    /// Whether a result in the range can have this class.
    fn has(&self, format: &Format, class: Class) -> bool {
        if self.classes.contains(&class) {
            return true;
        }
        let (Some((low, high)), Some([first, last])) = (self.line, format.class_codes(class)) else { return false };
        if !(class.is_number() || class == Class::Zero) {
            return false;
        }
        let (first, last) = (first as i128, last as i128);
        if !has_positive(class) {
            return low <= -last;
        }
        if let Some(gap) = self.gap.as_ref().filter(|_| low < 0 && high > 0) {
            return if class == Class::Zero {
                gap.has_zero
            } else {
                last >= gap.smallest && (first <= high || -first >= low)
            };
        }
        (low <= last && first <= high) || (is_signed(format) && low <= -first && -last <= high)
    }
}

/// A gap around zero: differences are not arbitrarily small.
#[derive(Clone, Copy)]
struct Gap {
    /// Whether a difference can be zero, exactly or after rounding.
    has_zero: bool,
    /// Magnitude code of the smallest nonzero difference.
    smallest: i128,
}

impl Gap {
    /// The gap for operands of these classes, if the result is the sum of two terms that are numbers.
    fn new(subject: &CoveredUnit, exacts: &[Numbers], result: TermId, operands: &Operands) -> Option<Gap> {
        let sum = operands.chosen(subject, subject.rounded(result));
        let Term::Sum { of, .. } = &subject.formula.terms()[sum.0] else { return None };
        let &[first, second] = of.as_slice() else { return None };
        let exponents = |id| class_range(subject, exacts, operands, id);
        let (x, y) = (exponents(first)?, exponents(second)?);
        let [first, second]: [&Magnitudes; 2] = [first, second].map(|id| &exacts[id.0].magnitudes);
        let within = |(low, high): (i32, i32), exponent: i32| (low..=high).contains(&exponent);
        // Terms at least two binades apart leave half of the larger one.
        let mut smallest = x.0.max(y.0).max(x.0.min(y.0) + 2) - 1;
        let mut meets = false;
        for (exponent, quantum) in first.iter().filter(|(exponent, _)| within(x, *exponent)) {
            for other in (exponent - 1..=exponent + 1).filter(|&other| within(y, other)) {
                let Some(other_quantum) = second.quantum(other) else { continue };
                smallest = smallest.min(quantum).min(other_quantum);
                meets |= other == exponent;
            }
        }
        let least = magnitude_toward_zero(&subject.format(result), smallest);
        Some(Gap { has_zero: meets || least == 0, smallest: least })
    }
}

/// The smallest and the largest exponent of a term for numbers of the operands' classes; `None` unless the term
/// consists of codes, their products, and roundings of these.
fn class_range(subject: &CoveredUnit, exacts: &[Numbers], operands: &Operands, id: TermId) -> Option<(i32, i32)> {
    if let Some(source) = subject.source(id) {
        let at = operands.sources.iter().position(|(other, _)| *other == source)?;
        return class_exponents(&operands.sources[at].1, operands.classes[at]);
    }
    let of = |id| class_range(subject, exacts, operands, id);
    match subject.formula.terms()[id.0] {
        Term::Product(a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            Some((a.0 + b.0, a.1 + b.1 + 1))
        }
        // The result stays in the format, and is carried up at most once.
        Term::Round { of: rounded, .. } | Term::Convert { of: rounded, .. } => {
            let (low, high) = of(rounded)?;
            let values = &exacts[id.0].magnitudes;
            let low = values.last_up_to(low).or(values.first_from(low))?;
            Some((low, values.first_from(high + 1).or(values.last_up_to(high))?))
        }
        Term::Negate(negated) => of(negated),
        _ => None,
    }
}

/// The magnitude code of `2^exponent`, rounded toward zero.
fn magnitude_toward_zero(format: &Format, exponent: i32) -> i128 {
    if i64::from(exponent) < format.min_exponent() {
        return 0;
    }
    let power = Value::Finite(Exact { negative: false, n: 1, k: exponent });
    format.magnitude(format.encode(power, Rounding::Rtz, Overflow::Saturate)) as i128
}

/// Values of the port that the roundings read, 0 if there is none: for every rounding, all of its random bits 0 or 1; or each
/// rounding that `rm` chooses.
fn random_words(subject: &CoveredUnit) -> Vec<u128> {
    if subject.formula.roundings().any(|(_, target)| target.rounding == Rounding::Any) {
        return (0..Rounding::MODES.len() as u128).collect();
    }
    let mut words = vec![0];
    for (id, target) in subject.formula.roundings().filter(|(_, target)| target.rounding.random_bits() > 0) {
        let offset = subject.model.random_offset(id);
        let ones = ((1_u128 << target.rounding.random_bits()) - 1).checked_shl(offset).unwrap_or(0);
        words = words.iter().flat_map(|word| [*word, word | ones]).collect();
    }
    words
}

/// The place of a rounded result on the line of signed codes; overflowed results are at its ends.
fn place(format: &Format, y: u128, landing: &Landing) -> i128 {
    let beyond = format.max_code() as i128 + 1;
    let magnitude = match format.class(y) {
        // Negative numbers that become NaN in an unsigned format.
        Class::Nan if !is_signed(format) && landing.negative => 1,
        Class::Nan | Class::Infinity => beyond,
        _ => format.magnitude(y) as i128,
    };
    if landing.negative { -magnitude } else { magnitude }
}
