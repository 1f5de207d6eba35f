//! The bins of a unit, in groups. A bin is one place on each axis of its group.

use super::axes::{self, Axis};
use super::exacts::Numbers;
use super::subject::CoveredUnit;
use binade_golden::{Fact, Facts, Landing};
use binade_spec::{Class, Format, Output, Term, TermId};

/// What a group counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupKind {
    /// Class and sign of the operand from this source.
    Operand(usize),
    /// Classes of all operands, the select bits, operation sign, class of the result.
    Operands,
    /// Classes of the factors of a product, and its sign.
    Factors(TermId),
    /// Regime of the posit from this source.
    Regime(usize),
    /// The select bit from this source.
    Chosen(usize),
    /// Which of zero, NaR, sign and sticky bit are set for `posit-encoder`.
    Parts,
    /// Exponent difference of the terms of a sum.
    Difference(TermId),
    /// The number of leading bits that cancel in a sum.
    Cancellation(TermId),
    /// Where the exact result of a rounding lies between two codes, and which one it becomes.
    Rounding(TermId),
    /// The boundary that a rounding up crosses.
    Step(TermId),
    /// The region of the result, exact or not.
    Outcome(TermId),
    /// The word of exception flags.
    Flags,
    /// Whether a code was rectified.
    Rectifier(TermId),
}

/// Bins of one kind.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub kind: GroupKind,
    pub name: String,
    pub axes: Vec<Axis>,
}

impl Group {
    /// The number of bins.
    pub fn len(&self) -> usize {
        self.axes.iter().map(|axis| axis.labels.len()).product()
    }

    /// The bin at these places.
    pub fn bin(&self, places: impl IntoIterator<Item = usize>) -> usize {
        self.axes.iter().zip(places).fold(0, |bin, (axis, place)| bin * axis.labels.len() + place)
    }

    /// The places of a bin.
    pub fn places(&self, bin: usize) -> Vec<usize> {
        let mut rest = bin;
        let mut places: Vec<usize> = self
            .axes
            .iter()
            .rev()
            .map(|axis| {
                let place = rest % axis.labels.len();
                rest /= axis.labels.len();
                place
            })
            .collect();
        places.reverse();
        places
    }

    /// The name of a bin.
    pub fn label(&self, bin: usize) -> String {
        let places = self.places(bin);
        let labels: Vec<&str> = self.axes.iter().zip(places).map(|(axis, place)| axis.labels[place].as_str()).collect();
        labels.join(", ")
    }
}

/// Units with more operands have groups for the factors of each product instead.
const MOST_OPERANDS: usize = 3;

/// All groups of a unit.
pub(crate) fn groups(subject: &CoveredUnit, exacts: &[Numbers]) -> Vec<Group> {
    let mut groups = source_groups(subject);
    let Some(result) = subject.result() else { return groups };
    let terms = subject.formula.terms();
    if terms.contains(&Term::Parts) {
        groups.push(Group { kind: GroupKind::Parts, name: "parts".into(), axes: axes::parts() });
    } else {
        groups.extend(operands_groups(subject, result));
    }
    let ids = |is_it: fn(&Term) -> bool| (0..terms.len()).filter(move |&at| is_it(&terms[at])).map(TermId);
    let sums: Vec<TermId> = ids(|term| !term.summands().is_empty()).collect();
    for &sum in &sums {
        let of = if sums.len() > 1 { format!(" of {}", subject.text(sum)) } else { String::new() };
        groups.extend(sum_groups(subject, exacts, sum, &of));
    }
    for (id, target) in subject.formula.roundings() {
        groups.extend(stage_groups(id, &of_rounding(subject, id), &target.format));
    }
    let rectifiers: Vec<TermId> = ids(|term| matches!(term, Term::Rectify(_))).collect();
    for &id in &rectifiers {
        let of = if rectifiers.len() > 1 { format!(" of {}", subject.text(id)) } else { String::new() };
        let name = format!("rectifier{of}");
        groups.push(Group { kind: GroupKind::Rectifier(id), name, axes: vec![axes::rectifier()] });
    }
    if subject.formula.outputs().contains(&Output::Flags) {
        let divides = subject.model.operation().divides();
        groups.push(Group { kind: GroupKind::Flags, name: "flags".into(), axes: vec![axes::flags(divides)] });
    }
    groups
}

/// Groups for each source of codes, and for each select bit.
fn source_groups(subject: &CoveredUnit) -> Vec<Group> {
    let mut groups = vec![];
    for (at, format) in subject.operands() {
        let name = subject.sources[at].name.clone();
        groups.push(Group { kind: GroupKind::Operand(at), name: name.clone(), axes: axes::operand(&format) });
        if let Some(posit) = format.posit() {
            let name = format!("regime of {name}");
            groups.push(Group { kind: GroupKind::Regime(at), name, axes: vec![axes::regime(posit), axes::signs()] });
        }
    }
    for &at in &subject.choices {
        groups.push(Group {
            kind: GroupKind::Chosen(at),
            name: subject.sources[at].name.clone(),
            axes: vec![axes::bit()],
        });
    }
    groups
}

/// A group for all operands together, or for the factors of each product if there are many.
fn operands_groups(subject: &CoveredUnit, result: TermId) -> Vec<Group> {
    let named = |sources: &[usize]| {
        let names: Vec<&str> = sources.iter().map(|&at| subject.sources[at].name.as_str()).collect();
        names.join(" x ")
    };
    let (operands, formats): (Vec<usize>, Vec<Format>) = subject.operands().unzip();
    if operands.len() <= MOST_OPERANDS {
        let choices = &subject.choices;
        let has_sum = subject.formula.terms().iter().any(|term| !term.summands().is_empty());
        let signs = if has_sum { axes::operation_signs() } else { axes::signs() };
        let mut group_axes: Vec<Axis> = formats.iter().map(axes::classes).collect();
        group_axes.extend(choices.iter().map(|&at| axes::named_bit(&subject.sources[at].name)));
        group_axes.extend([signs, axes::classes(&subject.format(result))]);
        let name = format!("{} x sign x result", named(&[operands.as_slice(), choices].concat()));
        return vec![Group { kind: GroupKind::Operands, name, axes: group_axes }];
    }
    let factors = (0..subject.formula.terms().len()).filter_map(|at| {
        let [a, b] = factors(subject, TermId(at))?;
        let of = |source: usize| axes::classes(&subject.sources[source].format().expect("a factor has a format"));
        let name = format!("{} x sign", named(&[a, b]));
        Some(Group { kind: GroupKind::Factors(TermId(at)), name, axes: vec![of(a), of(b), axes::signs()] })
    });
    factors.collect()
}

/// The sources of the factors of a product of operands.
pub(crate) fn factors(subject: &CoveredUnit, id: TermId) -> Option<[usize; 2]> {
    let Term::Product(a, b) = subject.formula.terms()[id.0] else { return None };
    Some([subject.source(a)?, subject.source(b)?])
}

fn sum_groups(subject: &CoveredUnit, exacts: &[Numbers], sum: TermId, of: &str) -> [Group; 2] {
    let of_sum = subject.formula.terms()[sum.0].summands();
    let rounding = subject.formula.roundings().find(|(id, _)| subject.formula.within(*id).contains(&sum));
    let precision = rounding.map_or(0, |(_, target)| target.format.precision());
    let bits: Option<Vec<u32>> = of_sum.iter().map(|term| exacts[term.0].bits).collect();
    let known = of_sum.iter().filter_map(|term| exacts[term.0].bits).max();
    let is_open = of_sum.len() > 2 || bits.is_none();
    let cancellation = axes::cancellation(known.unwrap_or(0).max(precision), is_open);
    let difference = vec![axes::difference(precision), axes::operation_signs()];
    [
        Group { kind: GroupKind::Difference(sum), name: format!("exponent difference{of}"), axes: difference },
        Group { kind: GroupKind::Cancellation(sum), name: format!("cancellation{of}"), axes: vec![cancellation] },
    ]
}

/// The suffix of a rounding in the names of its groups, empty for the first output.
fn of_rounding(subject: &CoveredUnit, id: TermId) -> String {
    let outputs = subject.formula.outputs();
    if let Some(output) = outputs.iter().position(|output| output.codes().contains(&id)) {
        return if output == 0 { String::new() } else { format!(" of {}", subject.model.output_ports()[output].name) };
    }
    if let Some(register) = subject.formula.registers().iter().find(|register| register.next == id) {
        return format!(" of {}", register.name);
    }
    let products = subject.formula.terms().iter().filter(|term| matches!(term, Term::Product(..))).count();
    match subject.formula.terms()[id.0] {
        Term::Round { of, .. } if products == 1 && matches!(subject.formula.terms()[of.0], Term::Product(..)) => {
            " of the product".into()
        }
        _ => format!(" of {}", subject.text(id)),
    }
}

fn stage_groups(id: TermId, of: &str, format: &Format) -> [Group; 3] {
    [
        Group { kind: GroupKind::Rounding(id), name: format!("rounding{of}"), axes: axes::rounding(format) },
        Group { kind: GroupKind::Step(id), name: format!("carry{of}"), axes: vec![axes::steps(format), axes::signs()] },
        Group { kind: GroupKind::Outcome(id), name: format!("regions{of}"), axes: axes::outcomes(format) },
    ]
}

/// The bin of a landing in a rounding's group.
pub(crate) fn landing_bin(group: &Group, format: &Format, landing: &Landing) -> Option<usize> {
    let negative = usize::from(landing.negative);
    match group.kind {
        GroupKind::Rounding(_) => {
            let region = axes::region_place(format, landing.region)?;
            Some(group.bin([region, axes::place_between(landing), negative]))
        }
        GroupKind::Step(_) => Some(group.bin([axes::step_place(format, landing.step)?, negative])),
        GroupKind::Outcome(_) => {
            let (outcome, inexact) = (axes::outcome_place(format, landing), axes::is_inexact(landing));
            Some(group.bin([outcome, inexact.into(), negative]))
        }
        GroupKind::Operand(_)
        | GroupKind::Operands
        | GroupKind::Factors(_)
        | GroupKind::Regime(_)
        | GroupKind::Chosen(_)
        | GroupKind::Parts
        | GroupKind::Difference(_)
        | GroupKind::Cancellation(_)
        | GroupKind::Flags
        | GroupKind::Rectifier(_) => None,
    }
}

/// One vector, with what the groups need to know.
pub(crate) struct Vector<'v> {
    pub subject: &'v CoveredUnit,
    /// Codes and words, source by source.
    pub sources: &'v [u128],
    /// Class and sign of each source of codes.
    pub classes: &'v [Option<(Class, bool)>],
    /// Class of the result, if there is one.
    pub result: Option<Class>,
    pub facts: &'v Facts,
}

impl Vector<'_> {
    /// The bin of a group that the vector is in.
    pub fn bin(&self, group: &Group) -> Option<usize> {
        let Vector { subject, facts, .. } = self;
        match group.kind {
            GroupKind::Operand(at) => {
                let (class, negative) = self.classes[at]?;
                let place = axes::family_place(&subject.sources[at].format()?, class);
                Some(group.bin([place, usize::from(negative)]))
            }
            GroupKind::Operands => self.operands_bin(group),
            GroupKind::Factors(id) => {
                let [a, b] = factors(subject, id)?.map(|at| self.classes[at]);
                let ((a, a_negative), (b, b_negative)) = (a?, b?);
                let [a, b] = [group.axes[0].class_place(a), group.axes[1].class_place(b)];
                Some(group.bin([a, b, usize::from(a_negative != b_negative)]))
            }
            GroupKind::Regime(at) => {
                let (class, negative) = self.classes[at]?;
                let posit = *subject.sources[at].format()?.posit()?;
                let place = axes::regime_place(&posit, self.sources[at]);
                class.is_number().then(|| group.bin([place, usize::from(negative)]))
            }
            GroupKind::Chosen(at) => Some((self.sources[at] & 1) as usize),
            GroupKind::Parts => {
                let word = |at: usize| self.sources[at] as usize;
                Some(group.bin([word(1) | word(2) << 1, word(0), word(5)]))
            }
            GroupKind::Difference(id) => {
                let sum = facts.sum(id)?;
                Some(group.bin([axes::difference_place(&group.axes[0], sum.difference), sum.is_subtraction.into()]))
            }
            GroupKind::Cancellation(id) => {
                let sum = facts.sum(id).filter(|sum| sum.is_subtraction)?;
                let last = group.axes[0].labels.len() - 1;
                Some(sum.canceled.map_or(last, |bits| (bits as usize).min(last - 1)))
            }
            GroupKind::Rounding(id) | GroupKind::Step(id) | GroupKind::Outcome(id) => {
                landing_bin(group, &subject.target(id).format, &facts.landing(id)?)
            }
            GroupKind::Flags => facts.outputs.last().map(|word| *word as usize),
            GroupKind::Rectifier(id) => Some((facts.terms[id.0] == Fact::Rectified).into()),
        }
    }

    fn operands_bin(&self, group: &Group) -> Option<usize> {
        let (mut bin, mut sign, mut axes) = (0, false, group.axes.iter());
        let mut put = |place: &dyn Fn(&Axis) -> usize| {
            let axis = axes.next().expect("an axis for each place");
            bin = bin * axis.labels.len() + place(axis);
        };
        for (class, negative) in self.classes.iter().flatten() {
            put(&|axis| axis.class_place(*class));
            sign ^= negative;
        }
        for at in &self.subject.choices {
            put(&|_| (self.sources[*at] & 1) as usize);
        }
        put(&|_| sign.into());
        let result = self.result?;
        put(&|axis| axis.class_place(result));
        Some(bin)
    }
}
