//! Formats from files: the values of up to 8 bits of code, as a table or in segments.
//!
//! ```
//! use binade_spec::definition;
//!
//! let format = definition::parse(r#"
//!     name = "tiny"
//!     bits = 4
//!     segments = [
//!         { prefix = "0", linear = -1 },                             # 0, 0.5, 1, 1.5
//!         { prefix = "1", exponent = 1, binades = 2, trailing = 1 }, # 2, 3, 4, 6
//!     ]
//! "#)?;
//! assert_eq!(format.width(), 4);
//! assert!(format.to_string().starts_with("tiny_"));
//! # Ok::<(), binade_spec::definition::DefinitionError>(())
//! ```

use crate::codebook::{Listed, Listing, MOST_CODEBOOK_BITS};
use crate::{Codebook, Format, Rounding};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::{fs, io, str::FromStr};
use thiserror::Error;
use toml::Spanned;
use toml::value::Value;

/// Why a text is no definition of a format. Users read the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DefinitionError {
    /// The text is not TOML, or has other keys.
    #[error("{}", .0.trim_end())]
    Syntax(String),
    /// The definition contradicts itself, or is not complete.
    #[error("the format {0}")]
    Impossible(String),
}

/// The formats that come along as files: their names, aliases and texts.
const STANDARD: [(&str, &[&str], &str); 3] = [
    ("nf4", &["normalfloat4"], include_str!("../formats/nf4.toml")),
    ("af4", &["abnormalfloat4"], include_str!("../formats/af4.toml")),
    ("hifloat8", &["hif8"], include_str!("../formats/hifloat8.toml")),
];

/// These formats, read.
static READ: LazyLock<Vec<Format>> = LazyLock::new(|| {
    let read = |text: &str| listing(text).map(Listing::standard);
    let format = |text| Format::from(Codebook::new(read(text).expect("a definition")).expect("a codebook"));
    STANDARD.iter().map(|(_, _, text)| format(text)).collect()
});

/// A file, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    #[serde(default)]
    about: String,
    bits: u32,
    rounding: Option<String>,
    sign: Option<SignRule>,
    /// Decimal values that are no binary numbers become the nearest value of this format.
    nearest: Option<Nearest>,
    table: Option<Vec<(i64, Spanned<Value>)>>,
    segments: Option<Vec<Segment>>,
    #[serde(default)]
    special: Vec<(i64, Spanned<Value>)>,
    infinity_at: Option<Spanned<Value>>,
}

#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum SignRule {
    Magnitude,
    Complement,
    None,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Nearest {
    Binary32,
    Binary64,
}

/// Codes with one prefix, or those that follow the segment before.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Segment {
    prefix: Option<String>,
    linear: Option<i32>,
    exponent: Option<i32>,
    binades: Option<u32>,
    trailing: Option<u32>,
    #[serde(default)]
    descending: bool,
}

/// A standard format that is defined by a file.
pub(crate) fn standard(name: &str) -> Option<Format> {
    let is_called = |(own, aliases, _): &(&str, &[&str], &str)| *own == name || aliases.contains(&name);
    STANDARD.iter().position(is_called).map(|at| READ[at])
}

/// The standard formats that are defined by files, each with a line about it.
pub(crate) fn standards() -> Vec<(Format, &'static str)> {
    let about = |format: &Format| match format {
        Format::Codebook(codebook) => codebook.listing().about.as_str(),
        Format::Float(_) | Format::Posit(_) | Format::Fixed(_) => unreachable!("files define codebooks"),
    };
    READ.iter().map(|format| (*format, about(format))).collect()
}

/// The format that a text defines.
///
/// # Errors
/// When it defines none; the message says why.
pub fn parse(text: &str) -> Result<Format, DefinitionError> {
    let impossible = |error: crate::FormatError| DefinitionError::Impossible(error.to_string());
    Format::from(Codebook::new(listing(text)?).map_err(impossible)?).check().map_err(impossible)
}

/// The format that a file defines.
///
/// # Errors
/// When it cannot be read, or defines none; the message says why.
pub fn read(path: &Path) -> Result<Format, String> {
    let text = read_regular(path).map_err(|error| error.to_string())?;
    let format = parse(&text).map_err(|error| error.to_string())?;
    let mut paths = PATHS.lock().unwrap_or_else(PoisonError::into_inner);
    paths.insert(format.to_string(), path.into());
    Ok(format)
}

/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 1 << 26;

/// The text of a regular file; devices and pipes may have no end.
fn read_regular(path: &Path) -> io::Result<String> {
    let data = fs::metadata(path)?;
    if !data.is_file() {
        return Err(io::Error::other("is no regular file"));
    }
    if data.len() > MOST_BYTES {
        return Err(io::Error::other(format!("has more than {} MiB", MOST_BYTES >> 20)));
    }
    fs::read_to_string(path)
}

/// The files that were read, by the names of their formats.
static PATHS: LazyLock<Mutex<BTreeMap<String, PathBuf>>> = LazyLock::new(Mutex::default);

/// The file from which the format with this name was read in this process.
pub fn file_of(name: &str) -> Option<PathBuf> {
    PATHS.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
}

fn refuse<T>(why: impl Into<String>) -> Result<T, DefinitionError> {
    Err(DefinitionError::Impossible(why.into()))
}

fn listing(text: &str) -> Result<Listing, DefinitionError> {
    let file: File = toml::from_str(text).map_err(|error| DefinitionError::Syntax(error.to_string()))?;
    let is_name = |name: &str| {
        let mut letters = name.bytes();
        letters.next().is_some_and(|first| first.is_ascii_lowercase())
            && letters.all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'_')
    };
    if !is_name(&file.name) {
        return refuse(format!(
            "has the name {:?}; a name has lower-case letters, digits and _, and begins with a letter",
            file.name
        ));
    }
    if file.about.chars().any(char::is_control) {
        return refuse("has an `about` with a line break or another control character; write it as one line");
    }
    if !(2..=MOST_CODEBOOK_BITS).contains(&file.bits) {
        return refuse(format!("has {} bits; a file defines formats of 2 to {MOST_CODEBOOK_BITS} bits", file.bits));
    }
    let rounding = match &file.rounding {
        None => Rounding::Rne,
        Some(word) => Rounding::from_str(word)
            .ok()
            .filter(|rounding| {
                !matches!(
                    rounding,
                    Rounding::Sr(_) | Rounding::Srb(_) | Rounding::Src(_) | Rounding::Mptorch | Rounding::Rnu
                )
            })
            .map_or_else(
                || refuse(format!("has the rounding {word}; one of rne, rna, rtz, rup, rdn or rto is expected")),
                Ok,
            )?,
    };
    let reader = Reader { text, nearest: file.nearest };
    let mut values: Vec<Option<Listed>> = match (&file.table, &file.segments) {
        (Some(_), Some(_)) => return refuse("has a table and segments; one of them is expected"),
        (None, None) => return refuse("has neither a table nor segments; one of them is expected"),
        (Some(_), None) if file.sign.is_some() => {
            return refuse("has a table and a sign rule; the values of a table have signs");
        }
        (Some(table), None) => reader.table(file.bits, table)?,
        (None, Some(segments)) => of_segments(file.bits, file.sign.unwrap_or(SignRule::Magnitude), segments)?,
    };
    let natural = values.clone();
    for (code, value) in &file.special {
        values[in_range(file.bits, *code)?] = Some(reader.value(value)?);
    }
    let gaps: Vec<String> =
        values.iter().enumerate().filter(|(_, it)| it.is_none()).map(|(code, _)| format!("{code:#x}")).collect();
    if let Some(first) = gaps.first() {
        let others = gaps.len() - 1;
        let others = if others == 0 { String::new() } else { format!(", nor have {others} others") };
        return refuse(format!("has no value for the code {first}{others}; a code without a number is nan"));
    }
    let values: Vec<Listed> = values.into_iter().flatten().collect();
    let place = match &file.infinity_at {
        Some(place) => match reader.value(place)? {
            Listed::Number { negative: false, n, k } => Some((n, k)),
            other => return refuse(format!("has infinity_at = {other}; a number above 0 is expected")),
        },
        None => place_of_infinity(&values, &natural)?,
    };
    Ok(Listing::new(&file.name, file.bits, values).with(file.about, rounding, place))
}

/// The place on the line that an infinity takes from a number.
fn place_of_infinity(values: &[Listed], natural: &[Option<Listed>]) -> Result<Option<(u64, i32)>, DefinitionError> {
    let Some(code) = values.iter().position(|value| matches!(value, Listed::Infinity { .. })) else { return Ok(None) };
    match natural[code] {
        Some(Listed::Number { n, k, .. }) => Ok(Some((n, k))),
        _ => refuse(
            "has an infinity, but infinity_at is missing: a number above the largest one; results become infinite from halfway between the two",
        ),
    }
}

fn in_range(bits: u32, code: i64) -> Result<usize, DefinitionError> {
    match usize::try_from(code) {
        Ok(code) if code < 1 << bits => Ok(code),
        _ => refuse(format!("has a value for the code {code}; codes of {bits} bits are 0 to {}", (1 << bits) - 1)),
    }
}

/// Reads values as they are written.
struct Reader<'a> {
    text: &'a str,
    nearest: Option<Nearest>,
}

impl Reader<'_> {
    fn table(&self, bits: u32, table: &[(i64, Spanned<Value>)]) -> Result<Vec<Option<Listed>>, DefinitionError> {
        let mut values = vec![None; 1 << bits];
        for (code, value) in table {
            let at = in_range(bits, *code)?;
            if values[at].replace(self.value(value)?).is_some() {
                return refuse(format!("has two values for the code {code}"));
            }
        }
        Ok(values)
    }

    /// A decimal, a fraction, a hexadecimal float, `inf` or `nan`.
    fn value(&self, value: &Spanned<Value>) -> Result<Listed, DefinitionError> {
        let written = match value.get_ref() {
            Value::String(text) => text.trim(),
            Value::Integer(_) | Value::Float(_) => &self.text[value.span()],
            other => return refuse(format!("has the value {other}; a number, inf or nan is expected")),
        };
        let plain = written.replace('_', "").to_lowercase();
        let (negative, magnitude) = match plain.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, plain.strip_prefix('+').unwrap_or(&plain)),
        };
        let number = match magnitude {
            "nan" => return Ok(Listed::Nan),
            "inf" | "infinity" => return Ok(Listed::Infinity { negative }),
            _ => self.magnitude(magnitude),
        };
        match number {
            Ok(number) => Ok(listed(negative, number)),
            Err(why) => refuse(format!("has the value {written}, which {why}")),
        }
    }

    fn magnitude(&self, text: &str) -> Result<f64, String> {
        let (nearest, is_exact) = match (hexadecimal(text), text.split_once('/')) {
            (Some(number), _) => (number, true),
            (None, Some((over, under))) => self.fraction(over, under)?,
            (None, None) => self.decimal(text)?,
        };
        match self.nearest {
            _ if !nearest.is_finite() => Err("is beyond the numbers of binary64".into()),
            None if !is_exact => Err(
                "is not a binary number of 53 bits; nearest = \"binary32\" or \"binary64\" in the file takes the nearest one".into(),
            ),
            _ => Ok(nearest),
        }
    }

    /// The nearest number to a decimal, and whether it is exact.
    fn decimal(&self, text: &str) -> Result<(f64, bool), String> {
        let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit() || b".e+-".contains(&byte));
        let number = text.parse::<f64>().ok().filter(|_| is_decimal).ok_or("is no number")?;
        let is_exact = digits(text) == digits(&format!("{number:.1100}"));
        match self.nearest {
            Some(Nearest::Binary32) => Ok((text.parse::<f32>().map_or(number, f64::from), is_exact)),
            Some(Nearest::Binary64) | None => Ok((number, is_exact)),
        }
    }

    fn fraction(&self, over: &str, under: &str) -> Result<(f64, bool), String> {
        let integer = |text: &str| text.trim().parse::<u32>().ok().filter(|&number| number < 1 << 24);
        let (Some(over), Some(under)) = (integer(over), integer(under)) else {
            return Err("is no fraction of integers below 2^24".into());
        };
        if under == 0 {
            return Err("is a fraction of 0".into());
        }
        // Nothing but powers of two are left below the line.
        let is_exact = over % (under >> under.trailing_zeros()) == 0;
        match self.nearest {
            Some(Nearest::Binary32) => Ok((f64::from(over as f32 / under as f32), is_exact)),
            Some(Nearest::Binary64) | None => Ok((f64::from(over) / f64::from(under), is_exact)),
        }
    }
}

/// `0x1.8p-3`, exactly; `None` if the text is no such number or has too many digits.
fn hexadecimal(text: &str) -> Option<f64> {
    let (digits, power) = text.strip_prefix("0x")?.split_once('p').unwrap_or((text.strip_prefix("0x")?, "0"));
    let (integer, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mantissa =
        u64::from_str_radix(&format!("{integer}{fraction}"), 16).ok().filter(|&mantissa| mantissa < 1 << 53)?;
    let power: i32 = power.parse().ok().filter(|power: &i32| power.abs() < 1000)?;
    Some(mantissa as f64 * 2_f64.powi(power - 4 * fraction.len() as i32))
}

/// The digits of a decimal without zeros at its ends, and the place of its point.
fn digits(text: &str) -> (String, i64) {
    let (number, power) = text.split_once('e').unwrap_or((text, "0"));
    let (integer, fraction) = number.split_once('.').unwrap_or((number, ""));
    let all = format!("{integer}{fraction}");
    let leading = all.len() - all.trim_start_matches('0').len();
    let shown = all.trim_matches('0').to_string();
    let place = integer.len() as i64 - leading as i64 + power.parse::<i64>().unwrap_or(0);
    if shown.is_empty() { (shown, 0) } else { (shown, place) }
}

/// A number of binary64 as a value of a codebook.
fn listed(negative: bool, magnitude: f64) -> Listed {
    if magnitude == 0.0 {
        return Listed::Zero { negative };
    }
    let bits = magnitude.to_bits();
    let (field, trailing) = (bits >> 52, bits & ((1 << 52) - 1));
    let (n, k) = if field == 0 { (trailing, -1074) } else { (trailing | 1 << 52, field as i32 - 1075) };
    number(negative, n, k)
}

fn number(negative: bool, n: u64, k: i32) -> Listed {
    match n {
        0 => Listed::Zero { negative },
        _ => Listed::Number { negative, n: n >> n.trailing_zeros(), k: k + n.trailing_zeros() as i32 },
    }
}

fn of_segments(bits: u32, sign: SignRule, segments: &[Segment]) -> Result<Vec<Option<Listed>>, DefinitionError> {
    let magnitude_bits = if sign == SignRule::None { bits } else { bits - 1 };
    let mut magnitudes: Vec<Option<Listed>> = vec![None; 1 << magnitude_bits];
    let mut next = 0;
    for segment in segments {
        let (first, count) = segment.codes(magnitude_bits, next)?;
        for offset in 0..count {
            let Some(place) = magnitudes.get_mut(first + offset) else {
                return refuse(format!(
                    "has segments with more codes than the {} of {magnitude_bits} bits",
                    1 << magnitude_bits
                ));
            };
            if place.replace(segment.value(offset as u64)?).is_some() {
                return refuse(format!("has two segments with the code {:#x}", first + offset));
            }
        }
        next = first + count;
    }
    let negated = |value: Listed| match value {
        Listed::Zero { .. } => Listed::Zero { negative: true },
        Listed::Number { n, k, .. } => Listed::Number { negative: true, n, k },
        other => other,
    };
    let count = magnitudes.len();
    let minus: Vec<Option<Listed>> = match sign {
        SignRule::None => vec![],
        SignRule::Magnitude => magnitudes.iter().map(|value| value.map(negated)).collect(),
        // The sign bit alone has no magnitude.
        SignRule::Complement => {
            (0..count).map(|rest| magnitudes.get(count - rest).copied().flatten().map(negated)).collect()
        }
    };
    Ok([magnitudes, minus].concat())
}

/// The most trailing bits of a segment and the largest exponent, so that its values are numbers of binary64.
const MOST_EXPONENT: i32 = 900;

impl Segment {
    /// The first code, and the number of codes.
    fn codes(&self, magnitude_bits: u32, next: usize) -> Result<(usize, usize), DefinitionError> {
        let Some(prefix) = &self.prefix else {
            return match self.own_codes() {
                Some(count) => Ok((next, count)),
                None => refuse("has a linear segment without a prefix; a prefix says how many codes it has"),
            };
        };
        let rest = magnitude_bits.checked_sub(prefix.len() as u32);
        let is_prefix = !prefix.is_empty() && prefix.bytes().all(|bit| b"01".contains(&bit));
        let (Some(rest), true) = (rest, is_prefix) else {
            return refuse(format!("has the prefix {prefix:?}; 1 to {magnitude_bits} digits 0 or 1 are expected"));
        };
        if let Some(count) = self.own_codes().filter(|&count| count != 1 << rest) {
            return refuse(format!(
                "has {count} values in the segment with the prefix {prefix}, which leaves {} codes: binades times 2^trailing is expected to be that",
                1 << rest
            ));
        }
        let prefix = usize::from_str_radix(prefix, 2).unwrap_or(0);
        Ok((prefix << rest, 1 << rest))
    }

    /// The number of codes that exponents and trailing bits make; `None` for a linear segment.
    fn own_codes(&self) -> Option<usize> {
        let trailing = self.trailing.unwrap_or(0).min(MOST_CODEBOOK_BITS);
        self.exponent.map(|_| (self.binades.unwrap_or(1).min(1 << MOST_CODEBOOK_BITS) as usize) << trailing)
    }

    fn value(&self, offset: u64) -> Result<Listed, DefinitionError> {
        let is_far = |exponent: i32| exponent.abs() > MOST_EXPONENT;
        match (self.linear, self.exponent) {
            (Some(unit), None) if self.binades.is_none() && self.trailing.is_none() && !self.descending => match unit {
                unit if is_far(unit) => {
                    refuse(format!("has the exponent {unit}; at most {MOST_EXPONENT} either way is expected"))
                }
                unit => Ok(number(false, offset, unit)),
            },
            (None, Some(first)) => {
                let trailing = self.trailing.unwrap_or(0);
                let binade = (offset >> trailing) as i32;
                if is_far(first) || trailing > MOST_CODEBOOK_BITS {
                    return refuse(format!(
                        "has the exponent {first} and {trailing} trailing bits; at most {MOST_EXPONENT} and {MOST_CODEBOOK_BITS} are expected"
                    ));
                }
                let exponent = if self.descending { first - binade } else { first + binade };
                let significand = 1 << trailing | offset & ((1 << trailing) - 1);
                Ok(number(false, significand, exponent - trailing as i32))
            }
            _ => refuse(
                "has a segment with neither or both of linear and exponent; linear = <k> counts in steps of 2^<k>, and exponent = <e> goes with binades and trailing",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Family;

    fn error(text: &str) -> String {
        parse(text).expect_err("no format").to_string()
    }

    /// A file of 2 bits with this table, or with these lines.
    fn table(values: &str) -> String {
        format!("name = \"t\"\nbits = 2\ntable = [{values}]\n")
    }

    #[test]
    fn each_mistake_has_a_sentence() {
        let file = |lines: &str| format!("name = \"t\"\nbits = 2\n{lines}\n");
        let segment = |lines: &str| file(&format!("sign = \"none\"\nsegments = [{lines}]"));
        for (text, wanted) in [
            (
                table("[0, 0], [1, 1], [2, 2]"),
                "the format has no value for the code 0x3; a code without a number is nan",
            ),
            (table("[0, 0]"), "the format has no value for the code 0x1, nor have 2 others"),
            (table("[0, 0], [0, 1]"), "the format has two values for the code 0"),
            (table("[0, 0], [4, 1]"), "the format has a value for the code 4; codes of 2 bits are 0 to 3"),
            (table("[0, 0], [-1, 1]"), "the format has a value for the code -1; codes of 2 bits are 0 to 3"),
            (table("[0, 0], [1, 1], [2, 1.0], [3, nan]"), "has two codes with the value 1, 0x1 and 0x2"),
            (table("[0, 1], [1, 2], [2, 3], [3, nan]"), "the format has no code with the value 0"),
            (table("[0, 0], [1, 0.1], [2, 1], [3, 2]"), "has the value 0.1, which is not a binary number of 53 bits"),
            (table("[0, 0], [1, \"1/3\"], [2, 1], [3, 2]"), "has the value 1/3, which is not a binary number"),
            (table("[0, 0], [1, \"1/0\"], [2, 1], [3, 2]"), "has the value 1/0, which is a fraction of 0"),
            (table("[0, 0], [1, \"one\"], [2, 1], [3, 2]"), "has the value one, which is no number"),
            (table("[0, 0], [1, 1], [2, 2], [3, inf]"), "has an infinity, but infinity_at is missing"),
            (
                format!("{}infinity_at = 4\n", table("[0, 0], [1, 1], [2, 2], [3, 3]")),
                "has infinity_at, but no infinity",
            ),
            (table("[0, 0], [1, true], [2, 1], [3, 2]"), "has the value true; a number, inf or nan is expected"),
            (file(""), "has neither a table nor segments"),
            (file("table = []\nsegments = []"), "has a table and segments"),
            (
                file("rounding = \"up\"\ntable = []"),
                "has the rounding up; one of rne, rna, rtz, rup, rdn or rto is expected",
            ),
            (file("color = 1"), "unknown field `color`"),
            (segment("{ prefix = \"0\", linear = 0 }"), "has no value for the code 0x2, nor have 1 others"),
            (
                segment("{ prefix = \"0\", linear = 0 }, { prefix = \"0\", linear = 1 }"),
                "has two segments with the code 0x0",
            ),
            (segment("{ prefix = \"02\", linear = 0 }"), "has the prefix \"02\"; 1 to 2 digits 0 or 1 are expected"),
            (
                segment("{ prefix = \"0\", exponent = 0, trailing = 2 }"),
                "has 4 values in the segment with the prefix 0, which leaves 2",
            ),
            (segment("{ exponent = 0, trailing = 3 }"), "has segments with more codes than the 4 of 2 bits"),
            (segment("{ linear = 0 }"), "has a linear segment without a prefix"),
            (segment("{ prefix = \"0\" }"), "has a segment with neither or both of linear and exponent"),
            ("name = \"T\"\nbits = 2\ntable = []".into(), "has the name \"T\"; a name has lower-case letters"),
            ("name = \"t\"\nbits = 9\ntable = []".into(), "has 9 bits; a file defines formats of 2 to 8 bits"),
            ("bits = 2".into(), "missing field `name`"),
        ] {
            assert!(error(&text).contains(wanted), "{text}\n{}", error(&text));
        }
    }

    #[test]
    fn values_are_read_as_written() {
        let values = |text: &str| match parse(text).unwrap_or_else(|error| panic!("{error}")) {
            Format::Codebook(codebook) => codebook.values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
            other => panic!("{other}"),
        };
        assert_eq!(values(&table("[3, 0], [2, -1.5], [1, 1e2], [0, 0.5]")), "1*2^-1 25*2^2 -3*2^-1 0");
        assert_eq!(values(&table("[0, 0], [1, \"3/8\"], [2, \"-0x1.8p-3\"], [3, \"0x10\"]")), "0 3*2^-3 -3*2^-4 1*2^4");
        assert_eq!(values(&table("[0, \"-0\"], [1, 0], [2, nan], [3, 7]")), "-0 0 nan 7");
        assert_eq!(
            values(&format!("{}infinity_at = 4\n", table("[0, 0], [1, 2], [2, inf], [3, -inf]"))),
            "0 1*2^1 inf -inf"
        );
        let nearest = format!("nearest = \"binary32\"\n{}", table("[0, 0], [1, 0.1], [2, \"1/3\"], [3, 1]"));
        let [tenth, third] = [0.1_f32, 1.0 / 3.0].map(|number| listed(false, number.into()).to_string());
        assert_eq!(values(&nearest), format!("0 {tenth} {third} 1"));
    }

    /// The hash is of values and rounding: the same definition has the same name, any other has another.
    #[test]
    fn names_have_a_hash_of_the_definition() {
        let name = |text: &str| parse(text).expect("a format").to_string();
        let one = name(&table("[0, 0], [1, 1], [2, 2], [3, nan]"));
        assert_eq!(name(&table("[3, nan], [0, 0], [2, 2.0], [1, 1]")), one);
        assert_ne!(name(&table("[0, 0], [1, 1], [2, 2], [3, 3]")), one);
        assert_ne!(name(&format!("rounding = \"rna\"\n{}", table("[0, 0], [1, 1], [2, 2], [3, nan]"))), one);
        assert_eq!(one.parse::<Format>().expect("it was read").to_string(), one);
        let about = table("[0, 0], [1, 1], [2, 2], [3, nan]");
        assert_eq!(parse(&format!("about = \"other words\"\n{about}")), parse(&about));
        for about in ["x\\nendmodule", "x\\u001b[31m", "a\\tb"] {
            let error = parse(&format!("about = \"{about}\"\n{}", table("[0, 0], [1, 1], [2, 2], [3, nan]")));
            assert!(error.is_err_and(|error| error.to_string().contains("write it as one line")), "{about}");
        }
        let unread = "t_0123abcd".parse::<Format>().expect_err("it was not read").to_string();
        assert!(unread.contains("give the path of the file"), "{unread}");
    }

    #[test]
    fn the_formats_that_come_along_have_their_names() {
        for (name, aliases, _) in STANDARD {
            let format: Format = name.parse().expect("a format");
            assert_eq!(format.to_string(), name);
            assert!(aliases.iter().all(|alias| alias.parse() == Ok(format)));
            let Format::Codebook(codebook) = format else { panic!("{name}") };
            assert!(codebook.check().is_ok() && !codebook.about.is_empty());
        }
    }

    /// The keys that files have are those of the schema.
    #[test]
    fn the_schema_has_every_key() {
        let schema = include_str!("../../docs/format.schema.json");
        let offered = |text: &str| {
            let error = toml::from_str::<File>(text).err().expect("an unknown key").to_string();
            let keys = error.split('`').skip(3).step_by(2).map(String::from).collect::<Vec<_>>();
            assert!(keys.len() > 3, "{error}");
            keys
        };
        for key in
            offered("nonsense = 1").iter().chain(&offered("name = \"t\"\nbits = 2\nsegments = [{ nonsense = 1 }]"))
        {
            assert!(schema.contains(&format!("\"{key}\": {{")), "{key}");
        }
    }
}
