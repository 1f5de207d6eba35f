//! `mx-quantize`: a block of numbers as one scale and one element per number.
//!
//! A power-of-two scale is the largest power of two in the block, divided by the largest power of two among the
//! elements (OCP Microscaling Formats 1.0, section 6.3). A scale with a significand is the largest magnitude, divided
//! by the largest element and rounded (NVFP4).

use super::dot::is_ieee;
use super::mx_dot::scale_in_name;
use super::{Definition, Meaning};
use crate::{
    Class, Float, Format, Formula, Kind, Operation, OperationError, Output, Overflow, Port, ScaleRule, Scaled,
    Selection, Setting, Term, TermId,
};

/// The default number of elements per block.
const DEFAULT_LANES: u32 = 32;

pub(super) const MX_QUANTIZE: Definition = Definition {
    name: "mx-quantize",
    settings: &[Setting::QuantizeFrom, Setting::Scale, Setting::ScaleRule, Setting::Lanes, Setting::Round],
    formats: |selection| Ok([selection.source.unwrap_or(Format::binary32()), selection.format]),
    kind: || Kind::Scaled(Scaled::default()),
    resolve: Selection::mx_quantize,
    inputs: |operation| vec![Port { lanes: operation.lanes(), ..Port::code("x", operation.operand) }],
    outputs: |operation| {
        let elements = Port { lanes: operation.lanes(), ..Port::code("y", operation.result) };
        vec![elements, Port::code("scale", operation.scale())]
    },
    meaning,
    module: |operation| {
        let (lanes, result) = (operation.lanes(), operation.result);
        let rule = match operation.scale_rule() {
            ScaleRule::Floor => String::new(),
            rule => format!("_{rule}"),
        };
        format!("mx_quantize{lanes}_{}{}{rule}", result.identifier(), scale_in_name(&operation.scale()))
    },
    about: Some(about),
};

impl Selection {
    /// Resolves the settings of a conversion to blocks.
    fn mx_quantize(&self, operation: Operation) -> Result<Operation, OperationError> {
        if !operation.operand.float().is_some_and(is_ieee) {
            return Err(OperationError::BlocksOfFloats { format: operation.operand });
        }
        let lanes = self.lanes.unwrap_or(DEFAULT_LANES);
        let scaled = Scaled {
            second: None,
            source: Some(operation.operand),
            lanes,
            block: lanes,
            like: None,
            scale: self.scale.unwrap_or(Format::e8m0()),
            scale_rule: self.scale_rule.unwrap_or_default(),
        };
        check_scale(&operation, scaled.scale)?;
        check_rule(&operation, &scaled)?;
        // Magnitudes beyond the largest element become it, and an infinity makes the whole block NaN.
        let overflow = if operation.result.float().is_some() { Overflow::Saturate } else { operation.overflow };
        Ok(Operation { overflow, kind: Kind::Scaled(scaled), ..operation })
    }
}

/// Checks that the format of scales supports the elements.
fn check_scale(operation: &Operation, scale: Format) -> Result<(), OperationError> {
    let (operand, result) = (operation.operand, operation.result);
    let is_plain = |float: &Float| float.underflows_gradually() && float.binades_below == 0 && float.binades_above == 0;
    let has_nan = scale.class_codes(Class::Nan).is_some();
    if scale == Format::e8m0() {
        return Ok(());
    }
    if !scale.float().is_some_and(is_plain) || !has_nan || scale.precision() == 1 {
        return Err(OperationError::NoSuchScale { scale, operand });
    }
    match has_largest_significand(&result) {
        true => Ok(()),
        false => Err(OperationError::ElementsOfScale { scale, element: result }),
    }
}

/// Whether the largest element is known by its significand: elements are floats or fixed-point numbers.
fn has_largest_significand(element: &Format) -> bool {
    matches!(element, Format::Float(_) | Format::Fixed(_))
}

/// Checks that a rule has a meaning for these elements and scales.
fn check_rule(operation: &Operation, scaled: &Scaled) -> Result<(), OperationError> {
    let Scaled { scale, scale_rule: rule, .. } = *scaled;
    match rule {
        ScaleRule::Floor => Ok(()),
        _ if scale != Format::e8m0() => Err(OperationError::RuleOfScale { rule, scale }),
        _ if !has_largest_significand(&operation.result) => {
            Err(OperationError::RuleOfElements { rule, element: operation.result })
        }
        _ => Ok(()),
    }
}

fn meaning(operation: &Operation) -> Meaning {
    let mut formula = Formula::new();
    let x: Vec<TermId> = (0..operation.lanes()).map(|lane| formula.lane(0, lane)).collect();
    let (element, rule) = (operation.result, operation.scale_rule());
    let scale = Term::Scale { of: x.clone(), element, format: operation.scale(), rule };
    let scale = formula.term(scale);
    let elements = x.into_iter().map(|x| {
        let quotient = formula.term(Term::Quotient(x, scale));
        formula.round(quotient, operation.target())
    });
    let elements = elements.collect();
    formula.output(Output::Codes(elements));
    formula.output(Output::code(scale));
    Meaning::Formula(formula)
}

fn about(operation: &Operation) -> Vec<String> {
    let (lanes, result, scale) = (operation.lanes(), operation.result, operation.scale());
    if scale.precision() > 1 {
        return vec![
            format!("Converts a block of {lanes} numbers to elements that share a scale: x[i] is approximately y[i] * scale."),
            format!("scale = max |x[i]| / the largest {result} value, rounded to nearest, at least the smallest nonzero scale, at most the largest;"),
            "NaN if an x[i] is an infinity or a NaN. y[i] = x[i] / scale, rounded; results beyond the largest element become the largest element.".into(),
        ];
    }
    vec![
        format!(
            "Converts a block of {lanes} numbers to elements that share a scale: x[i] is approximately y[i] * scale."
        ),
        format!(
            "scale = 2^{}, limited to 2^-127 .. 2^127, or NaN if an x[i] is an infinity or a NaN;",
            exponent_of_scale(operation)
        ),
        "y[i] = x[i] / scale, rounded; results beyond the largest element become the largest element.".into(),
    ]
}

/// The exponent of a scale, as a formula.
fn exponent_of_scale(operation: &Operation) -> String {
    let (result, emax) = (operation.result, operation.result.largest_exponent());
    match operation.scale_rule() {
        ScaleRule::Floor => format!("(floor(log2(max |x[i]|)) - {emax})"),
        ScaleRule::Ceil => format!("(ceil(log2(max |x[i]|)) - {emax})"),
        ScaleRule::Even => {
            let bits = result.precision();
            format!("(floor(log2(max |x[i]|, rounded to nearest with {bits} significant bits)) - {emax})")
        }
        ScaleRule::Rceil => format!("ceil(log2(max |x[i]| / the largest {result} value))"),
    }
}
