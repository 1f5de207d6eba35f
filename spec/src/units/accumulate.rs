//! `accumulate`: `acc = clear ? x : acc + x`, rounded each time: an accumulator that keeps its state from clock to
//! clock.

use super::{Definition, Facts, Meaning, OnPorts, accumulator_format, as_chosen, result_ports, with_outputs};
use crate::{
    Class, Formula, Kind, Operation, OperationError, Port, Register, Selection, Setting, Term, Unit, WordKind,
};

pub(super) const ACCUMULATE: Definition = Definition {
    name: "accumulate",
    facts: Facts { multiplies: false, computes_digits: false, format_is_result: false, on_ports: OnPorts::Nothing },
    settings: &[
        Setting::Acc,
        Setting::Round,
        Setting::Overflow,
        Setting::PositRange,
        Setting::Flags,
        Setting::Tininess,
    ],
    formats,
    kind: || Kind::Plain,
    resolve: as_chosen,
    inputs: |operation| {
        vec![Port::code("x", operation.operand), Port::word("clear", 1, WordKind::Bit("the old sum is ignored"))]
    },
    outputs: result_ports,
    meaning,
    module: |operation| format!("accumulate_{}_acc_{}", operation.operand.identifier(), operation.result.identifier()),
    about: None,
};

/// Sums start from zero, so the accumulator needs a zero.
fn formats(selection: &Selection) -> Result<[crate::Format; 2], OperationError> {
    let [operand, accumulator] = accumulator_format(selection)?;
    match accumulator.class_codes(Class::Zero) {
        Some(_) => Ok([operand, accumulator]),
        None => Err(OperationError::NoZero { unit: Unit::Accumulate, format: accumulator }),
    }
}

fn meaning(operation: &Operation) -> Meaning {
    let mut formula = Formula::new();
    let (x, acc) = (formula.operand(0), formula.state(0));
    let sum = formula.sum(&[acc, x], operation.rounding);
    let chosen = formula.term(Term::Choose { port: 1, one: x, zero: sum });
    let next = formula.round(chosen, operation.target());
    formula.register(Register { name: "acc", next, format: operation.result });
    with_outputs(formula, operation, next)
}
