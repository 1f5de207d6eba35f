//! An incremental SAT solver for the gates of a graph.

use crate::graph::{Gate, Graph, Literal};
use crate::lrat::{ClauseId, CnfLiteral, Lrat};
use batsat::{Callbacks, Lit, SolverInterface, SolverOpts, Var, clause, lbool};
use std::cell::Cell;

/// The solver's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is an assignment; [`Solver::value`] returns it.
    Satisfiable,
    /// There is no assignment.
    Unsatisfiable,
    /// The solver gave up at the limit of conflicts, or the work was over.
    Open,
}

/// A solver for one graph, which may grow. Gates become clauses when a query depends on them. By default it ends only with an answer or at
/// the limit of conflicts.
pub struct Solver<'a> {
    solver: batsat::Solver<Budget<'a>>,
    variables: Vec<Option<Var>>,
    record: Option<Record>,
}

/// A record of what the solver does, as a proof.
#[derive(Debug)]
pub struct Record {
    /// The clauses so far.
    pub lrat: Lrat,
    /// The literal in the proof of each node, and the clauses that define its gate.
    nodes: Vec<(CnfLiteral, Vec<ClauseId>)>,
    /// The node of each variable of the solver.
    of_variables: Vec<usize>,
}

impl Record {
    /// A record about a graph without gates, of whose constant and inputs these are the literals. Clause 1 says that the constant is 0.
    pub fn new(lrat: Lrat, literals: impl IntoIterator<Item = CnfLiteral>) -> Record {
        let mut nodes: Vec<_> = literals.into_iter().map(|literal| (literal, vec![])).collect();
        nodes[0].1.push(1);
        Record { lrat, nodes, of_variables: vec![] }
    }

    /// The literal in the proof.
    pub fn literal(&self, literal: Literal) -> CnfLiteral {
        let (plain, _) = self.nodes[literal.node()];
        if literal.is_inverted() { -plain } else { plain }
    }

    /// The clauses that define the gate of a node.
    pub fn definition(&self, node: usize) -> &[ClauseId] {
        &self.nodes[node].1
    }

    /// Adds the next node of the graph. Its literal in the proof is given; its clauses follow from some clauses of the proof, if
    /// need be in two ways, with either value of the operands.
    ///
    /// # Panics
    /// When its clauses do not follow.
    pub fn define(&mut self, gate: Gate, out: CnfLiteral, from: &[ClauseId]) {
        let node = self.nodes.len();
        self.nodes.push((out, vec![]));
        let operands: Vec<CnfLiteral> = gate.operands().map(|operand| self.literal(operand)).collect();
        for clause in clauses(gate, Literal::of(node)) {
            let clause: Vec<CnfLiteral> = clause.into_iter().map(|literal| self.literal(literal)).collect();
            let id = self.lrat.follow_from(&clause, from, &operands).expect("the clauses of a gate follow");
            self.nodes[node].1.push(id);
        }
    }

    /// Derives the clause that the solver has learned.
    fn learn(&mut self, clause: &[Lit]) {
        let literal = |lit: &Lit| {
            let (plain, _) = self.nodes[self.of_variables[lit.var().idx() as usize]];
            if lit.sign() { plain } else { -plain }
        };
        let clause: Vec<CnfLiteral> = clause.iter().map(literal).collect();
        self.lrat.learn(&clause);
    }
}

/// Decisions of the solver between two questions whether the work is over, which may cost more than a decision.
const PATIENCE: u32 = 256;

/// Counts conflicts, and stops the solver at a limit, or when the work is over.
struct Budget<'a> {
    conflicts: u64,
    most: u64,
    decisions: Cell<u32>,
    /// Whether the work was over once: the solver asks again before it gives up.
    was_over: Cell<bool>,
    /// The clauses learned, if they are recorded.
    learned: Option<Vec<Vec<Lit>>>,
    is_over: &'a dyn Fn() -> bool,
}

impl<'a> Budget<'a> {
    /// Nothing is spent yet, and no conflict is allowed.
    fn new(is_over: &'a dyn Fn() -> bool) -> Budget<'a> {
        Budget { conflicts: 0, most: 0, decisions: Cell::new(0), was_over: Cell::new(false), learned: None, is_over }
    }

    /// Asks now and then.
    fn is_over(&self) -> bool {
        let decisions = self.decisions.get();
        self.decisions.set(decisions.wrapping_add(1));
        if decisions.is_multiple_of(PATIENCE) && (self.is_over)() {
            self.was_over.set(true);
        }
        self.was_over.get()
    }
}

impl Callbacks for Budget<'_> {
    fn on_new_clause(&mut self, clause: &[Lit], _kind: clause::Kind) {
        self.conflicts += 1;
        if let Some(learned) = &mut self.learned {
            learned.push(clause.to_vec());
        }
    }

    fn stop(&self) -> bool {
        self.conflicts > self.most || self.is_over()
    }
}

impl Default for Solver<'_> {
    fn default() -> Self {
        Solver::new(&|| false)
    }
}

impl<'a> Solver<'a> {
    /// A solver that gives up soon after `is_over` returns true.
    pub fn new(is_over: &'a dyn Fn() -> bool) -> Solver<'a> {
        Solver {
            solver: batsat::Solver::new(SolverOpts::default(), Budget::new(is_over)),
            variables: vec![],
            record: None,
        }
    }

    /// A solver that records what it does. Gates are defined in the record before a query depends on them.
    pub fn recorded(is_over: &'a dyn Fn() -> bool, record: Record) -> Solver<'a> {
        Solver { record: Some(record), ..Solver::new(is_over) }
    }

    /// The record, if there is one.
    pub fn record(&mut self) -> Option<&mut Record> {
        self.record.as_mut()
    }

    /// Ends the work; the record remains.
    pub fn into_record(self) -> Option<Record> {
        self.record
    }

    /// Requires a literal to be 1 in all later queries.
    pub fn assert(&mut self, graph: &Graph, literal: Literal) {
        let literal = self.encoded(graph, literal);
        self.solver.add_clause_reuse(&mut vec![literal]);
    }

    /// Adds the fact that two literals are equal.
    pub fn assert_equal(&mut self, graph: &Graph, one: Literal, other: Literal) {
        let [one, other] = [one, other].map(|literal| self.encoded(graph, literal));
        self.solver.add_clause_reuse(&mut vec![one, !other]);
        self.solver.add_clause_reuse(&mut vec![!one, other]);
    }

    /// Looks for an assignment that makes all of these literals 1.
    pub fn solve(&mut self, graph: &Graph, wanted: &[Literal], most_conflicts: u64) -> Answer {
        let wanted: Vec<Lit> = wanted.iter().map(|&literal| self.encoded(graph, literal)).collect();
        let budget = self.solver.cb_mut();
        let learned = self.record.is_some().then(Vec::new);
        *budget = Budget { most: most_conflicts, learned, ..Budget::new(budget.is_over) };
        let answer = self.solver.solve_limited(&wanted);
        if let Some(record) = &mut self.record {
            let learned = self.solver.cb_mut().learned.take();
            learned.into_iter().flatten().for_each(|clause| record.learn(&clause));
        }
        match answer {
            answer if answer == lbool::TRUE => Answer::Satisfiable,
            answer if answer == lbool::FALSE => Answer::Unsatisfiable,
            _ => Answer::Open,
        }
    }

    /// The value of a literal in the assignment that was found; 0 if the query did not depend on it.
    pub fn value(&self, literal: Literal) -> bool {
        let variable = self.variables.get(literal.node()).copied().flatten();
        let is_one = variable.is_some_and(|variable| self.solver.value_var(variable) == lbool::TRUE);
        is_one != literal.is_inverted()
    }

    /// The solver's literal, after adding clauses for all gates that it depends on.
    fn encoded(&mut self, graph: &Graph, literal: Literal) -> Lit {
        self.variables.resize(graph.gates().len().max(self.variables.len()), None);
        let (mut open, mut new) = (vec![literal.node()], vec![]);
        while let Some(node) = open.pop() {
            if self.variables[node].is_none() {
                self.variables[node] = Some(self.solver.new_var_default());
                open.extend(graph.gates()[node].operands().map(Literal::node));
                new.push(node);
            }
        }
        if let Some(record) = &mut self.record {
            for &node in &new {
                record.of_variables.push(node);
                for at in 0..record.nodes[node].1.len() {
                    record.lrat.activate(record.nodes[node].1[at]);
                }
            }
        }
        for node in new {
            for clause in clauses(graph.gates()[node], Literal::of(node)) {
                let mut clause = clause.into_iter().map(|literal| self.lit(literal)).collect();
                self.solver.add_clause_reuse(&mut clause);
            }
        }
        self.lit(literal)
    }

    fn lit(&self, literal: Literal) -> Lit {
        Lit::new(self.variables[literal.node()].expect("a gate that the solver knows"), !literal.is_inverted())
    }
}

/// The clauses between a gate's output and its operands (Tseitin).
fn clauses(gate: Gate, out: Literal) -> Vec<Vec<Literal>> {
    match gate {
        Gate::Input => vec![],
        Gate::False => vec![vec![!out]],
        Gate::And(a, b) => vec![vec![!out, a], vec![!out, b], vec![out, !a, !b]],
        Gate::Xor(a, b) => vec![vec![!out, a, b], vec![!out, !a, !b], vec![out, !a, b], vec![out, a, !b]],
        Gate::Mux { select, one, zero } => vec![
            vec![!select, !one, out],
            vec![!select, one, !out],
            vec![select, !zero, out],
            vec![select, zero, !out],
            // Redundant, but helps the solver to propagate.
            vec![!one, !zero, out],
            vec![one, zero, !out],
        ],
    }
}
