//! One case as a circuit: operands where the plan places them, the specification, the unit, and the comparison.
//!
//! | file | what it holds |
//! |---|---|
//! | `operands.rs` | codes on the ports, and their values |
//! | `sums.rs` | exact sums of terms that meet as the plan says |
//! | `aligned.rs` | sums of terms that are cut off |
//! | `grouped.rs` | sums of groups of products that are cut off, rounded down where they are added |
//! | `quotients.rs` | quotients and roots |
//! | `results.rs` | rounding, conversion and ReLU |
//! | `tolerance.rs` | other results that count as right |

mod aligned;
mod grouped;
mod operands;
mod quotients;
mod results;
mod sums;
mod tolerance;

pub use tolerance::AllowedResults;

use crate::Question;
use crate::functions;
use crate::number::{Number, SignedDigits, negated, nonzero, scaled, times};
use crate::pieces::{Piece, Subnormals, pieces};
use crate::plans::{Choice, Plan, Specified, UNSPECIFIED};
use crate::words::{Multiplier, Word, bits_of, constant, differ, literal};
use binade_gates::{Graph, Literal};
use binade_spec::{Format, Formula, Kind, Meaning, Operation, Output, PlainFunction, Port, Term, TermId};
use rustc_hash::FxHashMap;

/// A case, ready for the solver.
#[derive(Clone, Debug)]
pub struct Case {
    /// The gates, whose only input is the free bits.
    pub graph: Graph,
    /// 1 for inputs that belong to the case.
    pub valid: Literal,
    /// 1 where unit and specification differ.
    pub differs: Literal,
    /// The words of the unit's inputs.
    pub inputs: Vec<Word>,
    /// The free bits of the factors' significands, and in fixed point the codes of each pair of factors.
    pub factors: Vec<Vec<Literal>>,
    /// The width of the magnitude of a sum of terms at a distance; 0 if there is no such sum.
    pub sum_bits: usize,
}

/// A free bit: of which part of a code on which port, and its place in that part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Draw {
    port: usize,
    part: CodePart,
    place: usize,
}

/// A part of a code that is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum CodePart {
    /// The whole word of the port.
    Word,
    /// The bits below the field, or the magnitude.
    Body,
    /// The free bits of the field.
    Field,
    /// The sign.
    Sign,
}

/// The specification of a case, without a unit.
#[derive(Clone, Debug)]
pub struct Expected {
    /// The gates, whose only input is the free bits.
    pub graph: Graph,
    /// 1 for inputs that belong to the case.
    pub valid: Literal,
    /// The words of the unit's inputs.
    pub inputs: Vec<Word>,
    /// The words of its outputs, with equivalent codes as one.
    pub outputs: Vec<Word>,
    /// What the free bits are; those after them are not used.
    pub draws: Vec<Draw>,
}

/// The value of a term, as a number and as a code.
#[derive(Clone, Debug)]
struct TermValue {
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
    /// What the free bits are, in order.
    draws: Vec<Draw>,
    /// The given bits in place of free ones.
    read: FxHashMap<Draw, Literal>,
    /// The words of the ports, if given: then bits are read from them instead of being free.
    given: Vec<Word>,
    width: usize,
    conditions: Vec<Literal>,
    inputs: Vec<Word>,
    /// The free bits of significands.
    factors: Vec<Literal>,
    /// The codes of each pair of unrestricted factors, in fixed point.
    factors_in_fixed_point: Vec<Vec<Literal>>,
    sum_bits: usize,
    outcomes: Vec<Option<TermValue>>,
    /// The raised flags: inexact, underflow, overflow, invalid.
    flags: [Vec<Literal>; 4],
    /// The raised flags for a division by zero.
    by_zero: Vec<Literal>,
}

impl Case {
    /// A comparison of words of a graph: whether `differs` is 1 for inputs for which `valid` is.
    pub fn of_graph(graph: Graph, valid: Literal, differs: Literal) -> Case {
        Case { graph, valid, differs, inputs: vec![], factors: vec![], sum_bits: 0 }
    }

    /// The case of a plan.
    ///
    /// # Errors
    /// When the plan is not one of the operation.
    ///
    /// # Panics
    /// When the graph does not have the ports of the operation.
    pub fn new(question: Question, plan: &Plan, multiplier: Multiplier) -> Specified<Case> {
        let formula = formula(question.operation);
        let (builder, wanted) = Builder::of_free_bits(question.operation, &formula, plan, multiplier)?;
        Ok(builder.compared(question.unit, &wanted, question.tolerance))
    }
}

impl Expected {
    /// The specification of a plan.
    ///
    /// # Errors
    /// When the plan is not one of the operation.
    pub fn new(question: Question, plan: &Plan, multiplier: Multiplier) -> Specified<Expected> {
        let Question { operation, tolerance, .. } = question;
        let formula = formula(operation);
        let (mut builder, wanted) = Builder::of_free_bits(operation, &formula, plan, multiplier)?;
        let outputs = tolerance.settled_words(&mut builder.graph, operation, &wanted);
        let valid = builder.graph.all(&builder.conditions);
        let Builder { graph, inputs, draws, .. } = builder;
        Ok(Expected { graph, valid, inputs, outputs, draws })
    }
}

/// The free bits of a case for given words on the ports: the bits of these words that it would take.
pub fn free_bits(
    operation: &Operation,
    plan: &Plan,
    draws: &[Draw],
    graph: Graph,
    given: Vec<Word>,
) -> Specified<(Graph, Vec<Literal>)> {
    let formula = formula(operation);
    let mut builder = Builder::new(operation, &formula, plan, Multiplier::Rows, graph);
    builder.given = given;
    builder.wanted()?;
    // A bit that is not read from the words is 0; whether the cases cover all inputs is shown with these bits.
    let bits = draws.iter().map(|draw| builder.read.get(draw).copied().unwrap_or(Literal::FALSE)).collect();
    Ok((builder.graph, bits))
}

/// The ports that a unit's results depend on: its operands and its registers.
pub fn ports(operation: &Operation) -> Vec<Port> {
    operation.inputs().into_iter().chain(operation.registers()).collect()
}

/// The specification for the plan of an undivided unit, with the ports of the unit.
pub fn undivided(operation: &Operation, plan: &Plan, multiplier: Multiplier) -> Specified<Graph> {
    let formula = formula(operation);
    let graph = Graph::new(operation.inputs().iter().map(|port| port.width()));
    let given = graph.inputs().to_vec();
    let mut builder = Builder::new(operation, &formula, plan, multiplier, graph);
    builder.given = given;
    let wanted = builder.wanted()?;
    let mut graph = builder.graph;
    wanted.into_iter().for_each(|word| graph.add_output(word));
    Ok(graph)
}

/// Whether a case contains the words at a graph's inputs, which are the ports of the unit. The free bits of the case
/// are read from the words, and the case is built from these bits; the literal is 1 if that gives the same words.
pub fn has_inputs(operation: &Operation, plan: &Plan, graph: Graph) -> Specified<(Graph, Literal)> {
    let formula = formula(operation);
    let given = graph.inputs().to_vec();
    let mut builder = Builder::new(operation, &formula, plan, Multiplier::Rows, graph);
    builder.given.clone_from(&given);
    builder.wanted()?;
    let Builder { mut graph, mut conditions, inputs, .. } = builder;
    conditions.push(!differ(&mut graph, &inputs.concat(), &given.concat()));
    let has = graph.all(&conditions);
    Ok((graph, has))
}

/// The formula of a unit; an empty one for plain functions.
fn formula(operation: &Operation) -> Formula {
    operation.formula().unwrap_or_default()
}

/// The width of exponents: enough for those of every format and of their products, and for their differences.
fn exponent_bits(operation: &Operation, formula: &Formula, reach: usize) -> usize {
    let of_ports = ports(operation).into_iter().filter_map(|port| port.format());
    let formats = of_ports.chain(formula.roundings().map(|(_, target)| target.format));
    let largest = |format: Format| {
        if let Format::Codebook(_) = format {
            let least = (format.min_exponent() + 1 - i64::from(format.precision())).unsigned_abs();
            return i128::from(least.max(format.max_exponent().unsigned_abs())) + 2 * i128::from(format.precision());
        }
        if let Format::Fixed(fixed) = format {
            return i128::from(fixed.min_exponent().abs() + fixed.max_exponent().abs()) + 2 * i128::from(fixed.bits);
        }
        let pieces = pieces(&format, Subnormals::Together);
        // A normalized subnormal can have an exponent lower by its precision.
        pieces.iter().map(Piece::largest).max().unwrap_or(0) + 2 * i128::from(format.precision())
    };
    // Also enough for twice the exponents of a format, on a port of their own. Scales are two more factors.
    let terms = if matches!(operation.kind, Kind::Scaled(_)) { 8 } else { 4 };
    bits_of(terms * formats.map(largest).max().unwrap_or(0) + 2 * reach as i128)
}

impl<'a> Builder<'a> {
    /// A builder whose operands are made of free bits, and the words of the outputs.
    fn of_free_bits(
        operation: &'a Operation,
        formula: &'a Formula,
        plan: &'a Plan,
        multiplier: Multiplier,
    ) -> Specified<(Builder<'a>, Vec<Word>)> {
        // The powers of normalized numbers are wider than exponent fields, and their fractions as wide as codes.
        let width = exponent_bits(operation, formula, plan.reach) as u32;
        let spare = ports(operation).iter().map(|port| port.width() + width).sum();
        let graph = Graph::new([spare]);
        let free = graph.inputs()[0].clone();
        let mut builder = Builder::new(operation, formula, plan, multiplier, graph);
        builder.free = free.into_iter();
        let wanted = builder.wanted()?;
        Ok((builder, wanted))
    }

    /// A builder with only a graph.
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
            draws: vec![],
            read: FxHashMap::default(),
            given: vec![],
            width: exponent_bits(operation, formula, plan.reach),
            conditions: vec![],
            factors: vec![],
            factors_in_fixed_point: vec![],
            sum_bits: 0,
            outcomes: vec![],
            flags: Default::default(),
            by_zero: vec![],
        }
    }

    /// The words of the outputs.
    fn wanted(&mut self) -> Specified<Vec<Word>> {
        match self.operation.meaning() {
            Meaning::Formula(_) => self.specification(),
            Meaning::Function(function) => self.function(function),
            Meaning::Machine(..) => Err(UNSPECIFIED),
        }
    }

    /// The words of the outputs of a plain function.
    fn function(&mut self, function: PlainFunction) -> Specified<Vec<Word>> {
        let words: Vec<Word> = (0..self.inputs.len()).map(|port| self.word(port)).collect();
        functions::outputs(&mut self.graph, function, self.operation, &words)
    }

    /// The words of the outputs of a formula.
    fn specification(&mut self) -> Specified<Vec<Word>> {
        if self.operation.random_bits() > 0 {
            self.word(self.operation.inputs().len() - 1);
        }
        let is_needed = self.needed();
        for (at, is_needed) in is_needed.into_iter().enumerate() {
            let outcome = if is_needed { self.outcome(TermId(at))? } else { None };
            self.outcomes.push(outcome);
        }
        for port in 0..self.ports.len() {
            if self.inputs[port].is_empty() {
                self.word(port);
            }
        }
        let graph = &mut self.graph;
        let mut flags: Word = self.flags.iter().map(|raised| graph.any(raised)).collect();
        if self.formula.divides(&self.ports) {
            flags.insert(3, graph.any(&self.by_zero));
        }
        let word = |output: &Output| match output {
            Output::Codes(ids) => {
                ids.iter().flat_map(|id| self.outcomes[id.0].as_ref().expect("a code").code.clone()).collect()
            }
            Output::Flags => flags.clone(),
        };
        let next = self.formula.registers().iter().map(|register| Output::code(register.next));
        Ok(self.formula.outputs().iter().cloned().chain(next).map(|output| word(&output)).collect())
    }

    /// The terms that contribute to the results under the plan's choices.
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

    /// Whether the plan fixes this port to 1.
    fn takes_one(&self, port: usize) -> bool {
        matches!(self.plan.choices[port], Choice::Bit(true))
    }

    fn compared(mut self, unit: &Graph, wanted: &[Word], tolerance: AllowedResults) -> Case {
        let images = self.graph.add_gates(unit, self.inputs.concat(), None);
        let given = images.of_words(unit.outputs());
        assert_eq!(given.len(), wanted.len(), "the outputs of the operation");
        let given = tolerance.settled_words(&mut self.graph, self.operation, &given);
        let wanted = tolerance.settled_words(&mut self.graph, self.operation, wanted);
        let pairs = given.iter().zip(&wanted);
        let differing: Vec<Literal> = pairs.map(|(given, wanted)| differ(&mut self.graph, given, wanted)).collect();
        let differs = self.graph.any(&differing);
        let valid = self.graph.all(&self.conditions);
        let factors = [vec![self.factors], self.factors_in_fixed_point].concat();
        let Builder { graph, inputs, sum_bits, .. } = self;
        Case { graph, valid, differs, inputs, factors, sum_bits }
    }

    fn of(&self, id: TermId) -> &TermValue {
        self.outcomes[id.0].as_ref().expect("terms come in order")
    }

    fn is_sum(&self, id: TermId) -> bool {
        matches!(self.formula.terms()[id.0], Term::Sum { .. })
    }

    /// Whether a sum is that of the elements of a block, which is multiplied by a scale.
    fn is_scaled(&self, id: TermId) -> bool {
        self.formula.terms().iter().any(|term| matches!(term, Term::Product(_, elements) if *elements == id))
    }

    fn outcome(&mut self, id: TermId) -> Specified<Option<TermValue>> {
        Ok(Some(match &self.formula.terms()[id.0] {
            Term::Operand { port, lane } => {
                let waits = self.waits(id, *port);
                return (!waits).then(|| self.operand(*port, *lane, None)).transpose();
            }
            Term::Product(scale, elements) if self.is_sum(*elements) => {
                let (scale, elements) = (self.of(*scale).number.clone(), self.of(*elements).number.clone());
                TermValue { number: scaled(&mut self.graph, self.multiplier, &scale, &elements), code: vec![] }
            }
            Term::Product(a, b) => {
                let codes = [self.of(*a), self.of(*b)].map(|factor| factor.code.clone());
                let (a, b) = (self.of(*a).number.clone(), self.of(*b).number.clone());
                if let (Some(SignedDigits::Integer(_)), Some(SignedDigits::Integer(_))) = (&a.signed, &b.signed) {
                    self.factors_in_fixed_point.push(codes.concat());
                }
                TermValue { number: times(&mut self.graph, self.multiplier, &a, &b), code: vec![] }
            }
            Term::Sum { of, rounding } if self.is_scaled(id) => {
                let elements: Vec<Number> = of.iter().map(|id| self.of(*id).number.clone()).collect();
                TermValue { number: self.sum_of_elements(&elements, *rounding), code: vec![] }
            }
            Term::Sum { of, rounding } => TermValue { number: self.sum(of, *rounding)?, code: vec![] },
            Term::Round { of, target } => self.round(id, *of, target)?,
            Term::Convert { of, target } => self.convert(id, *of, target)?,
            Term::Rectify(of) => self.rectified(*of),
            Term::Negate(of) => {
                let number = self.of(*of).number.clone();
                TermValue { number: negated(&mut self.graph, &number), code: vec![] }
            }
            Term::State { register } => self.operand(self.operation.inputs().len() + register, 0, None)?,
            Term::Choose { port, one, zero } => {
                let is_one = self.takes_one(*port);
                self.inputs[*port] = vec![literal(is_one)];
                self.of(if is_one { *one } else { *zero }).clone()
            }
            Term::Parts => TermValue { number: self.parts(), code: vec![] },
            Term::Quotient(x, y) => TermValue { number: self.quotient(*x, *y), code: vec![] },
            // No specification circuit knows functions of real numbers.
            Term::Function { .. } => return Ok(None),
            Term::Root { of, is_reciprocal } => TermValue { number: self.root(*of, *is_reciprocal), code: vec![] },
            Term::Power(0) => {
                let one = nonzero(Literal::FALSE, vec![Literal::TRUE], constant(0, self.width));
                TermValue { number: one, code: vec![] }
            }
            Term::Aligned { of, alignment, rounding, .. } => {
                TermValue { number: self.aligned(of, alignment, *rounding), code: vec![] }
            }
            Term::Grouped { of, grouping } => TermValue { number: self.grouped(of, grouping)?, code: vec![] },
            Term::Zero | Term::Scale { .. } | Term::Power(_) | Term::Largest(_) | Term::Flush { .. } => {
                return Err(UNSPECIFIED);
            }
        }))
    }
}
