//! Codes and their values as text, for the tables in comments. The circuits that unpack codes are run for each code, so a table says what the
//! unit takes a code for.

use super::{class::Class, unpack::unpack};
use binade_circuit::{Circuit, Interpreter, concat};
use binade_spec::{Format, Listed};

/// Bits of exponents.
const EXPONENT_BITS: u32 = 20;

/// The most characters of a number that is written with a decimal point.
const MOST_DECIMAL: usize = 10;

/// A code, unpacked and normalized.
pub struct UnpackedCode {
    /// Sign, and whether it is zero, infinite, NaN, and invalid.
    pub class: [bool; 5],
    /// The exponent of the significand's top bit.
    pub exponent: i32,
    /// The significand, in as many bits as the format's precision.
    pub significand: u64,
}

impl UnpackedCode {
    /// Its value. The sign of NaN is dropped.
    pub fn value(&self, format: Format) -> Listed {
        let [negative, is_zero, is_infinite, is_nan, _] = self.class;
        match () {
            () if is_nan => Listed::Nan,
            () if is_infinite => Listed::Infinity { negative },
            () if is_zero || self.significand == 0 => Listed::Zero { negative },
            () => {
                let zeros = self.significand.trailing_zeros();
                let k = self.exponent - (format.precision() as i32 - 1) + zeros as i32;
                Listed::Number { negative, n: self.significand >> zeros, k }
            }
        }
    }
}

/// What a unit takes these codes of a format for.
///
/// # Panics
/// If the format has a precision of more than 64 bits, or more bits than a word.
pub fn unpacked(format: Format, codes: &[u64]) -> Vec<UnpackedCode> {
    let circuit = Circuit::new();
    let (names, nodes) = {
        let code = circuit.input("x", format.width(), "");
        let x = unpack(format, code, "x").normalized("x");
        let Class { sign, is_zero, is_infinite, is_nan, is_invalid } = x.class;
        let class = concat(&[sign, is_zero, is_infinite, is_nan, is_invalid]);
        let outputs = [class, x.exponent.low_bits(EXPONENT_BITS), x.significand];
        (["class", "exponent", "significand"], outputs.map(|output| output.node()))
    };
    let outputs: Vec<(&str, usize, String)> =
        names.into_iter().zip(nodes).map(|(name, node)| (name, node, String::new())).collect();
    let netlist = circuit.finish(&outputs);
    let mut columns = vec![vec![0_u64; codes.len()]; 3];
    Interpreter::new(&netlist).evaluate(&[codes], &mut columns);
    let [classes, exponents, significands] = [0, 1, 2].map(|at: usize| &columns[at]);
    let unpacked = |at: usize| UnpackedCode {
        class: [4, 3, 2, 1, 0].map(|place| classes[at] >> place & 1 == 1),
        exponent: ((exponents[at] << (64 - EXPONENT_BITS)) as i64 >> (64 - EXPONENT_BITS)) as i32,
        significand: significands[at],
    };
    (0..codes.len()).map(unpacked).collect()
}

/// The exact values of these codes, as text.
pub fn values(format: Format, codes: &[u64]) -> Vec<String> {
    let mut different = codes.to_vec();
    different.sort_unstable();
    different.dedup();
    let values = unpacked(format, &different);
    let texts: Vec<String> = values.iter().map(|unpacked| text(unpacked.value(format))).collect();
    let of = |code: &u64| different.binary_search(code).map_or_else(|_| String::new(), |at| texts[at].clone());
    codes.iter().map(of).collect()
}

/// A code in hexadecimal digits.
pub fn code(code: impl Into<u128>, width: u32) -> String {
    format!("{:0digits$x}", code.into(), digits = width.div_ceil(4) as usize)
}

/// These codes in hexadecimal digits.
pub fn codes(codes: &[u64], width: u32) -> Vec<String> {
    codes.iter().map(|&word| code(word, width)).collect()
}

/// A number in binary with a point: `places` digits are behind it.
pub fn binary(number: u128, places: u32) -> String {
    let digits = format!("{number:0width$b}", width = places as usize + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places as usize);
    if fraction.is_empty() { whole.into() } else { format!("{whole}.{fraction}") }
}

/// A value: `0.375` if that is short, else `3*2^-12`.
pub fn text(value: Listed) -> String {
    match value {
        Listed::Number { negative, n, k } => {
            let sign = if negative { "-" } else { "" };
            decimal(n, k).map_or_else(|| value.to_string(), |decimal| format!("{sign}{decimal}"))
        }
        _ => value.to_string(),
    }
}

/// `n * 2^k` with a decimal point, if that is short.
fn decimal(n: u64, k: i32) -> Option<String> {
    let text = match k {
        0..=32 => (u128::from(n) << k).to_string(),
        -16..0 => {
            let scaled = u128::from(n) * 5_u128.pow(k.unsigned_abs());
            let places = k.unsigned_abs() as usize;
            let digits = format!("{scaled:0width$}", width = places + 1);
            let (whole, fraction) = digits.split_at(digits.len() - places);
            format!("{whole}.{}", fraction.trim_end_matches('0'))
        }
        _ => return None,
    };
    (text.len() <= MOST_DECIMAL).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_exact() {
        let number = |negative, n, k| text(Listed::Number { negative, n, k });
        assert_eq!([number(false, 3, -3), number(true, 1, 4), number(false, 1, -8)], ["0.375", "-16", "0.00390625"]);
        assert_eq!([number(false, 1, -9), number(true, 7, 40)], ["1*2^-9", "-7*2^40"]);
        let codes: Vec<u64> = vec![0x80, 0x7f, 0x7c, 0x3c, 0x01];
        assert_eq!(values("e5m2".parse().unwrap(), &codes), ["-0", "nan", "inf", "1", "1*2^-16"]);
    }
}
