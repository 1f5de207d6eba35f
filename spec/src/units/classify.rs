//! `classify`: the class of a code (IEEE 754-2019 section 5.7.2).

use super::{Definition, Facts, Meaning, OnPorts, PlainFunction, as_chosen, own_format};
use crate::{Kind, Port, Setting, WordKind};

/// Names of the bits of port `class_bits`, lowest first (in the order of the RISC-V instruction `fclass`).
pub const CLASSES: [&str; 10] = [
    "-infinity",
    "-normal",
    "-subnormal",
    "-0",
    "+0",
    "+subnormal",
    "+normal",
    "+infinity",
    "signaling NaN",
    "quiet NaN",
];

pub(super) const CLASSIFY: Definition = Definition {
    name: "classify",
    facts: Facts { multiplies: false, computes_digits: false, format_is_result: false, on_ports: OnPorts::Nothing },
    settings: &[Setting::NanBoxing, Setting::Profile],
    formats: own_format,
    kind: || Kind::Plain,
    resolve: as_chosen,
    inputs: |operation| vec![Port::code("x", operation.operand)],
    outputs: |_| vec![Port::word("class_bits", CLASSES.len() as u32, WordKind::Classes)],
    meaning: |_| Meaning::Function(PlainFunction::Classify),
    module: |operation| format!("classify_{}", operation.operand.identifier()),
    about: Some(|_| {
        vec![
            "class_bits: exactly one bit is 1. From bit 0 up: -infinity, -normal, -subnormal, -0, +0, +subnormal,"
                .into(),
            "+normal, +infinity, signaling NaN, quiet NaN (or NaR). Flushed codes count as zeros.".into(),
        ]
    }),
};
