//! `fmac`, `y = a * b + c` rounded once, and `mac`, in which the product is rounded before the addition.

use super::{Definition, Meaning, accumulator_format, result_ports, with_outputs};
use crate::{Formula, Operation, Port, Setting};

pub(super) const FMAC: Definition = Definition {
    name: "fmac",
    settings: &[
        Setting::Acc,
        Setting::Out,
        Setting::Activation,
        Setting::Round,
        Setting::Random,
        Setting::Overflow,
        Setting::PositRange,
        Setting::Flags,
        Setting::Tininess,
    ],
    formats: accumulator_format,
    inputs: |operation| {
        let operand = |name| Port::code(name, operation.operand);
        vec![operand("a"), operand("b"), Port::code("c", operation.result)]
    },
    outputs: result_ports,
    meaning: |operation| meaning(operation, false),
    module: |operation| format!("fmac_{}_acc_{}", operation.operand.identifier(), operation.result.identifier()),
    about: None,
};

pub(super) const MAC: Definition = Definition {
    name: "mac",
    meaning: |operation| meaning(operation, true),
    module: |operation| format!("mac_{}_acc_{}", operation.operand.identifier(), operation.result.identifier()),
    ..FMAC
};

fn meaning(operation: &Operation, rounds_product: bool) -> Meaning {
    let mut formula = Formula::new();
    let [a, b, c] = [0, 1, 2].map(|port| formula.operand(port));
    let exact = formula.product(a, b);
    let product = if rounds_product { formula.round(exact, operation.target()) } else { exact };
    let sum = formula.sum(&[product, c], operation.rounding);
    let y = formula.round(sum, operation.target());
    with_outputs(formula, operation, y)
}
