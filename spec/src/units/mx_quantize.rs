//! `mx-quantize`: a block of numbers as one scale and an element for each (OCP Microscaling Formats 1.0, section 6.3): the scale is the
//! largest power of two in the block, divided by the largest power of two that an element can be.

use super::dot::is_ieee;
use super::{Definition, Meaning};
use crate::{Format, Formula, Operation, OperationError, Output, Overflow, Port, Selection, Setting, Term, TermId};

/// Elements of a block, unless the user says otherwise.
const DEFAULT_LANES: u32 = 32;

pub(super) const MX_QUANTIZE: Definition = Definition {
    name: "mx-quantize",
    settings: &[Setting::QuantizeFrom, Setting::Lanes, Setting::Round],
    formats: |selection| Ok([selection.source.unwrap_or(Format::binary32()), selection.format]),
    inputs: |operation| vec![Port { lanes: operation.lanes, ..Port::code("x", operation.operand) }],
    outputs: |operation| {
        let elements = Port { lanes: operation.lanes, ..Port::code("y", operation.result) };
        vec![elements, Port::code("scale", Format::e8m0())]
    },
    meaning,
    module: |operation| {
        let Operation { lanes, result, .. } = operation;
        format!("mx_quantize{lanes}_{}", result.identifier())
    },
    about: Some(about),
};

impl Selection {
    /// What is chosen of a conversion to blocks, besides what all units have.
    pub(crate) fn mx_quantize(&self, operation: Operation) -> Result<Operation, OperationError> {
        if !operation.operand.float().is_some_and(is_ieee) {
            return Err(OperationError::BlocksOfFloats { format: operation.operand });
        }
        // What is beyond the largest element is that, and an infinity makes the whole block NaN.
        let overflow = if operation.result.float().is_some() { Overflow::Saturate } else { operation.overflow };
        let source = Some(operation.operand);
        Ok(Operation { lanes: self.lanes.unwrap_or(DEFAULT_LANES), overflow, source, ..operation })
    }
}

fn meaning(operation: &Operation) -> Meaning {
    let mut formula = Formula::new();
    let x: Vec<TermId> = (0..operation.lanes).map(|lane| formula.lane(0, lane)).collect();
    let scale = formula.term(Term::Scale { of: x.clone(), largest_exponent: largest_exponent(&operation.result) });
    let inverse = formula.reciprocal(scale);
    let elements = x.into_iter().map(|x| {
        let quotient = formula.product(x, inverse);
        formula.round(quotient, operation.target())
    });
    let elements = elements.collect();
    formula.output(Output::Codes(elements));
    formula.output(Output::code(scale));
    Meaning::Formula(formula)
}

/// The exponent of the largest element: of a fixed-point format of that above zero (OCP MX: 0 for MXINT8).
fn largest_exponent(format: &Format) -> i64 {
    match format {
        Format::Fixed(fixed) => fixed.min_exponent() + i64::from(fixed.magnitude_bits()) - 1,
        Format::Float(_) | Format::Posit(_) => format.max_exponent(),
    }
}

fn about(operation: &Operation) -> Vec<String> {
    let Operation { lanes, result, .. } = operation;
    let emax = largest_exponent(result);
    vec![
        format!("A block of {lanes} numbers as elements that share a scale: x[i] is about y[i] * scale."),
        format!(
            "scale = 2^(floor(log2(max |x[i]|)) - {emax}), from 2^-127 to 2^127, and NaN if there is an infinity or a NaN;"
        ),
        "y[i] = x[i] / scale, rounded; what is beyond the largest element becomes that.".into(),
    ]
}
