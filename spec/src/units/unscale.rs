//! `unscale`: `y = g / scale`, rounded: reverts loss scaling (Micikevicius et al., "Mixed precision training"), for
//! instance before a weight is updated.

use super::{Definition, ROUNDED_TO, as_chosen, result_ports, with_outputs};
use crate::{Format, Formula, Kind, Port, Term};

pub(super) const UNSCALE: Definition = Definition {
    name: "unscale",
    settings: ROUNDED_TO,
    formats: |selection| Ok([selection.format, selection.target.unwrap_or(selection.format)]),
    kind: || Kind::Plain,
    resolve: as_chosen,
    inputs: |operation| vec![Port::code("g", operation.operand), Port::code("scale", Format::e8m0())],
    outputs: result_ports,
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
    about: None,
};
