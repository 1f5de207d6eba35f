//! `binade formats`: the list, and what one format is.

use crate::failure::Failure;
use crate::output;
use binade_golden::{Codec, Value};
use binade_spec::known_formats;
use binade_spec::{Format, Sign};
use clap::Args;
use comfy_table::{Table, presets};
use serde::Serialize;

/// Formats of up to this many bits are shown code by code.
const TABLE_WIDTH: u32 = 8;

#[derive(Args, Debug)]
#[command(after_help = "\
Names:
  e<w>m<t>             IEEE 754 encoding with w exponent and t trailing significand bits; w 2..8, t 0..23
  ...n  ...ns          subnormals flushed to zero; no subnormals (exponent field 0 is an ordinary binade)
  ...fn  ...f          finite with one NaN (OCP E4M3); finite only (OCP MX)
  ...b<L>[u<U>][,sat]  supernormal: L binades below and U above hold one power of two a code; sat: no infinity
  k<K>p<P>{se,sf,ue,uf}[ns]  IEEE P3109: K bits, precision P, signed or unsigned, extended or finite
  posit<n>_<es>        posit of n bits with es exponent bits; n 3..32, es 0..5; posit<n> has the standard's es 2
  e8m0                 OCP MX scale: powers of two
  <name>,bias=<B>      any of the floats with another bias
  <name>,scale=2^<k>   any format, its values times 2^k
  1/<e>/<p>/d, 1/<e>/<p>/n   with subnormals, flushed
  binary16 bfloat16 tf32 binary32 dlfloat16 and other standard names

Example: binade formats e5m2b1")]
pub struct Arguments {
    /// The format to explain; without one, the formats are listed
    name: Option<Format>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Entry {
    name: String,
    bits: u32,
    about: &'static str,
}

/// Everything about a format.
#[derive(Serialize)]
struct Description {
    name: String,
    bits: u32,
    precision: u32,
    #[serde(flatten)]
    fields: Format,
    range: Range,
    infinity_code: Option<String>,
    nan_code: Option<String>,
    has_minus_zero: bool,
    /// Every code, for narrow formats.
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
    /// In decimal, if binary64 holds it as a normal number.
    decimal: Option<f64>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let text = match (arguments.name, arguments.json) {
        (None, true) => output::json(&list()),
        (None, false) => list_table(),
        (Some(format), true) => output::json(&describe(&format)),
        (Some(format), false) => description_text(&format),
    };
    output::print(&text)
}

fn list() -> Vec<Entry> {
    let entry = |(format, about): (Format, _)| Entry { name: format.to_string(), bits: format.width(), about };
    known_formats().into_iter().map(entry).collect()
}

fn list_table() -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["format", "bits", "what it is"]);
    for entry in list() {
        table.add_row([entry.name, entry.bits.to_string(), entry.about.into()]);
    }
    format!("{table}\n\nMany more names are understood: `binade formats --help` shows the patterns.")
}

fn describe(format: &Format) -> Description {
    let code = |code: Option<u128>| code.map(|code| format.hex(code));
    Description {
        name: format.to_string(),
        bits: format.width(),
        precision: format.precision(),
        fields: *format,
        range: range(format),
        infinity_code: code(format.infinity_code()),
        nan_code: code(format.nan_code()),
        has_minus_zero: format.has_minus_zero(),
        values: (format.width() <= TABLE_WIDTH).then(|| codes(format)),
    }
}

fn range(format: &Format) -> Range {
    let value = |code| format.decode(code).to_string();
    let [first, last] = ordinary_codes(format);
    Range {
        smallest: value(format.min_code()),
        smallest_ordinary: value(first),
        largest_ordinary: value(last),
        largest: value(format.max_code()),
    }
}

/// The first and the last magnitude code of full precision: neither subnormal nor in a supernormal region; of a posit,
/// with the shortest regime.
fn ordinary_codes(format: &Format) -> [u128; 2] {
    match format {
        Format::Float(float) => {
            let normal = 1 << float.trailing_bits;
            let first = if float.underflows_gradually() { normal } else { float.first_ordinary_code() };
            [first.max(float.min_code()), float.max_code().min(float.first_upper_code() - 1)]
        }
        Format::Posit(posit) => {
            let quarter = 1 << (posit.bits - 3);
            [quarter, 3 * quarter - 1]
        }
    }
}

fn codes(format: &Format) -> Vec<Code> {
    (0..1_u128 << format.width())
        .map(|code| {
            let value = format.decode(code);
            Code { code: format.hex(code), value: value.to_string(), decimal: decimal(value) }
        })
        .collect()
}

/// The value in binary64, where that is exact, finite and not subnormal.
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

fn description_text(format: &Format) -> String {
    let Range { smallest, smallest_ordinary, largest_ordinary, largest } = range(format);
    let negatives = if format.sign() == Sign::Signed { " and their negatives" } else { "" };
    let mut text = format!("{format}: {}\nvalues {smallest} .. {largest}{negatives}\n", format.summary());
    if (&smallest_ordinary, &largest_ordinary) != (&smallest, &largest) {
        text.push_str(&format!("of full precision from {smallest_ordinary} to {largest_ordinary}\n"));
    }
    if format.width() <= TABLE_WIDTH {
        text.push('\n');
        text.push_str(&value_table(format));
    }
    text
}

/// The codes in two halves side by side if there is a sign.
fn value_table(format: &Format) -> String {
    let codes = codes(format);
    let columns = if format.sign() == Sign::Signed { 2 } else { 1 };
    let rows = codes.len() / columns;
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["code", "value", "decimal"].repeat(columns));
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
