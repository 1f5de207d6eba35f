//! Properties of each kind of term, independent of its operands: one row per kind.
//!
//! | term | is NaN if | may be invalid because of | is monotonic in each operand |
//! |---|---|---|---|
//! | `Operand` | its code is | a signaling NaN | - |
//! | `Zero`, `Power`, `State`, `Parts` | its code or number is | never | - |
//! | `Product` | a factor is | infinity times zero | yes |
//! | `Quotient` | a code is | zero by zero, infinity by infinity | yes, for divisors of one sign |
//! | `Root` | its operand is | a negative number | yes |
//! | `Function` | its operand is | a number outside its domain | no |
//! | `Sum` | a term is | a difference of infinities | yes |
//! | `Aligned` | a term is | a difference of infinities | no: a larger term may truncate more of the others than it adds |
//! | `Grouped` | a term is | a difference of infinities | no: the same |
//! | `Choose` | the chosen term is | never | yes |
//! | `Round`, `Convert` | its operand is, if the format has a NaN | a value that fixed point cannot represent | yes |
//! | `Rectify`, `Flush`, `Negate`, `Largest` | an operand is | never | yes |
//! | `Scale` | a code is | never | no: a power of two derived from the largest |

use super::{Formula, Term, TermId};
use crate::{Format, Port};

/// Properties of a kind of term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facets {
    /// Which NaNs propagate to it.
    pub nan: NanFrom,
    /// What can make it an invalid operation (IEEE 754-2019 section 7.2).
    pub invalid: Invalid,
    /// Whether its value is monotonic in each of its terms, as long as these keep their signs.
    pub is_monotone: bool,
}

/// Which NaN operands make a term NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NanFrom {
    /// Any.
    Any,
    /// The one that is chosen.
    Chosen,
    /// None: its format has no NaN.
    None,
}

/// What can make a term an invalid operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invalid {
    /// Nothing.
    Never,
    /// A signaling NaN.
    SignalingNan,
    /// Infinity times zero.
    InfinityTimesZero,
    /// Zero divided by zero, or infinity by infinity; or infinity by a zero without a sign.
    NoQuotient,
    /// A negative number, whose root is sought.
    NegativeRadicand,
    /// A number outside the domain of a function.
    OutsideDomain,
    /// A difference of infinities.
    DifferenceOfInfinities,
    /// NaN or an infinity that is rounded to a format without either.
    NoCode,
}

impl Term {
    /// The properties of this kind of term.
    pub fn facets(&self) -> Facets {
        let facets = |nan, invalid, is_monotone| Facets { nan, invalid, is_monotone };
        match self {
            Term::Operand { .. } => facets(NanFrom::Any, Invalid::SignalingNan, true),
            Term::Zero | Term::Power(_) | Term::State { .. } | Term::Parts => {
                facets(NanFrom::Any, Invalid::Never, true)
            }
            Term::Product(..) => facets(NanFrom::Any, Invalid::InfinityTimesZero, true),
            Term::Quotient(..) => facets(NanFrom::Any, Invalid::NoQuotient, true),
            Term::Root { .. } => facets(NanFrom::Any, Invalid::NegativeRadicand, true),
            Term::Function { .. } => facets(NanFrom::Any, Invalid::OutsideDomain, false),
            Term::Sum { .. } => facets(NanFrom::Any, Invalid::DifferenceOfInfinities, true),
            Term::Aligned { .. } | Term::Grouped { .. } => facets(NanFrom::Any, Invalid::DifferenceOfInfinities, false),
            Term::Choose { .. } => facets(NanFrom::Chosen, Invalid::Never, true),
            Term::Round { target, .. } | Term::Convert { target, .. } => {
                let nan = if target.format.nan_code().is_some() { NanFrom::Any } else { NanFrom::None };
                let invalid = if target.format.fixed().is_some() { Invalid::NoCode } else { Invalid::Never };
                facets(nan, invalid, true)
            }
            Term::Rectify(_) | Term::Flush { .. } | Term::Negate(_) | Term::Largest(_) => {
                facets(NanFrom::Any, Invalid::Never, true)
            }
            Term::Scale { .. } => facets(NanFrom::Any, Invalid::Never, false),
        }
    }

    /// The terms that are added; empty unless the term is a sum.
    pub fn summands(&self) -> &[TermId] {
        match self {
            Term::Sum { of, .. } | Term::Aligned { of, .. } | Term::Grouped { of, .. } => of,
            _ => &[],
        }
    }
}

impl Formula {
    /// The format of a code. `None` for a term that is not a code, and for zero, which belongs to every format.
    pub fn format(&self, id: TermId, inputs: &[Port]) -> Option<Format> {
        match &self.terms()[id.0] {
            Term::Operand { port, .. } => inputs[*port].format(),
            Term::State { register } => Some(self.registers()[*register].format),
            Term::Round { target, .. } | Term::Convert { target, .. } => Some(target.format),
            Term::Scale { format, .. } => Some(*format),
            Term::Negate(of) | Term::Rectify(of) | Term::Flush { of, .. } => self.format(*of, inputs),
            Term::Largest(of) => self.format(of[0], inputs),
            Term::Choose { one, zero, .. } => {
                self.format(*one, inputs).filter(|format| self.format(*zero, inputs) == Some(*format))
            }
            Term::Zero
            | Term::Power(_)
            | Term::Parts
            | Term::Product(..)
            | Term::Sum { .. }
            | Term::Aligned { .. }
            | Term::Grouped { .. }
            | Term::Quotient(..)
            | Term::Root { .. }
            | Term::Function { .. } => None,
        }
    }
}
