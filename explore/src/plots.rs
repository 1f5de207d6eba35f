//! Formats compared, and on the numbers of a file: the sections of the pages that `binade report` writes.

use binade_report::formats;
use binade_report::tensor::{self, Array, TensorFile};
use binade_spec::Format;
use serde_json::Value;

/// The most formats that remain distinguishable in one plot.
const MOST_FORMATS: usize = 4;

/// The most formats for a file, which are shown one below the other.
const MOST_ON_FILE: usize = 16;

/// Wider formats have far more binades than a plot has pixels.
const MOST_BITS: u32 = 64;

/// The ranges, accuracy and values of formats.
pub fn formats(formats: &[Format]) -> Result<Value, String> {
    check_count(formats, MOST_FORMATS)?;
    if let Some(format) = formats.iter().find(|format| format.width() > MOST_BITS) {
        return Err(format!("{format} has {} bits; formats of up to {MOST_BITS} are drawn", format.width()));
    }
    Ok(formats::page(formats, "").json())
}

/// The errors of formats on the numbers in a file.
pub fn tensor(name: &str, file: Vec<u8>, formats: &[Format]) -> Result<Value, String> {
    check_count(formats, MOST_ON_FILE)?;
    let file = TensorFile::of_bytes(name, file).map_err(|error| error.to_string())?;
    let arrays: Vec<&Array> = file.arrays.iter().filter(|array| !array.is_empty()).collect();
    if arrays.is_empty() {
        let others = file.others.first().map(|(name, what)| format!("; `{name}` has elements of type {what}"));
        return Err(format!(
            "`{name}` has no floating-point numbers or integers of up to 32 bits{}",
            others.unwrap_or_default()
        ));
    }
    let analysis = tensor::analyze(&file, &arrays, formats, &|_| true).map_err(|error| error.to_string())?;
    let mut page = tensor::page(&analysis, name, "").json();
    if let Some((first, what)) = file.others.first() {
        let note = format!("Left out: {}, the first `{first}` of type {what}.", file.others.len());
        page["note"] = note.into();
    }
    Ok(page)
}

fn check_count(formats: &[Format], most: usize) -> Result<(), String> {
    let count = formats.len();
    if count > most { Err(format!("{count} formats are named; up to {most} are shown")) } else { Ok(()) }
}
