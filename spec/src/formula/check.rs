//! Checks that a formula has a meaning: which terms each term may use, and how it may be used. Code that reads formulas
//! may rely on it.
//!
//! | term | operands |
//! |---|---|
//! | `Product` | two codes; or a product of two codes (scales) and a sum, or in `Aligned` a product of two codes |
//! | `Sum` | codes, products, and either with the other sign |
//! | `Aligned` | codes, products of codes, and products or sums times scales |
//! | `Grouped` | products of codes, and a code |
//! | `Negate` | a code or a product |
//! | `Quotient` | two codes |
//! | `Root`, `Function` | a code |
//! | `Scale`, `Convert`, `Rectify`, `Flush`, `Largest` | codes |
//! | `Choose` | a bit, and codes or sums |
//! | `Round` | a stage of `stages.rs` |
//!
//! A code is an operand, a register, zero, a power of two, the largest of several codes, or a result that was rounded,
//! converted, rectified, flushed or made a scale.
//! Quotients, roots, functions, aligned and grouped sums and numbers in parts can only be rounded.

use super::{Formula, Term, TermId};
use crate::{Content, Port};
use thiserror::Error;

/// Why a formula has no meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("term {}: {why}", term.0)]
pub struct FormulaError {
    /// The offending term.
    pub term: TermId,
    /// What is wrong with it.
    pub why: &'static str,
}

impl Formula {
    /// Checks that the formula has a meaning for these input ports.
    ///
    /// # Errors
    /// The first term without meaning, and why.
    pub fn check(&self, inputs: &[Port]) -> Result<(), FormulaError> {
        for (at, term) in self.terms().iter().enumerate() {
            let of = |why| FormulaError { term: TermId(at), why };
            self.check_term(term, inputs).map_err(of)?;
            let is_exact = matches!(
                term,
                Term::Quotient(..)
                    | Term::Root { .. }
                    | Term::Function { .. }
                    | Term::Aligned { .. }
                    | Term::Grouped { .. }
                    | Term::Parts
            );
            if is_exact && !self.users(TermId(at)).all(|user| matches!(user, Term::Round { .. })) {
                return Err(of(
                    "a quotient, a root, a function, an aligned or grouped sum and a number in parts can only be rounded",
                ));
            }
        }
        self.stages()?;
        let shown = self.results().map(|id| (id, "an output shows a code"));
        let kept = self.registers().iter().map(|register| (register.next, "a register holds a code"));
        match shown.chain(kept).find(|(id, _)| !self.is_code(*id)) {
            Some((term, why)) => Err(FormulaError { term, why }),
            None => Ok(()),
        }
    }

    fn check_term(&self, term: &Term, inputs: &[Port]) -> Result<(), &'static str> {
        let (is_right, why) = match term {
            Term::Operand { port, lane } => (
                inputs.get(*port).is_some_and(|port| port.format().is_some() && *lane < port.lanes),
                "an operand is a code in a lane of an existing port",
            ),
            Term::State { register } => (*register < self.registers().len(), "a state is one of the registers"),
            Term::Scale { of, .. } => {
                (!of.is_empty() && of.iter().all(|&id| self.is_code(id)), "a scale is made from codes")
            }
            Term::Largest(of) => {
                let format = |id: &TermId| self.format(*id, inputs);
                let are_alike = of.iter().all(|id| self.is_code(*id) && format(id) == format(&of[0]));
                (!of.is_empty() && are_alike, "the largest is one of several codes of a format")
            }
            Term::Convert { of, .. } | Term::Rectify(of) | Term::Flush { of, .. } => {
                (self.is_code(*of), "only a code can be converted, rectified or flushed")
            }
            Term::Choose { port, .. } => {
                (inputs.get(*port).is_some_and(is_bit), "a choice is between codes and sums, by a port of one bit")
            }
            Term::Zero
            | Term::Power(_)
            | Term::Parts
            | Term::Product(..)
            | Term::Sum { .. }
            | Term::Aligned { .. }
            | Term::Grouped { .. }
            | Term::Negate(_)
            | Term::Quotient(..)
            | Term::Root { .. }
            | Term::Function { .. }
            | Term::Round { .. } => (true, ""),
        };
        if is_right { Ok(()) } else { Err(why) }
    }

    /// The terms that use a term directly.
    pub(super) fn users(&self, id: TermId) -> impl Iterator<Item = &Term> {
        self.terms().iter().filter(move |term| term.uses().contains(&id))
    }

    /// Whether a term is a code.
    pub(super) fn is_code(&self, id: TermId) -> bool {
        match self.terms()[id.0] {
            Term::Operand { .. }
            | Term::Zero
            | Term::Power(_)
            | Term::Largest(_)
            | Term::State { .. }
            | Term::Round { .. }
            | Term::Convert { .. }
            | Term::Rectify(_)
            | Term::Flush { .. }
            | Term::Scale { .. } => true,
            Term::Negate(of) => self.is_code(of),
            Term::Parts
            | Term::Product(..)
            | Term::Sum { .. }
            | Term::Aligned { .. }
            | Term::Grouped { .. }
            | Term::Choose { .. }
            | Term::Quotient(..)
            | Term::Root { .. }
            | Term::Function { .. } => false,
        }
    }
}

fn is_bit(port: &Port) -> bool {
    port.lanes == 1 && matches!(port.content, Content::Word { width: 1, .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Alignment, Format, Operation, Output, Register, Rounding, Selection, Target, Unit, WordKind};

    fn ports() -> Vec<Port> {
        let code = |name| Port::code(name, Format::binary16());
        vec![code("a"), code("b"), Port::word("clear", 1, WordKind::Bit("the sum is zero before"))]
    }

    fn target() -> Target {
        Operation::new(Unit::Add, Format::binary16(), Format::binary16()).target()
    }

    /// Why a formula that begins with the operands a and b has no meaning. The given term follows them, and is rounded
    /// and output.
    fn refused(made: impl FnOnce(&mut Formula, [TermId; 2]) -> Term) -> &'static str {
        let mut formula = Formula::new();
        let operands = [formula.operand(0), formula.operand(1)];
        let term = made(&mut formula, operands);
        let term = formula.term(term);
        let y = formula.round(term, target());
        formula.output(Output::code(y));
        formula.check(&ports()).map_or_else(|error| error.why, |()| "")
    }

    #[test]
    fn units_have_a_meaning() {
        let operations = Unit::ALL.map(|unit| Selection::new(unit, Format::binary16()).operation());
        let formulas: Vec<(Operation, Formula)> =
            operations.into_iter().flatten().filter_map(|operation| Some((operation, operation.formula()?))).collect();
        assert!(formulas.len() > 10, "{} units", formulas.len());
        for (operation, formula) in formulas {
            assert_eq!(formula.check(&operation.inputs()), Ok(()), "{}", operation.unit);
        }
    }

    #[test]
    fn what_has_no_meaning_is_refused() {
        let sum = |formula: &mut Formula, of: [TermId; 2]| formula.sum(&of, Rounding::Rne);
        let quotient = |formula: &mut Formula, [a, b]: [TermId; 2]| formula.term(Term::Quotient(a, b));
        let sums = refused(|formula, of| {
            let inner = sum(formula, of);
            Term::Sum { of: vec![inner, of[0]], rounding: Rounding::Rne }
        });
        assert_eq!(sums, "a sum has codes and products, of either sign");
        let of_quotient = refused(|formula, of| {
            let inner = quotient(formula, of);
            Term::Sum { of: vec![inner, of[0]], rounding: Rounding::Rne }
        });
        assert_eq!(
            of_quotient,
            "a quotient, a root, a function, an aligned or grouped sum and a number in parts can only be rounded"
        );
        let by_sum = refused(|formula, of| Term::Quotient(of[0], sum(formula, of)));
        assert_eq!(by_sum, "a quotient has two codes");
        let root_of_product = refused(|formula, [a, b]| Term::Root { of: formula.product(a, b), is_reciprocal: false });
        assert_eq!(root_of_product, "a root is that of a code");
        let of_sum = refused(|formula, of| Term::Product(of[0], sum(formula, of)));
        assert_eq!(of_sum, "a product has two codes, or the product of two scales and a sum");
        let minus_sum = refused(|formula, of| Term::Negate(sum(formula, of)));
        assert_eq!(minus_sum, "the other sign is that of a code or a product");
        let converted = refused(|formula, [a, b]| {
            let product = formula.product(a, b);
            Term::Convert { of: product, target: target() }
        });
        assert_eq!(converted, "only a code can be converted, rectified or flushed");
        let by_code = refused(|_, [a, b]| Term::Choose { port: 0, one: a, zero: b });
        assert_eq!(by_code, "a choice is between codes and sums, by a port of one bit");
        assert_eq!(refused(|_, [a, b]| Term::Choose { port: 2, one: a, zero: b }), "");
        let aligned = refused(|formula, of| {
            let alignment = Alignment { fraction_bits: 3, floor: None, result_bits: None };
            Term::Aligned { of: vec![sum(formula, of)], alignment, cut: Rounding::Rtz, rounding: Rounding::Rne }
        });
        assert_eq!(aligned, "terms that are aligned are codes, products of codes, and products or sums times scales");
        assert_eq!(
            refused(|_, _| Term::Operand { port: 2, lane: 0 }),
            "an operand is a code in a lane of an existing port"
        );
        assert_eq!(refused(|_, _| Term::State { register: 0 }), "a state is one of the registers");
    }

    #[test]
    fn outputs_and_registers_have_codes() {
        let mut formula = Formula::new();
        let [a, b] = [formula.operand(0), formula.operand(1)];
        let product = formula.product(a, b);
        let mut shown = formula.clone();
        shown.output(Output::code(product));
        assert_eq!(shown.check(&ports()), Err(FormulaError { term: product, why: "an output shows a code" }));
        formula.register(Register { name: "acc", next: product, format: Format::binary16() });
        let error = formula.check(&ports()).expect_err("a register of a product");
        assert_eq!(error.to_string(), "term 2: a register holds a code");
    }
}
