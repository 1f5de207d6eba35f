//! An incremental SAT solver for the gates of a graph.

use crate::graph::{Gate, Graph, Literal};
use batsat::{Callbacks, Lit, SolverInterface, SolverOpts, Var, clause, lbool};
use binade_tools::interrupted;

/// The solver's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is an assignment; [`Solver::value`] returns it.
    Satisfiable,
    /// There is no assignment.
    Unsatisfiable,
    /// The solver gave up at the limit of conflicts, or the run was interrupted.
    Open,
}

/// A solver for one graph, which may grow. Gates become clauses when a query depends on them.
pub struct Solver {
    solver: batsat::Solver<Budget>,
    variables: Vec<Option<Var>>,
}

/// Counts conflicts, and stops the solver at a limit.
#[derive(Default)]
struct Budget {
    conflicts: u64,
    most: u64,
}

impl Callbacks for Budget {
    fn on_new_clause(&mut self, _clause: &[Lit], _kind: clause::Kind) {
        self.conflicts += 1;
    }

    fn stop(&self) -> bool {
        self.conflicts > self.most || interrupted()
    }
}

impl Default for Solver {
    fn default() -> Solver {
        Solver { solver: batsat::Solver::new(SolverOpts::default(), Budget::default()), variables: vec![] }
    }
}

impl Solver {
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
        *self.solver.cb_mut() = Budget { conflicts: 0, most: most_conflicts };
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
