//! `unscale`: `y = g / scale`, rounded: reverts loss scaling (Micikevicius et al., "Mixed precision training"), for
//! instance before a weight is updated.

use super::{Definition, Facts, OnPorts, ROUNDED_TO, convert, with_outputs};
use crate::{Format, Formula, Port, Term};

pub(super) const UNSCALE: Definition = Definition {
    name: "unscale",
    facts: Facts { multiplies: false, computes_digits: false, format_is_result: false, on_ports: OnPorts::Nothing },
    settings: ROUNDED_TO,
    formats: |selection| Ok([selection.format, selection.target.unwrap_or(selection.format)]),
    inputs: |operation| vec![Port::code("g", operation.operand), Port::code("scale", Format::e8m0())],
    meaning: |operation| {
        let mut formula = Formula::new();
        let [g, scale] = [0, 1].map(|port| formula.operand(port));
        let quotient = formula.term(Term::Quotient(g, scale));
        let y = formula.round(quotient, operation.target());
        with_outputs(formula, operation, y)
    },
    module: |operation| {
        let [from, to] = [operation.operand, operation.result].map(|format| format.identifier());
        if from == to { format!("unscale_{from}") } else { format!("unscale_{from}_to_{to}") }
    },
    ..convert::CONVERT
};
