//! Which bins can be reached at all, derived from the values of the formats.
//!
//! Where an exact result lands depends on its exponent, on its bits around the lowest kept one, and on whether any
//! lower bit is 1. So numbers with every such pattern are rounded for each possible exponent of exact results
//! ([`Magnitudes`]): if none of them lands somewhere, no result does. For classes, the smallest and the largest
//! operands of each class are evaluated: rounding is monotonic, so all other results lie between theirs.

use super::axes;
use super::exacts::{Numbers, is_held, is_invalid_possible};
use super::groups::{Group, GroupKind, landing_bin};
use super::magnitudes::Magnitudes;
use super::operands;
use super::subject::{CoveredUnit, has_negative, has_positive, is_signed};
use binade_spec::{NanFrom, Rounding, TermId};

/// The flags for invalid and for division by zero as roundings raise them.
const INVALID: u64 = 8;
const DIVISION_BY_ZERO: u64 = 16;

/// Whether the bins of each group can be reached.
pub(crate) fn reach(subject: &CoveredUnit, exacts: &[Numbers], groups: &[Group]) -> Vec<Vec<bool>> {
    let mut possible: Vec<Vec<bool>> = groups.iter().map(|group| vec![false; group.len()]).collect();
    let mut flags: Vec<(TermId, Vec<u64>)> = vec![];
    for (id, _) in subject.formula.roundings() {
        flags.push((id, mark_landings(subject, exacts, id, groups, &mut possible)));
    }
    for (group, possible) in groups.iter().zip(&mut possible) {
        match group.kind {
            GroupKind::Operand(at) => mark_classes(subject, exacts, at, group, possible),
            GroupKind::Regime(_) | GroupKind::Parts | GroupKind::Chosen(_) => possible.fill(true),
            GroupKind::Rectifier(id) => possible.copy_from_slice(&[true, is_signed(&subject.format(id))]),
            GroupKind::Operands => operands::mark(subject, exacts, group, possible),
            GroupKind::Factors(id) => operands::mark_factors(subject, id, group, possible),
            GroupKind::Difference(id) => {
                mark_differences(exacts, subject.formula.terms()[id.0].summands(), group, possible)
            }
            GroupKind::Cancellation(id) => {
                mark_cancellations(exacts, subject.formula.terms()[id.0].summands(), possible)
            }
            GroupKind::Flags => mark_flags(subject, exacts, &flags, possible),
            GroupKind::Rounding(_) | GroupKind::Step(_) | GroupKind::Outcome(_) => {}
        }
    }
    possible
}

/// Rounds numbers of every kind and marks their bins; returns the words of flags that they raise.
fn mark_landings(
    subject: &CoveredUnit,
    exacts: &[Numbers],
    id: TermId,
    groups: &[Group],
    possible: &mut [Vec<bool>],
) -> Vec<u64> {
    let (target, codes) = (subject.target(id), subject.model.codes(id));
    let of_rounding = |kind| [GroupKind::Rounding(id), GroupKind::Step(id), GroupKind::Outcome(id)].contains(&kind);
    let at: Vec<usize> = (0..groups.len()).filter(|&at| of_rounding(groups[at].kind)).collect();
    let ones = (1_u64 << target.rounding.random_bits()) - 1;
    let randoms: &[u64] = match target.rounding {
        Rounding::Any => &[0, 1, 2, 3, 4],
        _ if ones == 0 => &[0],
        _ => &[0, ones],
    };
    let mut flags = vec![];
    for exact in exacts[subject.rounded(id).0].samples(&target.format) {
        for &random in randoms {
            let landing = codes.landing(target, exact, random);
            if !flags.contains(&landing.flags) {
                flags.push(landing.flags);
            }
            for &at in &at {
                if let Some(bin) = landing_bin(&groups[at], &target.format, &landing) {
                    possible[at][bin] = true;
                }
            }
        }
    }
    flags
}

/// Marks the classes of a format, and their negatives if there are any. A register holds results: never classes that
/// only operands have, and only numbers that sums can be.
fn mark_classes(subject: &CoveredUnit, exacts: &[Numbers], source: usize, group: &Group, possible: &mut [bool]) {
    let Some(format) = subject.sources[source].format() else { return };
    for (place, &class) in format.family_classes().iter().enumerate() {
        let exists = format.class_codes(class).is_some()
            && (subject.sources[source].register.is_none() || is_held(subject, exacts, source, class));
        possible[group.bin([place, 0])] = exists && has_positive(class);
        possible[group.bin([place, 1])] = exists && has_negative(&format, class);
    }
}

/// Whether terms with different signs can meet in a sum.
pub(crate) fn subtracts(exacts: &[Numbers], of: &[TermId]) -> bool {
    of.iter().any(|term| exacts[term.0].negative.is_some())
}

/// The magnitudes of the terms of a sum before the last one, combined, and those of the last one.
fn meeting<'e>(exacts: &'e [Numbers], of: &[TermId]) -> (Magnitudes, &'e Magnitudes) {
    let (last, others) = of.split_last().expect("a sum has terms");
    let first = others.iter().fold(Magnitudes::default(), |all, term| all.union(&exacts[term.0].magnitudes));
    (first, &exacts[last.0].magnitudes)
}

fn mark_differences(exacts: &[Numbers], of: &[TermId], group: &Group, possible: &mut [bool]) {
    let (first, last) = meeting(exacts, of);
    let (Some((low, high)), Some((last_low, last_high))) = (first.ends(), last.ends()) else { return };
    let reach = (group.axes[0].labels.len() / 2) as i32;
    let occurs = |difference: i32| match difference {
        _ if difference == -reach => low - last_high <= difference,
        _ if difference == reach => high - last_low >= difference,
        _ => first.iter().any(|(exponent, _)| last.quantum(exponent - difference).is_some()),
    };
    for difference in (-reach..=reach).filter(|&difference| occurs(difference)) {
        let place = axes::difference_place(&group.axes[0], difference);
        possible[group.bin([place, 0])] = true;
        possible[group.bin([place, 1])] = subtracts(exacts, of);
    }
}

fn mark_cancellations(exacts: &[Numbers], of: &[TermId], possible: &mut [bool]) {
    if !subtracts(exacts, of) {
        return;
    }
    if of.len() > 2 {
        // Each of several terms can cancel the remainder of the others, so any number of bits is possible.
        return possible.fill(true);
    }
    let (first, second) = meeting(exacts, of);
    let (Some((low, high)), Some((second_low, second_high))) = (first.ends(), second.ends()) else { return };
    let last = possible.len() - 1;
    // Terms at least two binades apart cancel at most one bit.
    if high - second_low >= 2 || second_high - low >= 2 {
        possible[..2.min(last)].fill(true);
    }
    for (x, x_quantum) in first.iter() {
        for y in x - 1..=x + 1 {
            let Some(y_quantum) = second.quantum(y) else { continue };
            // With equal exponents, at least one bit cancels, and all bits if all agree; with exponents one apart, bits
            // cancel down to the finest bit of either term.
            let least = i32::from(x == y);
            let bits = least..=x.max(y) - x_quantum.min(y_quantum);
            bits.for_each(|bits| possible[(bits as usize).min(last - 1)] = true);
            possible[last] |= x == y;
        }
    }
}

/// Marks the combined flags of the roundings, and those of an invalid operation with the roundings that its NaN does
/// not reach.
fn mark_flags(subject: &CoveredUnit, exacts: &[Numbers], flags: &[(TermId, Vec<u64>)], possible: &mut [bool]) {
    let together = |is_in: &dyn Fn(TermId) -> bool| {
        let mut words = vec![0_u64];
        for (_, flags) in flags.iter().filter(|(id, _)| is_in(*id)) {
            let more = |word: &u64| flags.iter().map(|flags| *word | *flags).collect::<Vec<_>>();
            words = words.iter().flat_map(|word| [vec![*word], more(word)].concat()).collect();
            words.sort_unstable();
            words.dedup();
        }
        words
    };
    let mut mark = |raised: u64| possible[subject.model.port_flags(raised) as usize] = true;
    together(&|_| true).into_iter().for_each(&mut mark);
    if subject.formula.divides_by_zero(subject.inputs()) {
        // The NaN for a quotient by a zero without a sign has no code in fixed point.
        let is_fixed = subject.result().is_some_and(|result| subject.format(result).fixed().is_some());
        mark(DIVISION_BY_ZERO | if is_fixed { INVALID } else { 0 });
    }
    for at in 0..exacts.len() {
        if is_invalid_possible(subject, exacts, TermId(at)) {
            let is_nan = nan_of(subject, TermId(at));
            let unaffected = |id: TermId| id != TermId(at) && !is_nan[subject.rounded(id).0];
            together(&unaffected).into_iter().for_each(|word| mark(INVALID | word));
        }
    }
}

/// The terms that are NaN whenever this one is.
fn nan_of(subject: &CoveredUnit, id: TermId) -> Vec<bool> {
    let mut is_nan: Vec<bool> = vec![];
    for (at, term) in subject.formula.terms().iter().enumerate() {
        let uses = term.uses();
        let mut of = uses.iter().map(|used| is_nan[used.0]);
        let comes_through = match term.facets().nan {
            NanFrom::Any => of.any(|is_nan| is_nan),
            NanFrom::Chosen => of.all(|is_nan| is_nan),
            NanFrom::None => false,
        };
        is_nan.push(comes_through || TermId(at) == id);
    }
    is_nan
}
