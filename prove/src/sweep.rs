//! SAT sweeping: a case is copied gate by gate, and each gate that equals an earlier one is replaced by it. Simulation
//! guesses which gates are equal, a SAT solver proves it, and its counterexamples refine later guesses. In the end unit
//! and specification are one circuit, or they differ. (A. Kuehlmann, Dynamic transition relation simplification for
//! bounded property checking, ICCAD 2004.)

use crate::case::Case;
use crate::miter::Miter;
use crate::tables::Tables;
use binade_gates::{Answer, ClauseId, CnfLiteral, Gate, Graph, Literal, Lrat, Record, Refutation, Solver};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;

/// Conflicts between two looks at the clock: a fraction of a second.
const SLICE: u64 = 5_000;

/// Machine words of random patterns at the start.
const WORDS: usize = 32;

/// The limits of an attempt.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Conflicts after which two gates that look equal are tried again, or stay unmerged; 0 if no gates are compared.
    pub guess: u64,
    /// Conflicts after which they stay unmerged in the second try; 0 for no second try. In sums of products, most
    /// gates are equal to the one that they look equal to, and a gate that stays unmerged makes all that follow harder.
    pub again: u64,
    /// Unmerged gates after which the attempt is given up: most gates behind them would stay unmerged, too.
    pub left: usize,
    /// Conflicts after which the case is left open.
    pub goal: u64,
}

/// The result of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Unit and specification agree on all inputs of the case.
    Proven,
    /// They differ for these free bits.
    Wrong(Vec<bool>),
    /// The solver gave up.
    Open,
}

/// Decides a case; it stays open within about a second once `is_over` returns true.
pub fn sweep(case: &Case, effort: Effort, is_over: &dyn Fn() -> bool) -> Outcome {
    if case.valid == Literal::FALSE || case.differs == Literal::FALSE {
        return Outcome::Proven;
    }
    let mut sweep = Sweep::new(case, effort, is_over);
    match sweep.start() {
        Some(outcome) => outcome,
        None => sweep.run(),
    }
}

/// Decides a case as [`sweep`] does, and records a refutation of its clauses if it is proven.
pub fn sweep_recorded(miter: &Miter, effort: Effort, is_over: &dyn Fn() -> bool) -> (Outcome, Option<Refutation>) {
    let mut sweep = Sweep::new(&miter.case, effort, is_over);
    sweep.record(miter);
    let outcome = sweep.start().unwrap_or_else(|| sweep.run());
    let record = sweep.solver.into_record().filter(|_| outcome == Outcome::Proven);
    (outcome, record.map(|record| record.lrat.refuted()))
}

/// How the gates of a recorded case are related to those that are left of it.
#[derive(Debug)]
struct Relations<'c> {
    miter: &'c Miter,
    /// The clauses by which each gate of the case equals its image; none if they are the same.
    images: Vec<Vec<ClauseId>>,
    /// The clauses by which each gate that is left equals an earlier one.
    equals: FxHashMap<usize, Vec<ClauseId>>,
}

struct Sweep<'c> {
    case: &'c Case,
    effort: Effort,
    is_over: &'c dyn Fn() -> bool,
    /// The distinct gates found so far: what is left of the case.
    graph: Graph,
    /// The image of each gate of the case in it.
    images: Vec<Literal>,
    /// The bits of each gate in all patterns.
    patterns: Vec<Vec<u64>>,
    /// Each gate's bit in the first pattern that belongs to the case.
    phases: Vec<bool>,
    /// Hashes of the bits in all patterns that belong to the case, inverted where the phase is 1.
    hashes: Vec<u64>,
    /// Which patterns belong to the case.
    belongs: Vec<u64>,
    /// The first gate with each hash.
    first: FxHashMap<u64, usize>,
    /// Gates that are equal to earlier ones.
    equals: FxHashMap<usize, Literal>,
    solver: Solver<'c>,
    relations: Option<Relations<'c>>,
    tables: Vec<Tables>,
    /// The number of gates that look equal to earlier ones but stay unmerged.
    left: usize,
    random: Xoshiro256PlusPlus,
}

impl<'c> Sweep<'c> {
    fn new(case: &'c Case, effort: Effort, is_over: &'c dyn Fn() -> bool) -> Sweep<'c> {
        let graph = case.graph.bare();
        let inputs = graph.gates().len();
        Sweep {
            case,
            effort,
            is_over,
            images: graph.sources(),
            tables: case.factors.iter().map(|factors| Tables::new(factors)).collect(),
            graph,
            left: 0,
            patterns: vec![vec![]; inputs],
            phases: vec![false; inputs],
            hashes: vec![0; inputs],
            belongs: vec![],
            first: FxHashMap::default(),
            equals: FxHashMap::default(),
            solver: Solver::new(is_over),
            relations: None,
            random: Xoshiro256PlusPlus::seed_from_u64(1),
        }
    }

    /// Records what follows. The constant and the inputs are the same in the case and in what is left of it.
    fn record(&mut self, miter: &'c Miter) {
        let sources = 1 + self.graph.sources().len();
        let literals = (0..sources).map(|node| miter.literal(Literal::of(node)));
        let mut record = Record::new(miter.lrat(), literals);
        record.lrat.activate(Miter::CONSTANT);
        self.solver = Solver::recorded(self.is_over, record);
        let images = vec![vec![]; self.case.graph.gates().len()];
        self.relations = Some(Relations { miter, images, equals: FxHashMap::default() });
    }

    /// Copies the condition of the case, and makes patterns; returns an outcome if that suffices.
    fn start(&mut self) -> Option<Outcome> {
        self.images.insert(0, Literal::FALSE);
        let inputs = self.images.len();
        self.images.resize(self.case.graph.gates().len(), Literal::FALSE);
        let cone = cone(&self.case.graph, &[self.case.valid]);
        for id in (inputs..self.images.len()).filter(|&id| cone[id]) {
            self.images[id] = self.copied(id);
        }
        let valid = self.image(self.case.valid);
        self.demand(self.case.valid, |miter| miter.valid_clause());
        if valid == Literal::FALSE {
            return Some(Outcome::Proven);
        }
        self.solver.assert(&self.graph, valid);
        for _ in 0..WORDS {
            let word: Vec<u64> = (1..inputs).map(|_| self.random.random()).collect();
            self.add_patterns(&word);
        }
        if self.belongs.iter().all(|&word| word == 0) {
            match self.decided(valid) {
                Answer::Unsatisfiable => return Some(Outcome::Proven),
                Answer::Open => return Some(Outcome::Open),
                Answer::Satisfiable => self.refine(),
            }
        }
        self.settle_phases();
        self.wrong_pattern().map(Outcome::Wrong)
    }

    /// The free bits of a pattern that shows a difference already, if any.
    fn wrong_pattern(&self) -> Option<Vec<bool>> {
        let gates = self.case.graph.gates();
        let inputs = self.graph.sources().len();
        (0..self.belongs.len()).filter(|&at| self.belongs[at] != 0).find_map(|at| {
            let words: Vec<u64> = (1..=inputs).map(|input| self.patterns[input][at]).collect();
            let values = simulated(gates, &words);
            let wrong = value(&values, self.case.differs) & self.belongs[at];
            (wrong != 0).then(|| words.iter().map(|word| word >> wrong.trailing_zeros() & 1 == 1).collect())
        })
    }

    fn run(&mut self) -> Outcome {
        let case = self.case;
        let cone = cone(&case.graph, &[case.differs]);
        let of_valid = self::cone(&case.graph, &[case.valid]);
        let first_gate = case.graph.sources().len() + 1;
        for id in (first_gate..case.graph.gates().len()).filter(|&id| cone[id] && !of_valid[id]) {
            if (self.is_over)() {
                return Outcome::Open;
            }
            let before = self.graph.gates().len();
            let copy = self.copied(id);
            let is_compared = copy.node() >= before && self.effort.guess > 0;
            self.images[id] = if is_compared { self.merged(copy) } else { self.settled(copy) };
            self.relate_further(id, copy);
            if self.left > self.effort.left {
                return Outcome::Open;
            }
        }
        let differs = self.image(case.differs);
        if differs == Literal::FALSE {
            self.demand(case.differs, |miter| miter.differs_clause());
            return Outcome::Proven;
        }
        match self.decided(differs) {
            Answer::Unsatisfiable => {
                self.lemma(&[!differs]);
                self.demand(case.differs, |miter| miter.differs_clause());
                Outcome::Proven
            }
            Answer::Open => Outcome::Open,
            Answer::Satisfiable => Outcome::Wrong(self.model()),
        }
    }

    /// Whether a literal can be 1, within the conflicts for the goal.
    fn decided(&mut self, literal: Literal) -> Answer {
        let mut left = self.effort.goal;
        loop {
            let slice = left.min(SLICE);
            let answer = self.solver.solve(&self.graph, &[literal], slice);
            left -= slice;
            if answer != Answer::Open || left == 0 || (self.is_over)() {
                return answer;
            }
        }
    }

    fn image(&self, literal: Literal) -> Literal {
        let image = self.images[literal.node()];
        if literal.is_inverted() { !image } else { image }
    }

    /// Copies a gate of the case, with the images of its operands.
    fn copied(&mut self, id: usize) -> Literal {
        let image = |literal| self.image(literal);
        let copy = match self.case.graph.gates()[id] {
            Gate::And(a, b) => {
                let (a, b) = (image(a), image(b));
                self.graph.and(a, b)
            }
            Gate::Xor(a, b) => {
                let (a, b) = (image(a), image(b));
                self.graph.xor(a, b)
            }
            Gate::Mux { select, one, zero } => {
                let (select, one, zero) = (image(select), image(one), image(zero));
                self.graph.mux(select, one, zero)
            }
            // The constant and the inputs have images from the start.
            Gate::False | Gate::Input => self.images[id],
        };
        self.relate(id, copy);
        self.simulate_new();
        copy
    }

    /// Records why a copied gate equals its copy. The copy's gate is defined by the gates of the case if it is new.
    fn relate(&mut self, id: usize, copy: Literal) {
        let (Some(Relations { miter, images, .. }), Some(record)) = (&mut self.relations, self.solver.record()) else {
            return;
        };
        let operands = self.case.graph.gates()[id].operands();
        let mut from: Vec<ClauseId> = [Miter::CONSTANT].into_iter().chain(miter.clauses_of(id)).collect();
        operands.for_each(|operand| from.extend(&images[operand.node()]));
        let own = miter.literal(Literal::of(id));
        if copy.node() >= self.patterns.len() {
            record.define(self.graph.gates()[copy.node()], if copy.is_inverted() { -own } else { own }, &from);
            return;
        }
        from.extend(record.definition(copy.node()));
        let split: Vec<CnfLiteral> =
            self.case.graph.gates()[id].operands().map(|operand| record.literal(self.images[operand.node()])).collect();
        let literals = [own, record.literal(copy)];
        images[id] = equal(&mut record.lrat, literals, &from, &split);
    }

    /// Records why a gate of the case equals the earlier gate that its copy equals.
    fn relate_further(&mut self, id: usize, copy: Literal) {
        let image = self.images[id];
        let (Some(Relations { miter, images, equals }), Some(record)) = (&mut self.relations, self.solver.record())
        else {
            return;
        };
        if image != copy {
            let from = [&images[id][..], &equals[&copy.node()], &[Miter::CONSTANT]].concat();
            let literals = [miter.literal(Literal::of(id)), record.literal(image)];
            images[id] = equal(&mut record.lrat, literals, &from, &[]);
        }
    }

    /// Records that a literal of the case is 1, as a given clause says.
    fn demand(&mut self, literal: Literal, clause: fn(&Miter) -> ClauseId) {
        let image = self.image(literal);
        let (Some(Relations { miter, images, .. }), Some(record)) = (&self.relations, self.solver.record()) else {
            return;
        };
        let from = [&images[literal.node()][..], &[Miter::CONSTANT, clause(miter)]].concat();
        let image = record.literal(image);
        let known: &[CnfLiteral] = if image == Miter::FALSE { &[] } else { &[image] };
        let id = record.lrat.follow_from(known, &from, &[]).expect("the image is 1, too");
        record.lrat.activate(id);
    }

    /// Records that one of these literals is 1, as the solver has found.
    fn lemma(&mut self, literals: &[Literal]) -> Option<ClauseId> {
        let record = self.solver.record()?;
        let clause: Vec<CnfLiteral> = literals.iter().map(|&literal| record.literal(literal)).collect();
        Some(record.lrat.learn(&clause))
    }

    /// Computes patterns, phases and hashes of new gates.
    fn simulate_new(&mut self) {
        for node in self.patterns.len()..self.graph.gates().len() {
            let gate = self.graph.gates()[node];
            let pattern: Vec<u64> = (0..self.belongs.len())
                .map(|at| evaluated(gate, |literal: Literal| with_sign(self.patterns[literal.node()][at], literal)))
                .collect();
            let phase = self.phase(&pattern);
            self.hashes.push(self.hash(&pattern, phase));
            self.phases.push(phase);
            self.patterns.push(pattern);
        }
    }

    fn phase(&self, pattern: &[u64]) -> bool {
        let first = self.belongs.iter().position(|&word| word != 0);
        first.is_some_and(|at| pattern[at] >> self.belongs[at].trailing_zeros() & 1 == 1)
    }

    fn hash(&self, pattern: &[u64], phase: bool) -> u64 {
        let words = pattern.iter().zip(&self.belongs);
        words.fold(0, |hash, (&word, &belongs)| mixed(hash, (if phase { !word } else { word }) & belongs))
    }

    /// Recomputes phases and hashes once the first patterns exist.
    fn settle_phases(&mut self) {
        for node in 0..self.patterns.len() {
            self.phases[node] = self.phase(&self.patterns[node]);
            self.hashes[node] = self.hash(&self.patterns[node], self.phases[node]);
        }
        self.find_first(self.patterns.len());
    }

    fn find_first(&mut self, nodes: usize) {
        self.first.clear();
        for node in 0..nodes {
            self.first.entry(self.hashes[node]).or_insert(node);
        }
    }

    /// The gate that an existing gate was found equal to.
    fn settled(&self, copy: Literal) -> Literal {
        match self.equals.get(&copy.node()) {
            Some(&equal) if copy.is_inverted() => !equal,
            Some(&equal) => equal,
            None => copy,
        }
    }

    /// The literal that a new gate equals; the gate itself if no earlier one is known to be equal.
    fn merged(&mut self, copy: Literal) -> Literal {
        let plain = if copy.is_inverted() { !copy } else { copy };
        let equal = self.equal_to(plain);
        if equal != plain {
            self.solver.assert_equal(&self.graph, plain, equal);
            self.equals.insert(plain.node(), equal);
        }
        self.settled(copy)
    }

    /// An earlier literal that equals a new gate, or the gate.
    fn equal_to(&mut self, plain: Literal) -> Literal {
        let node = plain.node();
        if let Some(equal) = self.tables.iter_mut().find_map(|tables| tables.equal(&self.graph, node)) {
            if equal == plain {
                self.first.entry(self.hashes[node]).or_insert(node);
            }
            return equal;
        }
        loop {
            let other = *self.first.entry(self.hashes[node]).or_insert(node);
            if other == node {
                return plain;
            }
            let equal = Literal::of(other);
            let equal = if self.phases[node] == self.phases[other] { equal } else { !equal };
            match self.are_equal(plain, equal) {
                Answer::Unsatisfiable => return equal,
                Answer::Open => {
                    self.left += 1;
                    return plain;
                }
                Answer::Satisfiable => {
                    self.refine();
                    self.find_first(node);
                }
            }
        }
    }

    /// Unsatisfiable if two literals are equal in the whole case.
    fn are_equal(&mut self, one: Literal, other: Literal) -> Answer {
        let mut lemmas = vec![];
        for pair in [[one, !other], [!one, other]] {
            let mut answer = self.solver.solve(&self.graph, &pair, self.effort.guess);
            if answer == Answer::Open && self.effort.again > 0 {
                answer = self.solver.solve(&self.graph, &pair, self.effort.again);
            }
            match answer {
                Answer::Unsatisfiable => lemmas.extend(self.lemma(&pair.map(|literal| !literal))),
                answer => return answer,
            }
        }
        if let Some(relations) = &mut self.relations {
            relations.equals.insert(one.node(), lemmas);
        }
        Answer::Unsatisfiable
    }

    /// The free bits of the solver's assignment.
    fn model(&self) -> Vec<bool> {
        self.graph.sources().iter().map(|&input| self.solver.value(input)).collect()
    }

    /// Adds the solver's assignment, and variations of it, to the patterns.
    fn refine(&mut self) {
        let model = self.model();
        let mut word = |bit: bool| {
            let [a, b, c]: [u64; 3] = [self.random.random(), self.random.random(), self.random.random()];
            // The first pattern is the assignment; in the others one bit in eight is flipped.
            (if bit { u64::MAX } else { 0 }) ^ (a & b & c & !1)
        };
        let words: Vec<u64> = model.into_iter().map(&mut word).collect();
        self.add_patterns(&words);
    }

    fn add_patterns(&mut self, inputs: &[u64]) {
        let values = simulated(self.graph.gates(), inputs);
        let belongs = value(&values, self.image(self.case.valid));
        self.belongs.push(belongs);
        for (node, &word) in values.iter().enumerate() {
            let counted = (if self.phases[node] { !word } else { word }) & belongs;
            self.patterns[node].push(word);
            self.hashes[node] = mixed(self.hashes[node], counted);
        }
    }
}

/// The clauses by which two literals are equal, which follow from others.
fn equal(lrat: &mut Lrat, [one, other]: [CnfLiteral; 2], from: &[ClauseId], split: &[CnfLiteral]) -> Vec<ClauseId> {
    let clauses = match other {
        _ if one == other => vec![],
        Miter::FALSE => vec![vec![-one]],
        Miter::TRUE => vec![vec![one]],
        _ => vec![vec![-one, other], vec![one, -other]],
    };
    clauses.iter().map(|clause| lrat.follow_from(clause, from, split).expect("the gates are equal")).collect()
}

/// One step of a hash over words.
fn mixed(hash: u64, word: u64) -> u64 {
    (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

fn with_sign(word: u64, literal: Literal) -> u64 {
    if literal.is_inverted() { !word } else { word }
}

pub fn value(values: &[u64], literal: Literal) -> u64 {
    with_sign(values[literal.node()], literal)
}

/// A gate's output for its operands.
fn evaluated(gate: Gate, of: impl Fn(Literal) -> u64) -> u64 {
    match gate {
        Gate::False | Gate::Input => 0,
        Gate::And(a, b) => of(a) & of(b),
        Gate::Xor(a, b) => of(a) ^ of(b),
        Gate::Mux { select, one, zero } => of(select) & of(one) | !of(select) & of(zero),
    }
}

/// The values of all gates for these input words.
pub fn simulated(gates: &[Gate], inputs: &[u64]) -> Vec<u64> {
    let mut values = Vec::with_capacity(gates.len());
    values.push(0);
    values.extend(inputs);
    for &gate in &gates[values.len()..] {
        let output = evaluated(gate, |literal| value(&values, literal));
        values.push(output);
    }
    values
}

/// The gates that some literals depend on.
pub fn cone(graph: &Graph, literals: &[Literal]) -> Vec<bool> {
    let mut needed = vec![false; graph.gates().len()];
    literals.iter().for_each(|literal| needed[literal.node()] = true);
    for id in (0..needed.len()).rev().filter(|&id| id > 0) {
        if needed[id] {
            graph.gates()[id].operands().for_each(|operand| needed[operand.node()] = true);
        }
    }
    needed
}
