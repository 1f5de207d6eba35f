//! `mx-quantize`: a block of numbers as one scale and one element per number.
//!
//! A power-of-two scale is the largest power of two in the block, divided by the largest power of two among the
//! elements (OCP Microscaling Formats 1.0, section 6.3). A scale with a significand is the largest magnitude, divided
//! by the largest element and rounded (NVFP4).

use super::dot::is_ieee;
use super::mx_dot::scale_in_name;
use super::{Definition, Facts, Meaning, OnPorts};
use crate::{
    Class, Float, Format, Formula, Kind, NanResult, Operation, OperationError, Output, Overflow, Port, PositRange,
    Rounding, ScaleRule, Scaled, Selection, Setting, Target, Term, TermId,
};

/// The default number of elements per block.
const DEFAULT_LANES: u32 = 32;

pub(super) const MX_QUANTIZE: Definition = Definition {
    name: "mx-quantize",
    facts: Facts { multiplies: true, computes_digits: false, format_is_result: true, on_ports: OnPorts::Nothing },
    settings: &[
        Setting::QuantizeFrom,
        Setting::Scale,
        Setting::ScaleRule,
        Setting::TensorScale,
        Setting::Lanes,
        Setting::Round,
    ],
    formats: |selection| Ok([selection.source.unwrap_or(Format::binary32()), selection.format]),
    kind: || Kind::Scaled(Scaled::default()),
    resolve: Selection::mx_quantize,
    inputs: |operation| {
        let factor = operation.tensor_scale().map(|format| Port::code("tensor_scale", format));
        let x = Port { lanes: operation.lanes(), ..Port::code("x", operation.operand) };
        [x].into_iter().chain(factor).collect()
    },
    outputs: |operation| {
        let elements = Port { lanes: operation.lanes(), ..Port::code("y", operation.result) };
        vec![elements, Port::code("scale", operation.settings::<Scaled>().scale)]
    },
    meaning,
    module: |operation| {
        let (Scaled { lanes, scale, scale_rule, tensor_scale, .. }, result) = (operation.settings(), operation.result);
        let rule = match scale_rule.unwrap_or_default() {
            ScaleRule::Floor => String::new(),
            rule => format!("_{rule}"),
        };
        let scale = scale_in_name(&scale);
        let factor = tensor_scale.map_or(String::new(), |format| format!("_tensor_{}", format.identifier()));
        format!("mx_quantize{lanes}_{}{scale}{rule}{factor}", result.identifier())
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
            scale_rule: Some(self.scale_rule.unwrap_or_default()),
            tensor_scale: self.tensor_scale,
        };
        check_scale(&operation, scaled.scale)?;
        check_rule(&operation, &scaled)?;
        check_factor(operation.operand, scaled.tensor_scale)?;
        // Magnitudes beyond the largest element become it, and an infinity makes the whole block NaN.
        let overflow = operation.result.with_overflow(Overflow::Saturate);
        Ok(Operation { overflow, kind: Kind::Scaled(scaled), ..operation })
    }
}

/// Checks that the format of scales supports the elements.
fn check_scale(operation: &Operation, scale: Format) -> Result<(), OperationError> {
    let (operand, result) = (operation.operand, operation.result);
    let is_plain = |float: &Float| float.underflows_gradually() && float.binades_below == 0 && float.binades_above == 0;
    let has_nan = scale.class_codes(Class::Nan).is_some();
    if scale.has_only_powers_of_two() {
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
    let (scale, rule) = (scaled.scale, scaled.scale_rule.unwrap_or_default());
    match rule {
        ScaleRule::Floor => Ok(()),
        _ if !scale.has_only_powers_of_two() => Err(OperationError::RuleOfScale { rule, scale }),
        _ if !has_largest_significand(&operation.result) => {
            Err(OperationError::RuleOfElements { rule, element: operation.result })
        }
        _ => Ok(()),
    }
}

/// Checks that products with the factor of a tensor fit in its format.
fn check_factor(numbers: Format, factor: Option<Format>) -> Result<(), OperationError> {
    let Some(factor) = factor else { return Ok(()) };
    let is_wide = |float: &Float| is_ieee(float) && numbers.float().is_some_and(|of| covers(float, of));
    match factor.float().is_some_and(is_wide) {
        true => Ok(()),
        false => Err(OperationError::TensorScale { factor, numbers }),
    }
}

/// Whether a format has at least the range and the precision of another one.
fn covers(format: &Float, other: &Float) -> bool {
    format.trailing_bits >= other.trailing_bits && format.exponent_bits >= other.exponent_bits
}

/// The numbers of a block: the operands, or their products with the factor of the tensor, rounded in its format.
fn numbers(operation: &Operation, formula: &mut Formula) -> Vec<TermId> {
    let x: Vec<TermId> = (0..operation.lanes()).map(|lane| formula.lane(0, lane)).collect();
    let Some(format) = operation.tensor_scale() else { return x };
    let factor = formula.operand(1);
    let target = Target {
        format,
        rounding: Rounding::Rne,
        overflow: Overflow::Inf,
        posit_range: PositRange::default(),
        nan: NanResult::default(),
        flags: None,
    };
    let mut product = |x| {
        let exact = formula.product(x, factor);
        formula.round(exact, target)
    };
    x.into_iter().map(&mut product).collect()
}

fn meaning(operation: &Operation) -> Meaning {
    let mut formula = Formula::new();
    let x = numbers(operation, &mut formula);
    let Scaled { scale: format, scale_rule, .. } = operation.settings();
    let rule = scale_rule.unwrap_or_default();
    let scale = Term::Scale { of: x.clone(), element: operation.result, format, rule };
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
    let Some(format) = operation.tensor_scale() else { return about_block(operation, "x[i]") };
    let rounded = format!("z[i] is x[i] * tensor_scale, rounded to nearest in {format}.");
    about_block(operation, "z[i]").into_iter().chain([rounded]).collect()
}

/// What becomes of the numbers of a block, which have this name.
fn about_block(operation: &Operation, x: &str) -> Vec<String> {
    let (Scaled { lanes, scale, .. }, result) = (operation.settings(), operation.result);
    let first = format!(
        "Converts a block of {lanes} numbers to elements that share a scale: {x} is approximately y[i] * scale."
    );
    let nan = if result.nan_code().is_some() { "NaN" } else { "zero" };
    let elements = format!(
        "y[i] = {x} / scale, rounded; results beyond the largest element become it; if scale is NaN, y[i] is {nan}."
    );
    if scale.precision() > 1 {
        return vec![
            first,
            format!(
                "scale = max |{x}| / the largest {result} value, rounded to nearest, at least the smallest nonzero scale, at most the largest;"
            ),
            format!("NaN if {x} is an infinity or a NaN for any i."),
            elements,
        ];
    }
    vec![
        first,
        format!(
            "scale = 2^{}, limited to 2^{} .. 2^{}, or NaN if {x} is an infinity or a NaN for any i;",
            exponent_of_scale(operation, x),
            scale.min_exponent(),
            scale.max_exponent(),
        ),
        elements,
    ]
}

/// The exponent of a scale, as a formula.
fn exponent_of_scale(operation: &Operation, x: &str) -> String {
    let (result, emax) = (operation.result, operation.result.largest_exponent());
    match operation.scale_rule().unwrap_or_default() {
        ScaleRule::Floor => format!("(floor(log2(max |{x}|)) - {emax})"),
        ScaleRule::Ceil => format!("(ceil(log2(max |{x}|)) - {emax})"),
        ScaleRule::Even => {
            let bits = result.precision();
            format!("(floor(log2(max |{x}|, rounded to nearest with {bits} significant bits)) - {emax})")
        }
        ScaleRule::Rceil => format!("ceil(log2(max |{x}| / the largest {result} value))"),
    }
}
