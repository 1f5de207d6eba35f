//! An incremental SAT solver for the gates of a graph.

use crate::graph::{Gate, Graph, Literal};
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
    is_over: &'a dyn Fn() -> bool,
}

impl<'a> Budget<'a> {
    /// Nothing is spent yet, and no conflict is allowed.
    fn new(is_over: &'a dyn Fn() -> bool) -> Budget<'a> {
        Budget { conflicts: 0, most: 0, decisions: Cell::new(0), was_over: Cell::new(false), is_over }
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
    fn on_new_clause(&mut self, _clause: &[Lit], _kind: clause::Kind) {
        self.conflicts += 1;
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
        Solver { solver: batsat::Solver::new(SolverOpts::default(), Budget::new(is_over)), variables: vec![] }
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
        *budget = Budget { most: most_conflicts, ..Budget::new(budget.is_over) };
        match self.solver.solve_limited(&wanted) {
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
        for node in new {
            let out = self.lit(Literal::of(node));
            for mut clause in clauses(graph.gates()[node], out, |literal| self.lit(literal)) {
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
fn clauses(gate: Gate, out: Lit, lit: impl Fn(Literal) -> Lit) -> Vec<Vec<Lit>> {
    match gate {
        Gate::Input => vec![],
        Gate::False => vec![vec![!out]],
        Gate::And(a, b) => {
            let (a, b) = (lit(a), lit(b));
            vec![vec![!out, a], vec![!out, b], vec![out, !a, !b]]
        }
        Gate::Xor(a, b) => {
            let (a, b) = (lit(a), lit(b));
            vec![vec![!out, a, b], vec![!out, !a, !b], vec![out, !a, b], vec![out, a, !b]]
        }
        Gate::Mux { select, one, zero } => {
            let (select, one, zero) = (lit(select), lit(one), lit(zero));
            vec![
                vec![!select, !one, out],
                vec![!select, one, !out],
                vec![select, !zero, out],
                vec![select, zero, !out],
                // Redundant, but helps the solver to propagate.
                vec![!one, !zero, out],
                vec![one, zero, !out],
            ]
        }
    }
}
