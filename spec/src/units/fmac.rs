//! `fmac`, `y = a * b + c` rounded once, and `mac`, in which the product is rounded before the addition.

use super::{Definition, Facts, Meaning, OnPorts, accumulator_format, result_ports, signed_format, with_outputs};
use crate::{Format, Formula, Kind, MultiplyAdd, Negation, Operation, OperationError, Port, Selection, Setting};

impl Negation {
    /// The beginning of the names of such modules.
    fn module(self) -> &'static str {
        match self {
            Negation::Product => "fnma",
            Negation::Addend => "fms",
            Negation::Both => "fnms",
        }
    }
}

pub(super) const FMAC: Definition = Definition {
    name: "fmac",
    facts: Facts { multiplies: true, computes_digits: false, format_is_result: false, on_ports: OnPorts::Both },
    settings: &[
        Setting::Acc,
        Setting::Negate,
        Setting::Out,
        Setting::Activation,
        Setting::Round,
        Setting::Random,
        Setting::Overflow,
        Setting::PositRange,
        Setting::NanBoxing,
        Setting::Profile,
        Setting::Flags,
        Setting::Tininess,
    ],
    formats,
    kind: || Kind::MultiplyAdd(MultiplyAdd::default()),
    resolve: |selection, operation| {
        let negation = selection.negation;
        Ok(Operation { kind: Kind::MultiplyAdd(MultiplyAdd { negation }), ..operation })
    },
    inputs: |operation| {
        let operand = |name| Port::code(name, operation.operand);
        vec![operand("a"), operand("b"), Port::code("c", operation.result)]
    },
    outputs: result_ports,
    meaning: |operation| meaning(operation, false),
    module: |operation| {
        let name = operation.negation().map_or("fmac", Negation::module);
        format!("{name}_{}_acc_{}", operation.operand.identifier(), operation.result.identifier())
    },
    about: None,
};

pub(super) const MAC: Definition = Definition {
    name: "mac",
    facts: Facts { multiplies: true, computes_digits: false, format_is_result: false, on_ports: OnPorts::Nothing },
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
    meaning: |operation| meaning(operation, true),
    module: |operation| format!("mac_{}_acc_{}", operation.operand.identifier(), operation.result.identifier()),
    ..FMAC
};

/// Negated terms need a sign.
fn formats(selection: &Selection) -> Result<[Format; 2], OperationError> {
    match selection.negation {
        Some(_) => {
            signed_format(selection)?;
            let [operand, result] = accumulator_format(selection)?;
            signed_format(&Selection { format: result, ..*selection })?;
            Ok([operand, result])
        }
        None => accumulator_format(selection),
    }
}

fn meaning(operation: &Operation, rounds_product: bool) -> Meaning {
    let mut formula = Formula::new();
    let [a, b, c] = [0, 1, 2].map(|port| formula.operand(port));
    let exact = formula.product(a, b);
    let product = if rounds_product { formula.round(exact, operation.target()) } else { exact };
    let negates = |what| [Some(what), Some(Negation::Both)].contains(&operation.negation());
    let product = if negates(Negation::Product) { formula.negate(product) } else { product };
    let c = if negates(Negation::Addend) { formula.negate(c) } else { c };
    let sum = formula.sum(&[product, c], operation.rounding);
    let y = formula.round(sum, operation.target());
    with_outputs(formula, operation, y)
}
