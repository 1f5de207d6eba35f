//! The words of the command line.

use std::ffi::OsString;
use std::sync::OnceLock;

static WORDS: OnceLock<Vec<OsString>> = OnceLock::new();

/// Takes the words behind the program's name.
///
/// # Panics
/// When it is called twice.
pub fn take(words: Vec<OsString>) {
    WORDS.set(words).expect("a process has one command line");
}

/// The words behind the program's name; none before [`take`].
pub fn given() -> &'static [OsString] {
    WORDS.get().map_or(&[], Vec::as_slice)
}
