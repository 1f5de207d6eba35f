//! The bins of an operation, in groups. A bin of a group is a place on each of its axes.

use super::axes::{self, Axis};
use crate::places::{Place, places};
use binade_golden::{Fact, Facts, Landing};
use binade_spec::word::low_bits;
use binade_spec::{Class, Content, Format, Meaning, Operation, Output, Port, Shape, Term, TermId, WordKind};

/// One of the roundings of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The rounding of the product of `mac`.
    Product,
    /// The rounding to `y`.
    Result,
    /// The rounding to `out`.
    Output,
}

/// What a group counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Class and sign of the operand on this lane of a port.
    Operand(usize),
    /// Classes of all operands, operation sign, class of the result.
    Operands,
    /// Regime of the posit on this lane of a port.
    Regime(usize),
    /// Which of zero, NaR, sign and sticky bit are given to `posit-encoder`.
    Parts,
    /// Exponent difference of the terms of a sum.
    Difference,
    /// How many leading bits cancel.
    Cancellation,
    /// Where the exact result lies between two codes, and which one it becomes.
    Rounding(Stage),
    /// What rounding up steps over.
    Step(Stage),
    /// Where the result is, exact or not.
    Outcome(Stage),
    /// The word of exception flags.
    Flags,
    /// Whether `out` is rectified.
    Rectifier,
}

/// Bins of one kind.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub kind: Kind,
    pub name: String,
    pub axes: Vec<Axis>,
}

impl Group {
    /// How many bins there are.
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

/// All groups of an operation.
pub(crate) fn groups(operation: &Operation) -> Vec<Group> {
    let ports = operation.inputs();
    let mut groups = vec![];
    for (at, place) in places(&ports).iter().enumerate() {
        let Content::Code(format) = place.content else { continue };
        let name = place.name(ports[place.port].name);
        groups.push(Group { kind: Kind::Operand(at), name: name.clone(), axes: axes::operand(&format) });
        if let Some(posit) = format.posit() {
            let name = format!("regime of {name}");
            groups.push(Group { kind: Kind::Regime(at), name, axes: vec![axes::regime(posit), axes::signs()] });
        }
    }
    match operation.shape() {
        Shape::RunningSum | Shape::Function | Shape::Other => return groups,
        Shape::Parts => groups.push(Group { kind: Kind::Parts, name: "parts".into(), axes: axes::parts() }),
        Shape::Conversion | Shape::Product | Shape::Sum | Shape::Accumulation | Shape::RoundedAccumulation => {
            groups.push(operands_group(operation, &ports));
        }
    }
    if operation.shape().adds() {
        let (difference, cancellation) = (axes::difference(operation), axes::cancellation(operation));
        let name = "exponent difference".into();
        groups.push(Group { kind: Kind::Difference, name, axes: vec![difference, axes::operation_signs()] });
        groups.push(Group { kind: Kind::Cancellation, name: "cancellation".into(), axes: vec![cancellation] });
    }
    for stage in stages(operation) {
        groups.extend(stage_groups(stage, &stage_operation(operation, stage).result));
    }
    if operation.output.is_some_and(|output| output.relu) {
        groups.push(Group { kind: Kind::Rectifier, name: "rectifier".into(), axes: vec![axes::rectifier()] });
    }
    if operation.flags.is_some() {
        groups.push(Group { kind: Kind::Flags, name: "flags".into(), axes: vec![axes::flags()] });
    }
    groups
}

fn operands_group(operation: &Operation, ports: &[Port]) -> Group {
    let names: Vec<&str> = ports.iter().filter(|port| port.format().is_some()).map(|port| port.name).collect();
    let signs = if operation.shape().adds() { axes::operation_signs() } else { axes::signs() };
    let mut group_axes: Vec<Axis> =
        ports.iter().filter_map(Port::format).map(|format| axes::classes(&format)).collect();
    group_axes.extend([signs, axes::classes(&operation.result)]);
    Group { kind: Kind::Operands, name: format!("{} x sign x result", names.join(" x ")), axes: group_axes }
}

fn stage_groups(stage: Stage, format: &Format) -> [Group; 3] {
    let of = match stage {
        Stage::Product => " of the product",
        Stage::Result => "",
        Stage::Output => " of out",
    };
    [
        Group { kind: Kind::Rounding(stage), name: format!("rounding{of}"), axes: axes::rounding(format) },
        Group { kind: Kind::Step(stage), name: format!("carry{of}"), axes: vec![axes::steps(format), axes::signs()] },
        Group { kind: Kind::Outcome(stage), name: format!("regions{of}"), axes: axes::outcomes(format) },
    ]
}

/// The roundings of a unit, in their order.
pub(crate) fn stages(operation: &Operation) -> Vec<Stage> {
    Anatomy::of(operation).roundings.into_iter().map(|(stage, _)| stage).collect()
}

/// The terms of an operation's formula that groups ask for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Anatomy {
    terms: usize,
    roundings: Vec<(Stage, TermId)>,
    sum: Option<TermId>,
    rectifier: Option<TermId>,
}

impl Anatomy {
    pub fn of(operation: &Operation) -> Anatomy {
        let Meaning::Formula(formula) = operation.meaning() else { return Anatomy::default() };
        let mut anatomy = Anatomy { terms: formula.terms().len(), ..Anatomy::default() };
        let outputs: Vec<TermId> = formula.outputs().iter().filter_map(Output::code).collect();
        for (at, term) in formula.terms().iter().enumerate() {
            let id = TermId(at);
            match term {
                Term::Sum { .. } => anatomy.sum = Some(id),
                Term::Rectify(_) => anatomy.rectifier = Some(id),
                Term::Round { .. } | Term::Convert { .. } => {
                    let stage = match outputs.iter().position(|output| *output == id) {
                        None => Stage::Product,
                        Some(0) => Stage::Result,
                        Some(_) => Stage::Output,
                    };
                    anatomy.roundings.push((stage, id));
                }
                Term::Operand { .. } | Term::Parts | Term::State { .. } | Term::Product(..) | Term::Choose { .. } => {}
            }
        }
        anatomy
    }

    /// Facts of which only one rounding is known.
    pub fn only(&self, stage: Stage, landing: Landing) -> Facts {
        let mut terms = vec![Fact::Nothing; self.terms];
        if let Some((_, id)) = self.roundings.iter().find(|(other, _)| *other == stage) {
            terms[id.0] = Fact::Landing(landing);
        }
        Facts { terms, outputs: vec![] }
    }

    /// How a vector went at a rounding.
    pub fn landing(&self, facts: &Facts, stage: Stage) -> Option<Landing> {
        let (_, id) = self.roundings.iter().find(|(other, _)| *other == stage)?;
        facts.landing(*id)
    }
}

/// The operation whose `result` format and policies are those of a rounding.
pub(crate) fn stage_operation(operation: &Operation, stage: Stage) -> Operation {
    match (stage, &operation.output) {
        (Stage::Output, Some(output)) => operation.output_conversion(output),
        _ => *operation,
    }
}

/// One vector, as the groups see it.
pub(crate) struct Vector<'v> {
    pub operation: &'v Operation,
    pub anatomy: &'v Anatomy,
    pub places: &'v [Place],
    /// Codes and words, lane by lane.
    pub lanes: &'v [u128],
    pub facts: Facts,
}

impl Vector<'_> {
    /// The bin of a group that the vector is in.
    pub fn bin(&self, group: &Group) -> Option<usize> {
        let facts = &self.facts;
        match group.kind {
            Kind::Operand(at) => {
                let (class, negative) = self.class(at)?;
                Some(group.bin([axes::family_place(&self.format(at)?, class), usize::from(negative)]))
            }
            Kind::Operands => self.operands_bin(group),
            Kind::Regime(at) => {
                let (class, negative) = self.class(at)?;
                let posit = *self.format(at)?.posit()?;
                let place = axes::regime_place(&posit, self.lanes[at]);
                class.is_number().then(|| group.bin([place, usize::from(negative)]))
            }
            Kind::Parts => {
                let word = |at: usize| self.lanes[at] as usize;
                Some(group.bin([word(1) | word(2) << 1, word(0), word(5)]))
            }
            Kind::Difference => {
                let sum = facts.sum(self.anatomy.sum?)?;
                Some(group.bin([axes::difference_place(&group.axes[0], sum.difference), sum.is_subtraction.into()]))
            }
            Kind::Cancellation => {
                let sum = facts.sum(self.anatomy.sum?).filter(|sum| sum.is_subtraction)?;
                let last = group.axes[0].labels.len() - 1;
                Some(sum.cancelled.map_or(last, |bits| (bits as usize).min(last - 1)))
            }
            Kind::Rounding(stage) => {
                let landing = self.anatomy.landing(facts, stage)?;
                let region = axes::region_place(&stage_operation(self.operation, stage).result, landing.region)?;
                Some(group.bin([region, axes::place_between(&landing), landing.negative.into()]))
            }
            Kind::Step(stage) => {
                let landing = self.anatomy.landing(facts, stage)?;
                let format = stage_operation(self.operation, stage).result;
                Some(group.bin([axes::step_place(&format, landing.step)?, landing.negative.into()]))
            }
            Kind::Outcome(stage) => {
                let landing = self.anatomy.landing(facts, stage)?;
                let format = stage_operation(self.operation, stage).result;
                let (outcome, inexact) = (axes::outcome_place(&format, &landing), axes::is_inexact(&landing));
                Some(group.bin([outcome, inexact.into(), landing.negative.into()]))
            }
            Kind::Flags => facts.outputs.last().map(|word| low_bits(word) as usize),
            Kind::Rectifier => Some((facts.terms[self.anatomy.rectifier?.0] == Fact::Rectified).into()),
        }
    }

    /// The code of the result, the first output.
    pub fn y(&self) -> u128 {
        low_bits(&self.facts.outputs[0])
    }

    fn format(&self, at: usize) -> Option<Format> {
        match self.places[at].content {
            Content::Code(format) => Some(format),
            Content::Word { .. } => None,
        }
    }

    /// Class and sign of the operand on a port. The sign of NaN means nothing.
    fn class(&self, at: usize) -> Option<(Class, bool)> {
        let format = self.format(at)?;
        let code = self.lanes[at];
        let class = format.class(code);
        Some((class, !class.is_nan() && code & format.sign_mask() != 0))
    }

    fn operands_bin(&self, group: &Group) -> Option<usize> {
        let operands = self.places.iter().filter(|place| matches!(place.content, Content::Code(_))).count();
        let mut places = [0; 5];
        let mut sign = false;
        for (at, place) in places.iter_mut().enumerate().take(operands) {
            let (class, negative) = self.class(at)?;
            *place = group.axes[at].class_place(class);
            sign ^= negative;
        }
        places[operands] = sign.into();
        places[operands + 1] = group.axes[operands + 1].class_place(self.operation.result.class(self.y()));
        Some(group.bin(places))
    }
}

/// Whether a lane is the random word.
pub(crate) fn is_random(place: &Place) -> bool {
    matches!(place.content, Content::Word { kind: WordKind::Random, .. })
}
