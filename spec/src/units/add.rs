//! `add`: `y = a + b`, and `sub`: `y = a - b`.

use super::{
    Definition, Facts, Meaning, OnPorts, ROUNDED, as_chosen, own_format, result_ports, signed_format, with_outputs,
};
use crate::{Formula, Kind, Operation, Port, TermId};

pub(super) const ADD: Definition = Definition {
    name: "add",
    facts: Facts { multiplies: false, computes_digits: false, format_is_result: false, on_ports: OnPorts::Both },
    settings: ROUNDED,
    formats: own_format,
    kind: || Kind::Plain,
    resolve: as_chosen,
    inputs: |operation| ["a", "b"].map(|name| Port::code(name, operation.operand)).into(),
    outputs: result_ports,
    meaning: |operation| meaning(operation, |_, b| b),
    module: |operation| format!("add_{}", operation.operand.identifier()),
    about: None,
};

pub(super) const SUB: Definition = Definition {
    name: "sub",
    formats: signed_format,
    meaning: |operation| meaning(operation, Formula::negate),
    module: |operation| format!("sub_{}", operation.operand.identifier()),
    ..ADD
};

/// The rounded sum of `a` and a term made from `b`.
fn meaning(operation: &Operation, second: fn(&mut Formula, TermId) -> TermId) -> Meaning {
    let mut formula = Formula::new();
    let (a, b) = (formula.operand(0), formula.operand(1));
    let b = second(&mut formula, b);
    let sum = formula.sum(&[a, b], operation.rounding);
    let y = formula.round(sum, operation.target());
    with_outputs(formula, operation, y)
}
