//! `mul`: `y = a * b`.

use super::{Definition, Facts, Meaning, OnPorts, add, with_outputs};
use crate::{Formula, Operation};

pub(super) const MUL: Definition = Definition {
    name: "mul",
    facts: Facts { multiplies: true, computes_digits: false, format_is_result: false, on_ports: OnPorts::Both },
    meaning,
    module: |operation| format!("mul_{}", operation.operand.identifier()),
    ..add::ADD
};

fn meaning(operation: &Operation) -> Meaning {
    let mut formula = Formula::new();
    let (a, b) = (formula.operand(0), formula.operand(1));
    let product = formula.product(a, b);
    let y = formula.round(product, operation.target());
    with_outputs(formula, operation, y)
}
