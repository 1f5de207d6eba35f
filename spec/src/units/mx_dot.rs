//! `mx-dot`: `y = (a_scale * b_scale) * (a[0] * b[0] + a[1] * b[1] + ..) + c`, rounded once: the dot product of two
//! blocks whose elements share a scale (OCP Microscaling Formats 1.0, section 6.1, which leaves the internal precision
//! open; it is exact here).

use super::{Definition, Meaning, result_ports, with_outputs};
use crate::{Format, Formula, Kind, Operation, OperationError, Port, ScaleRule, Scaled, Selection, Setting, TermId};

/// The default number of elements per block.
const DEFAULT_LANES: u32 = 32;

pub(super) const MX_DOT: Definition = Definition {
    name: "mx-dot",
    settings: &[
        Setting::FormatB,
        Setting::Scale,
        Setting::Acc,
        Setting::Lanes,
        Setting::Out,
        Setting::Activation,
        Setting::Round,
        Setting::Overflow,
        Setting::PositRange,
        Setting::Flags,
        Setting::Tininess,
    ],
    formats: |selection| Ok([selection.format, selection.accumulator.unwrap_or(Format::binary32())]),
    kind: || Kind::Scaled(Scaled::default()),
    resolve: Selection::mx_dot,
    inputs,
    outputs: result_ports,
    meaning,
    module: |operation| {
        let Operation { operand, result, .. } = operation;
        let (lanes, scale) = (operation.lanes(), operation.scale());
        let formats = [Some(*operand), operation.second()].into_iter().flatten().map(|format| format.identifier());
        let formats = formats.collect::<Vec<_>>().join("_");
        format!("mx_dot{lanes}_{formats}{}_acc_{}", scale_in_name(&scale), result.identifier())
    },
    about: Some(|operation| {
        let (lanes, scale) = (operation.lanes(), operation.scale());
        vec![
            format!("The dot product of two blocks of {lanes} elements, each block with a scale ({scale}),"),
            "plus c; the sum is exact and rounded once.".into(),
        ]
    }),
};

/// The suffix of a scale in the name of a module; empty for the usual one.
pub(super) fn scale_in_name(scale: &Format) -> String {
    if *scale == Format::e8m0() { String::new() } else { format!("_scale_{}", scale.identifier()) }
}

impl Selection {
    /// Resolves the settings of a dot product of blocks.
    fn mx_dot(&self, operation: Operation) -> Result<Operation, OperationError> {
        let scale = self.scale.unwrap_or(Format::e8m0());
        if operation.result.fixed().is_some() {
            return Err(OperationError::NoExponents { format: operation.result });
        }
        if scale.float().is_none() {
            return Err(OperationError::ScaleIsNoFloat { format: scale });
        }
        let scaled = Scaled {
            second: self.second.filter(|&second| second != operation.operand),
            source: None,
            lanes: self.lanes.unwrap_or(DEFAULT_LANES),
            scale,
            scale_rule: ScaleRule::Floor,
        };
        Ok(Operation { kind: Kind::Scaled(scaled), ..operation })
    }
}

fn inputs(operation: &Operation) -> Vec<Port> {
    let lanes = |name, format| Port { lanes: operation.lanes(), ..Port::code(name, format) };
    let [a, b] = operation.factors();
    let [a_scale, b_scale] = ["a_scale", "b_scale"].map(|name| Port::code(name, operation.scale()));
    vec![lanes("a", a), lanes("b", b), a_scale, b_scale, Port::code("c", operation.result)]
}

fn meaning(operation: &Operation) -> Meaning {
    let target = operation.target();
    let mut formula = Formula::new();
    let [a, b] =
        [0, 1].map(|port| (0..operation.lanes()).map(|lane| formula.lane(port, lane)).collect::<Vec<TermId>>());
    let [a_scale, b_scale, c] = [2, 3, 4].map(|port| formula.operand(port));
    let products: Vec<TermId> = a.into_iter().zip(b).map(|(a, b)| formula.product(a, b)).collect();
    let elements = formula.sum(&products, target.rounding);
    let scale = formula.product(a_scale, b_scale);
    let scaled = formula.product(scale, elements);
    let sum = formula.sum(&[scaled, c], target.rounding);
    let y = formula.round(sum, target);
    with_outputs(formula, operation, y)
}
