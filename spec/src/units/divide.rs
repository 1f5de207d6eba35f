//! `divide`: `y = a / b`; `reciprocal`: `y = 1 / x`; `sqrt`: the square root of `x`; `rsqrt`: its reciprocal.

use super::{Definition, Facts, Meaning, OnPorts, add, with_outputs};
use crate::{Formula, Operation, Port, Term, TermId};

pub(super) const DIVIDE: Definition = Definition {
    name: "divide",
    facts: Facts { multiplies: false, computes_digits: true, format_is_result: false, on_ports: OnPorts::Both },
    meaning: |operation| {
        meaning(operation, |formula| {
            let [a, b] = [0, 1].map(|port| formula.operand(port));
            formula.quotient(a, b)
        })
    },
    module: |operation| format!("divide_{}", operation.operand.identifier()),
    ..add::ADD
};

pub(super) const RECIPROCAL: Definition = Definition {
    name: "reciprocal",
    inputs: |operation| vec![Port::code("x", operation.operand)],
    meaning: |operation| {
        meaning(operation, |formula| {
            let [one, x] = [formula.term(Term::Power(0)), formula.operand(0)];
            formula.quotient(one, x)
        })
    },
    module: |operation| format!("reciprocal_{}", operation.operand.identifier()),
    ..DIVIDE
};

pub(super) const SQRT: Definition = Definition {
    name: "sqrt",
    meaning: |operation| meaning(operation, |formula| root(formula, false)),
    module: |operation| format!("sqrt_{}", operation.operand.identifier()),
    ..RECIPROCAL
};

pub(super) const RSQRT: Definition = Definition {
    name: "rsqrt",
    meaning: |operation| meaning(operation, |formula| root(formula, true)),
    module: |operation| format!("rsqrt_{}", operation.operand.identifier()),
    ..RECIPROCAL
};

fn root(formula: &mut Formula, is_reciprocal: bool) -> TermId {
    let of = formula.operand(0);
    formula.term(Term::Root { of, is_reciprocal })
}

/// An exact value, rounded.
fn meaning(operation: &Operation, exact: impl FnOnce(&mut Formula) -> TermId) -> Meaning {
    let mut formula = Formula::new();
    let exact = exact(&mut formula);
    let y = formula.round(exact, operation.target());
    with_outputs(formula, operation, y)
}
