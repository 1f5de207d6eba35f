//! Data on stdout, messages on stderr.

use crate::failure::Failure;
pub use binade_tools::files::{check_not_read, read_bytes, write_files};
use binade_verdict::WithSchema;
pub use binade_verdict::counted;
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

/// Prints text on stdout. A closed pipe (`| head`) is not an error: the command goes on, so that a mismatch found later keeps its exit
/// code.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = anstream::stdout().lock();
    // Tables pad their last column with blanks.
    let lines = text.trim_end().lines().try_for_each(|line| writeln!(stdout, "{}", line.trim_end()));
    match lines.and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::File(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a message on stderr. A failed write changes no result.
pub fn say(message: impl Display) {
    let _ = writeln!(anstream::stderr(), "{message}");
}

/// A report, which is an object, as indented JSON that begins with the schema number.
pub fn json(report: &impl Serialize) -> String {
    plain_json(&WithSchema::new(report))
}

/// A list, or what has a schema number of its own, as indented JSON.
pub fn plain_json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("reports are plain data")
}

/// Reads a text file.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    Ok(binade_tools::files::read_text(path)?)
}

/// Rows as CSV, under a header of column names.
pub fn csv(columns: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(vec![]);
    let mut write = |row: &[&str]| writer.write_record(row).expect("rows of one length, in memory");
    write(columns);
    rows.into_iter().for_each(|row| write(&row.iter().map(String::as_str).collect::<Vec<_>>()));
    String::from_utf8(writer.into_inner().expect("memory takes everything")).expect("cells are UTF-8")
}
