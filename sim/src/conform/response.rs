//! What the golden model or the RTL answers.

use super::claim::Codes;
use super::flags::Flags;

/// Results and flags as they appear in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Response {
    pub results: Codes,
    pub flags: Option<Flags>,
}
