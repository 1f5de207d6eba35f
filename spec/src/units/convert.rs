//! `decode`, `encode` and `convert`: `y = x` in another format.

use super::{Definition, Facts, Meaning, OnPorts, as_chosen, result_ports, with_outputs};
use crate::{Format, Formula, Kind, Operation, OperationError, Port, Setting};

/// The settings of a conversion whose formats are its name.
const CONVERTED: &[Setting] = &[
    Setting::Round,
    Setting::Random,
    Setting::Overflow,
    Setting::PositRange,
    Setting::NanResult,
    Setting::NanBoxing,
    Setting::Profile,
    Setting::Flags,
    Setting::Tininess,
];

pub(super) const DECODE: Definition = Definition {
    name: "decode",
    formats: |selection| Ok([selection.format, Format::binary32()]),
    module: |operation| format!("decode_{}", operation.operand.identifier()),
    settings: CONVERTED,
    ..CONVERT
};

pub(super) const ENCODE: Definition = Definition {
    name: "encode",
    facts: Facts { multiplies: false, computes_digits: false, format_is_result: true, on_ports: OnPorts::Both },
    formats: |selection| Ok([Format::binary32(), selection.format]),
    module: |operation| format!("encode_{}", operation.result.identifier()),
    settings: CONVERTED,
    ..CONVERT
};

pub(super) const CONVERT: Definition = Definition {
    name: "convert",
    facts: Facts { multiplies: false, computes_digits: false, format_is_result: false, on_ports: OnPorts::Both },
    settings: &[
        Setting::To,
        Setting::Round,
        Setting::Random,
        Setting::Overflow,
        Setting::PositRange,
        Setting::NanResult,
        Setting::NanBoxing,
        Setting::Profile,
        Setting::Flags,
        Setting::Tininess,
    ],
    formats: |selection| Ok([selection.format, selection.target.ok_or(OperationError::TargetMissing)?]),
    kind: || Kind::Plain,
    resolve: as_chosen,
    inputs: |operation| vec![Port::code("x", operation.operand)],
    outputs: result_ports,
    meaning,
    module: |operation| format!("convert_{}_to_{}", operation.operand.identifier(), operation.result.identifier()),
    about: None,
};

fn meaning(operation: &Operation) -> Meaning {
    let mut formula = Formula::new();
    let x = formula.operand(0);
    let y = formula.convert(x, operation.target());
    with_outputs(formula, operation, y)
}
