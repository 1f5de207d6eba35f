//! The axes of bins: names of the places, and the place of a fact.

use binade_golden::{Codec, Landing, Region, Rest, Step};
use binade_spec::{Class, Format, Posit, Sign};

/// A property that distinguishes the bins of a group.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    /// Names of the places.
    pub labels: Vec<String>,
    /// Classes of the places, if the axis consists of classes.
    pub classes: Vec<Class>,
}

impl Axis {
    fn new(labels: impl IntoIterator<Item = impl Into<String>>) -> Axis {
        Axis { labels: labels.into_iter().map(Into::into).collect(), classes: vec![] }
    }

    /// The place of a class, which must be one of them.
    pub fn class_place(&self, class: Class) -> usize {
        self.classes.iter().position(|&other| other == class).expect("a format's code is of one of its classes")
    }
}

pub(crate) fn signs() -> Axis {
    Axis::new(["positive", "negative"])
}

pub(crate) fn operation_signs() -> Axis {
    Axis::new(["addition", "subtraction"])
}

/// All classes of the family, and the sign.
pub(crate) fn operand(format: &Format) -> Vec<Axis> {
    vec![Axis::new(format.family_classes().iter().map(|class| class.name())), signs()]
}

/// The place of a class among those of the family.
pub(crate) fn family_place(format: &Format, class: Class) -> usize {
    let place = format.family_classes().iter().position(|&other| other == class);
    place.expect("a code is of a class of its family")
}

/// The classes that the format has.
pub(crate) fn classes(format: &Format) -> Axis {
    let present = |class: &Class| format.class_codes(*class).is_some();
    let classes: Vec<Class> = format.family_classes().iter().copied().filter(present).collect();
    Axis { labels: classes.iter().map(|class| class.name().into()).collect(), classes }
}

/// Regimes from the longest run of zeros to the longest run of ones.
pub(crate) fn regime(posit: &Posit) -> Axis {
    Axis::new(posit.regimes().iter().map(|codes| format!("regime {}", codes.regime)))
}

pub(crate) fn regime_place(posit: &Posit, code: u128) -> usize {
    let lowest = posit.regimes()[0].regime;
    (Format::from(*posit).regime(code).expect("a posit's code") - lowest).max(0) as usize
}

/// The inputs of `posit-encoder`.
pub(crate) fn parts() -> Vec<Axis> {
    let kind = Axis::new(["number", "zero", "NaR", "zero and NaR"]);
    vec![kind, signs(), Axis::new(["nothing below", "sticky"])]
}

/// Exponent differences for a sum that is rounded to this precision, up to where the smaller term is below the guard
/// bit of the larger one even after a bit cancels.
pub(crate) fn difference(precision: u32) -> Axis {
    let reach = precision as i32 + 3;
    Axis::new((-reach..=reach).map(|difference| match difference {
        _ if difference == -reach => format!("{difference} or less"),
        _ if difference == reach => format!("{difference} or more"),
        _ => difference.to_string(),
    }))
}

pub(crate) fn difference_place(axis: &Axis, difference: i32) -> usize {
    let reach = (axis.labels.len() / 2) as i32;
    (difference.clamp(-reach, reach) + reach) as usize
}

/// The number of leading bits that cancel, at most those of the longest term. With more than two terms, or if one is a
/// sum, the last bin includes longer cancellations.
pub(crate) fn cancellation(most: u32, is_open: bool) -> Axis {
    let bits = (0..=most).map(|bits| match bits {
        _ if bits == most && is_open => format!("{bits} bits or more"),
        1 => "1 bit".into(),
        _ => format!("{bits} bits"),
    });
    Axis::new(bits.chain(["all: exactly zero".to_string()]))
}

/// A select bit.
pub(crate) fn bit() -> Axis {
    Axis::new(["0", "1"])
}

/// A select bit, with its name, among other axes.
pub(crate) fn named_bit(name: &str) -> Axis {
    Axis::new([format!("{name} 0"), format!("{name} 1")])
}

/// Regions of the code line within the range of a format, and just outside.
pub(crate) const FLOAT_REGIONS: [(Region, &str); 6] = [
    (Region::BelowSmallest, "below the smallest value"),
    (Region::Subnormal, "subnormal"),
    (Region::LowerSupernormal, "lower supernormal"),
    (Region::Normal, "normal"),
    (Region::UpperSupernormal, "upper supernormal"),
    (Region::AboveLargest, "above the largest value"),
];

pub(crate) const POSIT_REGIONS: [(Region, &str); 3] = [
    (Region::BelowSmallest, "below minpos"),
    (Region::Ordinary, "minpos to maxpos"),
    (Region::AboveLargest, "above maxpos"),
];

pub(crate) const FIXED_REGIONS: [(Region, &str); 3] = [
    (Region::BelowSmallest, "below one ulp"),
    (Region::Ordinary, "in range"),
    (Region::AboveLargest, "above the largest value"),
];

pub(crate) const CODEBOOK_REGIONS: [(Region, &str); 3] = [
    (Region::BelowSmallest, "below the smallest value"),
    (Region::Ordinary, "in range"),
    (Region::AboveLargest, "above the largest value"),
];

/// The position between two codes, whether the lower one is odd, and which one the result becomes.
pub(crate) const PLACES: [(Rest, bool, bool, &str); 14] = [
    (Rest::Zero, false, false, "exact, even"),
    (Rest::Zero, true, false, "exact, odd"),
    (Rest::LessThanHalf, false, false, "below half, even, down"),
    (Rest::LessThanHalf, false, true, "below half, even, up"),
    (Rest::LessThanHalf, true, false, "below half, odd, down"),
    (Rest::LessThanHalf, true, true, "below half, odd, up"),
    (Rest::Half, false, false, "tie, even, down"),
    (Rest::Half, false, true, "tie, even, up"),
    (Rest::Half, true, false, "tie, odd, down"),
    (Rest::Half, true, true, "tie, odd, up"),
    (Rest::MoreThanHalf, false, false, "above half, even, down"),
    (Rest::MoreThanHalf, false, true, "above half, even, up"),
    (Rest::MoreThanHalf, true, false, "above half, odd, down"),
    (Rest::MoreThanHalf, true, true, "above half, odd, up"),
];

pub(crate) fn regions(format: &Format) -> &'static [(Region, &'static str)] {
    match format {
        Format::Float(_) => &FLOAT_REGIONS,
        Format::Posit(_) => &POSIT_REGIONS,
        Format::Fixed(_) => &FIXED_REGIONS,
        Format::Codebook(_) => &CODEBOOK_REGIONS,
    }
}

pub(crate) fn rounding(format: &Format) -> Vec<Axis> {
    let regions = Axis::new(regions(format).iter().map(|(_, label)| *label));
    vec![regions, Axis::new(PLACES.iter().map(|(.., label)| *label)), signs()]
}

/// The place of a region; `None` for results far beyond the range.
pub(crate) fn region_place(format: &Format, region: Region) -> Option<usize> {
    regions(format).iter().position(|(other, _)| *other == region)
}

pub(crate) fn place_between(landing: &Landing) -> usize {
    let Landing { rest, is_odd, goes_up, .. } = *landing;
    let odd = usize::from(is_odd);
    match rest {
        Rest::Zero => odd,
        Rest::LessThanHalf => 2 + 2 * odd + usize::from(goes_up),
        Rest::Half => 6 + 2 * odd + usize::from(goes_up),
        Rest::MoreThanHalf => 10 + 2 * odd + usize::from(goes_up),
    }
}

pub(crate) const FLOAT_STEPS: [(Step, &str); 7] = [
    (Step::WithinBinade, "within a binade"),
    (Step::NextBinade, "into the next binade"),
    (Step::ToSmallest, "from zero to the smallest value"),
    (Step::ToOverflow, "from the largest value to overflow"),
    (Step::SubnormalToNormal, "from subnormal to normal"),
    (Step::LowerToNormal, "from lower supernormal to normal"),
    (Step::NormalToUpper, "from normal to upper supernormal"),
];

pub(crate) const POSIT_STEPS: [(Step, &str); 5] = [
    (Step::WithinBinade, "within a binade"),
    (Step::NextBinade, "into the next binade"),
    (Step::ToSmallest, "up to minpos"),
    (Step::ToOverflow, "from maxpos to NaR"),
    (Step::NextRegime, "into the next regime"),
];

pub(crate) const FIXED_STEPS: [(Step, &str); 3] = [
    (Step::WithinBinade, "from ulp to ulp"),
    (Step::ToSmallest, "from zero to one ulp"),
    (Step::ToOverflow, "from the largest value beyond"),
];

pub(crate) const CODEBOOK_STEPS: [(Step, &str); 4] = [
    (Step::WithinBinade, "within a binade"),
    (Step::NextBinade, "into the next binade"),
    (Step::ToSmallest, "from zero to the smallest value"),
    (Step::ToOverflow, "from the largest value beyond"),
];

pub(crate) fn steps_of(format: &Format) -> &'static [(Step, &'static str)] {
    match format {
        Format::Float(_) => &FLOAT_STEPS,
        Format::Posit(_) => &POSIT_STEPS,
        Format::Fixed(_) => &FIXED_STEPS,
        Format::Codebook(_) => &CODEBOOK_STEPS,
    }
}

pub(crate) fn steps(format: &Format) -> Axis {
    Axis::new(steps_of(format).iter().map(|(_, label)| *label))
}

/// The place of a step; `None` if no boundary was crossed.
pub(crate) fn step_place(format: &Format, step: Step) -> Option<usize> {
    steps_of(format).iter().position(|(other, _)| *other == step)
}

/// The results of overflow other than the largest value.
pub(crate) const OVERFLOWS: [(Class, &str); 2] =
    [(Class::Infinity, "overflow to infinity"), (Class::Nan, "overflow to NaN")];

/// The class of the result or the kind of overflow, whether it is exact, and its sign.
pub(crate) fn outcomes(format: &Format) -> Vec<Axis> {
    let classes = format.family_classes().iter().map(|class| match class {
        Class::Zero => "underflow to zero",
        Class::Nan => "NaN for a negative number",
        class => class.name(),
    });
    let overflows = OVERFLOWS.iter().map(|(_, label)| *label).chain(["overflow to the largest value"]);
    vec![Axis::new(classes.chain(overflows)), Axis::new(["exact", "inexact"]), signs()]
}

pub(crate) fn outcome_place(format: &Format, landing: &Landing) -> usize {
    let classes = format.family_classes().len();
    let is_negated = landing.negative && format.sign() == Sign::Unsigned;
    if !landing.overflows || is_negated {
        return family_place(format, landing.class);
    }
    classes + OVERFLOWS.iter().position(|(class, _)| *class == landing.class).unwrap_or(OVERFLOWS.len())
}

/// Whether the exact result lies between codes, or overflows.
pub(crate) fn is_inexact(landing: &Landing) -> bool {
    landing.rest != Rest::Zero
}

pub(crate) fn rectifier() -> Axis {
    Axis::new(["passed on", "negative, made zero"])
}

/// Every word of flags.
pub(crate) fn flags(divides: bool) -> Axis {
    let names: &[&str] = match divides {
        true => &["inexact", "underflow", "overflow", "division by zero", "invalid"],
        false => &["inexact", "underflow", "overflow", "invalid"],
    };
    Axis::new((0..1 << names.len()).map(|word| {
        let raised = names.iter().enumerate().rev().filter(|(bit, _)| word >> bit & 1 == 1);
        let raised: Vec<&str> = raised.map(|(_, name)| *name).collect();
        if raised.is_empty() { "none".into() } else { raised.join(" and ") }
    }))
}
