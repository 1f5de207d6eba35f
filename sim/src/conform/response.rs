//! What the golden model or the RTL answers.

use super::case::MOST_PORTS;
use super::flags::Flags;

/// Results and flags as they appear in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Response {
    pub results: [u128; MOST_PORTS],
    pub flags: Option<Flags>,
}
