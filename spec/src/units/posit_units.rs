//! `posit-decoder` and `posit-encoder`: the first and last stages of posit arithmetic, for custom datapaths.

use super::{Definition, Meaning, as_chosen};
use crate::port::{decoder_ports, encoder_ports};
use crate::{Format, Formula, Kind, OperationError, Output, Port, Selection, Setting, Term, Unit};

pub(super) const DECODER: Definition = Definition {
    name: "posit-decoder",
    settings: &[],
    formats: |selection| posit_format(Unit::PositDecoder, selection),
    kind: || Kind::Plain,
    resolve: as_chosen,
    inputs: |operation| vec![Port::code("x", operation.operand)],
    outputs: |operation| decoder_ports(operation.posit()),
    meaning: |_| Meaning::Function,
    module: |operation| format!("posit_decoder_{}", operation.operand.identifier()),
    about: Some(|_| {
        vec![
            "x = (-1)^sign * significand * 2^exponent, where the top bit of the significand has weight 1.".into(),
            "For zero and NaR, the significand is 0 and the exponent is that of a regime of zeros.".into(),
        ]
    }),
};

pub(super) const ENCODER: Definition = Definition {
    name: "posit-encoder",
    settings: &[Setting::Round, Setting::PositRange],
    formats: |selection| posit_format(Unit::PositEncoder, selection),
    kind: || Kind::Plain,
    resolve: as_chosen,
    inputs: |operation| encoder_ports(operation.posit(), operation.rounding),
    outputs: |operation| vec![Port::code("y", operation.result)],
    meaning: |operation| {
        let mut formula = Formula::new();
        let parts = formula.term(Term::Parts);
        let y = formula.round(parts, operation.target());
        formula.output(Output::code(y));
        Meaning::Formula(formula)
    },
    module: |operation| format!("posit_encoder_{}", operation.operand.identifier()),
    about: Some(|_| {
        vec![
            "y = (-1)^sign * significand * 2^exponent, where the top bit of the significand has weight 1 and is taken as 1."
                .into(),
            "nar overrides zero, and zero overrides the number. The lowest significand bits are below those of the posit,"
                .into(),
            "and sticky stands for all bits below these.".into(),
        ]
    }),
};

fn posit_format(unit: Unit, selection: &Selection) -> Result<[Format; 2], OperationError> {
    let format = selection.format;
    if format.posit().is_none() {
        return Err(OperationError::PositNeeded { unit, format });
    }
    Ok([format; 2])
}
