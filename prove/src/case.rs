//! One case as a circuit: operands that lie where the plan says, the specification, the unit, and where they differ.

use crate::functions;
use crate::number::{Kind, Number, aligned_sum, decoded, kind, nonzero, sum_of_significands, times};
use crate::pieces::{Parts, Piece, Subnormals, pieces};
use crate::plans::{Choice, Meeting, Plan, Sum};
use crate::rounding::rounded;
use crate::wide::Wide;
use crate::words::{
    Multiplier, Word, bits_of, choose, constant, differ, difference, inverted, is_below, is_equal, literal, negated_if,
    plus, raised, resized,
};
use binade_sim::lanes::{Graph, Literal};
use binade_spec::{Format, Formula, Meaning, Nan, Operation, Output, Port, Rounding, Target, Term, TermId};

/// A case, ready to be shown.
#[derive(Clone, Debug)]
pub struct Case {
    /// The gates; its only input are the bits that are free.
    pub graph: Graph,
    /// 1 for inputs that belong to the case.
    pub valid: Literal,
    /// 1 where unit and specification differ.
    pub differs: Literal,
    /// The words of the unit's inputs.
    pub inputs: Vec<Word>,
    /// The free bits of the factors' significands.
    pub factors: Vec<Literal>,
    /// Bits of the magnitude of a sum of terms at a distance; 0 if there is none.
    pub sum_bits: usize,
}

/// What a term came to.
#[derive(Clone, Debug)]
struct Outcome {
    number: Number,
    code: Word,
}

struct Builder<'a> {
    operation: &'a Operation,
    ports: Vec<Port>,
    formula: &'a Formula,
    plan: &'a Plan,
    multiplier: Multiplier,
    graph: Graph,
    free: std::vec::IntoIter<Literal>,
    /// The words of the ports, if they are there already: then bits are read off them, and none are free.
    given: Vec<Word>,
    width: usize,
    conditions: Vec<Literal>,
    inputs: Vec<Word>,
    factors: Vec<Literal>,
    sum_bits: usize,
    outcomes: Vec<Option<Outcome>>,
    /// Invalid, overflow, underflow, inexact from the end.
    flags: [Vec<Literal>; 4],
}

impl Case {
    /// The case of a plan.
    ///
    /// # Panics
    /// When the graph has not the ports of the operation.
    pub fn new(operation: &Operation, plan: &Plan, unit: &Graph, multiplier: Multiplier) -> Case {
        let formula = formula(operation);
        // The powers of normalised numbers are wider than exponent fields, and their fractions as wide as codes.
        let width = exponent_bits(operation, &formula, plan.reach) as u32;
        let spare = ports(operation).iter().map(|port| port.width() + width).sum();
        let graph = Graph::new([spare]);
        let free = graph.inputs()[0].clone();
        let mut builder = Builder::new(operation, &formula, plan, multiplier, graph);
        builder.free = free.into_iter();
        let wanted = builder.wanted();
        builder.compared(unit, &wanted)
    }
}

/// What a unit's results depend on: its operands, and what its registers hold.
pub fn ports(operation: &Operation) -> Vec<Port> {
    operation.inputs().into_iter().chain(operation.registers()).collect()
}

/// The specification of a plan that is not split, with the ports of the unit.
pub fn undivided(operation: &Operation, plan: &Plan, multiplier: Multiplier) -> Graph {
    let formula = formula(operation);
    let graph = Graph::new(operation.inputs().iter().map(|port| port.width()));
    let given = graph.inputs().to_vec();
    let mut builder = Builder::new(operation, &formula, plan, multiplier, graph);
    builder.given = given;
    let wanted = builder.wanted();
    let mut graph = builder.graph;
    wanted.into_iter().for_each(|word| graph.add_output(word));
    graph
}

/// Whether a case has the words at a graph's inputs, which are the ports of the unit: the bits that are free in the case are read
/// off the words, and the case is made of these bits. 1 only if it has the words then.
pub fn has_inputs(operation: &Operation, plan: &Plan, graph: Graph) -> (Graph, Literal) {
    let formula = formula(operation);
    let given = graph.inputs().to_vec();
    let mut builder = Builder::new(operation, &formula, plan, Multiplier::Rows, graph);
    builder.given.clone_from(&given);
    builder.wanted();
    let Builder { mut graph, mut conditions, inputs, .. } = builder;
    conditions.push(!differ(&mut graph, &inputs.concat(), &given.concat()));
    let has = graph.all(&conditions);
    (graph, has)
}

/// The formula of a unit; one without terms for plain functions.
fn formula(operation: &Operation) -> Formula {
    match operation.meaning() {
        Meaning::Formula(formula) => formula,
        Meaning::Function | Meaning::Machine(_) => Formula::new(),
    }
}

/// Bits of exponents: enough for those of every format, of their products, and for how far apart these are.
fn exponent_bits(operation: &Operation, formula: &Formula, reach: usize) -> usize {
    let of_ports = ports(operation).into_iter().filter_map(|port| port.format());
    let formats = of_ports.chain(formula.roundings().map(|(_, target)| target.format));
    let largest = |format: Format| {
        let pieces = pieces(&format, Subnormals::Together);
        // Normalised subnormals lie as far below as they have bits.
        pieces.iter().map(Piece::largest).max().unwrap_or(0) + 2 * i128::from(format.precision())
    };
    bits_of(4 * formats.map(largest).max().unwrap_or(0) + 2 * reach as i128)
}

impl<'a> Builder<'a> {
    /// Nothing is there yet but a graph.
    fn new(
        operation: &'a Operation,
        formula: &'a Formula,
        plan: &'a Plan,
        multiplier: Multiplier,
        graph: Graph,
    ) -> Builder<'a> {
        let ports = ports(operation);
        Builder {
            operation,
            inputs: vec![vec![]; ports.len()],
            ports,
            formula,
            plan,
            multiplier,
            graph,
            free: vec![].into_iter(),
            given: vec![],
            width: exponent_bits(operation, formula, plan.reach),
            conditions: vec![],
            factors: vec![],
            sum_bits: 0,
            outcomes: vec![],
            flags: Default::default(),
        }
    }

    /// The words of the outputs.
    fn wanted(&mut self) -> Vec<Word> {
        match self.operation.meaning() {
            Meaning::Formula(_) => self.specification(),
            Meaning::Function | Meaning::Machine(_) => self.function(),
        }
    }

    /// The word of a port, any word: that which is there already, else free bits.
    fn word(&mut self, port: usize) -> Word {
        let width = self.ports[port].width() as usize;
        let word = match self.given.get(port) {
            Some(given) => given.clone(),
            None => self.fresh(width),
        };
        self.inputs[port].clone_from(&word);
        word
    }

    /// The code on a port, if it is there already: what is below its sign, and the sign.
    fn given(&self, port: usize, format: &Format) -> Option<(Word, Word)> {
        let (body, sign) = self.given.get(port)?.split_at(format.magnitude_bits() as usize);
        Some((body.to_vec(), sign.to_vec()))
    }

    /// So many bits of a code that is there already, the others above them left out, or free ones.
    fn drawn(&mut self, given: Option<&[Literal]>, bits: usize) -> Word {
        given.map_or_else(|| self.fresh(bits), |given| given[..bits].to_vec())
    }

    fn fresh(&mut self, bits: usize) -> Word {
        self.free.by_ref().take(bits).collect()
    }

    /// The words of the outputs of a plain function.
    fn function(&mut self) -> Vec<Word> {
        let words: Vec<Word> = (0..self.inputs.len()).map(|port| self.word(port)).collect();
        functions::outputs(&mut self.graph, self.operation, &words)
    }

    /// The words of the outputs of a formula.
    fn specification(&mut self) -> Vec<Word> {
        if self.operation.random_bits() > 0 {
            self.word(self.operation.inputs().len() - 1);
        }
        let is_needed = self.needed();
        for (at, is_needed) in is_needed.into_iter().enumerate() {
            let outcome = if is_needed { self.outcome(TermId(at)) } else { None };
            self.outcomes.push(outcome);
        }
        for port in 0..self.ports.len() {
            if self.inputs[port].is_empty() {
                self.word(port);
            }
        }
        let graph = &mut self.graph;
        let flags: Word = self.flags.iter().map(|raised| graph.any(raised)).collect();
        let word = |output: &Output| match output {
            Output::Code(id) => self.outcomes[id.0].as_ref().expect("a code").code.clone(),
            Output::Flags => flags.clone(),
        };
        let next = self.formula.registers().iter().map(|register| Output::Code(register.next));
        self.formula.outputs().iter().copied().chain(next).map(|output| word(&output)).collect()
    }

    /// The terms that something is made of, as the plan chooses.
    fn needed(&self) -> Vec<bool> {
        let mut needed = vec![true; self.formula.terms().len()];
        for (at, term) in self.formula.terms().iter().enumerate() {
            if let Term::Choose { port, one, zero } = term {
                let other = if self.takes_one(*port) { zero } else { one };
                let is_used = |(user, term): (usize, &Term)| user != at && term.uses().contains(other);
                needed[other.0] = self.formula.terms().iter().enumerate().any(is_used);
            }
        }
        for at in (0..needed.len()).rev() {
            let mut users =
                self.formula.terms().iter().enumerate().filter(|(_, term)| term.uses().contains(&TermId(at)));
            if users.clone().next().is_some() {
                needed[at] &= users.any(|(user, _)| needed[user]);
            }
        }
        needed
    }

    /// Whether the plan has a bit of 1 on this port.
    fn takes_one(&self, port: usize) -> bool {
        matches!(self.plan.choices[port], Choice::Bit(true))
    }

    fn compared(mut self, unit: &Graph, wanted: &[Word]) -> Case {
        let images = self.graph.add_gates(unit, self.inputs.concat(), None);
        let given = images.of_words(unit.outputs());
        assert_eq!(given.len(), wanted.len(), "the outputs of the operation");
        let differing: Vec<Literal> =
            given.iter().zip(wanted).map(|(given, wanted)| differ(&mut self.graph, given, wanted)).collect();
        let differs = self.graph.any(&differing);
        let valid = self.graph.all(&self.conditions);
        Case { graph: self.graph, valid, differs, inputs: self.inputs, factors: self.factors, sum_bits: self.sum_bits }
    }

    fn of(&self, id: TermId) -> &Outcome {
        self.outcomes[id.0].as_ref().expect("terms come in order")
    }

    fn outcome(&mut self, id: TermId) -> Option<Outcome> {
        Some(match &self.formula.terms()[id.0] {
            Term::Operand { port, .. } => {
                return if self.waits(id, *port) { None } else { Some(self.operand(*port, None)) };
            }
            Term::Product(a, b) => {
                let (a, b) = (self.of(*a).number.clone(), self.of(*b).number.clone());
                Outcome { number: times(&mut self.graph, self.multiplier, &a, &b), code: vec![] }
            }
            Term::Sum { of, rounding } => {
                let first = self.of(of[0]).number.clone();
                if self.outcomes[of[1].0].is_none() {
                    self.outcomes[of[1].0] = Some(self.meeting_operand(of[1], &first));
                }
                let second = self.of(of[1]).number.clone();
                Outcome { number: self.sum(&first, &second, *rounding), code: vec![] }
            }
            Term::Round { of, target } => self.round(id, *of, target),
            Term::Convert { of, target } => self.convert(id, *of, target),
            Term::Rectify(of) => self.rectified(*of),
            Term::State { register } => self.operand(self.operation.inputs().len() + register, None),
            Term::Choose { port, one, zero } => {
                let is_one = self.takes_one(*port);
                self.inputs[*port] = vec![literal(is_one)];
                self.of(if is_one { *one } else { *zero }).clone()
            }
            Term::Zero | Term::Aligned { .. } | Term::Parts => unreachable!("there are no plans of such units"),
        })
    }

    /// Whether an operand's exponent is that of the term that it meets; not that of a code that is there already.
    fn waits(&self, id: TermId, port: usize) -> bool {
        let is_second = |term: &Term| if let Term::Sum { of, .. } = term { of.last() == Some(&id) } else { false };
        let is_met = matches!(self.plan.meeting, Meeting::At(_)) && self.formula.terms().iter().any(is_second);
        self.given.is_empty()
            && is_met
            && match &self.plan.choices[port] {
                Choice::In(piece) => piece.is_continuous(),
                Choice::Across(_) => true,
                Choice::Anywhere | Choice::Any | Choice::Zero | Choice::Bit(_) => false,
            }
    }

    /// An operand whose last place lies as far below that of the other term as the plan says.
    fn meeting_operand(&mut self, id: TermId, first: &Number) -> Outcome {
        let Meeting::At(distance) = self.plan.meeting else { unreachable!("only at a distance there is a wait") };
        let Term::Operand { port, .. } = self.formula.terms()[id.0] else { unreachable!("operands wait") };
        let exponent = plus(&mut self.graph, &first.exponent, -distance);
        self.operand(port, Some(exponent))
    }

    /// An operand, its exponent given or free.
    fn operand(&mut self, port: usize, exponent: Option<Word>) -> Outcome {
        let format = self.ports[port].format().expect("an operand is a code");
        let (code, number) = match self.plan.choices[port].clone() {
            Choice::Anywhere => self.decoded(port, &format),
            Choice::Any => self.special(port, &format),
            Choice::Zero => self.zero(port, &format),
            Choice::In(piece) => self.in_piece(port, &format, &piece, exponent),
            Choice::Across(wide) => self.across(port, &format, &wide, exponent),
            Choice::Bit(_) => unreachable!("a bit is no operand"),
        };
        self.flags[3].push(number.invalid);
        self.inputs[port] = code.clone();
        Outcome { number, code }
    }

    fn decoded(&mut self, port: usize, format: &Format) -> (Word, Number) {
        let code = self.word(port);
        let number = decoded(&mut self.graph, format, &code, self.width);
        (code, number)
    }

    fn special(&mut self, port: usize, format: &Format) -> (Word, Number) {
        let code = self.word(port);
        let Kind { nan, signaling: invalid, infinite, zero, negative } = kind(&mut self.graph, format, &code);
        let exponent = constant(0, self.width);
        let number = nonzero(negative, vec![], exponent);
        (code, Number { nan, infinite, zero, invalid, ..number })
    }

    fn zero(&mut self, port: usize, format: &Format) -> (Word, Number) {
        let bits = format.magnitude_bits() as usize;
        let flushed = (format.min_code().ilog2() as usize).min(bits);
        let (of_magnitude, of_sign) = self.given(port, format).unzip();
        let magnitude = resized(&self.drawn(of_magnitude.as_deref(), flushed), bits);
        let code = match format.has_minus_zero() {
            true => [magnitude, self.drawn(of_sign.as_deref(), 1)].concat(),
            false => resized(&magnitude, format.width() as usize),
        };
        let number = kind(&mut self.graph, format, &code);
        self.conditions.push(number.zero);
        let mut zero = nonzero(number.negative, vec![], constant(0, self.width));
        zero.zero = Literal::TRUE;
        (code, zero)
    }

    fn in_piece(&mut self, port: usize, format: &Format, piece: &Piece, exponent: Option<Word>) -> (Word, Number) {
        let (of_body, of_sign) = self.given(port, format).unzip();
        let of_field = of_body.as_deref().map(|bits| {
            let field = &bits[piece.free_bits()..][..piece.field_bits()];
            if piece.is_inverted() { inverted(field) } else { field.to_vec() }
        });
        let (free, width) = (self.drawn(of_body.as_deref(), piece.free_bits()), self.width);
        let parts = match exponent {
            Some(exponent) => {
                let spare = self.fresh(1)[0];
                piece.code_at(&mut self.graph, &exponent, spare, &free, width)
            }
            None => {
                self.factors.extend(&free);
                let field = self.drawn(of_field.as_deref(), piece.field_bits());
                let parts = piece.code(&mut self.graph, &field, &free, width);
                if !self.given.is_empty() && piece.is_continuous() {
                    self.demand_found(piece, &parts, field[0], &free);
                }
                parts
            }
        };
        self.number(format, parts, of_sign)
    }

    fn across(&mut self, port: usize, format: &Format, wide: &Wide, exponent: Option<Word>) -> (Word, Number) {
        let width = self.width;
        let (of_body, of_sign) = self.given(port, format).unzip();
        let read = of_body.zip(of_sign.clone()).map(|(body, sign)| wide.read(&mut self.graph, &body, &sign, width));
        let (of_power, of_fraction) = read.unzip();
        let free = self.drawn(of_fraction.as_deref(), wide.free_bits());
        let parts = match exponent {
            Some(exponent) => wide.code_at(&mut self.graph, &exponent, &free),
            None => {
                self.factors.extend(&free);
                let power = self.drawn(of_power.as_deref(), wide.power_bits());
                wide.code(&mut self.graph, &power, &free, width)
            }
        };
        self.number(format, parts, of_sign)
    }

    /// The code and the number of parts, whose sign is free or given, if it is not that of all.
    fn number(&mut self, format: &Format, parts: Parts, of_sign: Option<Word>) -> (Word, Number) {
        let Parts { body, sign, significand, fraction, exponent, belongs } = parts;
        self.conditions.push(belongs);
        let negative = match sign {
            _ if format.sign_mask() == 0 => Literal::FALSE,
            Some(is_negative) => literal(is_negative),
            None => self.drawn(of_sign.as_deref(), 1)[0],
        };
        let mut code = match (sign, format) {
            (None, Format::Posit(_)) => negated_if(&mut self.graph, negative, &body),
            _ => body,
        };
        if format.sign_mask() != 0 {
            code.push(negative);
        }
        let signed = sign.map(|_| [fraction, vec![!negative, negative]].concat());
        (code, Number { signed, ..nonzero(negative, significand, exponent) })
    }

    /// A code that is there already is the one that a case finds by its exponent. At a distance, that is the exponent of the
    /// other term less the distance: where the distance is the plan's, the same word.
    fn demand_found(&mut self, piece: &Piece, parts: &Parts, spare: Literal, free: &[Literal]) {
        let found = piece.code_at(&mut self.graph, &parts.exponent, spare, free, self.width);
        let is_other = differ(&mut self.graph, &found.body, &parts.body);
        self.conditions.extend([found.belongs, !is_other]);
    }

    /// The exact sum of two terms that meet as the plan says.
    fn sum(&mut self, x: &Number, y: &Number, rounding: Rounding) -> Number {
        let graph = &mut self.graph;
        let [special_x, special_y] = [x, y].map(|term| graph.or(term.nan, term.infinite));
        let special = graph.or(special_x, special_y);
        let zero = graph.or(x.zero, y.zero);
        let invalid = graph.or(x.invalid, y.invalid);
        let mut number = match self.plan.meeting {
            Meeting::None => unreachable!("a sum whose terms do not meet"),
            Meeting::Anyhow => return self.sum_anyhow(x, y, rounding),
            Meeting::Special => {
                self.conditions.push(special);
                return self.special_sum(x, y);
            }
            Meeting::Alone => {
                let alone = graph.and(!special, zero);
                self.conditions.push(alone);
                return self.sum_with_zero(x, y, rounding);
            }
            Meeting::At(distance) => self.sum_at(x, y, distance),
            Meeting::Below(distance) => self.sum_far(y, x, distance, false),
            Meeting::Above(distance) => self.sum_far(x, y, distance, true),
        };
        self.conditions.extend([!special, !zero]);
        number.invalid = invalid;
        number.negative = self.graph.mux(number.zero, literal(rounding == Rounding::Rdn), number.negative);
        number
    }

    /// The sum of any two terms.
    fn sum_anyhow(&mut self, x: &Number, y: &Number, rounding: Rounding) -> Number {
        let [special, alone] = [self.special_sum(x, y), self.sum_with_zero(x, y, rounding)];
        let graph = &mut self.graph;
        let is_special = graph.any(&[x.nan, x.infinite, y.nan, y.infinite]);
        let is_alone = graph.or(x.zero, y.zero);
        let sum = aligned_sum(graph, x, y, self.plan.reach);
        let negative = graph.mux(sum.zero, literal(rounding == Rounding::Rdn), sum.negative);
        let negative = graph.mux(is_alone, alone.negative, negative);
        let zero = graph.mux(is_alone, alone.zero, sum.zero);
        Number {
            nan: graph.and(is_special, special.nan),
            infinite: graph.and(is_special, special.infinite),
            zero: graph.and(zero, !is_special),
            negative: graph.mux(is_special, special.negative, negative),
            significand: choose(graph, is_alone, &alone.significand, &sum.significand),
            exponent: choose(graph, is_alone, &alone.exponent, &sum.exponent),
            signed: None,
            invalid: special.invalid,
        }
    }

    fn special_sum(&mut self, x: &Number, y: &Number) -> Number {
        let graph = &mut self.graph;
        let unlike = graph.xor(x.negative, y.negative);
        let is_new = graph.all(&[x.infinite, y.infinite, unlike]);
        let nan = graph.any(&[x.nan, y.nan, is_new]);
        let negative = graph.mux(x.infinite, x.negative, y.negative);
        let mut number = nonzero(negative, vec![], constant(0, self.width));
        let invalid = graph.any(&[x.invalid, y.invalid, is_new]);
        self.flags[3].push(invalid);
        (number.nan, number.infinite, number.invalid) = (nan, !nan, invalid);
        number
    }

    fn sum_with_zero(&mut self, x: &Number, y: &Number, rounding: Rounding) -> Number {
        let graph = &mut self.graph;
        let zero = graph.and(x.zero, y.zero);
        let [both, either] = [graph.and(x.negative, y.negative), graph.or(x.negative, y.negative)];
        let of_zeros = if rounding == Rounding::Rdn { either } else { both };
        let negative = graph.mux(x.zero, y.negative, x.negative);
        let negative = graph.mux(zero, of_zeros, negative);
        let significand = choose(graph, x.zero, &y.significand, &x.significand);
        let exponent = choose(graph, x.zero, &y.exponent, &x.exponent);
        let mut number = nonzero(negative, significand, exponent);
        number.zero = zero;
        number.invalid = graph.or(x.invalid, y.invalid);
        number
    }

    fn sum_at(&mut self, x: &Number, y: &Number, distance: i128) -> Number {
        let graph = &mut self.graph;
        let actual = difference(graph, &x.exponent, &y.exponent);
        let is_there = is_equal(graph, &actual, distance);
        self.conditions.push(is_there);
        let (up, down) = (distance.max(0) as usize, (-distance).max(0) as usize);
        let (negative, magnitude, zero) = sum_of_significands(graph, (x, up), (y, down));
        let exponent = if distance < 0 { &x.exponent } else { &y.exponent };
        let mut number = nonzero(negative, magnitude, exponent.clone());
        number.zero = zero;
        self.sum_bits = number.significand.len();
        self.with_sum_as_planned(number)
    }

    /// The sum, if it is what the plan says.
    fn with_sum_as_planned(&mut self, mut number: Number) -> Number {
        match self.plan.sum {
            Sum::Any => {}
            Sum::Zero => {
                self.conditions.push(number.zero);
                number.zero = Literal::TRUE;
                number.significand.clear();
            }
            Sum::Leading(place) => {
                let above = self.graph.any(&number.significand[place + 1..]);
                self.conditions.extend([!above, number.significand[place]]);
                number.zero = Literal::FALSE;
                number.significand.truncate(place);
                number.significand.push(Literal::TRUE);
            }
        }
        number
    }

    /// A sum with something so small that only its sign counts: the second term, or the first.
    fn sum_far(&mut self, large: &Number, small: &Number, distance: i128, is_second: bool) -> Number {
        let graph = &mut self.graph;
        let actual = match is_second {
            false => difference(graph, &small.exponent, &large.exponent),
            true => difference(graph, &large.exponent, &small.exponent),
        };
        let is_far = match is_second {
            false => is_below(graph, &actual, distance + 1),
            true => !is_below(graph, &actual, distance),
        };
        self.conditions.push(is_far);
        let unit = nonzero(small.negative, vec![Literal::TRUE], vec![]);
        let (negative, magnitude, _) = sum_of_significands(graph, (large, self.plan.reach), (&unit, 0));
        let exponent = plus(graph, &large.exponent, -(self.plan.reach as i128));
        nonzero(negative, magnitude, exponent)
    }

    /// The part of the random word that a rounding takes.
    fn random(&self, id: TermId) -> Word {
        let before = self.formula.roundings().take_while(|(other, _)| other.0 < id.0);
        let low: u32 = before.map(|(_, target)| target.rounding.random_bits()).sum();
        let bits = self.formula.terms()[id.0].target().map_or(0, |target| target.rounding.random_bits());
        match bits {
            0 => vec![],
            _ => self.inputs[self.operation.inputs().len() - 1][low as usize..][..bits as usize].to_vec(),
        }
    }

    /// The code of a number, before signs that mean nothing are settled.
    fn code(&mut self, id: TermId, of: TermId, target: &Target) -> Word {
        let (number, random) = (self.of(of).number.clone(), self.random(id));
        self.demand_special(&number);
        let result = rounded(&mut self.graph, target, &number, &random);
        let raised = [result.inexact, result.underflow, result.overflow, number.invalid];
        if target.flags.is_some() {
            self.flags.iter_mut().zip(raised).for_each(|(all, flag)| all.push(flag));
        }
        result.code
    }

    /// Where there is no value, the number is special or zero: the plan says so of the operands.
    fn demand_special(&mut self, number: &Number) {
        if number.significand.is_empty() {
            let known = self.graph.any(&[number.nan, number.infinite, number.zero]);
            self.conditions.push(known);
        }
    }

    fn round(&mut self, id: TermId, of: TermId, target: &Target) -> Outcome {
        let mut code = self.code(id, of, target);
        let format = &target.format;
        if format.ignores_sign_of_specials() {
            let Kind { nan, zero, .. } = kind(&mut self.graph, format, &code);
            let ignored = self.graph.or(nan, zero);
            let sign = code.last_mut().expect("a sign");
            *sign = self.graph.and(*sign, !ignored);
        }
        self.coded(id, format, code)
    }

    /// A code as a number, where some term needs it.
    fn coded(&mut self, id: TermId, format: &Format, code: Word) -> Outcome {
        let is_used = self.formula.terms().iter().any(|term| term.uses().contains(&id));
        let number = match is_used {
            true => decoded(&mut self.graph, format, &code, self.width),
            false => nonzero(Literal::FALSE, vec![], vec![]),
        };
        Outcome { number: Number { invalid: Literal::FALSE, ..number }, code }
    }

    fn convert(&mut self, id: TermId, of: TermId, target: &Target) -> Outcome {
        let from = self.format(of);
        let source = self.of(of).code.clone();
        let mut code = self.code(id, of, target);
        let graph = &mut self.graph;
        if let (Format::Float(from), Format::Float(to)) = (from, target.format)
            && [from.nan, to.nan] == [Nan::TopField; 2]
            && to.trailing_bits >= from.trailing_bits
        {
            let Kind { nan, negative, .. } = kind(graph, &from.into(), &source);
            let payload = &source[..from.trailing_bits as usize];
            let payload = raised(payload, (to.trailing_bits - from.trailing_bits) as usize);
            let field = vec![Literal::TRUE; to.exponent_bits as usize];
            let sign = if to.sign_bits() == 1 { vec![negative] } else { vec![] };
            code = choose(graph, nan, &[payload, field, sign].concat(), &code);
        }
        if target.format.ignores_sign_of_specials() && from.float().is_some() && from.sign_mask() != 0 {
            let sign = *source.last().expect("a sign");
            let of_code = code.last_mut().expect("a sign");
            *of_code = graph.or(*of_code, sign);
        }
        self.coded(id, &target.format, code)
    }

    /// The format of a term that is a code.
    fn format(&self, id: TermId) -> Format {
        match &self.formula.terms()[id.0] {
            Term::Operand { port, .. } => self.ports[*port].format().expect("an operand is a code"),
            Term::Round { target, .. } | Term::Convert { target, .. } => target.format,
            Term::Rectify(of) => self.format(*of),
            Term::Zero
            | Term::State { .. }
            | Term::Parts
            | Term::Product(..)
            | Term::Sum { .. }
            | Term::Aligned { .. }
            | Term::Choose { .. } => {
                unreachable!("only codes have a format")
            }
        }
    }

    fn rectified(&mut self, of: TermId) -> Outcome {
        let format = self.format(of);
        let Outcome { number, code } = self.of(of).clone();
        let graph = &mut self.graph;
        let negative = graph.and(number.negative, !number.nan);
        let zero = constant(format.zero_code(false) as i128, code.len());
        let code = choose(graph, negative, &zero, &code);
        let mut rectified = number;
        rectified.zero = graph.or(rectified.zero, negative);
        rectified.infinite = graph.and(rectified.infinite, !negative);
        rectified.negative = graph.and(rectified.negative, !negative);
        Outcome { number: rectified, code }
    }
}
