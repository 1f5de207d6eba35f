//! Which bins can be reached at all, argued from what the formats can hold.
//!
//! Where an exact result lands depends on its exponent, on its bits around the lowest kept one, and on whether anything is
//! below. So for each exponent that exact results can have ([`Magnitudes`]) numbers with every such pattern are rounded:
//! what none of them does, no result does. For classes the smallest and the largest operands of each class are evaluated:
//! rounding is monotonic, so the results of all others lie between theirs.

use super::exacts::{Exacts, Rounded, exacts, is_signed, subtracts};
use super::groups::{Anatomy, Group, Kind, Stage, Vector, stage_operation};
use super::magnitudes::Magnitudes;
use super::operands;
use crate::places::{Place, places};
use binade_golden::Model;
use binade_spec::{Class, Content, Format, Operation, Shape};

/// What an operation can do.
pub(crate) struct Reach {
    /// Whether the bins of each group can be reached.
    pub possible: Vec<Vec<bool>>,
    /// What comes to each rounding.
    pub roundings: Vec<Rounded>,
}

impl Reach {
    pub fn new(operation: &Operation, groups: &[Group]) -> Reach {
        let lanes = places(&operation.inputs());
        let Exacts { terms, roundings } = exacts(operation);
        let mut possible: Vec<Vec<bool>> = groups.iter().map(|group| vec![false; group.len()]).collect();
        let flags: Vec<Vec<u64>> =
            roundings.iter().map(|rounded| mark_landings(operation, rounded, groups, &mut possible)).collect();
        for (group, possible) in groups.iter().zip(&mut possible) {
            match group.kind {
                Kind::Operand(at) => mark_classes(&lanes[at], group, possible),
                Kind::Regime(_) | Kind::Parts => possible.fill(true),
                Kind::Rectifier => possible.copy_from_slice(&[true, is_signed(&operation.result)]),
                Kind::Operands => operands::mark(operation, terms.as_ref(), group, possible),
                Kind::Difference => mark_differences(operation, terms.as_ref(), group, possible),
                Kind::Cancellation => mark_cancellations(operation, terms.as_ref(), possible),
                Kind::Flags => mark_flags(operation, &flags, possible),
                Kind::Rounding(_) | Kind::Step(_) | Kind::Outcome(_) => {}
            }
        }
        Reach { possible, roundings }
    }

    /// What comes to a rounding.
    pub fn rounding(&self, stage: Stage) -> &Rounded {
        self.roundings.iter().find(|rounded| rounded.stage == stage).expect("each rounding has its exact values")
    }
}

/// Rounds numbers of every kind and marks the bins they are in; the words of flags that they raise.
fn mark_landings(operation: &Operation, rounded: &Rounded, groups: &[Group], possible: &mut [Vec<bool>]) -> Vec<u64> {
    let stage = rounded.stage;
    let anatomy = Anatomy::of(operation);
    let rounding = stage_operation(operation, stage);
    let of_stage = |kind| [Kind::Rounding(stage), Kind::Step(stage), Kind::Outcome(stage)].contains(&kind);
    let at: Vec<usize> = (0..groups.len()).filter(|&at| of_stage(groups[at].kind)).collect();
    let ones = (1_u64 << rounding.rounding.random_bits()) - 1;
    let randoms: &[u64] = if ones == 0 { &[0] } else { &[0, ones] };
    let model = Model::new(&rounding);
    let mut flags = vec![];
    for exact in rounded.samples(&rounding.result) {
        for &random in randoms {
            let landing = model.landing(exact, random);
            flags.push(landing.flags);
            let vector =
                Vector { operation, anatomy: &anatomy, places: &[], lanes: &[], facts: anatomy.only(stage, landing) };
            for &at in &at {
                if let Some(bin) = vector.bin(&groups[at]) {
                    possible[at][bin] = true;
                }
            }
        }
    }
    flags.sort_unstable();
    flags.dedup();
    flags
}

/// The classes that a format has, and their negatives if there are any.
fn mark_classes(place: &Place, group: &Group, possible: &mut [bool]) {
    let Content::Code(format) = place.content else { return };
    for (place, &class) in format.family_classes().iter().enumerate() {
        let exists = format.class_codes(class).is_some();
        possible[group.bin([place, 0])] = exists;
        possible[group.bin([place, 1])] = exists && operands::has_negative(&format, class);
    }
}

fn mark_differences(operation: &Operation, terms: Option<&[Magnitudes; 2]>, group: &Group, possible: &mut [bool]) {
    let Some([first, second]) = terms else { return };
    for (x, _) in first.iter() {
        for (y, _) in second.iter() {
            let place = super::axes::difference_place(&group.axes[0], x - y);
            possible[group.bin([place, 0])] = true;
            possible[group.bin([place, 1])] = subtracts(operation);
        }
    }
}

fn mark_cancellations(operation: &Operation, terms: Option<&[Magnitudes; 2]>, possible: &mut [bool]) {
    let Some([first, second]) = terms.filter(|_| subtracts(operation)) else { return };
    let last = possible.len() - 1;
    for (x, x_quantum) in first.iter() {
        for (y, y_quantum) in second.iter() {
            // Equal exponents cancel a bit at least, and all bits if all agree; exponents one apart cancel down to the
            // finest bit of either term; others at most one bit.
            let bits = match (x - y).abs() {
                0 => 1..=x - x_quantum.min(y_quantum),
                1 => 0..=x.max(y) - x_quantum.min(y_quantum),
                _ => 0..=1,
            };
            bits.for_each(|bits| possible[(bits as usize).min(last - 1)] = true);
            possible[last] |= x == y;
        }
    }
}

/// The flags of each rounding together; invalid operations give NaN, and of the other roundings only that of a product
/// was before.
fn mark_flags(operation: &Operation, landings: &[Vec<u64>], possible: &mut [bool]) {
    const INVALID: usize = 8;
    let mut words = vec![0_usize];
    for flags in landings {
        words = words
            .iter()
            .flat_map(|word| flags.iter().map(move |flags| word | *flags as usize).chain([*word]))
            .collect();
        words.sort_unstable();
        words.dedup();
    }
    words.iter().for_each(|&word| possible[word] = true);
    if is_invalid_possible(operation) {
        possible[INVALID] = true;
        if operation.shape() == Shape::RoundedAccumulation {
            landings[0].iter().for_each(|flags| possible[INVALID | *flags as usize] = true);
        }
    }
}

/// Invalid is to operate on a signalling NaN, infinity times zero, and a difference of infinities.
fn is_invalid_possible(operation: &Operation) -> bool {
    let has = |format: &Format, class| format.class_codes(class).is_some();
    let Operation { operand, result, .. } = operation;
    let signals =
        has(operand, Class::SignalingNan) || (operation.shape().accumulates() && has(result, Class::SignalingNan));
    match operation.shape() {
        Shape::Conversion | Shape::RunningSum | Shape::Parts | Shape::Function => signals,
        Shape::Product | Shape::Sum | Shape::Accumulation => signals || has(operand, Class::Infinity),
        // A product that overflows is infinite, too.
        Shape::RoundedAccumulation | Shape::Other => {
            signals || has(operand, Class::Infinity) || has(result, Class::Infinity)
        }
    }
}
