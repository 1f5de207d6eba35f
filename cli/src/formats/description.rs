//! The description of one format: fields, range and codes.

use super::{CodeRange, aliases};
use crate::failure::Failure;
use crate::output;
use binade_golden::{Codec, Value};
use binade_report::formats::full_precision;
use binade_spec::{Format, Sign};
use comfy_table::{Table, presets};
use serde::Serialize;

/// Formats up to this width are listed code by code.
const TABLE_WIDTH: u32 = 8;

/// A row of the list of codes.
const COLUMNS: [&str; 3] = ["code", "value", "decimal"];

/// The description of a format.
#[derive(Serialize)]
pub struct Description {
    name: String,
    /// Accepted aliases.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    aliases: &'static [&'static str],
    /// Width of a code; posits list it among their fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    bits: Option<u32>,
    precision: u32,
    #[serde(flatten)]
    fields: Format,
    range: Range,
    infinity_code: Option<String>,
    nan_code: Option<String>,
    has_minus_zero: bool,
    /// The requested codes; all codes of narrow formats.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<Code>>,
}

#[derive(Serialize)]
struct Range {
    smallest: String,
    /// The smallest value of full precision.
    smallest_ordinary: String,
    /// The largest value of full precision.
    largest_ordinary: String,
    largest: String,
}

#[derive(Serialize)]
struct Code {
    code: String,
    value: String,
    /// In decimal, if binary64 represents it as a normal number.
    decimal: Option<f64>,
}

pub fn describe(format: &Format, range: Option<CodeRange>) -> Description {
    let code = |code: Option<u128>| code.map(|code| format.hex(code));
    let name = format.to_string();
    Description {
        aliases: aliases(&name),
        name,
        bits: format.float().map(|_| format.width()),
        precision: format.precision(),
        fields: *format,
        range: ends(format),
        infinity_code: code(format.infinity_code()),
        nan_code: code(format.nan_code()),
        has_minus_zero: format.has_minus_zero(),
        values: shown(format, range).map(|range| codes(format, range)),
    }
}

fn ends(format: &Format) -> Range {
    let value = |code| format.decode(code).to_string();
    let [first, last] = full_precision(format);
    Range {
        smallest: value(format.smallest_code()),
        smallest_ordinary: value(format.code(false, first)),
        largest_ordinary: value(format.code(false, last)),
        largest: value(format.largest_code()),
    }
}

/// The codes to list: the requested ones, or all if there are few.
fn shown(format: &Format, range: Option<CodeRange>) -> Option<CodeRange> {
    let all = (format.width() <= TABLE_WIDTH).then(|| CodeRange { first: 0, last: (1 << format.width()) - 1 });
    range.or(all)
}

/// The codes of a format as CSV.
pub fn csv(format: &Format, range: Option<CodeRange>) -> Result<String, Failure> {
    let Some(range) = shown(format, range) else {
        return Err(Failure::Usage(format!(
            "{format} has {} bits: --codes <FIRST>..<LAST> chooses the codes to print",
            format.width()
        )));
    };
    let rows = codes(format, range).into_iter().map(|Code { code, value, decimal }| {
        vec![code, value, decimal.map(|number| number.to_string()).unwrap_or_default()]
    });
    Ok(output::csv(&COLUMNS, rows))
}

fn codes(format: &Format, range: CodeRange) -> Vec<Code> {
    (range.first..=range.last)
        .map(|code| {
            let value = format.decode(code);
            Code { code: format.hex(code), value: value.to_string(), decimal: decimal(value) }
        })
        .collect()
}

/// The value in binary64 if it is exact, finite and not subnormal.
pub fn decimal(value: Value) -> Option<f64> {
    match value {
        Value::Zero { negative } => Some(if negative { -0.0 } else { 0.0 }),
        Value::Finite(exact)
            if (-1022..1024).contains(&exact.exponent()) && exact.precision() <= f64::MANTISSA_DIGITS =>
        {
            // In two steps, since 2^k alone may be out of range.
            let magnitude = exact.n as f64 * 2_f64.powi(exact.k / 2) * 2_f64.powi(exact.k - exact.k / 2);
            Some(if exact.negative { -magnitude } else { magnitude })
        }
        Value::Finite(_) | Value::Infinite { .. } | Value::Nan => None,
    }
}

pub fn description_text(format: &Format, range: Option<CodeRange>) -> String {
    let Range { smallest, smallest_ordinary, largest_ordinary, largest } = ends(format);
    let negatives = match (format.sign(), format.fixed()) {
        (Sign::Unsigned, _) => String::new(),
        (Sign::Signed, None) if matches!(format, Format::Codebook(_)) => {
            format!(" above zero, to {} below", format.decode(format.code(true, format.max_magnitude(true))))
        }
        (Sign::Signed, None) => " and their negatives".into(),
        (Sign::Signed, Some(_)) => format!(", their negatives, and {}", format.decode(format.sign_mask())),
    };
    let mut text = format!("{format}: {}\nvalues {smallest} .. {largest}{negatives}\n", format.summary());
    if (&smallest_ordinary, &largest_ordinary) != (&smallest, &largest) {
        text.push_str(&format!("of full precision from {smallest_ordinary} to {largest_ordinary}\n"));
    }
    let aliases = aliases(&format.to_string());
    if !aliases.is_empty() {
        text.push_str(&format!("also called {}\n", aliases.join(", ")));
    }
    match (shown(format, range), range) {
        (Some(all), None) => text + "\n" + &value_table(format, all, format.sign() == Sign::Signed),
        (Some(some), Some(_)) => text + "\n" + &value_table(format, some, false),
        (None, _) => text + "--codes <FIRST>..<LAST> shows some of its codes\n",
    }
}

/// The table of codes, split into two halves side by side if requested.
fn value_table(format: &Format, range: CodeRange, in_halves: bool) -> String {
    let codes = codes(format, range);
    let columns = if in_halves { 2 } else { 1 };
    let rows = codes.len() / columns;
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(COLUMNS.repeat(columns));
    for row in 0..rows {
        let cells = (0..columns).flat_map(|column| {
            let Code { code, value, decimal } = &codes[column * rows + row];
            let decimal = decimal.map(|number| number.to_string()).unwrap_or_default();
            [code.clone(), value.clone(), decimal]
        });
        table.add_row(cells);
    }
    table.to_string()
}
