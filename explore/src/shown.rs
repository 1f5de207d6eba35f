//! A code as answers show it.

use crate::number::Written;
use binade_golden::Codes;
use serde::Serialize;

/// A code and its value.
#[derive(Serialize)]
pub struct Shown {
    /// In hexadecimal.
    pub code: String,
    /// Its value.
    #[serde(flatten)]
    pub number: Written,
}

impl Shown {
    pub fn new(codes: &Codes, code: u128) -> Shown {
        Shown { code: codes.hex(code), number: Written::value(codes.decode(code)) }
    }
}
