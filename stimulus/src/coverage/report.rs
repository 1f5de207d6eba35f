//! The coverage of a run.

use super::reasons::Reasons;
use super::{Bins, Group};
use serde::Serialize;
use std::fmt;

/// The counted bins of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Coverage {
    /// The number of counted vectors.
    pub vectors: u64,
    /// Bins of all groups.
    pub bins: usize,
    /// Bins that can be reached, as far as known.
    pub reachable: usize,
    /// Bins with at least one vector.
    pub hit: usize,
    /// Bins without a vector that are not known to be unreachable.
    pub empty: usize,
    /// The groups, in the order of the report.
    pub groups: Vec<GroupCoverage>,
}

/// The bins of one question.
#[derive(Clone, Debug, Serialize)]
pub struct GroupCoverage {
    /// The question, such as `cancellation`.
    pub name: String,
    /// Bins of the group.
    pub bins: usize,
    /// Bins of the group that can be reached, as far as known.
    pub reachable: usize,
    /// The bins with vectors, the rarest first.
    pub hit: Vec<BinCount>,
    /// Names of the bins without a vector that may be reachable.
    pub empty: Vec<String>,
    /// The unreachable bins, by reason.
    pub unreachable: Vec<Unreachable>,
}

/// A bin and its count.
#[derive(Clone, Debug, Serialize)]
pub struct BinCount {
    /// The name of the bin.
    pub bin: String,
    /// The number of counted vectors in it.
    pub vectors: u64,
}

/// Bins that no vector can be in, and why.
#[derive(Clone, Debug, Serialize)]
pub struct Unreachable {
    /// The reason, in words.
    pub reason: String,
    /// Whether the reason is that all input combinations were tried, not a derivation.
    pub by_enumeration: bool,
    /// The names of the bins.
    pub bins: Vec<String>,
}

impl Coverage {
    pub(super) fn new(bins: &Bins, vectors: u64, counts: &[u64], is_all: bool) -> Coverage {
        let reach = bins.reach();
        let reasons = Reasons::new(&bins.subject, &bins.exacts);
        let exhausted = is_all.then(|| match bins.subject.model.has_state() {
            false => format!("none of all {vectors} input combinations is here"),
            true => format!("none of {vectors} vectors, all inputs in all states, is here"),
        });
        let groups = bins.groups.iter().zip(&bins.first).zip(&reach).map(|((group, &first), possible)| {
            let counts = &counts[first..first + group.len()];
            GroupCoverage::new(group, counts, possible, &reasons, exhausted.as_deref())
        });
        let groups: Vec<GroupCoverage> = groups.collect();
        let sum = |of: fn(&GroupCoverage) -> usize| groups.iter().map(of).sum();
        Coverage {
            vectors,
            bins: bins.len(),
            reachable: sum(|group| group.reachable),
            hit: sum(|group| group.hit.len()),
            empty: sum(|group| group.empty.len()),
            groups,
        }
    }
}

impl GroupCoverage {
    fn new(
        group: &Group,
        counts: &[u64],
        possible: &[bool],
        reasons: &Reasons,
        exhausted: Option<&str>,
    ) -> GroupCoverage {
        let mut covered = GroupCoverage {
            name: group.name.clone(),
            bins: group.len(),
            reachable: 0,
            hit: vec![],
            empty: vec![],
            unreachable: vec![],
        };
        for bin in 0..group.len() {
            let label = group.label(bin);
            match (counts[bin], possible[bin], exhausted) {
                (0, false, _) => covered.add_unreachable(reasons.reason(group, bin, possible), false, label),
                (0, true, Some(reason)) => covered.add_unreachable(reason.into(), true, label),
                (0, true, None) => covered.empty.push(label),
                (vectors, ..) => covered.hit.push(BinCount { bin: label, vectors }),
            }
        }
        covered.reachable = covered.hit.len() + covered.empty.len();
        covered.hit.sort_by_key(|bin| bin.vectors);
        covered
    }

    fn add_unreachable(&mut self, reason: String, by_enumeration: bool, bin: String) {
        match self.unreachable.iter_mut().find(|known| known.reason == reason) {
            Some(known) => known.bins.push(bin),
            None => self.unreachable.push(Unreachable { reason, by_enumeration, bins: vec![bin] }),
        }
    }
}

/// The number of rare bins in the report of a group.
const RARE: usize = 2;

/// Reports for each group how many bins were hit, why others cannot be, which are empty and which are rare.
impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "coverage of {} vectors", self.vectors)?;
        let widest = self.groups.iter().map(|group| group.name.len()).max().unwrap_or(0);
        for group in &self.groups {
            let GroupCoverage { name, bins, reachable, hit, empty, unreachable } = group;
            write!(f, "\n  {name:<widest$}  {} of {reachable} bins", hit.len())?;
            if bins > reachable {
                write!(f, ", {} unreachable", bins - reachable)?;
            }
            for Unreachable { reason, bins, .. } in unreachable {
                write!(f, "\n    unreachable {:>4}: {reason}", bins.len())?;
            }
            for bin in empty {
                write!(f, "\n    EMPTY: {bin}")?;
            }
            for BinCount { bin, vectors } in hit.iter().take(RARE) {
                write!(f, "\n    rare: {bin} ({vectors})")?;
            }
        }
        let Coverage { hit, reachable, empty, .. } = self;
        write!(f, "\n  in all {hit} of {reachable} bins that can be reached were hit, {empty} are empty")
    }
}
