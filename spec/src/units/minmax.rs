//! `minmax`: the smaller or larger of `a` and `b` (IEEE 754-2019 section 9.6).

use super::{Definition, Facts, Meaning, OnPorts, PlainFunction, flag_port, own_format};
use crate::{Format, Kind, Minmax, Operation, OperationError, Port, Selection, Setting};

pub(super) const MINMAX: Definition = Definition {
    name: "minmax",
    facts: Facts { multiplies: false, computes_digits: false, format_is_result: false, on_ports: OnPorts::Nothing },
    settings: &[Setting::Operation, Setting::NanBoxing, Setting::Profile, Setting::Flags],
    formats: own_format,
    kind: || Kind::Minmax(Minmax::default()),
    resolve,
    inputs: |operation| ["a", "b"].map(|name| Port::code(name, operation.operand)).into(),
    outputs: |operation| [Port::code("y", operation.result)].into_iter().chain(flag_port(operation)).collect(),
    meaning: |_| Meaning::Function(PlainFunction::Minmax),
    module: |operation| format!("minmax_{}", operation.operand.identifier()),
    about: Some(about),
};

/// The operation must be given.
fn resolve(selection: &Selection, operation: Operation) -> Result<Operation, OperationError> {
    let extremum = selection.extremum.ok_or(OperationError::ExtremumMissing)?;
    Ok(Operation { kind: Kind::Minmax(Minmax { extremum }), ..operation })
}

fn about(operation: &Operation) -> Vec<String> {
    let extremum = operation.settings::<Minmax>().extremum;
    let which = if extremum.is_maximum() { "larger" } else { "smaller" };
    let by = if extremum.is_of_magnitudes() { ", magnitudes compared first" } else { "" };
    let nan = if extremum.prefers_number() { "numbers override NaN" } else { "NaN overrides numbers" };
    let mut lines =
        vec![format!("y = {extremum}(a, b): the {which} of a and b{by}; {nan}. {}.", zeros(&operation.operand))];
    lines.extend(operation.flags.map(|_| "flags: invalid if an operand is a signaling NaN; the others stay 0.".into()));
    lines
}

/// How zeros are ordered: a sign that means nothing does not count, and does not leave the unit.
pub(super) fn zeros(format: &Format) -> &'static str {
    if format.ignores_sign_of_specials() { "Zeros are equal, and become +0" } else { "-0 is less than +0" }
}
