//! The test suite of IBM's FPgen ("Floating-Point Test-Suite for IEEE", version 2; `syntax.txt` in it describes the syntax).

use super::case::{Answer, ConformCase};
use super::claim::{Claim, ClaimLine, Codes, Syntax, hex};
use super::flags::Flags;
use binade_spec::{CLASSES, Extremum, Float, Format, Kind, Minmax, Operation, Rounding, Tininess, Unit};

/// Test cases such as `b32+ =0 i +1.000000P0 -Inf -> -Inf`: format and operation, rounding, enabled traps, operands, result,
/// flags.
pub struct Fptest {
    /// When a result counts as tiny.
    tininess: Tininess,
}

impl Fptest {
    /// Reads test cases for units with this tininess.
    pub fn new(tininess: Tininess) -> Fptest {
        Fptest { tininess }
    }

    /// The flags that letters stand for. The suite has three letters for underflow: `v` is tininess after rounding, `w` before rounding,
    /// and `u` (together with another error) counts as both.
    fn flags(&self, letters: &str) -> Result<Flags, String> {
        let own = match self.tininess {
            Tininess::After => 'v',
            Tininess::Before => 'w',
        };
        letters.chars().try_fold(Flags::default(), |flags, letter| {
            Ok(flags.with(match letter {
                'x' => Flags::INEXACT,
                'u' => Flags::UNDERFLOW,
                letter if letter == own => Flags::UNDERFLOW,
                'v' | 'w' => Flags::default(),
                'o' => Flags::OVERFLOW,
                'z' => Flags::DIVISION_BY_ZERO,
                'i' => Flags::INVALID,
                _ => return Err(format!("`{letters}` is not a list of flags, which are x, u, v, w, o, z, i")),
            }))
        })
    }
}

const FORMATS: [&str; 4] = ["b16", "b32", "b64", "b128"];

const ROUNDINGS: [(&str, Rounding); 5] =
    [("=0", Rounding::Rne), ("=^", Rounding::Rna), ("0", Rounding::Rtz), (">", Rounding::Rup), ("<", Rounding::Rdn)];

/// An operation of the suite that a unit computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Computed {
    Add,
    Subtract,
    Multiply,
    Divide,
    Root,
    Fused,
    Extremum(Extremum),
    /// Whether the operand belongs to one of these classes.
    Classes(u32),
    Convert,
}

/// The unit or the reason for each operation.
const OPERATIONS: [(&str, Computed); 18] = [
    ("+", Computed::Add),
    ("-", Computed::Subtract),
    ("*", Computed::Multiply),
    ("/", Computed::Divide),
    ("V", Computed::Root),
    ("*+", Computed::Fused),
    ("<C", Computed::Extremum(Extremum::MinimumNumber)),
    (">C", Computed::Extremum(Extremum::MaximumNumber)),
    ("<A", Computed::Extremum(Extremum::MinimumMagnitudeNumber)),
    (">A", Computed::Extremum(Extremum::MaximumMagnitudeNumber)),
    ("?n", Computed::Classes(class(1) | class(6))),
    ("?f", Computed::Classes(class(1) | class(2) | class(3) | class(4) | class(5) | class(6))),
    ("?0", Computed::Classes(class(3) | class(4))),
    ("?s", Computed::Classes(class(2) | class(5))),
    ("?i", Computed::Classes(class(0) | class(7))),
    ("?N", Computed::Classes(class(8) | class(9))),
    ("?sN", Computed::Classes(class(8))),
    ("cff", Computed::Convert),
];

/// The bit of `classify` for a class.
const fn class(number: u32) -> u32 {
    assert!((number as usize) < CLASSES.len());
    1 << number
}

/// Operations that no unit computes, with their names.
const NO_UNIT: [(&str, &str); 22] = [
    ("%", "remainder"),
    ("rfi", "rounding to an integer"),
    ("cfi", "conversion to an integer of unknown width"),
    ("cif", "conversion from an integer of unknown width"),
    ("cfd", "conversion to a decimal string"),
    ("cdf", "conversion from a decimal string"),
    ("qC", "quiet comparison, of unknown relation"),
    ("sC", "signaling comparison, of unknown relation"),
    ("cp", "copy"),
    ("~", "negate"),
    ("A", "abs"),
    ("@", "copy sign"),
    ("S", "scalb"),
    ("L", "logb"),
    ("Na", "next after"),
    ("Nu", "next up"),
    ("Nd", "next down"),
    ("?", "class as a word"),
    ("?-", "sign"),
    ("=quant", "same quantum"),
    ("quant", "quantize"),
    ("eq", "equivalent"),
];

/// The first word of a test case: format, operation and format of the result.
struct Head<'l> {
    format: &'l str,
    to: Option<&'l str>,
    operation: &'l str,
}

impl<'l> Head<'l> {
    /// The head, if the word is valid.
    fn new(word: &'l str) -> Option<Head<'l>> {
        let (format, rest) = Head::format(word)?;
        let (to, operation) = Head::format(rest).map_or((None, rest), |(to, rest)| (Some(to), rest));
        Some(Head { format, to, operation })
    }

    /// A format such as `b32` or `d64`, and the rest of the word.
    fn format(word: &str) -> Option<(&str, &str)> {
        let digits = word.strip_prefix(['b', 'd'])?;
        let end = 1 + digits.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(digits.len());
        (end > 1).then(|| word.split_at(end))
    }
}

/// Format, format of the result, operation and rounding, packed into one number.
#[derive(Clone, Copy)]
struct Key {
    format: usize,
    to: usize,
    operation: usize,
    rounding: usize,
}

impl Key {
    fn number(self) -> usize {
        ((self.format * FORMATS.len() + self.to) * OPERATIONS.len() + self.operation) * ROUNDINGS.len() + self.rounding
    }

    fn of(number: usize) -> Key {
        let (rest, rounding) = (number / ROUNDINGS.len(), number % ROUNDINGS.len());
        let (rest, operation) = (rest / OPERATIONS.len(), rest % OPERATIONS.len());
        Key { format: rest / FORMATS.len(), to: rest % FORMATS.len(), operation, rounding }
    }

    /// The formats of operands and result.
    fn formats(self) -> [Format; 2] {
        let formats = [Format::binary16(), Format::binary32(), Format::binary64(), Format::binary128()];
        [self.format, self.to].map(|format| formats[format])
    }
}

impl Syntax for Fptest {
    fn read(&self, line: &str) -> Result<ClaimLine, String> {
        let mut words = line.trim_start_matches('\u{feff}').split_ascii_whitespace();
        let Some(head) = words.next().and_then(Head::new) else {
            let is_heading = !line.contains("->");
            return if is_heading {
                Ok(ClaimLine::Blank)
            } else {
                Err("the line must begin with a format such as b32".into())
            };
        };
        let words: Vec<&str> = words.collect();
        let arrow = words.iter().position(|word| *word == "->").ok_or("`->` is expected before the result")?;
        let (before, after) = (&words[..arrow], &words[arrow + 1..]);
        let key = match key(&head, before.first().copied())? {
            Ok(key) => key,
            Err(reason) => return Ok(ClaimLine::LeftOut(reason)),
        };
        let is_traps = |word: &&&str| word.chars().all(|letter| "xuozi".contains(letter));
        let traps = before.get(1).filter(is_traps).copied().unwrap_or("");
        let operands = &before[1 + usize::from(!traps.is_empty())..];
        let letters = match after {
            [_] => "",
            [_, letters] => letters,
            _ => return Err("one result is expected behind `->`, and the flags".into()),
        };
        if after[0] == "#" || traps.chars().any(|trap| trap != 'x' && letters.contains(trap)) {
            return Ok(ClaimLine::LeftOut("the result of a trap handler".into()));
        }
        let has_signaling = operands.contains(&"S");
        if matches!(OPERATIONS[key.operation].1, Computed::Extremum(_)) && has_signaling {
            let reason =
                "minNum and maxNum of a signaling NaN, as IEEE 754-2008 has them: 754-2019 has other operations";
            return Ok(ClaimLine::LeftOut(reason.into()));
        }
        let claim = Claim { flags: Some(self.flags(letters)?), ..claim(key, operands, after[0])? };
        Ok(ClaimLine::Claim { case: key.number(), claim })
    }

    fn case(&self, number: usize) -> ConformCase {
        let key = Key::of(number);
        let ([operand, result], rounding) = (key.formats(), ROUNDINGS[key.rounding].1);
        let plain = |unit| Operation { rounding, flags: Some(self.tininess), ..Operation::new(unit, operand, result) };
        let (name, computed) = OPERATIONS[key.operation];
        let format = |number: usize| FORMATS[number];
        let case = |operation| ConformCase::new(format!("{}{name}", format(key.format)), operation);
        match computed {
            Computed::Add => case(plain(Unit::Add)),
            Computed::Subtract => case(plain(Unit::Sub)),
            Computed::Multiply => case(plain(Unit::Mul)),
            Computed::Divide => case(plain(Unit::Divide)),
            Computed::Root => case(plain(Unit::Sqrt)),
            Computed::Fused => case(plain(Unit::Fmac)),
            Computed::Extremum(extremum) => {
                let kind = Kind::Minmax(Minmax { extremum });
                let operation = Operation { kind, rounding: result.default_rounding(), ..plain(Unit::Minmax) };
                ConformCase { any_zero_sign: true, ..case(operation) }
            }
            Computed::Classes(bits) => {
                let answer = Answer::AnyOf(bits);
                ConformCase { answer, ..case(Operation::new(Unit::Classify, operand, result)) }
            }
            Computed::Convert => ConformCase {
                name: format!("{}{}{name}", format(key.format), format(key.to)),
                ..case(plain(Unit::Convert))
            },
        }
    }
}

/// The case for a head and a rounding, or the reason why there is none.
///
/// # Errors
/// What is wrong with the line.
fn key(head: &Head, rounding: Option<&str>) -> Result<Result<Key, String>, String> {
    let place = |format: &str| FORMATS.iter().position(|name| *name == format);
    let rounding = rounding.and_then(|word| ROUNDINGS.iter().position(|(name, _)| *name == word));
    let rounding = rounding.ok_or("a rounding is expected behind the operation: >, <, 0, =0 or =^")?;
    if [Some(head.format), head.to].into_iter().flatten().any(|format| format.starts_with('d')) {
        return Ok(Err(format!("{}{}: decimal formats", head.format, head.operation)));
    }
    let Some(operation) = OPERATIONS.iter().position(|(name, _)| *name == head.operation) else {
        return match NO_UNIT.iter().find(|(name, _)| *name == head.operation) {
            Some((_, what)) => Ok(Err(format!("{}{}: no unit computes it ({what})", head.format, head.operation))),
            None => Err(format!("`{}` is not an operation of FPgen", head.operation)),
        };
    };
    let [format, to] = [head.format, head.to.unwrap_or(head.format)].map(place);
    match (format, to) {
        (Some(format), Some(to)) => Ok(Ok(Key { format, to, operation, rounding })),
        _ => Err(format!("`{}` is not a format of FPgen; use b16, b32, b64 or b128", head.format)),
    }
}

/// The codes of operands and result, without flags.
fn claim(key: Key, operands: &[&str], result: &str) -> Result<Claim, String> {
    let [operand_format, result_format] = key.formats();
    let computed = OPERATIONS[key.operation].1;
    let count = match computed {
        Computed::Fused => 3,
        Computed::Root | Computed::Classes(_) | Computed::Convert => 1,
        Computed::Add | Computed::Subtract | Computed::Multiply | Computed::Divide | Computed::Extremum(_) => 2,
    };
    if operands.len() != count {
        return Err(format!("{count} operands are expected before `->`, not {}", operands.len()));
    }
    let codes: Codes = operands.iter().map(|operand| number(operand_format, operand)).collect::<Result<_, _>>()?;
    let result = match computed {
        Computed::Classes(_) => {
            let is_true = result.strip_prefix("0x").and_then(hex).filter(|bit| *bit < 2);
            is_true.ok_or_else(|| format!("`{result}`: 0x0 or 0x1 is expected"))?
        }
        _ => number(result_format, result)?,
    };
    Ok(Claim { operands: codes, results: [result][..].into(), flags: None })
}

/// The code of an operand or a result, such as `-1.7FFFFFP127`, `+0.000001P-126`, `-Zero`, `+Inf`, `Q` or `S`.
fn number(format: Format, word: &str) -> Result<u128, String> {
    let float = format.float().expect("the formats of FPgen are IEEE 754 encodings");
    let error = || {
        let name = format.to_string();
        format!("`{word}` is not a number of {name} such as +1.400000P-73, -0.000001P-126, +Zero, -Inf, Q or S")
    };
    let quiet = 1_u128 << (float.trailing_bits - 1);
    let (is_negative, magnitude) = match (word.strip_prefix('-'), word.strip_prefix('+')) {
        (Some(rest), _) => (true, rest),
        (_, Some(rest)) => (false, rest),
        (None, None) if matches!(word, "Q" | "S") => (false, word),
        (None, None) => return Err(error()),
    };
    let magnitude = match magnitude {
        "Zero" => 0,
        "Inf" => float.infinity_magnitude(),
        "Q" => float.infinity_magnitude() | quiet,
        "S" => float.infinity_magnitude() | 1,
        digits => finite(float, digits).ok_or_else(error)?,
    };
    Ok(format.code(is_negative, magnitude))
}

/// The magnitude of a number such as `1.7FFFFFP127`: leading bit, trailing significand, unbiased exponent.
fn finite(float: &Float, text: &str) -> Option<u128> {
    let (significand, exponent) = text.split_once('P')?;
    let (leading, trailing) = significand.split_once('.')?;
    let is_whole = trailing.len() == float.trailing_bits.div_ceil(4) as usize;
    let trailing = hex(trailing).filter(|trailing| is_whole && trailing >> float.trailing_bits == 0)?;
    let field = exponent.parse::<i64>().ok()? + i64::from(float.bias);
    let is_normal = 1 <= field && field < (1 << float.exponent_bits) - 1;
    match leading {
        "1" if is_normal => Some((field as u128) << float.trailing_bits | trailing),
        "0" if field == 1 => Some(trailing),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<ClaimLine, String> {
        Fptest::new(Tininess::After).read(line)
    }

    fn claimed(line: &str) -> (ConformCase, Claim) {
        match read(line) {
            Ok(ClaimLine::Claim { case, claim }) => (Fptest::new(Tininess::After).case(case), claim),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_test_case_is_a_claim() {
        let (case, claim) = claimed("b32+ =0 i  -1.6E9177P49 -1.7FFFFFP127 -> -1.7FFFFFP127 x");
        assert_eq!(
            (case.name.as_str(), case.operation.unit, case.operation.rounding),
            ("b32+", Unit::Add, Rounding::Rne)
        );
        assert_eq!(claim.operands[..], [0xd86e_9177, 0xff7f_ffff]);
        assert_eq!((claim.results[0], claim.flags), (0xff7f_ffff, Some(Flags::INEXACT)));
        let (case, claim) = claimed("b32*+ > +0.000001P-126 S -Zero -> Q i");
        assert_eq!((case.operation.unit, case.operation.rounding), (Unit::Fmac, Rounding::Rup));
        assert_eq!(claim.operands[..3], [1, 0x7f80_0001, 0x8000_0000]);
        assert_eq!((claim.results[0], claim.flags), (0x7fc0_0000, Some(Flags::INVALID)));
        let (case, claim) = claimed("b32b64cff =0 i -0.7FFFFFP-126 -> -1.FFFFFC0000000P-127 ");
        assert_eq!((case.operation.result, claim.results[0]), (Format::binary64(), 0xb80f_ffff_c000_0000));
        let (case, claim) = claimed("b32?s =0 +0.000001P-126 -> 0x1");
        assert_eq!((case.answer, claim.results[0]), (Answer::AnyOf(0b10_0100), 1));
    }

    #[test]
    fn what_no_unit_computes_is_named() {
        for (line, reason) in [
            ("b32% =0 S -Zero -> Q i", "b32%: no unit computes it (remainder)"),
            ("d64+ =0 -1e3 +1e3 -> +0e3", "d64+: decimal formats"),
            ("b32+ =0 i S +Zero -> # i", "trap handler"),
            ("b32* =0 xu +0.000376P-126 -1.503000P-11 -> -1.342188P42 u", "trap handler"),
            ("b32<C =0 S +Zero -> Q i", "IEEE 754-2008"),
        ] {
            match read(line) {
                Ok(ClaimLine::LeftOut(said)) => assert!(said.contains(reason), "{said}"),
                other => panic!("{line}: {other:?}"),
            }
        }
        assert!(matches!(read("b32+ =0 x +Zero +1.000000P0 -> +1.000000P0"), Ok(ClaimLine::Claim { .. })));
        assert_eq!(read("Floating point tests: Add: Shift"), Ok(ClaimLine::Blank));
    }

    #[test]
    fn odd_lines_are_refused() {
        for (line, sentence) in [
            ("b32+ =0 +Zero -> +Zero", "2 operands are expected before `->`, not 1"),
            ("b32+ =0 +Zero +Zero", "`->` is expected"),
            ("b32+ =1 +Zero +Zero -> +Zero", "a rounding is expected"),
            ("b32& =0 +Zero +Zero -> +Zero", "`&` is not an operation"),
            ("b32+ =0 +1.800000P0 +Zero -> +Zero", "`+1.800000P0` is not a number of binary32"),
            ("b32+ =0 +1.000000P128 +Zero -> +Zero", "`+1.000000P128` is not a number of binary32"),
            ("b32+ =0 +Zero +Zero -> +Zero q", "`q` is not a list of flags"),
            ("x32+ =0 +Zero +Zero -> +Zero", "begin with a format such as b32"),
        ] {
            let refused = read(line).unwrap_err();
            assert!(refused.contains(sentence), "{refused}");
        }
    }

    #[test]
    fn underflow_has_three_letters() {
        let byte = |tininess, letters| Fptest::new(tininess).flags(letters).unwrap().byte();
        assert_eq!([byte(Tininess::After, "xu"), byte(Tininess::After, "xv"), byte(Tininess::After, "xw")], [3, 3, 1]);
        assert_eq!(
            [byte(Tininess::Before, "xu"), byte(Tininess::Before, "xv"), byte(Tininess::Before, "xw")],
            [3, 1, 3]
        );
    }
}
