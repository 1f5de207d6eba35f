//! The operands of a case: codes where the plan places them, made of free bits or read from given words.

use super::{Builder, CodePart, Draw, TermValue};
use crate::normalized::Wide;
use crate::number::{CodeClass, Number, SignedDigits, decoded, kind, nonzero};
use crate::pieces::{Parts, Piece};
use crate::plans::{Choice, Meeting, OTHER_PLAN, Specified};
use crate::words::{Word, constant, differ, inverted, literal, negated_if, plus, resized, sign_extended};
use binade_gates::Literal;
use binade_spec::{Format, Term, TermId};

impl Builder<'_> {
    /// The unrestricted word of a port: the given one, else free bits.
    pub(super) fn word(&mut self, port: usize) -> Word {
        let width = self.ports[port].width() as usize;
        let given = self.given.get(port).cloned();
        let word = self.drawn(port, CodePart::Word, given.as_deref(), width);
        self.inputs[port].clone_from(&word);
        word
    }

    /// The unrestricted code in a lane of a port.
    fn lane(&mut self, port: usize, lane: u32) -> Word {
        let word = if self.inputs[port].is_empty() { self.word(port) } else { self.inputs[port].clone() };
        let width = self.ports[port].lane_width() as usize;
        word[lane as usize * width..][..width].to_vec()
    }

    /// The given code on a port, if any: the bits below its sign, and the sign.
    fn given(&self, port: usize, format: &Format) -> Option<(Word, Word)> {
        let (body, sign) = self.given.get(port)?.split_at(format.magnitude_bits() as usize);
        Some((body.to_vec(), sign.to_vec()))
    }

    /// The lowest bits of a given part of a code, else free bits.
    fn drawn(&mut self, port: usize, part: CodePart, given: Option<&[Literal]>, bits: usize) -> Word {
        let draws = (0..bits).map(|place| Draw { port, part, place });
        match given {
            Some(given) => {
                self.read.extend(draws.zip(given.iter().copied()));
                given[..bits].to_vec()
            }
            None => {
                self.draws.extend(draws);
                self.free.by_ref().take(bits).collect()
            }
        }
    }

    /// Whether an operand takes its exponent from the term that it meets; never for given codes.
    pub(super) fn waits(&self, id: TermId, port: usize) -> bool {
        let is_second = |term: &Term| if let Term::Sum { of, .. } = term { of.last() == Some(&id) } else { false };
        let is_met = matches!(self.plan.meeting, Meeting::At(_)) && self.formula.terms().iter().any(is_second);
        self.given.is_empty()
            && is_met
            && match &self.plan.choices[port] {
                Choice::In(piece) => piece.is_continuous(),
                Choice::Across(_) => true,
                Choice::Anywhere | Choice::Any | Choice::Zero | Choice::Exactly(_) | Choice::Bit(_) => false,
            }
    }

    /// An operand whose last place lies below that of the other term by the plan's distance.
    pub(super) fn meeting_operand(&mut self, id: TermId, first: &Number) -> Specified<TermValue> {
        let (Meeting::At(distance), Term::Operand { port, lane }) = (self.plan.meeting, &self.formula.terms()[id.0])
        else {
            return Err(OTHER_PLAN);
        };
        let exponent = plus(&mut self.graph, &first.exponent, -distance);
        self.operand(*port, *lane, Some(exponent))
    }

    /// An operand with the given exponent, else a free one.
    pub(super) fn operand(&mut self, port: usize, lane: u32, exponent: Option<Word>) -> Specified<TermValue> {
        let format = self.ports[port].format().expect("an operand is a code");
        let (code, number) = match self.plan.choices[port].clone() {
            Choice::Anywhere => self.decoded(port, lane, &format),
            Choice::Any => self.special(port, lane, &format),
            Choice::Zero => self.zero(port, &format),
            Choice::Exactly(code) => self.exactly(&format, code),
            Choice::In(piece) => self.in_piece(port, &format, &piece, exponent),
            Choice::Across(wide) => self.across(port, &format, &wide, exponent),
            Choice::Bit(_) => return Err(OTHER_PLAN),
        };
        if self.ports[port].lanes == 1 {
            self.inputs[port].clone_from(&code);
        }
        Ok(TermValue { number, code })
    }

    /// The number on the ports sign, zero, nar, exponent, significand and sticky.
    pub(super) fn parts(&mut self) -> Number {
        let [sign, zero, nar, exponent, mut significand, sticky] = [0, 1, 2, 3, 4, 5].map(|port| self.word(port));
        let places = significand.len();
        significand[places - 1] = Literal::TRUE;
        let exponent = sign_extended(&exponent, self.width);
        let exponent = plus(&mut self.graph, &exponent, -(places as i128));
        let zero = self.graph.and(zero[0], !nar[0]);
        Number { nan: nar[0], zero, ..nonzero(sign[0], [sticky, significand].concat(), exponent) }
    }

    fn decoded(&mut self, port: usize, lane: u32, format: &Format) -> (Word, Number) {
        let code = self.lane(port, lane);
        let number = decoded(&mut self.graph, format, &code, self.width);
        (code, number)
    }

    fn special(&mut self, port: usize, lane: u32, format: &Format) -> (Word, Number) {
        let code = self.lane(port, lane);
        let CodeClass { nan, signaling: invalid, infinite, zero, negative } = kind(&mut self.graph, format, &code);
        let exponent = constant(0, self.width);
        let number = nonzero(negative, vec![], exponent);
        (code, Number { nan, infinite, zero, invalid, ..number })
    }

    fn zero(&mut self, port: usize, format: &Format) -> (Word, Number) {
        let bits = format.magnitude_bits() as usize;
        let flushed = (format.min_code().ilog2() as usize).min(bits);
        let (of_magnitude, of_sign) = self.given(port, format).unzip();
        let magnitude = resized(&self.drawn(port, CodePart::Body, of_magnitude.as_deref(), flushed), bits);
        let code = match format.has_minus_zero() {
            true => [magnitude, self.drawn(port, CodePart::Sign, of_sign.as_deref(), 1)].concat(),
            false => resized(&magnitude, format.width() as usize),
        };
        let number = kind(&mut self.graph, format, &code);
        self.conditions.push(number.zero);
        let mut zero = nonzero(number.negative, vec![], constant(0, self.width));
        zero.zero = Literal::TRUE;
        (code, zero)
    }

    /// One fixed code of zero.
    fn exactly(&mut self, format: &Format, code: u128) -> (Word, Number) {
        let code = constant(code as i128, format.width() as usize);
        let negative = kind(&mut self.graph, format, &code).negative;
        let zero = nonzero(negative, vec![], constant(0, self.width));
        (code, Number { zero: Literal::TRUE, ..zero })
    }

    fn in_piece(&mut self, port: usize, format: &Format, piece: &Piece, exponent: Option<Word>) -> (Word, Number) {
        let (of_body, of_sign) = self.given(port, format).unzip();
        let of_field = of_body.as_deref().map(|bits| {
            let field = &bits[piece.free_bits()..][..piece.field_bits()];
            if piece.is_inverted() { inverted(field) } else { field.to_vec() }
        });
        let (free, width) = (self.drawn(port, CodePart::Body, of_body.as_deref(), piece.free_bits()), self.width);
        let parts = match exponent {
            Some(exponent) => {
                let spare = self.drawn(port, CodePart::Field, None, 1)[0];
                piece.code_at(&mut self.graph, &exponent, spare, &free, width)
            }
            None => {
                self.factors.extend(&free);
                let field = self.drawn(port, CodePart::Field, of_field.as_deref(), piece.field_bits());
                let parts = piece.code(&mut self.graph, &field, &free, width);
                if !self.given.is_empty() && piece.is_continuous() {
                    self.demand_found(piece, &parts, field[0], &free);
                }
                parts
            }
        };
        self.number(port, format, parts, of_sign)
    }

    fn across(&mut self, port: usize, format: &Format, wide: &Wide, exponent: Option<Word>) -> (Word, Number) {
        let width = self.width;
        let (of_body, of_sign) = self.given(port, format).unzip();
        let read = of_body.zip(of_sign.clone()).map(|(body, sign)| wide.read(&mut self.graph, &body, &sign, width));
        let (of_power, of_fraction) = read.unzip();
        let free = self.drawn(port, CodePart::Body, of_fraction.as_deref(), wide.free_bits());
        let parts = match exponent {
            Some(exponent) => wide.code_at(&mut self.graph, &exponent, &free),
            None => {
                self.factors.extend(&free);
                let power = self.drawn(port, CodePart::Field, of_power.as_deref(), wide.power_bits());
                wide.code(&mut self.graph, &power, &free, width)
            }
        };
        self.number(port, format, parts, of_sign)
    }

    /// The code and the number of the parts. The sign is free or given unless the whole piece has one sign.
    fn number(&mut self, port: usize, format: &Format, parts: Parts, of_sign: Option<Word>) -> (Word, Number) {
        let Parts { body, sign, significand, fraction, exponent, belongs } = parts;
        self.conditions.push(belongs);
        let negative = match sign {
            _ if format.sign_mask() == 0 => Literal::FALSE,
            Some(is_negative) => literal(is_negative),
            None => self.drawn(port, CodePart::Sign, of_sign.as_deref(), 1)[0],
        };
        let mut code = match (sign, format) {
            (None, Format::Posit(_)) => negated_if(&mut self.graph, negative, &body),
            _ => body,
        };
        if format.sign_mask() != 0 {
            code.push(negative);
        }
        let signed = sign.map(|_| SignedDigits::Normalized([fraction, vec![!negative, negative]].concat()));
        (code, Number { signed, ..nonzero(negative, significand, exponent) })
    }

    /// Requires a given code to be the one that the case would find by its exponent. At a distance, the exponent is
    /// that of the other term less the distance; if that is the plan's distance, it is the same word.
    fn demand_found(&mut self, piece: &Piece, parts: &Parts, spare: Literal, free: &[Literal]) {
        let found = piece.code_at(&mut self.graph, &parts.exponent, spare, free, self.width);
        let is_other = differ(&mut self.graph, &found.body, &parts.body);
        self.conditions.extend([found.belongs, !is_other]);
    }
}
