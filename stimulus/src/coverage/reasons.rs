//! Why bins cannot be reached, in words.

use super::axes;
use super::exacts::Numbers;
use super::groups::{Group, GroupKind};
use super::magnitudes::Magnitudes;
use super::reach::subtracts;
use super::subject::{CoveredUnit, has_negative, has_positive, is_signed};
use binade_golden::Region;
use binade_spec::{Class, Format, TermId};

/// Explains unreachable bins.
pub(crate) struct Reasons<'r> {
    subject: &'r CoveredUnit,
    exacts: &'r [Numbers],
}

impl<'r> Reasons<'r> {
    pub fn new(subject: &'r CoveredUnit, exacts: &'r [Numbers]) -> Reasons<'r> {
        Reasons { subject, exacts }
    }

    /// Why a bin of a group cannot be reached, given which ones can.
    pub fn reason(&self, group: &Group, bin: usize, possible: &[bool]) -> String {
        let places = group.places(bin);
        match group.kind {
            GroupKind::Operand(at) => self.operand(at, &places),
            GroupKind::Operands => self.operands(group, &places, possible),
            GroupKind::Factors(_) => "these factors have no product of this sign, or are the same code".into(),
            GroupKind::Rounding(id) => self.rounding(id, group, &places, possible),
            GroupKind::Step(id) => self.step(id, &places),
            GroupKind::Outcome(id) => self.outcome(id, group, &places, possible),
            GroupKind::Difference(id) if places[1] == 1 && !self.subtracts(id) => "no term is negative".into(),
            GroupKind::Difference(_) => "the exponents of the terms are never this far apart in this order".into(),
            GroupKind::Cancellation(id) if !self.subtracts(id) => "no term is negative".into(),
            GroupKind::Cancellation(_) => "terms with exponents at most one apart never agree in so many bits".into(),
            GroupKind::Flags => "no rounding raises these flags together".into(),
            GroupKind::Rectifier(id) => format!("{} has no negative values", self.subject.format(id)),
            GroupKind::Regime(_) | GroupKind::Parts | GroupKind::Chosen(_) => {
                unreachable!("all bins of {} can be reached", group.name)
            }
        }
    }

    fn subtracts(&self, sum: TermId) -> bool {
        subtracts(self.exacts, self.subject.formula.terms()[sum.0].summands())
    }

    fn operand(&self, at: usize, places: &[usize]) -> String {
        let source = &self.subject.sources[at];
        let format = source.format().expect("an operand has a format");
        let class = format.family_classes()[places[0]];
        if format.class_codes(class).is_none() {
            return no_class(&format, class);
        }
        if places[1] == 1 && !has_negative(&format, class) {
            return negative_class(&format, class);
        }
        if places[1] == 0 && !has_positive(class) {
            return format!("the {} value of {format} is negative", class.name());
        }
        match class {
            Class::Flushed | Class::SignalingNan => format!("a result is never a {}", class.name()),
            Class::Nan => format!("{} never becomes NaN", source.name),
            _ => format!("{} holds no {} number: operands have no such bits", source.name, class.name()),
        }
    }

    fn operands(&self, group: &Group, places: &[usize], possible: &[bool]) -> String {
        let results = places.len() - 1;
        let sources = self.subject.operands().count();
        let classes = |at: usize| group.axes[at].classes[places[at]];
        let operands: Vec<Class> = (0..sources).map(classes).collect();
        let has_any = |places: &[usize]| {
            let with = |result| group.bin(places[..results].iter().copied().chain([result]));
            (0..group.axes[results].labels.len()).any(|result| possible[with(result)])
        };
        if !has_any(places) {
            let sign = &group.axes[results - 1].labels[places[results - 1]];
            let held = |(at, _): (usize, Format)| self.subject.sources[at].register.is_some();
            if self.subject.operands().any(held) && places[results - 1] == 0 {
                return "a register never holds this".into();
            }
            return format!("these operands give no {sign}: NaN, and zero without a sign, count as positive");
        }
        if operands.iter().any(|class| class.is_nan()) {
            return "an operand that is NaN gives NaN or its substitute".into();
        }
        if classes(results) == Class::Flushed || classes(results) == Class::SignalingNan {
            return format!("a result is never a {}", classes(results).name());
        }
        if operands.contains(&Class::Infinity) {
            return "an infinite operand gives infinity or NaN, or a substitute".into();
        }
        "results lie between those of the smallest and the largest operands of the classes, and none of them is in this class"
            .into()
    }

    /// The format of a rounding, and the numbers that it rounds.
    fn stage(&self, id: TermId) -> (Format, &Numbers) {
        (self.subject.target(id).format, &self.exacts[self.subject.rounded(id).0])
    }

    fn rounding(&self, id: TermId, group: &Group, places: &[usize], possible: &[bool]) -> String {
        let (format, exact) = self.stage(id);
        let (region, label) = axes::regions(&format)[places[0]];
        let (_, is_odd, goes_up, _) = axes::PLACES[places[1]];
        let is_possible =
            |keep: &dyn Fn(&[usize]) -> bool| (0..group.len()).any(|bin| possible[bin] && keep(&group.places(bin)));
        if let Some(reason) = self.no_region(&format, region) {
            return reason;
        }
        if places[2] == 1 && exact.negative.is_none() {
            return "no exact result is negative".into();
        }
        if !is_possible(&|other| other[0] == places[0]) {
            return format!("no exact result lies {}: {}", lies(region, label), extent(&exact.magnitudes));
        }
        let (rest, ..) = axes::PLACES[places[1]];
        let of_rest = |other: &[usize]| other[0] == places[0] && axes::PLACES[other[1]].0 == rest;
        if !is_possible(&of_rest) {
            return format!("exact results {} have too few bits to lie there between two codes", lies(region, label));
        }
        if !is_possible(&|other| of_rest(other) && axes::PLACES[other[1]].1 == is_odd) {
            let parity = if is_odd { "even" } else { "odd" };
            return format!("{}, the lower code is {parity} whenever this happens", lies(region, label));
        }
        let direction = if goes_up { "up" } else { "down" };
        format!("{} does not round this {direction}", self.subject.target(id).rounding)
    }

    fn step(&self, id: TermId, places: &[usize]) -> String {
        let (format, exact) = self.stage(id);
        let region = match axes::steps_of(&format)[places[0]].0 {
            binade_golden::Step::SubnormalToNormal => Some(Region::Subnormal),
            binade_golden::Step::LowerToNormal => Some(Region::LowerSupernormal),
            binade_golden::Step::NormalToUpper => Some(Region::UpperSupernormal),
            _ => None,
        };
        if let Some(reason) = region.and_then(|region| self.no_region(&format, region)) {
            return reason;
        }
        if places[1] == 1 && exact.negative.is_none() {
            return "no exact result is negative".into();
        }
        format!("no exact result lies there and is rounded up by {} of {format}", self.subject.target(id).rounding)
    }

    fn outcome(&self, id: TermId, group: &Group, places: &[usize], possible: &[bool]) -> String {
        let (format, exact) = self.stage(id);
        if let Some(&class) = format.family_classes().get(places[0]) {
            if format.class_codes(class).is_none() {
                return no_class(&format, class);
            }
            if class == Class::Nan {
                return format!("{format} has negative values, or they become zero");
            }
            if matches!(class, Class::Infinity | Class::Flushed | Class::SignalingNan) {
                return format!("a number in range never becomes {}", class.name());
            }
        }
        if places[2] == 1 && exact.negative.is_none() {
            return "no exact result is negative".into();
        }
        let label = &group.axes[0].labels[places[0]];
        let reached = (0..group.len()).any(|bin| possible[bin] && group.places(bin)[0] == places[0]);
        match (reached, places[1]) {
            (false, _) => format!(
                "no exact result becomes that: {}, overflow {}",
                extent(&exact.magnitudes),
                self.subject.target(id).overflow
            ),
            (true, 0) => format!("{label}: never exact"),
            (true, _) if places[2] == 1 && !is_signed(&format) => format!("{format} has no negative values"),
            (true, _) => format!("{label}: always exact, exact results have no more bits than {format}"),
        }
    }

    /// Why a format does not have this region.
    fn no_region(&self, format: &Format, region: Region) -> Option<String> {
        let class = match region {
            Region::Subnormal => Class::Subnormal,
            Region::LowerSupernormal => Class::LowerSupernormal,
            Region::UpperSupernormal => Class::UpperSupernormal,
            _ => return None,
        };
        format.class_codes(class).is_none().then(|| no_class(format, class))
    }
}

fn no_class(format: &Format, class: Class) -> String {
    match class {
        Class::Zero | Class::Infinity | Class::Nan | Class::SignalingNan => format!("{format} has no {}", class.name()),
        _ => format!("{format} has no {} values", class.name()),
    }
}

fn negative_class(format: &Format, class: Class) -> String {
    debug_assert!(!has_negative(format, class));
    match class {
        _ if class.is_nan() => "the sign of NaN is ignored: it counts as positive".into(),
        _ if !is_signed(format) => format!("{format} has no signs"),
        _ => format!("{format} has no negative {}", class.name()),
    }
}

fn lies(region: Region, label: &str) -> String {
    match region {
        Region::BelowSmallest | Region::AboveLargest => label.into(),
        _ => format!("in the {label} region"),
    }
}

/// The range of exact values, in words.
fn extent(exact: &Magnitudes) -> String {
    match exact.ends() {
        Some((low, high)) => format!("magnitudes range from 2^{low} to below 2^{}", high + 1),
        None => "all are zero".into(),
    }
}
