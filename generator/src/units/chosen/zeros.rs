//! The sign of exact zeros: a sum that is rounded to odd gives +0 where rounding toward -infinity gives -0 (IEEE 754-2019 section
//! 6.3).

use super::Choices;
use crate::units::round::decide::makes_minus_zero;
use binade_circuit::{Bits, concat};
use binade_spec::{Formula, Operation, Output, Port, Sign, Term, TermId};

impl<'c> Choices<'c> {
    /// The results of the shared unit, with the sign of exact zeros that rounding toward -infinity gives, where that is chosen.
    pub fn signs_of_zeros(
        &self,
        shared: &Operation,
        operands: &[Bits<'c>],
        codes: Bits<'c>,
        rm: Option<Bits<'c>>,
    ) -> Bits<'c> {
        let rounds_down: Vec<Bits> =
            self.operations.iter().map(|choice| makes_minus_zero(choice.rounding, codes.circuit(), rm)).collect();
        let rounds_down = self.choose(&rounds_down);
        if rounds_down.known() == Some(0) {
            return codes;
        }
        let formula = shared.formula().unwrap_or_default();
        let Some(Output::Codes(results)) = formula.outputs().first() else { return codes };
        let width = shared.result.width();
        let signs = Signs { formula: &formula, ports: shared.inputs(), operands };
        let lane = |(lane, result): (u32, &TermId)| {
            let code = codes.slice((lane + 1) * width - 1, lane * width);
            let is_minus_zero = code.low(width - 1).none() & signs.any_is_negative(*result) & rounds_down;
            concat(&[code.msb() | is_minus_zero.named("is_minus_zero"), code.low(width - 1)])
        };
        let mut lanes: Vec<Bits> = (0..).zip(results).map(lane).collect();
        lanes.reverse();
        concat(&lanes)
    }
}

/// The signs of the terms of a sum.
struct Signs<'f, 'c> {
    formula: &'f Formula,
    ports: Vec<Port>,
    operands: &'f [Bits<'c>],
}

impl<'c> Signs<'_, 'c> {
    /// Whether a term of the sum that a result rounds is negative.
    fn any_is_negative(&self, result: TermId) -> Bits<'c> {
        if let Term::Round { of, .. } = self.term(result)
            && let Term::Sum { of, .. } = self.term(*of)
        {
            return self.any_of(of);
        }
        // A product that is zero has the sign of the shared unit.
        self.operands[0].circuit().zero()
    }

    fn any_of(&self, terms: &[TermId]) -> Bits<'c> {
        terms.iter().map(|&term| self.of(term)).reduce(|one, other| one | other).expect("a sum has terms")
    }

    fn term(&self, id: TermId) -> &Term {
        &self.formula.terms()[id.0]
    }

    /// The sign of a product or a code.
    fn of(&self, id: TermId) -> Bits<'c> {
        match self.term(id) {
            Term::Operand { port, lane } => {
                let (port, bits) = (&self.ports[*port], self.operands[*port]);
                if port.format().is_some_and(|format| format.sign() == Sign::Unsigned) {
                    return bits.circuit().zero();
                }
                bits.bit((lane + 1) * port.lane_width() - 1)
            }
            Term::Product(a, b) => self.of(*a) ^ self.of(*b),
            Term::Negate(of) => !self.of(*of),
            // Its scales have no sign and are never zero, so that it is zero where the sum is.
            Term::Sum { of, .. } => self.any_of(of),
            term => unreachable!("{term:?} in a sum of formats that a port chooses"),
        }
    }
}
