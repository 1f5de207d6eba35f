//! What follows an exact number: rounding, conversion and ReLU.

use super::{Builder, TermValue};
use crate::number::{CodeClass, Number, decoded, kind, nonzero};
use crate::plans::Specified;
use crate::rounding::rounded;
use crate::words::{Word, choose, constant, raised};
use binade_gates::Literal;
use binade_spec::{Format, Nan, NanResult, Target, TermId};

impl Builder<'_> {
    /// The bits of the random word that a rounding uses.
    fn random(&self, id: TermId) -> Word {
        let before = self.formula.roundings().take_while(|(other, _)| other.0 < id.0);
        let low: u32 = before.map(|(_, target)| target.rounding.random_bits()).sum();
        let bits = self.formula.terms()[id.0].target().map_or(0, |target| target.rounding.random_bits());
        match bits {
            0 => vec![],
            _ => self.inputs[self.operation.inputs().len() - 1][low as usize..][..bits as usize].to_vec(),
        }
    }

    /// The code of a number, before meaningless signs are normalized.
    fn code(&mut self, id: TermId, of: TermId, target: &Target) -> Specified<Word> {
        let (number, random) = (self.of(of).number.clone(), self.random(id));
        self.demand_special(&number);
        let result = rounded(&mut self.graph, target, &number, &random)?;
        let invalid = self.graph.or(number.invalid, result.invalid);
        let raised = [result.inexact, result.underflow, result.overflow, invalid];
        if target.flags.is_some() {
            self.flags.iter_mut().zip(raised).for_each(|(all, flag)| all.push(flag));
        }
        Ok(result.code)
    }

    /// Without a significand, the number must be special or zero; the plan says so for operands.
    fn demand_special(&mut self, number: &Number) {
        if number.significand.is_empty() {
            let known = self.graph.any(&[number.nan, number.infinite, number.zero]);
            self.conditions.push(known);
        }
    }

    pub(super) fn round(&mut self, id: TermId, of: TermId, target: &Target) -> Specified<TermValue> {
        let mut code = self.code(id, of, target)?;
        let format = &target.format;
        if format.ignores_sign_of_specials() {
            let CodeClass { nan, zero, .. } = kind(&mut self.graph, format, &code);
            let ignored = self.graph.or(nan, zero);
            let sign = code.last_mut().expect("a sign");
            *sign = self.graph.and(*sign, !ignored);
        }
        Ok(self.coded(id, format, code))
    }

    /// A code with its number, if some term uses the number.
    fn coded(&mut self, id: TermId, format: &Format, code: Word) -> TermValue {
        let is_used = self.formula.terms().iter().any(|term| term.uses().contains(&id));
        let number = match is_used {
            true => decoded(&mut self.graph, format, &code, self.width),
            false => nonzero(Literal::FALSE, vec![], vec![]),
        };
        TermValue { number: Number { invalid: Literal::FALSE, ..number }, code }
    }

    pub(super) fn convert(&mut self, id: TermId, of: TermId, target: &Target) -> Specified<TermValue> {
        let from = self.format(of);
        let source = self.of(of).code.clone();
        let mut code = self.code(id, of, target)?;
        let graph = &mut self.graph;
        if let (Format::Float(from), Format::Float(to)) = (from, target.format)
            && target.nan == NanResult::Payload
            && [from.nan, to.nan] == [Nan::TopField; 2]
            && to.trailing_bits >= from.trailing_bits
        {
            let CodeClass { nan, negative, .. } = kind(graph, &from.into(), &source);
            let payload = &source[..from.trailing_bits as usize];
            let mut payload = raised(payload, (to.trailing_bits - from.trailing_bits) as usize);
            if let (Some(_), Some(quiet)) = (target.flags, payload.last_mut()) {
                *quiet = Literal::TRUE;
            }
            let field = vec![Literal::TRUE; to.exponent_bits as usize];
            let sign = if to.sign_bits() == 1 { vec![negative] } else { vec![] };
            code = choose(graph, nan, &[payload, field, sign].concat(), &code);
        }
        if target.format.ignores_sign_of_specials() && from.float().is_some() && from.sign_mask() != 0 {
            let sign = *source.last().expect("a sign");
            let of_code = code.last_mut().expect("a sign");
            *of_code = graph.or(*of_code, sign);
        }
        Ok(self.coded(id, &target.format, code))
    }

    /// The format of a term that is a code.
    pub(super) fn format(&self, id: TermId) -> Format {
        self.formula.format(id, &self.ports).expect("a term that is a code")
    }

    pub(super) fn rectified(&mut self, of: TermId) -> TermValue {
        let format = self.format(of);
        let TermValue { number, code } = self.of(of).clone();
        let graph = &mut self.graph;
        let negative = graph.and(number.negative, !number.nan);
        let zero = constant(format.zero_code(false) as i128, code.len());
        let code = choose(graph, negative, &zero, &code);
        let mut rectified = number;
        rectified.zero = graph.or(rectified.zero, negative);
        rectified.infinite = graph.and(rectified.infinite, !negative);
        rectified.negative = graph.and(rectified.negative, !negative);
        TermValue { number: rectified, code }
    }
}
