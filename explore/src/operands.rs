//! Operands as users write them: numbers, codes, words.

use crate::value::plain;
use crate::word::{code_of, word_of};
use binade_golden::{Codec, Literal, LiteralError};
use binade_spec::{Content, Port, Word, WordKind};
use num_bigint::BigUint;

/// The default operands of the lanes.
const NUMBERS: [&str; 8] = ["1.5", "-0.3", "0.1", "2.25", "-3", "0.75", "5", "-1.25"];

/// The initial text for a lane of a port.
pub fn default_text(port: &Port, place: usize) -> String {
    match port.content {
        Content::Code(_) => NUMBERS[place % NUMBERS.len()].into(),
        Content::Word { kind: WordKind::Bit(_), .. } => "0".into(),
        Content::Word { width, kind: WordKind::Significand } => format!("{:#x}", BigUint::from(1_u32) << (width - 1)),
        Content::Chosen { .. } | Content::Word { .. } => "0x0".into(),
    }
}

/// The code or word given by the text for a lane: a code itself, or the code of a number, rounded to nearest.
pub fn lane(port: &Port, text: &str) -> Result<Word, String> {
    let problem = |error: String| format!("{}: {error}", port.name);
    let lower = text.trim().to_lowercase();
    let is_hexadecimal_number = lower.trim_start_matches(['-', '+']).starts_with("0x") && lower.contains('p');
    let is_code = (lower.starts_with("0x") || lower.starts_with("0b")) && !is_hexadecimal_number;
    match port.content {
        Content::Code(format) if is_code => Ok(code_of(&format, text).map_err(problem)?.into()),
        Content::Code(format) => {
            let literal: Literal = text.parse().map_err(|error: LiteralError| problem(error.to_string()))?;
            Ok(format.encode_literal(&literal, &plain(&format)).into())
        }
        Content::Chosen { .. } | Content::Word { .. } => {
            let width = port.lane_width();
            let word = word_of(text).map_err(problem)?;
            let is_short = word.bits() <= width.into();
            is_short.then_some(word).ok_or_else(|| problem(format!("{} has more than {width} bits", text.trim())))
        }
    }
}

/// The texts for the lanes of a port as one word, the first lane lowest.
pub fn word(port: &Port, texts: &[String]) -> Result<Word, String> {
    let lanes = texts.iter().map(|text| lane(port, text)).collect::<Result<Vec<_>, _>>()?;
    Ok(lanes.iter().rev().fold(Word::default(), |word, lane| (word << port.lane_width()) | lane))
}

/// The lanes of a port.
pub fn split(port: &Port, word: &Word) -> Vec<Word> {
    let width = port.lane_width();
    let mask = (Word::from(1_u32) << width) - 1_u32;
    (0..port.lanes).map(|lane| (word >> (lane * width)) & &mask).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_spec::Format;

    #[test]
    fn numbers_codes_and_words_are_told_apart() {
        let format: Format = "e5m2".parse().expect("a format");
        let port = Port { lanes: 2, ..Port::code("a", format) };
        assert_eq!(lane(&port, "0x3c"), Ok(0x3c_u32.into()));
        assert_eq!(lane(&port, "0b111100"), Ok(0x3c_u32.into()));
        assert_eq!(lane(&port, "1"), Ok(0x3c_u32.into()));
        assert_eq!(lane(&port, "-0x1p0"), Ok(0xbc_u32.into()));
        assert!(lane(&port, "0x100").is_err_and(|error| error == "a: 0x100 is no code of e5m2, which has 8 bits"));
        assert!(lane(&port, "one").is_err_and(|error| error.starts_with("a: \"one\" is no number")));
        let word = Port::word("random_bits", 3, WordKind::Random);
        assert_eq!(lane(&word, "7"), Ok(7_u32.into()));
        assert!(lane(&word, "8").is_err_and(|error| error == "random_bits: 8 has more than 3 bits"));
        assert!(lane(&word, "0x").is_err());
        let both = super::word(&port, &["0x01".into(), "-0".into()]).expect("codes");
        assert_eq!(both, 0x8001_u32.into());
        assert_eq!(split(&port, &both), [1_u32.into(), 0x80_u32.into()]);
    }
}
