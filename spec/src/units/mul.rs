//! `mul`: `y = a * b`.

use super::{Definition, Meaning, ROUNDED, as_chosen, own_format, result_ports, with_outputs};
use crate::{Formula, Kind, Operation, Port};

pub(super) const MUL: Definition = Definition {
    name: "mul",
    settings: ROUNDED,
    formats: own_format,
    kind: || Kind::Plain,
    resolve: as_chosen,
    inputs: |operation| ["a", "b"].map(|name| Port::code(name, operation.operand)).into(),
    outputs: result_ports,
    meaning,
    module: |operation| format!("mul_{}", operation.operand.identifier()),
    about: None,
};

fn meaning(operation: &Operation) -> Meaning {
    let mut formula = Formula::new();
    let (a, b) = (formula.operand(0), formula.operand(1));
    let product = formula.product(a, b);
    let y = formula.round(product, operation.target());
    with_outputs(formula, operation, y)
}
