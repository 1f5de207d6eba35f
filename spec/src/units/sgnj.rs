//! `sgnj`: `a` with another sign (the RISC-V instructions FSGNJ, FSGNJN and FSGNJX; copySign, negate and abs of IEEE 754-2019
//! section 5.5.1).

use super::{Definition, Facts, Meaning, OnPorts, PlainFunction, classify};
use crate::{Format, OperationError, Port, Selection, Sign, Unit, WordKind};

pub(super) const SGNJ: Definition = Definition {
    name: "sgnj",
    facts: Facts { multiplies: false, computes_digits: false, format_is_result: false, on_ports: OnPorts::Nothing },
    formats,
    inputs: |operation| {
        let [a, b] = ["a", "b"].map(|name| Port::code(name, operation.operand));
        vec![a, b, Port::word("op", 2, WordKind::SignOperation)]
    },
    outputs: |operation| vec![Port::code("y", operation.operand)],
    meaning: |_| Meaning::Function(PlainFunction::Sgnj),
    module: |operation| format!("sgnj_{}", operation.operand.identifier()),
    about: Some(|_| {
        vec![
            "y = a with another sign. op 0: that of b; 1: the opposite of that of b; 2 and 3: minus where one of a and b".into(),
            "has it. No other bit changes, not even in a NaN, and no operand raises invalid.".into(),
        ]
    }),
    ..classify::CLASSIFY
};

/// Floating-point formats whose sign is a bit of its own, which every code may have.
fn formats(selection: &Selection) -> Result<[Format; 2], OperationError> {
    let format = selection.format;
    let has_sign_bit = format.float().is_some_and(|float| float.sign == Sign::Signed) && format.has_minus_zero();
    match has_sign_bit && !format.ignores_sign_of_specials() {
        true => Ok([format; 2]),
        false => Err(OperationError::NoSignBit { unit: Unit::Sgnj, format }),
    }
}
