//! What is true of each kind of term, whatever its operands are: one row a kind.
//!
//! | term | is NaN if | may be invalid as | rises or falls with each operand |
//! |---|---|---|---|
//! | `Operand` | its code is | a signalling NaN | - |
//! | `Zero`, `State`, `Parts` | its code or number is | never | - |
//! | `Product` | a factor is | infinity times zero | yes |
//! | `Quotient` | a code is | never: scales are neither zero nor infinite | yes |
//! | `Sum` | a term is | a difference of infinities | yes |
//! | `Aligned` | a term is | a difference of infinities | no: a larger term may cut more off the others than it adds |
//! | `Choose` | what is chosen is | never | yes |
//! | `Round`, `Convert` | its operand is, if the format has a NaN | what fixed point has no code for | yes |
//! | `Rectify`, `Negate` | its operand is | never | yes |
//! | `Scale` | a code is | never | no: a power of two of the largest |

use super::{Formula, Term, TermId};
use crate::{Format, Port};

/// What is true of a kind of term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facets {
    /// Which NaNs make it NaN.
    pub nan: NanFrom,
    /// What may make it an invalid operation (IEEE 754-2019 section 7.2).
    pub invalid: Invalid,
    /// Whether its value rises or falls with that of each term that it is made of.
    pub is_monotone: bool,
}

/// Which NaNs among the terms that a term is made of make it NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NanFrom {
    /// Any.
    Any,
    /// That of the term that is chosen.
    Chosen,
    /// None: its format has no NaN.
    None,
}

/// What may make a term an invalid operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invalid {
    /// Nothing.
    Never,
    /// A signalling NaN.
    SignalingNan,
    /// Infinity times zero.
    InfinityTimesZero,
    /// A difference of infinities.
    DifferenceOfInfinities,
    /// NaN, or an infinity, that is rounded to a format that has neither.
    NoCode,
}

impl Term {
    /// What is true of terms of this kind.
    pub fn facets(&self) -> Facets {
        let facets = |nan, invalid, is_monotone| Facets { nan, invalid, is_monotone };
        match self {
            Term::Operand { .. } => facets(NanFrom::Any, Invalid::SignalingNan, true),
            Term::Zero | Term::State { .. } | Term::Parts => facets(NanFrom::Any, Invalid::Never, true),
            Term::Product(..) => facets(NanFrom::Any, Invalid::InfinityTimesZero, true),
            Term::Quotient(..) => facets(NanFrom::Any, Invalid::Never, true),
            Term::Sum { .. } => facets(NanFrom::Any, Invalid::DifferenceOfInfinities, true),
            Term::Aligned { .. } => facets(NanFrom::Any, Invalid::DifferenceOfInfinities, false),
            Term::Choose { .. } => facets(NanFrom::Chosen, Invalid::Never, true),
            Term::Round { target, .. } | Term::Convert { target, .. } => {
                let nan = if target.format.nan_code().is_some() { NanFrom::Any } else { NanFrom::None };
                let invalid = if target.format.fixed().is_some() { Invalid::NoCode } else { Invalid::Never };
                facets(nan, invalid, true)
            }
            Term::Rectify(_) | Term::Negate(_) => facets(NanFrom::Any, Invalid::Never, true),
            Term::Scale { .. } => facets(NanFrom::Any, Invalid::Never, false),
        }
    }

    /// The terms that are added; none of a term that is no sum.
    pub fn summands(&self) -> &[TermId] {
        match self {
            Term::Sum { of, .. } | Term::Aligned { of, .. } => of,
            _ => &[],
        }
    }
}

impl Formula {
    /// The format of a code; none of what is no code, and of zero, which is one of any format.
    pub fn format(&self, id: TermId, inputs: &[Port]) -> Option<Format> {
        match &self.terms()[id.0] {
            Term::Operand { port, .. } => inputs[*port].format(),
            Term::State { register } => Some(self.registers()[*register].format),
            Term::Round { target, .. } | Term::Convert { target, .. } => Some(target.format),
            Term::Scale { format, .. } => Some(*format),
            Term::Negate(of) | Term::Rectify(of) => self.format(*of, inputs),
            Term::Choose { one, zero, .. } => {
                self.format(*one, inputs).filter(|format| self.format(*zero, inputs) == Some(*format))
            }
            Term::Zero
            | Term::Parts
            | Term::Product(..)
            | Term::Sum { .. }
            | Term::Aligned { .. }
            | Term::Quotient(..) => None,
        }
    }
}
