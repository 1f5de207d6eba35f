//! Data on stdout, files that appear whole or not at all.

use crate::failure::Failure;
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// Prints text on stdout. A reader that has gone (`| head`) has seen enough: what is still to be found out, such as a
/// mismatch, keeps its exit code.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = anstream::stdout().lock();
    // Tables fill their last column up with blanks.
    let lines = text.trim_end().lines().try_for_each(|line| writeln!(stdout, "{}", line.trim_end()));
    match lines.and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::File(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Says something on stderr. That it cannot be heard changes no result.
pub fn say(message: impl Display) {
    let _ = writeln!(anstream::stderr(), "{message}");
}

/// A value as indented JSON.
pub fn json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("reports are plain data")
}

/// Rows as CSV, under the names of their columns.
pub fn csv(columns: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(vec![]);
    let mut write = |row: &[&str]| writer.write_record(row).expect("rows of one length, in memory");
    write(columns);
    rows.into_iter().for_each(|row| write(&row.iter().map(String::as_str).collect::<Vec<_>>()));
    String::from_utf8(writer.into_inner().expect("memory takes everything")).expect("cells are UTF-8")
}

/// Writes files that belong together into existing folders: all beside their places first, then renamed, so that
/// nothing half-written is left, nor one without the others when the disk is full.
pub fn write_files(files: &[(&Path, &[u8])]) -> Result<(), Failure> {
    let mut complete = vec![];
    for &(path, content) in files {
        if path.is_dir() {
            return Err(Failure::file("write", path, io::ErrorKind::IsADirectory.into()));
        }
        complete.push((path, write_aside(path, content).map_err(|error| Failure::file("write", path, error))?));
    }
    for (path, file) in complete {
        file.persist(path).map_err(|error| Failure::file("write", path, error.error))?;
    }
    Ok(())
}

fn write_aside(path: &Path, content: &[u8]) -> io::Result<NamedTempFile> {
    let folder = path.parent().expect("a file has a folder");
    let mut builder = tempfile::Builder::new();
    readable_by_all(&mut builder);
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(content)?;
    file.as_file().sync_data()?;
    Ok(file)
}

/// A temporary file is for its owner only; what we leave should be as any new file is.
#[cfg(unix)]
fn readable_by_all(builder: &mut tempfile::Builder) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(std::fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn readable_by_all(_builder: &mut tempfile::Builder) {}
