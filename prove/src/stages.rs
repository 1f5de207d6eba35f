//! Units that round more than once: each rounding is a stage, of operands and of codes that are rounded before.
//!
//! ```text
//! dot --sum chain                      y = c; y = fmac(a[i], b[i], y)
//! dot --sum chain --product rounded    y = c; y = add(mul(a[i], b[i]), y)
//! dot --sum tree                       a[i] * b[i] + a[i+1] * b[i+1], added in pairs, and these in pairs, c last
//! dot --sum tree --product rounded     mul(a[i], b[i]), added in pairs, and these in pairs, c last
//! mac                                  y = add(mul(a, b), c)
//! ```
//!
//! Which gates of the unit have a code that is rounded on the way is guessed by simulation, and then proven: they are the outputs of a
//! unit that has the stage alone. For what comes after them they are inputs of any code. So the stages follow by induction.

use crate::plans::{Plan, neutral, plans_of_products};
use crate::sweep::simulated;
use crate::words::constant;
use crate::{NotSpecified, Progress, Proof, Question, Tolerance, prove, prove_plans, specification};
use binade_gates::{Gate, Graph, Literal};
use binade_spec::{Operation, Summation, Unit};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Machine words of patterns by which gates are recognised.
const WORDS: usize = 256;

/// One rounding, as a unit.
#[derive(Clone, Debug)]
pub struct Stage {
    /// What it computes.
    pub operation: Operation,
    /// Where its operands come from.
    operands: Vec<Source>,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    /// What is in a lane of an input port, as wide as the stage's operand.
    Port(usize, usize),
    /// What was rounded in an earlier stage.
    Stage(usize),
    /// The zero that changes no sum: the unit has no such operand.
    Nothing,
}

/// The addend of a unit.
const ADDEND: Source = Source::Port(2, 0);

/// The stages of a unit that rounds more than once, if they are specified one by one: without flags and random bits.
pub fn stages(operation: &Operation) -> Option<Vec<Stage>> {
    let lanes = operation.lanes as usize;
    let before = Operation { output: None, ..*operation };
    let is_plain = operation.flags.is_none()
        && operation.random_bits() == 0
        && operation.source.is_none()
        && !operation.has_state();
    match operation.unit {
        Unit::Dot if is_plain && operation.summation == Summation::Chain && lanes > 1 && !operation.rounds_products => {
            let one_lane =
                |lane| Operation { lanes: 1, block: 1, ..if lane + 1 < lanes { before } else { *operation } };
            let code = |lane: usize| lane.checked_sub(1).map_or(Source::Port(2, 0), Source::Stage);
            let stage = |lane| Stage {
                operation: one_lane(lane),
                operands: vec![Source::Port(0, lane), Source::Port(1, lane), code(lane)],
            };
            Some((0..lanes).map(stage).collect())
        }
        Unit::Dot
            if is_plain
                && operation.summation == Summation::Tree
                && lanes.is_multiple_of(2)
                && !operation.rounds_products =>
        {
            neutral(operation).map(|_| tree_of_products(operation))
        }
        Unit::Mac if is_plain => Some(rounded_products(operation)),
        Unit::Dot if is_plain && operation.rounds_products && operation.second.is_none() => {
            Some(rounded_products(operation))
        }
        _ => None,
    }
}

/// Sums of two exact products, added in pairs.
fn tree_of_products(operation: &Operation) -> Vec<Stage> {
    let pair = Operation { lanes: 2, block: 2, summation: Summation::Exact, output: None, ..*operation };
    let add = Operation { unit: Unit::Add, operand: operation.result, second: None, lanes: 1, block: 1, ..pair };
    let sum_of_pair = |lanes| Stage {
        operation: pair,
        operands: vec![Source::Port(0, lanes), Source::Port(1, lanes), Source::Nothing],
    };
    let mut stages: Vec<Stage> = (0..operation.lanes as usize / 2).map(sum_of_pair).collect();
    add_in_pairs(&mut stages, add);
    stages.last_mut().expect("a sum").operation.output = operation.output;
    stages
}

/// Products that are rounded, and sums of two: one after the other, or in pairs.
fn rounded_products(operation: &Operation) -> Vec<Stage> {
    let one = Operation { lanes: 1, block: 1, rounds_products: false, summation: Summation::Exact, ..*operation };
    let before = Operation { output: None, ..one };
    let product = |lane| Stage {
        operation: Operation { unit: Unit::Mul, ..before },
        operands: vec![Source::Port(0, lane), Source::Port(1, lane)],
    };
    let mut stages: Vec<Stage> = (0..operation.lanes as usize).map(product).collect();
    let add = Operation { unit: Unit::Add, operand: operation.result, ..before };
    match operation.summation {
        Summation::Chain => {
            let products = (0..stages.len()).map(Source::Stage);
            products.fold(ADDEND, |total, term| added(&mut stages, add, &[term, total]));
        }
        // A multiply-accumulate has one product.
        Summation::Exact | Summation::Tree => add_in_pairs(&mut stages, add),
        Summation::Blocks | Summation::Aligned(_) => unreachable!("products are rounded in chains and in pairs"),
    }
    stages.last_mut().expect("a sum").operation.output = operation.output;
    stages
}

/// Adds what the stages so far give in pairs, a last one without a neighbour as it is, and then the addend.
fn add_in_pairs(stages: &mut Vec<Stage>, add: Operation) {
    let mut terms: Vec<Source> = (0..stages.len()).map(Source::Stage).collect();
    while terms.len() > 1 {
        terms = terms.chunks(2).map(|pair| added(stages, add, pair)).collect();
    }
    added(stages, add, &[terms[0], ADDEND]);
}

/// The sum of two terms, as one more stage; one term as it is.
fn added(stages: &mut Vec<Stage>, add: Operation, terms: &[Source]) -> Source {
    if let [single] = terms {
        return *single;
    }
    stages.push(Stage { operation: add, operands: terms.to_vec() });
    Source::Stage(stages.len() - 1)
}

/// Compares each stage of a unit with its specification.
pub fn prove_stages(
    question: Question,
    stages: &[Stage],
    progress: &(dyn Fn(Progress) + Sync),
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<Proof, NotSpecified> {
    let unit = question.unit;
    let codes = codes_on_the_way(unit, stages)?;
    let said = AtomicBool::new(false);
    let hear = |heard: Progress| match heard {
        Progress::Cases(cases) if !said.swap(true, Ordering::Relaxed) => {
            progress(Progress::Cases(cases * stages.len()));
        }
        Progress::Cases(_) => {}
        done => progress(done),
    };
    let mut whole = Proof::default();
    for (number, stage) in stages.iter().enumerate() {
        let outputs = codes.get(number).map_or(unit.outputs().to_vec(), |code| vec![code.clone()]);
        let alone = alone(unit, stage, &codes, &outputs).ok_or(NotSpecified("its roundings cannot be told apart"))?;
        // What is rounded on the way is the code itself; what else is right is right at the end.
        let is_last = number + 1 == stages.len();
        let tolerance = if is_last { question.tolerance } else { Tolerance::default() };
        let question = Question { unit: &alone, operation: &stage.operation, tolerance };
        let proof = match stage.plans() {
            None => prove(question, &hear, is_over)?,
            Some(plans) => prove_plans(question, &plans, &hear, is_over),
        };
        whole.join(proof, number);
    }
    Ok(whole)
}

impl Stage {
    /// The cases of products without an addend.
    fn plans(&self) -> Option<Vec<Plan>> {
        let has_nothing = self.operands.iter().any(|source| matches!(source, Source::Nothing));
        if has_nothing { plans_of_products(&self.operation) } else { None }
    }
}

impl Proof {
    /// Takes over what is known of a stage. Where that differs, it is not known whether the unit's results do.
    fn join(&mut self, stage: Proof, number: usize) {
        let within = |case: &String| format!("rounding {number}: {case}");
        self.cases += stage.cases;
        self.seconds += stage.seconds;
        self.open.extend(stage.open.iter().map(within));
        self.open.extend(stage.differs.map(|words| format!("rounding {number} of {words:x?}")));
        if stage.slowest_seconds > self.slowest_seconds {
            (self.slowest, self.slowest_seconds) = (within(&stage.slowest), stage.slowest_seconds);
        }
    }
}

/// The bits of an operand of a stage.
fn operand(stage: &Stage, place: usize, unit: &Graph, codes: &[Vec<Literal>]) -> Vec<Literal> {
    match stage.operands[place] {
        Source::Stage(earlier) => codes[earlier].clone(),
        Source::Port(port, lane) => {
            let width = stage.operation.inputs()[place].width() as usize;
            unit.inputs()[port][lane * width..][..width].to_vec()
        }
        Source::Nothing => {
            let zero = neutral(&stage.operation).expect("a zero");
            constant(zero as i128, stage.operation.inputs()[place].width() as usize)
        }
    }
}

/// Of each stage but the last, the literals of the unit that have the code that is rounded there.
fn codes_on_the_way(unit: &Graph, stages: &[Stage]) -> Result<Vec<Vec<Literal>>, NotSpecified> {
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
    // The stage from which on all is there that a gate depends on.
    for node in 0..first_uses.len() {
        let operands = unit.gates()[node].operands().map(|operand| first_uses[operand.node()]);
        first_uses[node] = operands.fold(first_uses[node], usize::max);
    }
    let marks = marks(&graph);
    let mark = |literal: Literal| {
        let (mark, inverse) = marks[literal.node()];
        if literal.is_inverted() { (inverse, mark) } else { (mark, inverse) }
    };
    let recognised = |(stage, code): (usize, &Vec<Literal>)| {
        let mut gates: HashMap<u64, Literal> = HashMap::new();
        // The last gate that has a bit is the one that what comes after takes.
        for node in (0..first_uses.len()).filter(|&node| first_uses[node] <= stage) {
            let (mark, inverse) = mark(images.of(Literal::of(node)));
            gates.insert(mark, Literal::of(node));
            gates.insert(inverse, !Literal::of(node));
        }
        code.iter().map(|&bit| gates.get(&mark(bit).0).copied()).collect::<Option<Vec<_>>>()
    };
    let found: Option<Vec<_>> = wanted.iter().enumerate().map(recognised).collect();
    found.ok_or(NotSpecified("no gates were found that have what is rounded on the way"))
}

/// Hashes of what each gate is in random patterns, and of the inverse. In many patterns a port has few ones, or few zeros: then what
/// depends on zeros, subnormals and specials is seen.
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

/// The gates of a unit that make these outputs of the operands of a stage; none if the outputs depend on anything else.
fn alone(unit: &Graph, stage: &Stage, codes: &[Vec<Literal>], outputs: &[Vec<Literal>]) -> Option<Graph> {
    let mut graph = Graph::new(stage.operation.inputs().iter().map(|port| port.width()));
    let mut images = HashMap::from([(0, Literal::FALSE)]);
    for (place, bits) in graph.inputs().iter().enumerate() {
        for (of_unit, &bit) in operand(stage, place, unit, codes).into_iter().zip(bits) {
            images.entry(of_unit.node()).or_insert(if of_unit.is_inverted() { !bit } else { bit });
        }
    }
    for output in outputs.iter().flatten() {
        add(&mut graph, unit, &mut images, output.node())?;
    }
    for bits in outputs {
        graph.add_output(bits.iter().map(|&bit| image(&images, bit)).collect());
    }
    Some(graph)
}

fn image(images: &HashMap<usize, Literal>, literal: Literal) -> Literal {
    let image = images[&literal.node()];
    if literal.is_inverted() { !image } else { image }
}

/// Adds a gate of a unit, and before it what it depends on; nothing if that is an input that has no image.
fn add(graph: &mut Graph, unit: &Graph, images: &mut HashMap<usize, Literal>, node: usize) -> Option<()> {
    let mut waiting = vec![node];
    while let Some(&node) = waiting.last() {
        let gate = unit.gates()[node];
        let missing: Vec<usize> =
            gate.operands().map(Literal::node).filter(|operand| !images.contains_key(operand)).collect();
        if images.contains_key(&node) {
            waiting.pop();
        } else if missing.is_empty() {
            let copy = match gate {
                Gate::False | Gate::Input => return None,
                Gate::And(a, b) => graph.and(image(images, a), image(images, b)),
                Gate::Xor(a, b) => graph.xor(image(images, a), image(images, b)),
                Gate::Mux { select, one, zero } => {
                    graph.mux(image(images, select), image(images, one), image(images, zero))
                }
            };
            images.insert(node, copy);
        } else {
            waiting.extend(missing);
        }
    }
    Some(())
}
