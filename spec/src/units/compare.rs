//! `compare`: whether `a` is less than, equal to, or greater than `b`, or unordered with it (IEEE 754-2019 section 5.11).

use super::{Definition, Facts, Meaning, OnPorts, PlainFunction, flag_port, own_format};
use crate::{Compare, Comparison, Kind, Operation, Port, Setting, WordKind};

pub(super) const COMPARE: Definition = Definition {
    name: "compare",
    facts: Facts { multiplies: false, computes_digits: false, format_is_result: false, on_ports: OnPorts::Nothing },
    settings: &[Setting::Compare, Setting::NanBoxing, Setting::Profile, Setting::Flags],
    formats: own_format,
    kind: || Kind::Compare(Compare::default()),
    resolve: |selection, operation| {
        let comparison = selection.comparison.unwrap_or_default();
        Ok(Operation { kind: Kind::Compare(Compare { comparison }), ..operation })
    },
    inputs: |operation| ["a", "b"].map(|name| Port::code(name, operation.operand)).into(),
    outputs,
    meaning: |_| Meaning::Function(PlainFunction::Compare),
    module: |operation| format!("compare_{}", operation.operand.identifier()),
    about: Some(about),
};

fn outputs(operation: &Operation) -> Vec<Port> {
    let relations = [
        ("lt", "a is less than b"),
        ("eq", "a equals b"),
        ("gt", "a is greater than b"),
        ("unordered", "a or b is NaN"),
    ];
    let relations = relations.map(|(name, says)| Port::word(name, 1, WordKind::Bit(says)));
    relations.into_iter().chain(flag_port(operation)).collect()
}

fn about(operation: &Operation) -> Vec<String> {
    let nan = match operation.operand.posit() {
        Some(_) => "NaR equals itself and is less than every other posit.",
        None => "A NaN is unordered with everything; -0 equals +0.",
    };
    let mut lines = vec![format!("lt, eq, gt: whether a is less than, equal to or greater than b. {nan}")];
    lines.extend(operation.flags.map(|_| {
        let which = match operation.settings::<Compare>().comparison {
            Comparison::Quiet => "a signaling NaN",
            Comparison::Signaling => "a NaN",
        };
        format!("flags: invalid if an operand is {which}; the others stay 0.")
    }));
    lines
}
