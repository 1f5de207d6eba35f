//! `mx-quantize`: a block of numbers as one scale and one element per number.
//!
//! A power-of-two scale is the largest power of two in the block, divided by the largest power of two among the
//! elements (OCP Microscaling Formats 1.0, section 6.3). A scale with a significand is the largest magnitude, divided
//! by the largest element and rounded (NVFP4).

use super::dot::is_ieee;
use super::mx_dot::scale_in_name;
use super::{Definition, Meaning};
use crate::{
    Class, Float, Format, Formula, Kind, Operation, OperationError, Output, Overflow, Port, Rounding, ScaleRule,
    Scaled, Selection, Setting, Term, TermId,
};

/// The most magnitude bits of an element that is divided by a scale with a significand: it is found by comparison with
/// all bounds between elements.
const MOST_ELEMENT_BITS: u32 = 5;

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
        let scaled = Scaled {
            second: None,
            source: Some(operation.operand),
            lanes: self.lanes.unwrap_or(DEFAULT_LANES),
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
    let Operation { operand, result, rounding, .. } = *operation;
    if scale == Format::e8m0() {
        return Ok(());
    }
    let is_wide = |[least, most]: [i64; 2]| {
        operand.float().is_some_and(|float| 1 - i64::from(float.bias) <= least && i64::from(float.bias) >= most)
    };
    let is_plain = |float: &Float| float.underflows_gradually() && float.binades_below == 0 && float.binades_above == 0;
    let is_scale =
        scale.float().is_some_and(is_plain) && scale.class_codes(Class::Nan).is_some() && scale.precision() > 1;
    // The operands' format must represent the bounds between elements.
    let bounds =
        [scale.min_exponent() + result.min_exponent() - 1, scale.max_exponent() + result.largest_exponent() + 1];
    if !is_scale || !is_wide(bounds) {
        return Err(OperationError::NoSuchScale { scale, operand });
    }
    // A bound lies halfway between two elements, and so has one more bit.
    let bits = scale.precision() + result.precision() + 1;
    if operand.precision() < bits {
        return Err(OperationError::BoundsOfScale { scale, element: result, operand, bits });
    }
    let is_few = result.magnitude_bits() <= MOST_ELEMENT_BITS && result.has_minus_zero();
    if !is_few || !result.float().is_some_and(is_plain) {
        return Err(OperationError::ElementsOfScale { scale, element: result });
    }
    match rounding {
        Rounding::Rne => Ok(()),
        _ => Err(OperationError::ScaleRounds { scale, rounding }),
    }
}

/// Checks that a rule has a meaning for these elements and scales.
fn check_rule(operation: &Operation, scaled: &Scaled) -> Result<(), OperationError> {
    let Scaled { scale, scale_rule: rule, .. } = *scaled;
    let has_largest = matches!(operation.result, Format::Float(_) | Format::Fixed(_));
    match rule {
        ScaleRule::Floor => Ok(()),
        _ if scale != Format::e8m0() => Err(OperationError::RuleOfScale { rule, scale }),
        _ if !has_largest => Err(OperationError::RuleOfElements { rule, element: operation.result }),
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
