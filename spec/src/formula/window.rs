//! The width of exact sums, from the lowest digit of any term to the highest.

use super::{Formula, Term, TermId};
use crate::{Format, Port};

/// The range of exponents of a term's digits: the lowest place, and the place above the highest.
type Reach = [i64; 2];

impl Format {
    /// The range of exponents of a format's digits: the lowest place, and the place above the highest.
    pub fn reach(&self) -> [i64; 2] {
        // The smallest value is a single 1 in the lowest place, except for floats without subnormals, codebooks and posits with a
        // bounded regime.
        let full = i64::from(self.precision()) - 1;
        let lowest = match self {
            Format::Float(float) if !float.underflows_gradually() => self.min_exponent() - full,
            Format::Codebook(_) => self.min_exponent() - full,
            Format::Posit(posit) => posit.least_place(),
            Format::Float(_) | Format::Fixed(_) => self.min_exponent(),
        };
        [lowest, self.max_exponent() + 1]
    }
}

impl Formula {
    /// The width of the widest window in which terms are added exactly. The term with the widest range is not in the
    /// window, unless the result is fixed-point or the sum is multiplied by scales. Adders and fused multiply-adds have
    /// no window.
    pub(crate) fn widest_window(&self, inputs: &[Port]) -> i64 {
        let has_fixed_result = self.roundings().any(|(_, target)| target.format.fixed().is_some());
        let mut reaches: Vec<Option<Reach>> = vec![];
        let mut widest = 0;
        for term in self.terms() {
            if let Term::Sum { of, .. } = term
                && !self.is_fused(of, inputs)
            {
                let is_scaled = self.users(TermId(reaches.len())).any(|user| matches!(user, Term::Product(..)));
                let mut terms: Vec<Reach> = of.iter().filter_map(|id| reaches[id.0]).collect();
                terms.sort_by_key(|[low, high]| high - low);
                let in_window = if has_fixed_result || is_scaled { terms.len() } else { terms.len().saturating_sub(1) };
                let carries = i64::from(in_window.max(1).ilog2()) + 1;
                let width = union(&terms[..in_window]).map_or(0, |[low, high]| high - low + carries);
                widest = widest.max(width);
            }
            reaches.push(self.reach_of(TermId(reaches.len()), inputs, &reaches));
        }
        widest
    }

    /// Whether the sum has two terms: codes of the result's format, or one such code and a product of two codes of one
    /// format.
    fn is_fused(&self, of: &[TermId], inputs: &[Port]) -> bool {
        let is_result = |id: TermId| {
            let format = self.format(id, inputs);
            self.roundings().any(|(_, target)| target.format.fixed().is_none() && Some(target.format) == format)
        };
        let is_plain = |id: TermId| match self.terms()[self.unsigned(id).0] {
            Term::Product(a, b) => {
                let formats = [a, b].map(|factor| self.format(factor, inputs));
                formats[0].is_some() && formats[0] == formats[1]
            }
            _ => is_result(id),
        };
        matches!(*of, [a, b] if is_plain(a) && is_plain(b) && (is_result(a) || is_result(b)))
    }

    /// The term without its negation.
    fn unsigned(&self, id: TermId) -> TermId {
        match self.terms()[id.0] {
            Term::Negate(of) => of,
            _ => id,
        }
    }

    /// The range of a term; `None` for terms that can only be rounded.
    fn reach_of(&self, id: TermId, inputs: &[Port], reaches: &[Option<Reach>]) -> Option<Reach> {
        let of = |id: &TermId| reaches[id.0];
        let all = |ids: &[TermId]| union(&ids.iter().filter_map(of).collect::<Vec<_>>());
        match &self.terms()[id.0] {
            Term::Product(a, b) => {
                let [[a_low, a_high], [b_low, b_high]] = [of(a)?, of(b)?];
                Some([a_low + b_low, a_high + b_high])
            }
            Term::Sum { of, .. } => all(of),
            Term::Choose { one, zero, .. } => all(&[*one, *zero]),
            Term::Negate(term) => of(term),
            Term::Power(exponent) => Some([i64::from(*exponent), i64::from(*exponent) + 1]),
            Term::Zero
            | Term::Parts
            | Term::Aligned { .. }
            | Term::Grouped { .. }
            | Term::Quotient(..)
            | Term::Root { .. }
            | Term::Function { .. } => None,
            Term::Operand { .. }
            | Term::State { .. }
            | Term::Round { .. }
            | Term::Convert { .. }
            | Term::Scale { .. }
            | Term::Largest(_)
            | Term::Rectify(_)
            | Term::Flush { .. } => self.format(id, inputs).map(|format| format.reach()),
        }
    }
}

/// The smallest range that includes all of these.
fn union(reaches: &[Reach]) -> Option<Reach> {
    reaches.iter().copied().reduce(|[low, high], [other_low, other_high]| [low.min(other_low), high.max(other_high)])
}
