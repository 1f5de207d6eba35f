//! `minmax`: the smaller or larger of `a` and `b` (IEEE 754-2019 section 9.6).

use super::{Definition, Meaning, flag_port, own_format};
use crate::rounding::{by_name, named};
use crate::{Kind, Minmax, Operation, OperationError, Port, Selection, Setting};
use serde::Serialize;
use std::{fmt, str::FromStr};

/// The operations of IEEE 754-2019 section 9.6.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Extremum {
    /// The smaller one; NaN if one is NaN.
    #[default]
    Minimum,
    /// The smaller one; the number if one is NaN.
    MinimumNumber,
    /// The larger one; NaN if one is NaN.
    Maximum,
    /// The larger one; the number if one is NaN.
    MaximumNumber,
    /// The one with the smaller magnitude, of equal magnitudes the minimum; NaN if one is NaN.
    MinimumMagnitude,
    /// The one with the smaller magnitude, of equal magnitudes the minimum; the number if one is NaN.
    MinimumMagnitudeNumber,
    /// The one with the larger magnitude, of equal magnitudes the maximum; NaN if one is NaN.
    MaximumMagnitude,
    /// The one with the larger magnitude, of equal magnitudes the maximum; the number if one is NaN.
    MaximumMagnitudeNumber,
}

impl Extremum {
    /// All operations, in the order of the help.
    pub const ALL: [Extremum; 8] = [
        Extremum::Minimum,
        Extremum::MinimumNumber,
        Extremum::Maximum,
        Extremum::MaximumNumber,
        Extremum::MinimumMagnitude,
        Extremum::MinimumMagnitudeNumber,
        Extremum::MaximumMagnitude,
        Extremum::MaximumMagnitudeNumber,
    ];

    /// The operation's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Extremum::Minimum => "minimum",
            Extremum::MinimumNumber => "minimum-number",
            Extremum::Maximum => "maximum",
            Extremum::MaximumNumber => "maximum-number",
            Extremum::MinimumMagnitude => "minimum-magnitude",
            Extremum::MinimumMagnitudeNumber => "minimum-magnitude-number",
            Extremum::MaximumMagnitude => "maximum-magnitude",
            Extremum::MaximumMagnitudeNumber => "maximum-magnitude-number",
        }
    }

    /// Whether the larger one is taken.
    pub fn is_maximum(self) -> bool {
        match self {
            Extremum::Maximum
            | Extremum::MaximumNumber
            | Extremum::MaximumMagnitude
            | Extremum::MaximumMagnitudeNumber => true,
            Extremum::Minimum
            | Extremum::MinimumNumber
            | Extremum::MinimumMagnitude
            | Extremum::MinimumMagnitudeNumber => false,
        }
    }

    /// Whether a number is preferred to a NaN.
    pub fn prefers_number(self) -> bool {
        match self {
            Extremum::MinimumNumber
            | Extremum::MaximumNumber
            | Extremum::MinimumMagnitudeNumber
            | Extremum::MaximumMagnitudeNumber => true,
            Extremum::Minimum | Extremum::Maximum | Extremum::MinimumMagnitude | Extremum::MaximumMagnitude => false,
        }
    }

    /// Whether magnitudes are compared first.
    pub fn is_of_magnitudes(self) -> bool {
        match self {
            Extremum::MinimumMagnitude
            | Extremum::MinimumMagnitudeNumber
            | Extremum::MaximumMagnitude
            | Extremum::MaximumMagnitudeNumber => true,
            Extremum::Minimum | Extremum::MinimumNumber | Extremum::Maximum | Extremum::MaximumNumber => false,
        }
    }
}

named!(Extremum);

pub(super) const MINMAX: Definition = Definition {
    name: "minmax",
    settings: &[Setting::Operation, Setting::Flags],
    formats: own_format,
    kind: || Kind::Minmax(Minmax::default()),
    resolve,
    inputs: |operation| ["a", "b"].map(|name| Port::code(name, operation.operand)).into(),
    outputs: |operation| [Port::code("y", operation.result)].into_iter().chain(flag_port(operation)).collect(),
    meaning: |_| Meaning::Function,
    module: |operation| format!("minmax_{}", operation.operand.identifier()),
    about: Some(about),
};

/// The operation must be given.
fn resolve(selection: &Selection, operation: Operation) -> Result<Operation, OperationError> {
    let extremum = selection.extremum.ok_or(OperationError::ExtremumMissing)?;
    Ok(Operation { kind: Kind::Minmax(Minmax { extremum }), ..operation })
}

fn about(operation: &Operation) -> Vec<String> {
    let extremum = operation.extremum();
    let which = if extremum.is_maximum() { "larger" } else { "smaller" };
    let by = if extremum.is_of_magnitudes() { ", magnitudes compared first" } else { "" };
    let nan = if extremum.prefers_number() { "a number goes before NaN" } else { "NaN goes before numbers" };
    let mut lines =
        vec![format!("y = {extremum}(a, b): the {which} of a and b{by}; {nan}. -0 counts as less than +0.")];
    lines.extend(
        operation.flags.map(|_| "flags: invalid where a signalling NaN is an operand; the others stay 0.".into()),
    );
    lines
}
