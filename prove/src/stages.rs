//! Units that round more than once: each rounding is a stage, with operands and earlier rounded codes as its inputs.
//!
//! ```text
//! dot --sum chain                      y = c; y = fmac(a[i], b[i], y)
//! dot --sum chain --product rounded    y = c; y = add(mul(a[i], b[i]), y)
//! dot --sum tree                       a[i] * b[i] + a[i+1] * b[i+1], added in pairs, and these in pairs, c last
//! dot --sum tree --product rounded     mul(a[i], b[i]), added in pairs, and these in pairs, c last
//! mac                                  y = add(mul(a, b), c)
//! ```
//!
//! Simulation guesses which gates of the unit hold an intermediate rounded code, and a proof confirms it: the gates are
//! the outputs of a unit that is this stage alone. Later stages take them as inputs with arbitrary codes. So the stages
//! follow by induction.

use crate::part::part;
use crate::plans::{Plan, neutral, plans_of_products};
use crate::sweep::simulated;
use crate::words::constant;
use crate::{AllowedResults, NotSpecified, Progress, Proof, Question, prove, prove_plans, specification};
use binade_gates::{Graph, Literal};
use binade_spec::{
    Addend, Format, Formula, Kind, Meaning, Operation, Pair, Products, Signed, Stage, StageKind, Term, TermId, Unit,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;
use std::slice;
use std::sync::atomic::{AtomicBool, Ordering};

/// Machine words of patterns for recognizing gates.
const WORDS: usize = 256;

/// One rounding, as a unit.
#[derive(Clone, Debug)]
pub struct StageUnit {
    /// What it computes.
    pub operation: Operation,
    /// The sources of its operands.
    pub operands: Vec<Source>,
}

/// The source of an operand.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// Bits of an input port from this one on, as many as the stage's operand has.
    Port(usize, usize),
    /// The rounded code of an earlier stage.
    Stage(usize),
    /// A zero: the unit has no such operand.
    Zero(u128),
}

/// The stages of a unit that rounds more than once, if they can be specified one by one: without flags.
pub fn stages(operation: &Operation) -> Option<Vec<StageUnit>> {
    let Meaning::Formula(formula) = operation.meaning() else { return None };
    let cut = formula.stages().ok()?;
    let roundings = formula.without_output(&cut);
    let is_plain = operation.flags.is_none() && !operation.has_internal_random && !operation.has_state();
    let is_shown = formula.results().next() == roundings.last().map(|stage| stage.id)
        && formula.results().count() == 1 + usize::from(operation.output.is_some());
    if !is_plain || !is_shown || roundings.len() < 2 || operation.activation_function().is_some() {
        return None;
    }
    let cutter = Cutter { operation, formula: &formula, roundings };
    let mut stages = roundings.iter().map(|rounding| cutter.stage(rounding)).collect::<Option<Vec<_>>>()?;
    stages.last_mut().expect("several").operation.output = operation.output;
    Some(stages)
}

/// Derives the unit for each stage.
struct Cutter<'a> {
    operation: &'a Operation,
    formula: &'a Formula,
    roundings: &'a [Stage],
}

impl Cutter<'_> {
    /// The stage of a rounding; `None` for an unsupported kind.
    fn stage(&self, rounding: &Stage) -> Option<StageUnit> {
        if rounding.target != self.operation.target() {
            return None;
        }
        let operand = self.operation.operand;
        let StageUnit { operation, mut operands } = match &rounding.kind {
            StageKind::Product(Pair { codes: [a, b], is_negated: false }) if self.operation.second().is_none() => {
                let operands = vec![self.source(*a, operand)?, self.source(*b, operand)?];
                StageUnit { operation: self.operation.alone(Unit::Mul), operands }
            }
            StageKind::Sum([x, y]) => {
                let operands = [x, y].map(|code| self.addend(code));
                let operands = operands.into_iter().collect::<Option<Vec<_>>>()?;
                let operation = Operation { operand: self.operation.result, ..self.operation.alone(Unit::Add) };
                StageUnit { operation, operands }
            }
            StageKind::MultiplyAdd(Pair { codes: [a, b], is_negated: false }, c) => {
                let [a_format, b_format] = self.operation.factors();
                let operands = vec![self.source(*a, a_format)?, self.source(*b, b_format)?, self.addend(c)?];
                StageUnit { operation: self.dot(1), operands }
            }
            StageKind::ExactSum(products) => {
                let operation = self.dot(2);
                let zero = Source::Zero(neutral(&operation)?);
                let [a, b] = self.lanes(products)?;
                StageUnit { operation, operands: vec![a, b, zero] }
            }
            StageKind::Code(_)
            | StageKind::Parts
            | StageKind::Quotient(_)
            | StageKind::Product(_)
            | StageKind::Root { .. }
            | StageKind::Function { .. }
            | StageKind::MultiplyAdd(..)
            | StageKind::Scaled { .. }
            | StageKind::Aligned { .. }
            | StageKind::Grouped { .. }
            | StageKind::Choice { .. } => return None,
        };
        operands.extend(self.random(rounding));
        Some(StageUnit { operation, operands })
    }

    /// The random bits of a rounding.
    fn random(&self, rounding: &Stage) -> Option<Source> {
        let bits = |rounding: &Stage| rounding.target.rounding.random_bits() as usize;
        let before = self.roundings.iter().take_while(|other| other.id != rounding.id).map(bits).sum();
        let port = self.operation.inputs().len() - 1;
        (bits(rounding) > 0).then_some(Source::Port(port, before))
    }

    /// The exact sum of this many products and a code.
    fn dot(&self, lanes: u32) -> Operation {
        let products = Products { second: self.operation.second(), lanes, block: lanes, ..Products::default() };
        Operation { kind: Kind::Products(products), ..self.operation.alone(Unit::Dot) }
    }

    fn addend(&self, addend: &Signed) -> Option<Source> {
        if addend.is_negated { None } else { self.source(addend.code, self.operation.result) }
    }

    /// The source of a code of this format.
    fn source(&self, code: TermId, format: Format) -> Option<Source> {
        match self.formula.terms()[code.0] {
            Term::Operand { port, lane } => {
                let port_of = &self.operation.inputs()[port];
                let from = (lane * port_of.lane_width()) as usize;
                (port_of.format() == Some(format)).then_some(Source::Port(port, from))
            }
            Term::Round { .. } if format == self.operation.result => {
                self.roundings.iter().position(|rounding| rounding.id == code).map(Source::Stage)
            }
            _ => None,
        }
    }

    /// The sources of the factors, if these are the products of neighbouring lanes.
    fn lanes(&self, products: &[Addend]) -> Option<[Source; 2]> {
        let [a_format, b_format] = self.operation.factors();
        let [a_width, b_width] = [a_format, b_format].map(|format| format.width() as usize);
        let mut first = None;
        for (at, product) in products.iter().enumerate() {
            let Addend::Product(Pair { codes: [a, b], is_negated: false }) = product else { return None };
            let (Source::Port(0, a), Source::Port(1, b)) = (self.source(*a, a_format)?, self.source(*b, b_format)?)
            else {
                return None;
            };
            let (first_a, first_b) = *first.get_or_insert((a, b));
            if (a, b) != (first_a + at * a_width, first_b + at * b_width) {
                return None;
            }
        }
        first.map(|(a, b)| [Source::Port(0, a), Source::Port(1, b)])
    }
}

/// Compares each stage of a unit with its specification.
pub fn prove_stages(
    question: Question,
    stages: &[StageUnit],
    progress: &(dyn Fn(Progress) + Sync),
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<Proof, NotSpecified> {
    let cut = cut(question.unit, stages)?;
    let said = AtomicBool::new(false);
    let hear = |heard: Progress| match heard {
        Progress::Cases(cases) if !said.swap(true, Ordering::Relaxed) => {
            progress(Progress::Cases(cases * stages.len()));
        }
        Progress::Cases(_) => {}
        done => progress(done),
    };
    let mut whole = Proof::default();
    for (number, (stage, alone)) in stages.iter().zip(&cut).enumerate() {
        let question = stage.question(question, alone, number + 1 == stages.len());
        let proof = match stage.plans() {
            None => prove(question, &hear, is_over)?,
            Some(plans) => prove_plans(question, &plans, None, &hear, is_over)?.0,
        };
        whole.join_stage(proof, number);
    }
    Ok(whole)
}

/// The gates of each stage, with the ports of its operation.
pub fn cut(unit: &Graph, stages: &[StageUnit]) -> Result<Vec<Graph>, NotSpecified> {
    let codes = codes_on_the_way(unit, stages)?;
    let of_stage = |(number, stage): (usize, &StageUnit)| {
        let outputs = codes.get(number).map_or(unit.outputs().to_vec(), |code| vec![code.clone()]);
        alone(unit, stage, &codes, &outputs).ok_or(NotSpecified("its roundings cannot be told apart"))
    };
    stages.iter().enumerate().map(of_stage).collect()
}

impl StageUnit {
    /// The question about the stage alone. Intermediate codes must be exact; the tolerance applies to the final results.
    pub fn question<'a>(&'a self, of_unit: Question<'a>, alone: &'a Graph, is_last: bool) -> Question<'a> {
        let tolerance = if is_last { of_unit.tolerance } else { AllowedResults::default() };
        Question { unit: alone, operation: &self.operation, tolerance, ..of_unit }
    }

    /// The operand that is a zero, and its code.
    pub fn zero(&self) -> Option<(usize, u128)> {
        self.operands.iter().enumerate().find_map(|(place, source)| match source {
            Source::Zero(zero) => Some((place, *zero)),
            Source::Port(..) | Source::Stage(_) => None,
        })
    }

    /// The cases of products without an addend.
    pub fn plans(&self) -> Option<Vec<Plan>> {
        self.zero().map(|(_, zero)| plans_of_products(&self.operation, zero))
    }
}

impl Proof {
    /// Adds the proof of a stage. If a stage differs, the unit's results may still be right, so the case is open.
    pub fn join_stage(&mut self, stage: Proof, number: usize) {
        let differs = stage.differs.iter().map(|words| format!("rounding {number} of {words:x?}")).next();
        self.join(stage, &format!("rounding {number}"));
        self.open.extend(differs);
    }
}

/// The bits of an operand of a stage.
fn operand(stage: &StageUnit, place: usize, unit: &Graph, codes: &[Vec<Literal>]) -> Vec<Literal> {
    match stage.operands[place] {
        Source::Stage(earlier) => codes[earlier].clone(),
        Source::Port(port, from) => {
            let width = stage.operation.inputs()[place].width() as usize;
            unit.inputs()[port][from..][..width].to_vec()
        }
        Source::Zero(zero) => constant(zero as i128, stage.operation.inputs()[place].width() as usize),
    }
}

/// For each stage but the last, the literals of the unit that hold its rounded code.
fn codes_on_the_way(unit: &Graph, stages: &[StageUnit]) -> Result<Vec<Vec<Literal>>, NotSpecified> {
    let mut graph = unit.bare();
    let images = graph.add_gates(unit, unit.sources(), None);
    let mut wanted: Vec<Vec<Literal>> = vec![];
    let mut first_uses = vec![0; unit.gates().len()];
    for (number, stage) in stages.iter().enumerate() {
        let operands: Vec<Vec<Literal>> =
            (0..stage.operands.len()).map(|place| operand(stage, place, unit, &wanted)).collect();
        for (source, bits) in stage.operands.iter().zip(&operands) {
            if let Source::Port(..) = source {
                bits.iter().for_each(|bit| first_uses[bit.node()] = number);
            }
        }
        if number + 1 < stages.len() {
            let specification = specification(&stage.operation)?;
            wanted.push(
                graph.add_gates(&specification, operands.concat(), None).of_words(specification.outputs()).remove(0),
            );
        }
    }
    // The stage from which on everything that a gate depends on is available.
    for node in 0..first_uses.len() {
        let operands = unit.gates()[node].operands().map(|operand| first_uses[operand.node()]);
        first_uses[node] = operands.fold(first_uses[node], usize::max);
    }
    let marks = marks(&graph);
    let mark = |literal: Literal| {
        let (mark, inverse) = marks[literal.node()];
        if literal.is_inverted() { (inverse, mark) } else { (mark, inverse) }
    };
    let recognized = |(stage, code): (usize, &Vec<Literal>)| {
        let mut gates: FxHashMap<u64, Literal> = FxHashMap::default();
        // Later stages use the last gate that has a bit.
        for node in (0..first_uses.len()).filter(|&node| first_uses[node] <= stage) {
            let (mark, inverse) = mark(images.of(Literal::of(node)));
            gates.insert(mark, Literal::of(node));
            gates.insert(inverse, !Literal::of(node));
        }
        code.iter().map(|&bit| gates.get(&mark(bit).0).copied()).collect::<Option<Vec<_>>>()
    };
    let found: Option<Vec<_>> = wanted.iter().enumerate().map(recognized).collect();
    found.ok_or(NotSpecified("no gates were found that hold its intermediate results"))
}

/// Hashes of each gate's values in random patterns, and of the inverse. In many patterns a port has few ones or few
/// zeros, to exercise zeros, subnormals and specials.
fn marks(graph: &Graph) -> Vec<(u64, u64)> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut marks = vec![(0, 0); graph.gates().len()];
    for _ in 0..WORDS {
        let mut words: Vec<u64> = vec![];
        for bits in graph.inputs() {
            let sparse: u32 = random.random_range(0..4);
            let inverse = if random.random() { u64::MAX } else { 0 };
            let mut word = || (0..sparse).fold(random.random(), |word: u64, _| word & random.random::<u64>());
            words.extend(bits.iter().map(|_| word() ^ inverse));
        }
        for (mark, value) in marks.iter_mut().zip(simulated(graph.gates(), &words)) {
            *mark = (mixed(mark.0, value), mixed(mark.1, !value));
        }
    }
    marks
}

fn mixed(mark: u64, word: u64) -> u64 {
    (mark ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

/// The gates of a unit that compute these outputs from the operands of a stage; `None` if the outputs depend on
/// anything else.
fn alone(unit: &Graph, stage: &StageUnit, codes: &[Vec<Literal>], outputs: &[Vec<Literal>]) -> Option<Graph> {
    let operands: Vec<_> =
        (0..stage.operation.inputs().len()).map(|place| operand(stage, place, unit, codes)).collect();
    part(unit, &operands, outputs)
}

/// A unit with its first output alone.
pub fn of_first_output(unit: &Graph) -> Graph {
    let mut graph = unit.bare();
    let images = graph.add_gates(unit, unit.sources(), None);
    graph.add_output(images.of_words(&unit.outputs()[..1]).remove(0));
    graph
}

/// The gates of the second output, with the first output as their input; `None` if they depend on anything else.
pub fn second_output_of_first(unit: &Graph) -> Option<Graph> {
    let [first, second, ..] = unit.outputs() else { return None };
    part(unit, slice::from_ref(first), slice::from_ref(second))
}
