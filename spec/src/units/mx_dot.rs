//! `mx-dot`: `y = (a_scale * b_scale) * (a[0] * b[0] + a[1] * b[1] + ..) + c`, rounded once: the dot product of two
//! blocks whose elements share a scale (OCP Microscaling Formats 1.0, section 6.1, which leaves the internal precision
//! open; it is exact here).

use super::dot::aligned;
use super::{Definition, Facts, Meaning, OnPorts, result_ports, with_outputs};
use crate::{
    Alignment, Format, Formula, Kind, Operation, OperationError, Port, Rounding, Scaled, ScaledUnit, Selection,
    Setting, TermId,
};
use std::ops::Range;

/// The default number of elements per block.
const DEFAULT_LANES: u32 = 32;

pub(super) const MX_DOT: Definition = Definition {
    name: "mx-dot",
    facts: Facts { multiplies: true, computes_digits: false, format_is_result: false, on_ports: OnPorts::Formats },
    settings: &[
        Setting::FormatB,
        Setting::Scale,
        Setting::Acc,
        Setting::Lanes,
        Setting::Like,
        Setting::Block,
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
        let Scaled { lanes, scale, .. } = operation.settings();
        let formats = [Some(*operand), operation.second()].into_iter().flatten().map(|format| format.identifier());
        let formats = formats.collect::<Vec<_>>().join("_");
        let like = operation.like().map_or(String::new(), |like| format!("_{like}"));
        let block = if operation.block() < lanes { format!("_blocks_of_{}", operation.block()) } else { String::new() };
        format!("mx_dot{lanes}{like}_{formats}{}{block}_acc_{}", scale_in_name(&scale), result.identifier())
    },
    about: Some(|operation| {
        let Scaled { lanes, scale, .. } = operation.settings();
        if let Some(ScaledUnit { group, alignment: Alignment { fraction_bits, .. }, .. }) = operation.scaled_unit() {
            let terms = group.map_or("Products".into(), |group| format!("Exact sums of {group} products"));
            return vec![
                format!(
                    "The dot product of {lanes} elements, each {} of which share a scale ({scale}), plus c.",
                    operation.block()
                ),
                format!(
                    "{terms} with their scales, and c, are truncated {fraction_bits} bits below the largest exponent and added."
                ),
            ];
        }
        vec![
            format!("The dot product of two blocks of {lanes} elements, each block with a scale ({scale}),"),
            "plus c; the sum is exact.".into(),
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
        if self.like.is_some() {
            return self.modeled_mx_dot(operation, scale);
        }
        if self.block.is_some() {
            return Err(OperationError::ScaledBlockUnused);
        }
        let lanes = self.lanes.unwrap_or(DEFAULT_LANES);
        let scaled = Scaled {
            second: self.second.filter(|&second| second != operation.operand),
            source: None,
            lanes,
            scale,
            scale_rule: None,
            tensor_scale: None,
            like: None,
            block: lanes,
        };
        Ok(Operation { kind: Kind::Scaled(scaled), ..operation })
    }

    /// Resolves the settings of a matrix unit that is modeled.
    fn modeled_mx_dot(&self, operation: Operation, scale: Format) -> Result<Operation, OperationError> {
        let like = self.like.expect("a matrix unit is modeled");
        let Operation { operand, result, .. } = operation;
        let second = self.second.unwrap_or(operand);
        let unit = like.scaled_unit([operand, second], scale, result);
        let unit = unit.ok_or(OperationError::NoMatrixUnit { like, operand, result })?;
        let rounding = Rounding::Rtz;
        if self.rounding.is_some_and(|other| other != rounding) {
            return Err(OperationError::MatrixUnitFixed { like, rounding });
        }
        if self.flags.is_some() {
            return Err(OperationError::AlignedFlags);
        }
        let lanes = self.lanes.unwrap_or(unit.lanes);
        let block = self.block.unwrap_or(unit.blocks[0].min(lanes));
        let parts = [block, unit.group.unwrap_or(block).min(lanes)];
        let is_known = unit.blocks.contains(&block) || self.block.is_none() && block == lanes;
        if !is_known || lanes > unit.lanes || parts.iter().any(|part| !lanes.is_multiple_of(*part)) {
            return Err(OperationError::ScaledBlocks { like, lanes: unit.lanes, blocks: unit.blocks });
        }
        let second = self.second.filter(|&second| second != operand);
        let scaled = Scaled { second, lanes, scale, like: Some(like), block, ..Scaled::default() };
        Ok(Operation { rounding, kind: Kind::Scaled(scaled), ..operation })
    }
}

impl Operation {
    /// The matrix unit for blocks that is modeled, if one is.
    fn scaled_unit(&self) -> Option<ScaledUnit> {
        self.like()?.scaled_unit(self.factors(), self.scale()?, self.result)
    }
}

fn inputs(operation: &Operation) -> Vec<Port> {
    let lanes = |name, format| Port { lanes: operation.lanes(), ..Port::code(name, format) };
    let [a, b] = operation.factors();
    let blocks = operation.lanes() / operation.block();
    let [a_scale, b_scale] = ["a_scale", "b_scale"]
        .map(|name| Port { lanes: blocks, ..Port::code(name, operation.settings::<Scaled>().scale) });
    vec![lanes("a", a), lanes("b", b), a_scale, b_scale, Port::code("c", operation.result)]
}

fn meaning(operation: &Operation) -> Meaning {
    if let Some(unit) = operation.scaled_unit() {
        return modeled(operation, &unit);
    }
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

/// As a matrix unit of a GPU adds: each product, or each exact sum of a group of products, with its scales, and `c`, truncated below
/// the largest exponent.
fn modeled(operation: &Operation, unit: &ScaledUnit) -> Meaning {
    let target = operation.target();
    let mut formula = Formula::new();
    let (lanes, block) = (operation.lanes(), operation.block());
    let product = |formula: &mut Formula, ports: [usize; 2], lane: u32| {
        let [a, b] = ports.map(|port| formula.lane(port, lane));
        formula.product(a, b)
    };
    let scales: Vec<TermId> = (0..lanes / block).map(|lane| product(&mut formula, [2, 3], lane)).collect();
    let term = |formula: &mut Formula, lanes: Range<u32>| {
        let scale = scales[(lanes.start / block) as usize];
        let products: Vec<TermId> = lanes.map(|lane| product(formula, [0, 1], lane)).collect();
        let of = if unit.group.is_some() { formula.sum(&products, target.rounding) } else { products[0] };
        formula.product(scale, of)
    };
    let group = unit.group.unwrap_or(1).min(lanes);
    let starts = (0..lanes).step_by(group as usize);
    let mut terms: Vec<TermId> = starts.map(|start| term(&mut formula, start..start + group)).collect();
    terms.push(formula.operand(4));
    let y = aligned(&mut formula, target, unit.alignment, &terms);
    with_outputs(formula, operation, y)
}
