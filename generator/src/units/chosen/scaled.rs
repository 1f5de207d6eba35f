//! The formats of a shared unit, in which those of all choices are contained.

use super::ODD_BITS;
use binade_spec::{Float, Format, Operation, Pair, StageKind, Term};

/// The formats of a choice, each times a power of two.
///
/// If the exponent fields of all operands have the same bias, their subnormals are subnormals of the shared unit's format, and
/// need no shift. That scales operands by a power of two, and results by the one that follows from it, which the bias of the
/// result takes back.
#[derive(Clone, Copy, PartialEq)]
pub struct Scaled {
    pub factors: [Format; 2],
    pub result: Format,
}

impl Scaled {
    /// The format of a port.
    pub fn of_port(&self, name: &str) -> Format {
        match name {
            "c" => self.result,
            "b" => self.factors[1],
            _ => self.factors[0],
        }
    }
}

/// The formats of the choices in the shared unit.
pub fn scaled(operations: &[Operation]) -> Vec<Scaled> {
    let plain: Vec<Scaled> =
        operations.iter().map(|choice| Scaled { factors: choice.factors(), result: choice.result }).collect();
    let is_gradual = |format: &Format| format.underflows_gradually();
    let are_gradual = plain.iter().all(|scaled| scaled.factors.iter().chain([&scaled.result]).all(is_gradual));
    let has_results = plain.iter().any(|scaled| scaled.result != plain[0].result);
    // The power of two of a result, in terms of those of its factors.
    let of_result: fn([i32; 2]) -> i32 = match operations[0].first_stage() {
        Some(StageKind::Sum(_)) => |[a, _]| a,
        Some(StageKind::Quotient(pair)) if !is_reciprocal(&operations[0], &pair) => |[a, b]| a - b,
        Some(StageKind::Quotient(_) | StageKind::Root { .. } | StageKind::Code(_)) | None => return plain,
        Some(_) => |[a, b]| a + b,
    };
    if !are_gradual || !has_results {
        return plain;
    }
    let bias = |format: &Format| format.float().map_or(0, |float| float.bias);
    let common = [0, 1].map(|at: usize| plain.iter().map(|scaled| bias(&scaled.factors[at])).max().unwrap_or(0));
    let of_choice = |scaled: &Scaled| {
        let powers = [0, 1].map(|at: usize| bias(&scaled.factors[at]) - common[at]);
        let times = |format: Format, power: i32| match format {
            Format::Float(float) => Float { bias: float.bias - power, ..float }.into(),
            other => other,
        };
        Scaled {
            factors: [0, 1].map(|at: usize| times(scaled.factors[at], powers[at])),
            result: times(scaled.result, of_result(powers)),
        }
    };
    plain.iter().map(of_choice).collect()
}

/// A format with all values of these, or that is theirs if they are the same; with `more` bits below their significands, it has
/// numbers beyond all of theirs, too.
pub fn union(formats: &[Format], more: u32) -> Format {
    if formats.iter().all(|format| *format == formats[0]) {
        return formats[0];
    }
    let [precision, lowest, highest] = extent(formats);
    let least = lowest + precision - 1;
    float(precision + i64::from(more), [least, highest + i64::from(more.min(1))])
}

/// A format for results that are rounded to odd before they are rounded to one of these formats: with two bits more, and no
/// subnormals among the exact results, except for those of mx-dot, which are subnormal far below all of these formats.
pub fn of_exact(operation: &Operation, [a, b]: [Format; 2], results: &[Format]) -> Format {
    let [precision, lowest, highest] = extent(results);
    let ends = |format: Format| [format.reach()[0], format.max_exponent()];
    let ([a_low, a_high], [b_low, b_high]) = (ends(a), ends(b));
    let least = match operation.first_stage() {
        Some(StageKind::Quotient(pair)) if is_reciprocal(operation, &pair) => -a_high - 1,
        Some(StageKind::Quotient(_)) => a_low - b_high - 1,
        Some(StageKind::Root { .. }) => (a_low.min(-a_high) - 3) / 2,
        Some(StageKind::Scaled { .. }) => lowest - 2 * precision,
        _ => a_low + b_low,
    };
    // Numbers just below the smallest normal one have all bits by which they count as tiny.
    let least = least.min(lowest - 1 - i64::from(ODD_BITS));
    float(precision + i64::from(ODD_BITS), [least, highest + 1])
}

/// Whether a quotient is that of one.
fn is_reciprocal(operation: &Operation, of: &Pair) -> bool {
    operation.formula().is_some_and(|formula| formula.terms()[of.codes[0].0] == Term::Power(0))
}

/// The longest significand of these formats, their lowest place, and their largest exponent.
fn extent(formats: &[Format]) -> [i64; 3] {
    let of = |value: &dyn Fn(&Format) -> i64| formats.iter().map(value).collect::<Vec<i64>>();
    let precision = of(&|format| format.precision().into()).into_iter().max().unwrap_or(1);
    let lowest = of(&|format| format.reach()[0]).into_iter().min().unwrap_or(0);
    [precision, lowest, of(&Format::max_exponent).into_iter().max().unwrap_or(0)]
}

/// An IEEE 754 encoding with these exponents of normal numbers, at least.
fn float(precision: i64, [least, highest]: [i64; 2]) -> Format {
    let fields = highest - least + 3;
    let exponent_bits = (i64::BITS - (fields - 1).max(3).leading_zeros()).max(2);
    let bias = i32::try_from(1 - least).expect("exponents of formats are small");
    Float { bias, ..Float::ieee(exponent_bits, precision as u32 - 1) }.into()
}
