//! Several formats side by side.

use super::output;
use binade_golden::{Codec, Exact, Value};
use binade_report::formats::{Facts, short};
use binade_spec::{Format, Overflow, Rounding};
use comfy_table::{Table, presets};
use serde::Serialize;

/// The columns of the comparison.
#[derive(Serialize)]
struct Row {
    format: String,
    /// Bits of a code.
    bits: u32,
    /// Significand bits, including the leading bit.
    precision: u32,
    smallest: String,
    largest: String,
    /// log10 of the ratio of the largest to the smallest value.
    decades: f64,
    /// The distance from 1 to the next larger value, if the format has both.
    ulp_at_1: Option<String>,
    /// The number of codes with finite values, including zeros.
    finite: String,
    infinities: u32,
    /// The number of NaN codes.
    nans: String,
}

const COLUMNS: [&str; 10] =
    ["format", "bits", "precision", "smallest", "largest", "decades", "ulp at 1", "finite", "infinities", "NaNs"];

/// The formats as a table, JSON or CSV.
pub fn text(formats: &[Format], json: bool, csv: bool) -> String {
    let rows = formats.iter().map(Row::new);
    if json {
        return output::plain_json(&rows.collect::<Vec<_>>());
    }
    if csv {
        return output::csv(&COLUMNS, rows.map(Row::cells));
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(COLUMNS);
    for (row, format) in rows.zip(formats) {
        let [smallest, largest] =
            [format.smallest_code(), format.largest_code()].map(|code| short(format.decode(code)));
        table.add_row(Row { smallest, largest, ..row }.cells());
    }
    table.to_string()
}

impl Row {
    fn new(format: &Format) -> Row {
        let [smallest, largest] = [format.smallest_code(), format.largest_code()].map(|code| format.decode(code));
        let Facts { decades, finite, infinities, nans, .. } = Facts::new(format);
        Row {
            format: format.to_string(),
            bits: format.width(),
            precision: format.precision(),
            smallest: smallest.to_string(),
            largest: largest.to_string(),
            decades: (10.0 * decades).round() / 10.0,
            ulp_at_1: step_at_1(format).map(|step| step.to_string()),
            nans: nans.to_string(),
            finite: finite.to_string(),
            infinities,
        }
    }

    fn cells(self) -> Vec<String> {
        let Row { bits, precision, decades, infinities, .. } = self;
        vec![
            self.format,
            bits.to_string(),
            precision.to_string(),
            self.smallest,
            self.largest,
            format!("{decades:.1}"),
            self.ulp_at_1.unwrap_or_default(),
            self.finite,
            infinities.to_string(),
            self.nans,
        ]
    }
}

/// The distance from 1 to the next larger value.
fn step_at_1(format: &Format) -> Option<Exact> {
    let one = Value::Finite(Exact { negative: false, n: 1, k: 0 });
    let code = format.encode(one, Rounding::Rnu, Overflow::Inf);
    if format.decode(code) != one || format.magnitude(code) >= format.max_code() {
        return None;
    }
    match format.decode(format.code(false, format.magnitude(code) + 1)) {
        Value::Finite(Exact { n, k, .. }) if k <= 0 => Some(Exact { negative: false, n: n - (1 << -k), k }),
        Value::Finite(Exact { n, k, .. }) => Some(Exact { negative: false, n: (n << k) - 1, k: 0 }),
        Value::Zero { .. } | Value::Infinite { .. } | Value::Nan => unreachable!("codes up to the largest are finite"),
    }
}
