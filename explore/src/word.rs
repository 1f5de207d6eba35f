//! Words as users write them, and as answers show them.

use binade_spec::word::low_bits;
use binade_spec::{Format, Word};
use num_bigint::BigUint;

/// A word: hexadecimal, binary or decimal.
pub fn word_of(text: &str) -> Result<BigUint, String> {
    let lower = text.trim().to_lowercase();
    let (digits, radix) = match lower.get(..2) {
        Some("0x") => (&lower[2..], 16),
        Some("0b") => (&lower[2..], 2),
        _ => (lower.as_str(), 10),
    };
    let is_plain = !digits.is_empty() && digits.len() <= 4096 && digits.chars().all(|digit| digit.is_digit(radix));
    let word = is_plain.then(|| BigUint::parse_bytes(digits.as_bytes(), radix)).flatten();
    word.ok_or_else(|| {
        format!("\"{text}\" is no code: hexadecimal (0x3c), binary (0b0011) or decimal digits are expected")
    })
}

/// The code of the format given by a word.
pub fn code_of(format: &Format, word: &str) -> Result<u128, String> {
    let code = word_of(word)?;
    if code.bits() > format.width().into() {
        return Err(format!("{code:#x} is no code of {format}, which has {} bits", format.width()));
    }
    Ok(low_bits(&code))
}

/// A word that is not a code, in hexadecimal.
pub fn hex(word: &Word, width: u32) -> String {
    format!("0x{word:0digits$x}", digits = width.div_ceil(4) as usize)
}
