//! `posit-decoder` and `posit-encoder`: the first and last stages of posit arithmetic, for custom datapaths.

use super::{Definition, Facts, Meaning, OnPorts, PlainFunction, as_chosen};
use crate::port::{decoder_ports, encoder_ports};
use crate::{
    Decoder, Format, Formula, Kind, Operation, OperationError, Output, Port, Selection, Setting, Significand, Term,
    Unit,
};

pub(super) const DECODER: Definition = Definition {
    name: "posit-decoder",
    facts: Facts { multiplies: false, computes_digits: false, format_is_result: false, on_ports: OnPorts::Nothing },
    settings: &[Setting::Significand],
    formats: |selection| posit_format(Unit::PositDecoder, selection),
    kind: || Kind::Decoder(Decoder::default()),
    resolve: |selection, operation| {
        let significand = selection.significand.unwrap_or_default();
        Ok(Operation { kind: Kind::Decoder(Decoder { significand }), ..operation })
    },
    inputs: |operation| vec![Port::code("x", operation.operand)],
    outputs: |operation| decoder_ports(operation.posit(), operation.settings::<Decoder>().significand),
    meaning: |operation| Meaning::Function(PlainFunction::PositDecoder(*operation.posit())),
    module: |operation| format!("posit_decoder_{}", operation.operand.identifier()),
    about: Some(|operation| {
        let value = match operation.settings::<Decoder>().significand {
            Significand::SignMagnitude => {
                "x = (-1)^sign * significand * 2^exponent, where the top bit of the significand has weight 1."
            }
            Significand::TwosComplement => {
                "x = significand * 2^exponent; the significand is in two's complement, its top bit has weight -2: it is in [-2, -1) or [1, 2)."
            }
        };
        vec![
            value.into(),
            "For zero and NaR, the significand is 0 and the exponent is that of a regime of zeros.".into(),
        ]
    }),
};

pub(super) const ENCODER: Definition = Definition {
    name: "posit-encoder",
    facts: Facts { multiplies: false, computes_digits: false, format_is_result: false, on_ports: OnPorts::Nothing },
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
