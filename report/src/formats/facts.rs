//! The properties of formats, one line each.

use super::regions::full_precision;
use super::stretches::{log2, value};
use binade_golden::{Codec, Codes, Value};
use binade_spec::{Class, Format, Sign, Word};

/// Longer values would make a table too wide.
const LONGEST_VALUE: usize = 20;

/// log10 of 2.
const DECADE: f64 = std::f64::consts::LOG10_2;

/// The properties of a format.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The format's name.
    pub name: String,
    /// The largest number of significand bits.
    pub precision: u32,
    /// The width of a code in bits.
    pub bits: u32,
    /// The smallest value above zero.
    pub smallest: String,
    /// Its code.
    pub smallest_code: String,
    /// The smallest and the largest value with full precision.
    pub full_precision: [String; 2],
    /// The largest value.
    pub largest: String,
    /// Its code.
    pub largest_code: String,
    /// log10 of the largest value over the smallest.
    pub decades: f64,
    /// The number of codes with finite values, including zeros.
    pub finite: Word,
    /// The number of infinite codes.
    pub infinities: u32,
    /// The number of NaN codes.
    pub nans: Word,
}

impl Facts {
    /// The properties of a format.
    pub fn new(format: &Format) -> Facts {
        let codes = Codes::new(*format);
        let shown = |code| short(format.decode(code));
        let [low, high] = [format.min_code(), format.max_code()].map(|code| log2(value(&codes, code)));
        let (finite, infinities) = (finite_codes(format), infinities(format));
        let nans = (Word::from(1_u32) << format.width()) - &finite - infinities;
        Facts {
            name: format.to_string(),
            bits: format.width(),
            precision: format.precision(),
            smallest: shown(format.smallest_code()),
            smallest_code: format.hex(format.smallest_code()),
            full_precision: full_precision(format).map(|magnitude| shown(format.code(false, magnitude))),
            largest: shown(format.largest_code()),
            largest_code: format.hex(format.largest_code()),
            decades: (high - low) * DECADE,
            finite,
            infinities,
            nans,
        }
    }
}

/// The number of codes with finite values.
fn finite_codes(format: &Format) -> Word {
    if let Format::Codebook(_) = format {
        let codes =
            (0..=format.code_mask()).filter(|&code| !format.is_nan(code) && format.class(code) != Class::Infinity);
        return Word::from(codes.count() as u32);
    }
    if format.fixed().is_some() {
        return Word::from(1_u32) << format.width();
    }
    let magnitudes = Word::from(format.max_code()) + 1_u32;
    match format.sign() {
        Sign::Unsigned => magnitudes,
        Sign::Signed => 2_u32 * magnitudes - u32::from(!format.has_minus_zero()),
    }
}

/// The number of infinite codes.
fn infinities(format: &Format) -> u32 {
    if let Format::Codebook(codebook) = format {
        return [false, true].into_iter().filter(|&negative| codebook.infinity(negative).is_some()).count() as u32;
    }
    match (format.infinity_code(), format.sign()) {
        (None, _) => 0,
        (Some(_), Sign::Unsigned) => 1,
        (Some(_), Sign::Signed) => 2,
    }
}

/// A value in full, or in decimal with its first digits if it has many.
pub fn short(value: Value) -> String {
    let written = value.to_string();
    match value {
        Value::Finite(exact) if written.len() > LONGEST_VALUE => {
            let log = log2(exact) * DECADE;
            format!("{}{:.5}e{}", if exact.negative { "-" } else { "" }, 10_f64.powf(log - log.floor()), log.floor())
        }
        Value::Finite(_) | Value::Zero { .. } | Value::Infinite { .. } | Value::Nan => written,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In narrow formats, all codes are counted.
    #[test]
    fn codes_are_counted() {
        for name in
            ["e5m2", "e4m3fn", "e2m1f", "e8m0", "e5m2b1", "e4m3n", "k8p4uf", "posit8_1", "int8", "uint8", "dlfloat16"]
        {
            let format: Format = name.parse().expect("a format");
            let count =
                |is: fn(&Value) -> bool| (0..1_u128 << format.width()).filter(|&code| is(&format.decode(code))).count();
            let facts = Facts::new(&format);
            let finite = count(|value| matches!(value, Value::Finite(_) | Value::Zero { .. }));
            assert_eq!(facts.infinities as usize, count(|value| matches!(value, Value::Infinite { .. })), "{name}");
            assert_eq!(facts.nans, Word::from(count(|value| *value == Value::Nan)), "{name}");
            assert_eq!(facts.finite, Word::from(finite), "{name}");
        }
    }
}
