//! `loss-scaler`: dynamic loss scaling (Micikevicius et al., "Mixed precision training"): the scale is halved when a
//! gradient overflows, and doubled after a number of steps without overflow.

use super::{Definition, Facts, MachineFunction, Meaning, OnPorts};
use crate::kind::{DEFAULT_INTERVAL, DEFAULT_START};
use crate::{Format, Kind, LossScaler, Operation, OperationError, Port, Selection, Setting, StateWord, Unit, WordKind};

/// The exponents of the powers of two in both e8m0 and binary32.
const LIMIT: i32 = 127;

pub(super) const LOSS_SCALER: Definition = Definition {
    name: "loss-scaler",
    facts: Facts { multiplies: false, computes_digits: false, format_is_result: false, on_ports: OnPorts::Nothing },
    settings: &[Setting::Lanes, Setting::Interval, Setting::Start],
    formats,
    kind: || Kind::LossScaler(LossScaler::default()),
    resolve,
    inputs: |operation| {
        let gradients = Port { lanes: operation.lanes(), ..Port::code("g", operation.operand) };
        vec![gradients, Port::word("step", 1, WordKind::Bit("these are the last gradients of a training step"))]
    },
    outputs: |_| {
        vec![
            Port::code("scale", Format::e8m0()),
            Port::code("scale32", Format::binary32()),
            Port::word("skip", 1, WordKind::Bit("the weights must not be updated")),
        ]
    },
    meaning: |operation| Meaning::Machine(MachineFunction::LossScaler, state(operation)),
    module: |operation| format!("loss_scaler_{}_x{}", operation.operand.identifier(), operation.lanes()),
    about: Some(about),
};

/// Overflowing gradients must become a detectable value.
fn formats(selection: &Selection) -> Result<[Format; 2], OperationError> {
    let format = selection.format;
    match format.infinity_code().is_some() || format.nan_code().is_some() {
        true => Ok([format, Format::e8m0()]),
        false => Err(OperationError::NoOverflow { unit: Unit::LossScaler, format }),
    }
}

/// The scale, the number of good steps since it changed, and whether a gradient overflowed since the last step.
fn state(operation: &Operation) -> Vec<StateWord> {
    let word = |name, width, kind, reset| StateWord { name, width, lanes: 1, kind, reset };
    let LossScaler { interval, start, .. } = operation.settings();
    let count_bits = (interval - 1).max(1).ilog2() + 1;
    vec![
        word("scale", 8, WordKind::Exponent, (start + LIMIT) as u128),
        word("good_steps", count_bits, WordKind::Count, 0),
        word("overflow_seen", 1, WordKind::Bit("a gradient has overflowed since the last step"), 0),
    ]
}

/// The initial scale must be representable.
fn resolve(selection: &Selection, operation: Operation) -> Result<Operation, OperationError> {
    let start = selection.start.unwrap_or(DEFAULT_START);
    if !(-LIMIT..=LIMIT).contains(&start) {
        return Err(OperationError::StartOutOfRange { start });
    }
    let (lanes, interval) = (selection.lanes.unwrap_or(1), selection.interval.unwrap_or(DEFAULT_INTERVAL));
    Ok(Operation { kind: Kind::LossScaler(LossScaler { lanes, interval, start }), ..operation })
}

fn about(operation: &Operation) -> Vec<String> {
    let LossScaler { interval, start, .. } = operation.settings();
    vec![
        "Dynamic loss scaling. Only clocks that take operands count; step marks the last gradients of a training step."
            .into(),
        "skip: step is 1, and a g of this clock or of an earlier one since the last step is an infinity or a NaN;"
            .into(),
        "the weights must not be updated.".into(),
        format!(
            "scale, scale32: the scale of the gradients of this clock, 2^{start} after a reset. From the clock after a step on, it"
        ),
        format!("is halved if skip was 1, and doubled after {interval} steps in a row without skip; either restarts"),
        "the count of steps. It stays between 2^-127 and 2^127.".into(),
    ]
}
