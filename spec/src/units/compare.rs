//! `compare`: whether `a` is less than, equal to, or greater than `b`, or unordered with it (IEEE 754-2019 section 5.11).

use super::{Definition, Meaning, flag_port, own_format};
use crate::rounding::{by_name, named};
use crate::{Compare, Kind, Operation, Port, Setting, WordKind};
use serde::Serialize;
use std::{fmt, str::FromStr};

/// Which NaNs a comparison signals as invalid (IEEE 754-2019 section 5.11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Comparison {
    /// Signalling ones only.
    #[default]
    Quiet,
    /// All of them.
    Signaling,
}

impl Comparison {
    /// All kinds, the default one first.
    pub const ALL: [Comparison; 2] = [Comparison::Quiet, Comparison::Signaling];

    /// The comparison's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Comparison::Quiet => "quiet",
            Comparison::Signaling => "signaling",
        }
    }
}

named!(Comparison);

pub(super) const COMPARE: Definition = Definition {
    name: "compare",
    settings: &[Setting::Compare, Setting::Flags],
    formats: own_format,
    kind: || Kind::Compare(Compare::default()),
    resolve: |selection, operation| {
        let comparison = selection.comparison.unwrap_or_default();
        Ok(Operation { kind: Kind::Compare(Compare { comparison }), ..operation })
    },
    inputs: |operation| ["a", "b"].map(|name| Port::code(name, operation.operand)).into(),
    outputs,
    meaning: |_| Meaning::Function,
    module: |operation| format!("compare_{}", operation.operand.identifier()),
    about: Some(about),
};

fn outputs(operation: &Operation) -> Vec<Port> {
    let relations = ["lt", "eq", "gt", "unordered"].map(|name| Port::word(name, 1, WordKind::Bit));
    relations.into_iter().chain(flag_port(operation)).collect()
}

fn about(operation: &Operation) -> Vec<String> {
    let nan = match operation.operand.posit() {
        Some(_) => "NaR equals itself and is less than every other posit.",
        None => "A NaN is unordered with everything; -0 equals +0.",
    };
    let mut lines = vec![format!("lt, eq, gt: whether a is less than, equal to, greater than b. {nan}")];
    lines.extend(operation.flags.map(|_| {
        let which = match operation.comparison() {
            Comparison::Quiet => "a signalling NaN is",
            Comparison::Signaling => "any NaN is",
        };
        format!("flags: invalid where {which} an operand; the others stay 0.")
    }));
    lines
}
