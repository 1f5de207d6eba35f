//! Dot products that are rounded product after product: each rounding is a case of its own, of one product and a code.
//!
//! Which gates of the unit have a code that is rounded on the way is guessed by simulation, and then proven: they are outputs of a unit
//! of one lane. For what comes after them they are inputs of any code. So the lanes follow by induction from the first on.

use crate::sweep::simulated;
use crate::{NotSpecified, Progress, Proof, prove, specification};
use binade_sim::lanes::{Gate, Graph, Literal};
use binade_spec::{Operation, Summation, Unit};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Machine words of patterns by which gates are recognised.
const WORDS: usize = 256;

/// The last rounding of a chain, as a unit; none if the operation is no chain, or one with flags or random bits.
pub fn last_of_chain(operation: &Operation) -> Option<Operation> {
    let is_chain = operation.unit == Unit::Dot
        && operation.summation == Summation::Chain
        && operation.lanes > 1
        && !operation.rounds_products
        && operation.source.is_none()
        && operation.flags.is_none()
        && operation.random_bits() == 0;
    is_chain.then_some(Operation { lanes: 1, block: 1, ..*operation })
}

/// Compares each rounding of a chain with its specification; `last` is the last one.
pub fn prove_chain(
    unit: &Graph,
    operation: &Operation,
    last: &Operation,
    progress: &(dyn Fn(Progress) + Sync),
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<Proof, NotSpecified> {
    let before = Operation { output: None, ..*last };
    let lanes = operation.lanes as usize;
    let codes = codes_on_the_way(unit, &before, lanes)?;
    let said = AtomicBool::new(false);
    let hear = |heard: Progress| match heard {
        Progress::Cases(cases) if !said.swap(true, Ordering::Relaxed) => progress(Progress::Cases(cases * lanes)),
        Progress::Cases(_) => {}
        done => progress(done),
    };
    let mut whole = Proof::default();
    for lane in 0..lanes {
        let (stage, outputs) = match codes.get(lane) {
            Some(code) => (&before, vec![code.clone()]),
            None => (last, unit.outputs().to_vec()),
        };
        let rest = Remainder { unit, stage, lane, code: lane.checked_sub(1).map(|lane| codes[lane].as_slice()) };
        let proof = match rest.graph(&outputs) {
            Some(graph) => prove(&graph, stage, &hear, is_over)?,
            None => return Err(NotSpecified("its lanes cannot be told apart")),
        };
        whole.join(proof, lane);
    }
    Ok(whole)
}

impl Proof {
    /// Takes over what is known of a lane. Where that differs, it is not known whether the unit's results do.
    fn join(&mut self, lane: Proof, number: usize) {
        let within = |case: &String| format!("lane {number}: {case}");
        self.cases += lane.cases;
        self.seconds += lane.seconds;
        self.open.extend(lane.open.iter().map(within));
        self.open.extend(lane.differs.map(|words| format!("lane {number} for {words:x?}")));
        if lane.slowest_seconds > self.slowest_seconds {
            (self.slowest, self.slowest_seconds) = (within(&lane.slowest), lane.slowest_seconds);
        }
    }
}

/// For each lane but the last, the literals of the unit that have the code that is rounded there.
fn codes_on_the_way(unit: &Graph, stage: &Operation, lanes: usize) -> Result<Vec<Vec<Literal>>, NotSpecified> {
    let specification = specification(stage)?;
    let mut graph = unit.bare();
    let images = graph.add_gates(unit, unit.sources(), None);
    let [a, b, c] = [0, 1, 2].map(|port: usize| graph.inputs()[port].clone());
    let (of_a, of_b) = (a.len() / lanes, b.len() / lanes);
    let mut code = c;
    let mut codes = vec![];
    for lane in 0..lanes - 1 {
        let sources = [&a[lane * of_a..][..of_a], &b[lane * of_b..][..of_b], &code].concat();
        code = graph.add_gates(&specification, sources, None).of_words(specification.outputs()).remove(0);
        codes.push(code.clone());
    }
    let marks = marks(&graph);
    let mark = |literal: Literal| {
        let (mark, inverse) = marks[literal.node()];
        if literal.is_inverted() { (inverse, mark) } else { (mark, inverse) }
    };
    let lane_of = lanes_of(unit, [of_a, of_b]);
    let recognised = |code: &Vec<Literal>, lane: usize| {
        let mut gates: HashMap<u64, Literal> = HashMap::new();
        // The last gate that has a bit is the one that what comes after takes.
        for node in (0..unit.gates().len()).filter(|&node| lane_of[node] <= lane) {
            let (mark, inverse) = mark(images.of(Literal::of(node)));
            gates.insert(mark, Literal::of(node));
            gates.insert(inverse, !Literal::of(node));
        }
        code.iter().map(|&bit| gates.get(&mark(bit).0).copied()).collect::<Option<Vec<_>>>()
    };
    let found = codes.iter().enumerate().map(|(lane, code)| recognised(code, lane)).collect::<Option<Vec<_>>>();
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

/// The last lane of `a` and `b` that each gate depends on; of one that depends on neither, the first.
fn lanes_of(unit: &Graph, widths: [usize; 2]) -> Vec<usize> {
    let mut lanes = vec![0; unit.gates().len()];
    for (bits, width) in unit.inputs().iter().zip(widths) {
        bits.iter().enumerate().for_each(|(place, bit)| lanes[bit.node()] = place / width);
    }
    for node in 0..lanes.len() {
        let operands = unit.gates()[node].operands().map(|operand| lanes[operand.node()]);
        lanes[node] = operands.fold(lanes[node], usize::max);
    }
    lanes
}

/// What a unit makes of one lane and a code.
struct Remainder<'a> {
    unit: &'a Graph,
    stage: &'a Operation,
    lane: usize,
    /// The literals that have the code; none for what comes in on the port `c`.
    code: Option<&'a [Literal]>,
}

impl Remainder<'_> {
    /// The gates with the ports of a unit of one lane; none if these outputs depend on anything else.
    fn graph(&self, outputs: &[Vec<Literal>]) -> Option<Graph> {
        let mut graph = Graph::new(self.stage.inputs().iter().map(|port| port.width()));
        let mut images: HashMap<usize, Literal> = HashMap::from([(0, Literal::FALSE)]);
        let [a, b, c] = [0, 1, 2].map(|port: usize| graph.inputs()[port].clone());
        for (bits, of_lane) in self.unit.inputs().iter().zip([&a, &b]) {
            let bits = &bits[self.lane * of_lane.len()..][..of_lane.len()];
            images.extend(bits.iter().map(|bit| bit.node()).zip(of_lane.iter().copied()));
        }
        for (&of_unit, &bit) in self.code.unwrap_or(&self.unit.inputs()[2]).iter().zip(&c) {
            images.entry(of_unit.node()).or_insert(if of_unit.is_inverted() { !bit } else { bit });
        }
        for &output in outputs.iter().flatten() {
            self.add(&mut graph, &mut images, output.node())?;
        }
        let image =
            |literal: &Literal| if literal.is_inverted() { !images[&literal.node()] } else { images[&literal.node()] };
        outputs.iter().for_each(|bits| graph.add_output(bits.iter().map(image).collect()));
        Some(graph)
    }

    /// Adds a gate, and before it what it depends on.
    fn add(&self, graph: &mut Graph, images: &mut HashMap<usize, Literal>, node: usize) -> Option<()> {
        let mut waiting = vec![node];
        while let Some(&node) = waiting.last() {
            let gate = self.unit.gates()[node];
            let missing: Vec<usize> =
                gate.operands().map(Literal::node).filter(|operand| !images.contains_key(operand)).collect();
            if images.contains_key(&node) {
                waiting.pop();
            } else if missing.is_empty() {
                let image = |literal: Literal| {
                    let image = images[&literal.node()];
                    if literal.is_inverted() { !image } else { image }
                };
                let copy = match gate {
                    Gate::False | Gate::Input => return None,
                    Gate::And(a, b) => graph.and(image(a), image(b)),
                    Gate::Xor(a, b) => graph.xor(image(a), image(b)),
                    Gate::Mux { select, one, zero } => graph.mux(image(select), image(one), image(zero)),
                };
                images.insert(node, copy);
            } else {
                waiting.extend(missing);
            }
        }
        Some(())
    }
}
