//! Parses codes.

use crate::verify::code;
use binade_spec::Format;

/// Parses a code of the format.
pub fn code_of(format: &Format, word: &str) -> Result<u128, String> {
    let code = code::<u128>(word).map_err(|error| format!("\"{word}\": {error}"))?;
    if format.width() < u128::BITS && code >> format.width() != 0 {
        return Err(format!("{code:#x} is no code of {format}, which has {} bits", format.width()));
    }
    Ok(code)
}
