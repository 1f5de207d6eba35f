//! A formula, cut at its roundings. Each rounding is a stage: it rounds an exact value of codes that are computed
//! before it.
//!
//! ```text
//! fmac               y = MultiplyAdd(a * b, c)
//! mac                p = Product(a * b); y = Sum(p, c)
//! accumulate         y = Choice(clear, Code(x), Sum(acc, x))
//! mx-dot, 2 lanes    y = Scaled(a_scale * b_scale, [a[0] * b[0], a[1] * b[1]], c)
//! ```
//!
//! Code that interprets formulas works on stages, and refuses unknown kinds.

use super::{Formula, FormulaError, Term, TermId};
use crate::{Alignment, Function, Grouping, Rounding, Target};

/// One rounding of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The term that rounds.
    pub id: TermId,
    /// What it rounds.
    pub kind: StageKind,
    /// The format and policies of the rounding.
    pub target: Target,
}

/// An exact value that is rounded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StageKind {
    /// One code.
    Code(Signed),
    /// The number on the input ports sign, zero, nar, exponent, significand and sticky.
    Parts,
    /// The product of two codes.
    Product(Pair),
    /// The first code divided by the second.
    Quotient(Pair),
    /// The square root of a code, or the reciprocal of the root.
    Root {
        /// The code.
        of: TermId,
        /// Whether it is the reciprocal.
        is_reciprocal: bool,
    },
    /// A function of a code.
    Function {
        /// The code.
        of: TermId,
        /// The function.
        function: Function,
    },
    /// The sum of two codes.
    Sum([Signed; 2]),
    /// The sum of a product and a code.
    MultiplyAdd(Pair, Signed),
    /// Any other sum of codes and products.
    ExactSum(Vec<Addend>),
    /// The product of two scales times the sum of these terms, plus a code.
    Scaled {
        /// The scales.
        scales: Pair,
        /// The terms of the scaled sum.
        of: Vec<Addend>,
        /// The code that is added.
        addend: Signed,
    },
    /// The sum of terms that are truncated, or rounded to odd, at a place below the largest exponent.
    Aligned {
        /// The terms.
        of: Vec<AlignedTerm>,
        /// Where they are cut off.
        alignment: Alignment,
        /// How they are rounded there.
        cut: Rounding,
    },
    /// The sum of groups of products and a code, as [`Term::Grouped`] has it.
    Grouped {
        /// The products.
        products: Vec<Pair>,
        /// The code.
        addend: TermId,
        /// The groups and the places.
        grouping: Grouping,
    },
    /// The first value if the bit on an input port is 1, else the second.
    Choice {
        /// The index of the port among the operation's inputs.
        port: usize,
        /// The value for bit 1.
        one: Box<StageKind>,
        /// The value for bit 0.
        zero: Box<StageKind>,
    },
}

/// A term of a sum in which terms are aligned to the largest exponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AlignedTerm {
    /// A code or a product; the exponent of a product is the sum of its factors'.
    Plain(Addend),
    /// A product times a product of scales. Its exponent is the sum of those of all four.
    ScaledProduct {
        /// The scales.
        scales: Pair,
        /// The product.
        product: Pair,
    },
    /// An exact sum times a product of scales. Its exponent is that of the scales, whatever the sum is.
    ScaledSum {
        /// The scales.
        scales: Pair,
        /// The terms of the sum.
        of: Vec<Addend>,
    },
}

/// A code, optionally negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signed {
    /// The term of the code, not a [`Term::Negate`].
    pub code: TermId,
    /// Whether it is negated.
    pub is_negated: bool,
}

/// Two codes that are multiplied, or divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The terms of the codes, not [`Term::Negate`].
    pub codes: [TermId; 2],
    /// Whether the result is negated.
    pub is_negated: bool,
}

/// A term of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addend {
    /// A code.
    Code(Signed),
    /// The product of two codes.
    Product(Pair),
}

impl Addend {
    /// Whether the term is negated.
    pub fn is_negated(&self) -> bool {
        match self {
            Addend::Code(Signed { is_negated, .. }) | Addend::Product(Pair { is_negated, .. }) => *is_negated,
        }
    }

    fn negated(self) -> Addend {
        match self {
            Addend::Code(Signed { code, is_negated }) => Addend::Code(Signed { code, is_negated: !is_negated }),
            Addend::Product(Pair { codes, is_negated }) => Addend::Product(Pair { codes, is_negated: !is_negated }),
        }
    }
}

const SUM: &str = "a sum has codes and products, of either sign";
const GROUPED: &str = "groups have products of codes, and a code is added to them";
const SCALED: &str = "a sum that is multiplied by scales is added to a code";

impl Formula {
    /// The stages, in the order in which they use their random bits.
    ///
    /// # Errors
    /// The first term without meaning, and why.
    pub fn stages(&self) -> Result<Vec<Stage>, FormulaError> {
        let stage = |(id, target): (TermId, &Target)| {
            let of = self.terms()[id.0].uses()[0];
            let kind = self.kind(of).map_err(|why| FormulaError { term: of, why })?;
            Ok(Stage { id, kind, target: *target })
        };
        self.roundings().map(stage).collect()
    }

    /// The stages without an output conversion: a last stage that converts the previous result, rectified or not, to
    /// another format, or computes a function of it.
    pub fn without_output<'s>(&self, stages: &'s [Stage]) -> &'s [Stage] {
        let [before @ .., Stage { id: result, .. }, last] = stages else { return stages };
        let is_output = match &last.kind {
            StageKind::Code(x) => {
                !x.is_negated && (x.code == *result || self.terms()[x.code.0] == Term::Rectify(*result))
            }
            StageKind::Function { of, .. } => of == result,
            _ => false,
        };
        if is_output { &stages[..before.len() + 1] } else { stages }
    }

    /// Whether a stage computes a running sum: it sets the only register to the operand on the first port, or to the
    /// sum of the register and that operand.
    pub fn is_running_sum(&self, stage: &Stage) -> bool {
        let [register] = self.registers() else { return false };
        let StageKind::Choice { one, zero, .. } = &stage.kind else { return false };
        let (StageKind::Code(x), StageKind::Sum([state, addend])) = (&**one, &**zero) else { return false };
        register.next == stage.id
            && ![x, state, addend].iter().any(|code| code.is_negated)
            && addend == x
            && self.terms()[x.code.0] == Term::Operand { port: 0, lane: 0 }
            && self.terms()[state.code.0] == Term::State { register: 0 }
    }

    /// The last rounding of a sum before a result, and the sum; for a choice, the sum that may be chosen.
    pub fn last_sum(&self, result: TermId) -> Option<(TermId, TermId)> {
        match &self.terms()[result.0] {
            Term::Round { of, .. } | Term::Convert { of, .. } => match self.sum_in(*of) {
                Some(sum) => Some((result, sum)),
                None => self.last_sum(*of),
            },
            Term::Rectify(of) | Term::Flush { of, .. } => self.last_sum(*of),
            _ => None,
        }
    }

    fn sum_in(&self, id: TermId) -> Option<TermId> {
        match &self.terms()[id.0] {
            Term::Sum { .. } | Term::Aligned { .. } | Term::Grouped { .. } => Some(id),
            Term::Choose { one, zero, .. } => self.sum_in(*zero).or_else(|| self.sum_in(*one)),
            _ => None,
        }
    }

    fn kind(&self, id: TermId) -> Result<StageKind, &'static str> {
        Ok(match &self.terms()[id.0] {
            Term::Parts => StageKind::Parts,
            Term::Quotient(x, by) => StageKind::Quotient(self.pair([*x, *by]).ok_or("a quotient has two codes")?),
            Term::Root { of, is_reciprocal } => match self.addend(*of) {
                Some(Addend::Code(Signed { code, is_negated: false })) => {
                    StageKind::Root { of: code, is_reciprocal: *is_reciprocal }
                }
                _ => return Err("a root is that of a code"),
            },
            Term::Function { of, function } => match self.addend(*of) {
                Some(Addend::Code(Signed { code, is_negated: false })) => {
                    StageKind::Function { of: code, function: *function }
                }
                _ => return Err("a function is that of a code"),
            },
            Term::Sum { of, .. } => self.sum_kind(of)?,
            Term::Aligned { of, alignment, cut, .. } => {
                let of: Option<Vec<AlignedTerm>> = of.iter().map(|&id| self.aligned_term(id)).collect();
                StageKind::Aligned {
                    of: of.ok_or(
                        "terms that are aligned are codes, products of codes, and products or sums times scales",
                    )?,
                    alignment: *alignment,
                    cut: *cut,
                }
            }
            Term::Grouped { of, grouping } => {
                let (addend, products) = of.split_last().ok_or(GROUPED)?;
                let product = |id: &TermId| match self.addend(*id) {
                    Some(Addend::Product(pair)) if !pair.is_negated => Some(pair),
                    _ => None,
                };
                let products: Vec<Pair> = products.iter().map(product).collect::<Option<_>>().ok_or(GROUPED)?;
                match self.addend(*addend) {
                    Some(Addend::Code(Signed { code, is_negated: false })) if !products.is_empty() => {
                        StageKind::Grouped { products, addend: code, grouping: *grouping }
                    }
                    _ => return Err(GROUPED),
                }
            }
            Term::Choose { port, one, zero } => {
                let [one, zero] = [self.choosable(*one)?, self.choosable(*zero)?].map(Box::new);
                StageKind::Choice { port: *port, one, zero }
            }
            Term::Operand { .. }
            | Term::Zero
            | Term::Power(_)
            | Term::Largest(_)
            | Term::State { .. }
            | Term::Round { .. }
            | Term::Convert { .. }
            | Term::Rectify(_)
            | Term::Flush { .. }
            | Term::Scale { .. }
            | Term::Product(..)
            | Term::Negate(_) => match self.addend(id) {
                Some(Addend::Code(code)) => StageKind::Code(code),
                Some(Addend::Product(product)) => StageKind::Product(product),
                None if self.scaled(id).is_some() => return Err(SCALED),
                None if matches!(self.terms()[id.0], Term::Negate(_)) => {
                    return Err("the other sign is that of a code or a product");
                }
                None => return Err("a product has two codes, or the product of two scales and a sum"),
            },
        })
    }

    fn sum_kind(&self, of: &[TermId]) -> Result<StageKind, &'static str> {
        if of.iter().any(|&id| self.scaled(id).is_some()) {
            let &[first, last] = of else { return Err(SCALED) };
            return match (self.scaled(first), self.addend(last)) {
                (Some((scales, of)), Some(Addend::Code(addend))) => Ok(StageKind::Scaled { scales, of, addend }),
                _ => Err(SCALED),
            };
        }
        let addends = self.addends(of).ok_or(SUM)?;
        Ok(match *addends.as_slice() {
            [] => return Err(SUM),
            [Addend::Code(x), Addend::Code(y)] => StageKind::Sum([x, y]),
            [Addend::Product(product), Addend::Code(addend)] => StageKind::MultiplyAdd(product, addend),
            _ => StageKind::ExactSum(addends),
        })
    }

    fn choosable(&self, id: TermId) -> Result<StageKind, &'static str> {
        let kind = self.kind(id)?;
        match kind {
            StageKind::Code(_) | StageKind::Sum(_) | StageKind::MultiplyAdd(..) | StageKind::ExactSum(_) => Ok(kind),
            StageKind::Parts
            | StageKind::Product(_)
            | StageKind::Quotient(_)
            | StageKind::Root { .. }
            | StageKind::Function { .. }
            | StageKind::Scaled { .. }
            | StageKind::Aligned { .. }
            | StageKind::Grouped { .. }
            | StageKind::Choice { .. } => Err("a choice is between codes and sums, by a port of one bit"),
        }
    }

    fn addends(&self, of: &[TermId]) -> Option<Vec<Addend>> {
        of.iter().map(|&id| self.addend(id)).collect()
    }

    /// A term of an aligned sum, which has no other sign.
    fn aligned_term(&self, id: TermId) -> Option<AlignedTerm> {
        if let Some(addend) = self.addend(id) {
            return Some(AlignedTerm::Plain(addend)).filter(|_| !addend.is_negated());
        }
        let Term::Product(scales, of) = self.terms()[id.0] else { return None };
        let Some(Addend::Product(scales)) = self.addend(scales) else { return None };
        match (self.addend(of), &self.terms()[of.0]) {
            (Some(Addend::Product(product)), _) => Some(AlignedTerm::ScaledProduct { scales, product }),
            (None, Term::Sum { of, .. }) => Some(AlignedTerm::ScaledSum { scales, of: self.addends(of)? }),
            _ => None,
        }
    }

    /// A code or a product of two codes, of either sign.
    fn addend(&self, id: TermId) -> Option<Addend> {
        match self.terms()[id.0] {
            Term::Negate(of) => self.addend(of).map(Addend::negated),
            Term::Product(a, b) => self.pair([a, b]).map(Addend::Product),
            _ => self.is_code(id).then_some(Addend::Code(Signed { code: id, is_negated: false })),
        }
    }

    /// Two codes; the pair takes the product of their signs.
    fn pair(&self, of: [TermId; 2]) -> Option<Pair> {
        let [Some(Addend::Code(a)), Some(Addend::Code(b))] = of.map(|id| self.addend(id)) else { return None };
        Some(Pair { codes: [a.code, b.code], is_negated: a.is_negated != b.is_negated })
    }

    /// The product of two scales, and the terms of the sum that they multiply.
    fn scaled(&self, id: TermId) -> Option<(Pair, Vec<Addend>)> {
        match self.terms()[id.0] {
            Term::Negate(of) => {
                let (Pair { codes, is_negated }, of) = self.scaled(of)?;
                Some((Pair { codes, is_negated: !is_negated }, of))
            }
            Term::Product(scales, sum) => match (self.addend(scales), &self.terms()[sum.0]) {
                (Some(Addend::Product(scales)), Term::Sum { of, .. }) => Some((scales, self.addends(of)?)),
                _ => None,
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, Meaning, Operation, Rounding, Selection, Summation, Unit};

    fn code(id: usize) -> Signed {
        Signed { code: TermId(id), is_negated: false }
    }

    fn pair(a: usize, b: usize) -> Pair {
        Pair { codes: [TermId(a), TermId(b)], is_negated: false }
    }

    /// The stages of a unit: the rounding term, and what it rounds.
    fn stages(unit: Unit, more: impl FnOnce(Selection) -> Selection) -> Vec<(usize, StageKind)> {
        let operation = more(Selection::new(unit, Format::binary16())).operation().expect("a unit");
        let Meaning::Formula(formula) = operation.meaning() else { panic!("{unit} is no formula") };
        let stages = formula.stages().expect("a formula with a meaning");
        stages.into_iter().map(|stage| (stage.id.0, stage.kind)).collect()
    }

    fn plain(unit: Unit) -> Vec<(usize, StageKind)> {
        stages(unit, |selection| selection)
    }

    #[test]
    fn units_are_cut_at_their_roundings() {
        assert_eq!(plain(Unit::Decode), [(1, StageKind::Code(code(0)))]);
        assert_eq!(plain(Unit::Mul), [(3, StageKind::Product(pair(0, 1)))]);
        assert_eq!(plain(Unit::Add), [(3, StageKind::Sum([code(0), code(1)]))]);
        assert_eq!(plain(Unit::Fmac), [(5, StageKind::MultiplyAdd(pair(0, 1), code(2)))]);
        let mac = [(4, StageKind::Product(pair(0, 1))), (6, StageKind::Sum([code(4), code(2)]))];
        assert_eq!(plain(Unit::Mac), mac);
        let choice = StageKind::Choice {
            port: 1,
            one: Box::new(StageKind::Code(code(0))),
            zero: Box::new(StageKind::Sum([code(1), code(0)])),
        };
        assert_eq!(plain(Unit::Accumulate), [(4, choice)]);
    }

    #[test]
    fn signs_are_those_of_what_is_added() {
        let minus_b = Signed { is_negated: true, ..code(1) };
        let difference = plain(Unit::Sub);
        assert!(matches!(&difference[..], [(_, StageKind::Sum(of))] if *of == [code(0), minus_b]), "{difference:?}");
        let negated = stages(Unit::Fmac, |fmac| Selection { negation: Some(crate::Negation::Both), ..fmac });
        let [(_, StageKind::MultiplyAdd(product, addend))] = &negated[..] else { panic!("{negated:?}") };
        assert!(product.is_negated && addend.is_negated);
    }

    #[test]
    fn sums_of_products_are_told_apart() {
        let dot = |summation| {
            let lanes = |dot| Selection { lanes: Some(2), summation: Some(summation), ..dot };
            stages(Unit::Dot, lanes).into_iter().map(|(_, kind)| kind).collect::<Vec<_>>()
        };
        let products = [pair(0, 2), pair(1, 3)];
        let [first, second] = products.map(Addend::Product);
        assert_eq!(dot(Summation::Exact), [StageKind::ExactSum(vec![first, second, Addend::Code(code(4))])]);
        assert!(matches!(&dot(Summation::Chain)[..], [StageKind::MultiplyAdd(..), StageKind::MultiplyAdd(..)]));
        assert!(matches!(&dot(Summation::Tree)[..], [StageKind::ExactSum(_), StageKind::Sum(_)]));
        let blocks = stages(Unit::MxDot, |dot| Selection { lanes: Some(1), ..dot });
        let [(_, StageKind::Scaled { scales, of, addend })] = &blocks[..] else { panic!("{blocks:?}") };
        assert_eq!((*scales, of.as_slice(), *addend), (pair(2, 3), &[Addend::Product(pair(0, 1))][..], code(4)));
    }

    /// A scaled sum can only be added to a code.
    #[test]
    fn scaled_sums_are_added_to_a_code() {
        let mut formula = Formula::new();
        let [a, b] = [formula.operand(0), formula.operand(1)];
        let product = formula.product(a, b);
        let inner = formula.sum(&[a, b], Rounding::Rne);
        let scaled = formula.product(product, inner);
        let target = Operation::new(Unit::Add, Format::binary16(), Format::binary16()).target();
        let mut alone = formula.clone();
        alone.round(scaled, target);
        assert_eq!(alone.stages(), Err(FormulaError { term: scaled, why: SCALED }));
        let sum = formula.sum(&[scaled, product], Rounding::Rne);
        formula.round(sum, target);
        assert_eq!(formula.stages(), Err(FormulaError { term: sum, why: SCALED }));
    }
}
