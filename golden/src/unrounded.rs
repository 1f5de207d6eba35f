//! The exact result that an operation rounds, to help people understand a wrong one.

use crate::Model;
use crate::number::Number;
use crate::walk::Walk;
use binade_spec::{Meaning, Term, Word};
use std::fmt;

/// An exact result before its last rounding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unrounded {
    /// One exact number.
    Value(Number),
    /// The sum of terms whose range is too wide for one integer of 128 bits.
    Sum(Vec<Number>),
}

impl fmt::Display for Unrounded {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let terms = match self {
            Unrounded::Value(number) => return number.fmt(f),
            Unrounded::Sum(terms) => terms,
        };
        for (at, term) in terms.iter().enumerate() {
            match (at, term.is_negative()) {
                (0, _) => term.fmt(f)?,
                (_, true) => write!(f, " - {}", term.negated())?,
                (_, false) => write!(f, " + {term}")?,
            }
        }
        Ok(())
    }
}

impl Model {
    /// The exact result that is rounded to the first lane of port `output` for these input words (for a unit with
    /// state, right after a reset); `None` for outputs without a rounding.
    pub fn unrounded<W: Clone + Into<Word>>(&self, inputs: &[W], output: &str) -> Option<Unrounded> {
        let inputs: Vec<Word> = inputs.iter().cloned().map(Into::into).collect();
        self.unrounded_in(&self.reset(), &inputs, (output, 0))
    }

    /// The exact result that is rounded to a lane of port `output` for these input words and registers; `None` for
    /// outputs without a rounding.
    pub fn unrounded_in(&self, state: &[Word], inputs: &[Word], (output, lane): (&str, u32)) -> Option<Unrounded> {
        if let Some((model, inputs)) = self.chosen(inputs) {
            return model.unrounded_in(&[], &inputs, (output, lane));
        }
        let Meaning::Formula(formula) = &self.meaning else { return None };
        let at = self.outputs.iter().position(|port| port.name == output)?;
        let id = *formula.outputs()[at].codes().get(lane as usize)?;
        let (Term::Round { of, .. } | Term::Convert { of, .. }) = formula.terms()[id.0] else { return None };
        let walk = Walk::new(self, formula, inputs, state);
        let number = walk.of(of).number.clone();
        let of = match formula.terms()[of.0] {
            Term::Choose { port, one, zero } => {
                if inputs[port].bit(0) {
                    one
                } else {
                    zero
                }
            }
            _ => of,
        };
        Some(match &formula.terms()[of.0] {
            Term::Sum { of, .. } if number.small().is_none() => {
                Unrounded::Sum(of.iter().map(|term| walk.of(*term).number.clone()).collect())
            }
            _ => Unrounded::Value(number),
        })
    }
}
