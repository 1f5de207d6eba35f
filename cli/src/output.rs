//! Data on stdout, files that appear whole or not at all.

use crate::failure::Failure;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// Prints text on stdout.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = anstream::stdout().lock();
    writeln!(stdout, "{}", text.trim_end()).and_then(|()| stdout.flush()).map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::ReaderGone,
        _ => Failure::File(format!("cannot write to standard output: {error}")),
    })
}

/// A value as indented JSON.
pub fn json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("reports are plain data")
}

/// Writes a file in an existing folder: beside it first, then renamed, so that nothing half-written is left.
pub fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error| Failure::file("write", path, error);
    let folder = path.parent().expect("a file has a folder");
    let mut builder = tempfile::Builder::new();
    readable_by_all(&mut builder);
    let mut file = builder.tempfile_in(folder).map_err(failed)?;
    file.write_all(text.as_bytes()).and_then(|()| file.as_file().sync_data()).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// A temporary file is for its owner only; what we leave should be as any new file is.
#[cfg(unix)]
fn readable_by_all(builder: &mut tempfile::Builder) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(std::fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn readable_by_all(_builder: &mut tempfile::Builder) {}
