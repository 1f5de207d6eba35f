//! Format names: the accepted spellings, and the canonical one.

use crate::alias::{self, FORMAT_ALIASES};
use crate::definition;
use crate::{Codebook, FieldZero, Fixed, Float, Format, FormatError, Infinity, Nan, Posit, Regime, Sign, Underflow};
use std::{fmt, ops::RangeInclusive, path::Path, str::FromStr};
use thiserror::Error;

/// Why a name is not a format. Users read the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    /// The name is empty or blank.
    #[error(
        "a format name is missing; names look like e5m2, e4m3fn, e5m2b1, k8p3se, posit16_1, int8 or binary16 (`binade formats` lists them)"
    )]
    Empty,
    /// The name follows no pattern.
    #[error("unknown format {name}; names look like e5m2, e4m3fn, e5m2b1, k8p3se, posit16_1, int8 or binary16 (`binade formats` lists them){}",
        hint(name, nearest.as_deref()))]
    Unknown {
        /// The name as written.
        name: String,
        /// A known name with a similar spelling, if there is one. It is proposed only if no digit or sign of the name is lost.
        nearest: Option<String>,
    },
    /// The name follows a pattern, but no such format exists.
    #[error("{name} {why}")]
    Impossible {
        /// The name in lower case.
        name: String,
        /// What is wrong with its numbers.
        why: FormatError,
    },
    /// Several formats have this name.
    #[error("{name} may be {}: say which", meanings.join(" or "))]
    Ambiguous {
        /// The name as written.
        name: String,
        /// Each format, with a description in brackets.
        meanings: &'static [&'static str],
    },
    /// Others know a format of this name, which is not built.
    #[error("{name} is not built: it is {nearest}")]
    NotBuilt {
        /// The name as written.
        name: String,
        /// What it is, and which format comes nearest.
        nearest: &'static str,
    },
    /// The name is that of a format from a file that was not read.
    #[error("{name} looks like a format from a file: give the path of the file, such as my.toml, in place of the name")]
    FromFile {
        /// The name as written.
        name: String,
    },
    /// A file defines no format.
    #[error("{path}: {why}")]
    File {
        /// The path as written.
        path: String,
        /// What is wrong with the file.
        why: String,
    },
    /// A list with too many formats.
    #[error("a list has at most {most} formats, not {count}")]
    LongList {
        /// Its formats.
        count: usize,
        /// The most formats of a list.
        most: usize,
    },
    /// A list of formats where one format is expected.
    #[error("{name} is a list of formats, of which a port of a unit chooses; one format is expected here")]
    List {
        /// The list as written.
        name: String,
    },
    /// There is text after a comma, and a format from a file has no options.
    #[error("{name} is defined by a file, and has no options")]
    NoOptions {
        /// The name in lower case, without options.
        name: String,
    },
    /// The text after a comma is not an option of the format.
    #[error(
        "{name}: {option} is no option of this format; allowed are scale=2^<k> and, for floats, bias=<B> (both from -65536 to 65535), and sat for supernormals{}",
        if option.parse::<Format>().is_ok() { "; a list of formats is joined by +" } else { "" }
    )]
    UnknownOption {
        /// The name in lower case, without options.
        name: String,
        /// The option in lower case.
        option: String,
    },
    /// The value of an option is not a number, or is out of range.
    #[error("{name}: {option}: {expected} from -65536 to 65535 is expected")]
    OptionValue {
        /// The name in lower case, without options.
        name: String,
        /// The option in lower case.
        option: String,
        /// The kind of number that is expected.
        expected: &'static str,
    },
}

/// A name and the format it stands for.
type Standard = (&'static str, fn() -> Format);

/// Names that follow no pattern.
const STANDARD: [Standard; 8] = [
    ("binary16", Format::binary16),
    ("bfloat16", || Format::ieee(8, 7)),
    ("tf32", || Format::ieee(8, 10)),
    ("binary32", Format::binary32),
    ("binary64", Format::binary64),
    ("binary128", Format::binary128),
    ("dlfloat16", || Float::dlfloat16().into()),
    ("e8m0", || Float::e8m0().into()),
];

/// Names that are printed instead of the systematic ones.
const CANONICAL: [&str; 7] = ["binary16", "bfloat16", "tf32", "binary32", "binary64", "binary128", "dlfloat16"];

/// The formats that `binade formats` lists, each with a one-line description. All other names of the families are
/// accepted as well.
pub fn known_formats() -> Vec<(Format, &'static str)> {
    [
        ("e5m2", "OCP E5M2: IEEE encoding, 8 bits"),
        ("e4m3", "IEEE encoding, 8 bits, with infinity"),
        ("e4m3fn", "OCP E4M3: no infinity, one NaN"),
        ("e5m3", "IEEE encoding, common superset of E5M2 and E4M3"),
        ("e5m2b1", "supernormal: 1 binade below and above traded for range"),
        ("e5m2b2", "supernormal: 2 binades below and above"),
        ("e5m2b4", "supernormal: 4 binades below and above"),
        ("e4m3b1", "supernormal: 1 binade below and above"),
        ("e4m3b2", "supernormal: 2 binades below and above"),
        ("k8p3se", "IEEE P3109 binary8p3, signed, with infinities"),
        ("k8p4se", "IEEE P3109 binary8p4, signed, with infinities"),
        ("e3m2f", "OCP MX FP6 element: finite"),
        ("e2m3f", "OCP MX FP6 element: finite"),
        ("e2m1f", "OCP MX FP4 element: finite"),
        ("e1m2f", "FP4 E1M2: finite, the values 0 to 1.75 in quarters"),
        ("e8m0", "OCP MX scale: powers of two, no sign, no zero"),
        ("ue4m3", "scale of NVFP4 blocks: E4M3 without a sign, 7 bits"),
        ("ue5m3", "scale: E5M3 without a sign, 8 bits, one NaN"),
        ("posit8_2", "posit standard 2022, 8 bits (posit8)"),
        ("posit16_1", "posit, 16 bits, 1 exponent bit"),
        ("posit16_2", "posit standard 2022, 16 bits (posit16)"),
        ("posit16_3", "posit, 16 bits, 3 exponent bits"),
        ("posit32_2", "posit standard 2022, 32 bits (posit32)"),
        ("posit64_2", "posit standard 2022, 64 bits (posit64)"),
        ("bposit16_6_3", "b-posit: a posit whose regime has up to 6 bits, 16 bits, 3 exponent bits"),
        ("bposit32_6_5", "b-posit, 32 bits, 5 exponent bits (bposit32)"),
        ("takum_linear8", "linear takum, 8 bits"),
        ("takum_linear16", "linear takum, 16 bits"),
        ("takum_linear32", "linear takum, 32 bits"),
        ("int8", "integers, two's complement, 8 bits"),
        ("uint8", "integers without sign, 8 bits"),
        ("fixed8_6", "OCP MX INT8 element: fixed point, 8 bits, 6 of them fraction (mxint8)"),
        ("int32", "integers, two's complement, 32 bits"),
        ("int64", "integers, two's complement, 64 bits"),
        ("binary16", "IEEE 754, 16 bits"),
        ("bfloat16", "binary32 cut to 16 bits"),
        ("e6m9", "IEEE encoding, 16 bits (1/6/9/d)"),
        ("e6m9n", "IEEE encoding, 16 bits, subnormals flushed (1/6/9/n)"),
        ("e7m8", "IEEE encoding, 16 bits"),
        ("dlfloat16", "IBM DLFloat: 1/6/9, no subnormals, one NaN-infinity"),
        ("tf32", "TensorFloat-32, 19 bits"),
        ("binary32", "IEEE 754, 32 bits"),
        ("binary64", "IEEE 754, 64 bits"),
        ("binary128", "IEEE 754, 128 bits"),
    ]
    .into_iter()
    .map(|(name, about)| (listed(name), about))
    .chain(definition::standards())
    .collect()
}

fn listed(name: &str) -> Format {
    name.parse().expect("a listed format parses")
}

fn finite_with_nan(exponent_bits: u32, trailing_bits: u32) -> Float {
    Float { infinity: Infinity::None, nan: Nan::AllOnes, ..Float::ieee(exponent_bits, trailing_bits) }
}

impl FromStr for Format {
    type Err = NameError;

    /// Parses a format name; an error message says what is allowed. Case is ignored, as are blanks around the name and
    /// its options.
    fn from_str(text: &str) -> Result<Format, NameError> {
        if let Some((file, _)) = text.split_once(',').filter(|(file, _)| is_file(file)) {
            return Err(NameError::File { path: file.into(), why: "a format from a file has no options".into() });
        }
        if is_file(text) {
            return definition::read(Path::new(text)).map_err(|why| NameError::File { path: text.into(), why });
        }
        let typed = tidy(text);
        let (base, options) = typed.split_once(',').unwrap_or((&typed, ""));
        if base.is_empty() {
            return Err(NameError::Empty);
        }
        let name = alias::format_called(base).map_or(typed.clone(), |name| format!("{name},{options}"));
        let mut words = name.split(',').filter(|word| !word.is_empty());
        let impossible = |why| NameError::Impossible { name: typed.clone(), why };
        let named = words.next().map(parse_base).transpose().map_err(impossible)?.flatten();
        let mut format = named.ok_or_else(|| unknown(text.trim(), base))?;
        for option in words {
            format = apply_option(format, base, option)?;
        }
        format.check().map_err(impossible)
    }
}

/// Whether a text is the path of a file with a definition.
fn is_file(text: &str) -> bool {
    Path::new(text).extension().is_some_and(|extension| extension == "toml")
}

/// A name in lower case, without blanks at its ends and around its commas. Sizes of posits after commas or in angle brackets, as in
/// `posit16,1` and `b-posit<16,6,3>`, come after underscores.
fn tidy(text: &str) -> String {
    let name = text.to_lowercase().split(',').map(str::trim).collect::<Vec<_>>().join(",").replace("b-posit", "bposit");
    let Some(kind) = ["posit", "bposit"].into_iter().find(|kind| name.starts_with(kind)) else { return name };
    let rest = &name[kind.len()..];
    let template = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
    if let Some((sizes, options)) = template.filter(|(_, options)| options.is_empty() || options.starts_with(',')) {
        return format!("{kind}{}{options}", sizes.replace(',', "_"));
    }
    let is_number = |text: &&&str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    let parts: Vec<&str> = rest.split(',').collect();
    let (sizes, options) = parts.split_at(parts.iter().take_while(is_number).count());
    match sizes {
        [] => name,
        sizes => [&[format!("{kind}{}", sizes.join("_")).as_str()], options].concat().join(","),
    }
}

fn unknown(name: &str, base: &str) -> NameError {
    if name.split('+').count() > 1 && name.split('+').all(|part| part.parse::<Format>().is_ok()) {
        return NameError::List { name: name.into() };
    }
    if let Some(meanings) = alias::formats_called(base) {
        return NameError::Ambiguous { name: name.into(), meanings };
    }
    if let Some(nearest) = alias::unbuilt(base) {
        return NameError::NotBuilt { name: name.into(), nearest };
    }
    let hash = base.rsplit_once('_').map_or("", |(_, hash)| hash);
    if hash.len() == 8 && hash.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return NameError::FromFile { name: name.into() };
    }
    let known = known_formats().into_iter().map(|(format, _)| format.to_string());
    let aliases = FORMAT_ALIASES.iter().flat_map(|(_, aliases)| aliases.iter().map(|alias| alias.to_string()));
    // Short names are similar to everything.
    let near = (name.chars().count() / 3).min(2);
    let nearest = known
        .chain(aliases)
        .map(|candidate| (strsim::damerau_levenshtein(&name.to_lowercase(), &candidate), candidate))
        .filter(|(distance, _)| *distance <= near)
        .min_by_key(|(distance, candidate)| (!is_alike(name, candidate), *distance, candidate.clone()))
        .map(|(_, candidate)| candidate);
    NameError::Unknown { name: name.into(), nearest }
}

/// What an unknown name may be: another one misspelt, or the path of a file.
fn hint(name: &str, nearest: Option<&str>) -> String {
    match nearest.filter(|near| is_alike(name, near)) {
        Some(near) => format!("; did you mean {near}?"),
        None if name.contains(['.', '/', '\\']) && !name.starts_with(char::is_numeric) => {
            "; a file that defines a format is called <name>.toml".into()
        }
        None => String::new(),
    }
}

/// Whether a name may be another one misspelt, with all digits that it has, and its sign.
fn is_alike(name: &str, candidate: &str) -> bool {
    let has_digits = ('0'..='9').all(|digit| name.matches(digit).count() <= candidate.matches(digit).count());
    has_digits && name.starts_with(['u', 'U']) == candidate.starts_with('u')
}

fn refuse<T>(why: impl Into<String>) -> Result<T, FormatError> {
    Err(FormatError(why.into()))
}

/// The format of a name without options; `None` if the name follows no pattern.
fn parse_base(base: &str) -> Result<Option<Format>, FormatError> {
    if base.contains('/') {
        return parse_slashes(base);
    }
    if let Some(format) = definition::standard(base).or_else(|| Codebook::called(base).map(Format::from)) {
        return Ok(Some(format));
    }
    if let Some(name) = base.strip_prefix("posit") {
        return Ok(parse_posit(name, "_"));
    }
    if let Some(name) = base.strip_prefix("bposit") {
        return Ok(parse_bounded_posit(name));
    }
    let plain = base.replace(['_', '-'], "");
    if let Some(bits) = ["takumlinear", "lineartakum"].iter().find_map(|kind| plain.strip_prefix(kind)?.parse().ok()) {
        return Ok(Some(Posit::takum(bits).into()));
    }
    if let Some(fixed) = parse_fixed(base) {
        return Ok(Some(fixed));
    }
    let base = base.replace('_', "");
    if let Some((_, format)) = STANDARD.iter().find(|(name, _)| *name == base) {
        return Ok(Some(format()));
    }
    if let Some(posit) = base.strip_prefix('p').and_then(|name| parse_posit(name, "e")) {
        return Ok(Some(posit));
    }
    let mut rest = base.as_str();
    if let (Some(w), Some(t)) = (number_after(&mut rest, "e"), number_after(&mut rest, "m")) {
        return Ok(parse_float(w, t, rest)?.map(Format::from));
    }
    let mut rest = base.strip_prefix('u').unwrap_or("");
    if let (Some(w), Some(t)) = (number_after(&mut rest, "e"), number_after(&mut rest, "m")) {
        return Ok(parse_unsigned(w, t, rest)?.map(Format::from));
    }
    let mut rest = base.strip_prefix("binary").unwrap_or(base.strip_prefix('k').unwrap_or(""));
    if let (Some(k), Some(p)) = (number_after(&mut rest, ""), number_after(&mut rest, "p")) {
        // The standard's short names omit the domain of signed, extended formats.
        let domain = if base.starts_with("binary") && ["", "ns"].contains(&rest) { "se" } else { "" };
        return Ok(parse_p3109(k, p, &format!("{domain}{rest}"))?.map(Format::from));
    }
    Ok(None)
}

/// `posit<n>_<es>` and `p<n>e<es>` after the prefix; `posit<n>` has the 2 exponent bits of the 2022 standard.
fn parse_posit(name: &str, separator: &str) -> Option<Format> {
    let mut rest = name;
    let bits = number_after(&mut rest, "")?;
    let exponent_bits = if rest.is_empty() && separator == "_" { 2 } else { number_after(&mut rest, separator)? };
    rest.is_empty().then(|| Posit::new(bits, exponent_bits).into())
}

/// `bposit<n>_<rs>_<es>` after the prefix; `bposit<n>` has the bound of 6 bits and the 5 exponent bits of the b-posit paper.
fn parse_bounded_posit(name: &str) -> Option<Format> {
    let mut rest = name;
    let bits = number_after(&mut rest, "")?;
    let (longest, exponent_bits) = match rest {
        "" => (6, 5),
        _ => (number_after(&mut rest, "_")?, number_after(&mut rest, "_")?),
    };
    rest.is_empty().then(|| Posit { bits, regime: Regime::Run { exponent_bits, longest }, scale: 0 }.into())
}

/// `fixed<n>_<f>`, `int<n>`, `q<i>.<f>`, and the unsigned formats with a leading `u`.
fn parse_fixed(name: &str) -> Option<Format> {
    let (sign, mut rest) = match name.strip_prefix('u') {
        Some(rest) => (Sign::Unsigned, rest),
        None => (Sign::Signed, name),
    };
    let (bits, fraction_bits) = if let Some(bits) = number_after(&mut rest, "int") {
        (bits, 0)
    } else if let Some(integer_bits) = number_after(&mut rest, "q") {
        // The sign is among the integer bits.
        let fraction_bits = number_after(&mut rest, ".")?;
        (integer_bits.checked_add(fraction_bits)?, fraction_bits)
    } else {
        (number_after(&mut rest, "fixed")?, number_after(&mut rest, "_")?)
    };
    let fraction_bits = i32::try_from(fraction_bits).ok()?;
    rest.is_empty().then(|| Fixed { bits, fraction_bits, sign }.into())
}

/// Removes `prefix` and the decimal number after it from `text`.
fn number_after(text: &mut &str, prefix: &str) -> Option<u32> {
    let rest = text.strip_prefix(prefix)?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest[..digits].parse().ok()?;
    *text = &rest[digits..];
    Some(number)
}

/// The notation of the first paper: `1/e/p/d` (subnormals) and `1/e/p/n` (flushed).
fn parse_slashes(base: &str) -> Result<Option<Format>, FormatError> {
    let parts: Vec<&str> = base.split('/').collect();
    if let &["1", e, p] = parts.as_slice()
        && [e, p].iter().all(|digits| digits.parse::<u32>().is_ok())
    {
        return refuse(format!(
            "needs its kind: 1/{e}/{p}/d has subnormals, 1/{e}/{p}/n flushes them to zero{}",
            if [e, p] == ["6", "9"] { "; DLFloat is dlfloat16" } else { "" }
        ));
    }
    let &["1", e, p, kind] = parts.as_slice() else {
        return Ok(None);
    };
    match (e.parse(), p.parse(), kind) {
        (Ok(e), Ok(p), "d") => Ok(parse_float(e, p, "")?.map(Format::from)),
        (Ok(e), Ok(p), "n") => Ok(parse_float(e, p, "n")?.map(Format::from)),
        _ => Ok(None),
    }
}

/// `e<w>m<t>` and its suffixes.
fn parse_float(w: u32, t: u32, suffix: &str) -> Result<Option<Float>, FormatError> {
    if (w, t) == (8, 0) && ["", "ns"].contains(&suffix) {
        return refuse("has no trailing significand bits; e8m0 is the OCP MX scale, e8m1 the nearest IEEE encoding");
    }
    if (w, t, suffix) == (8, 0, "fn") {
        return refuse(
            "would have 9 bits with a sign; e8m0 is the OCP MX scale, 8 bits without one (float8_e8m0fnu), e8m0f the signed \
             powers of two",
        );
    }
    // All ones of a single exponent bit are not infinity and NaN, which would take half of all values.
    let suffix = if w == 1 && suffix.is_empty() { "f" } else { suffix };
    let least = if ["f", "fn"].contains(&suffix) { 1 } else { 2 };
    if !((least..=15).contains(&w) && t <= 112) {
        return refuse(format!(
            "has {w} exponent and {t} trailing significand bits; e<w>m<t>{suffix} takes w from {least} to 15 and t from 0 to 112"
        ));
    }
    let ieee = Float::ieee(w, t);
    Ok(match suffix {
        "" => Some(ieee),
        "n" => Some(Float { field_zero: FieldZero::Zero, underflow: Underflow::ToZero, ..ieee }),
        "ns" => Some(nosub(ieee)),
        "fn" => Some(finite_with_nan(w, t)),
        "f" => Some(Float { infinity: Infinity::None, nan: Nan::None, ..ieee }),
        _ => {
            let mut rest = suffix;
            let Some(below) = number_after(&mut rest, "b") else {
                return Ok(None);
            };
            let above = if rest.is_empty() { Some(below) } else { number_after(&mut rest, "u") };
            match above {
                Some(above) if rest.is_empty() => Some(parse_supernormal(w, t, below, above)?),
                _ => None,
            }
        }
    })
}

/// `ue<w>m<t>`, or with suffix `fn`.
fn parse_unsigned(w: u32, t: u32, suffix: &str) -> Result<Option<Float>, FormatError> {
    if !["", "fn"].contains(&suffix) {
        return Ok(None);
    }
    if !((1..=15).contains(&w) && (1..=112).contains(&t)) {
        return refuse(format!(
            "has {w} exponent and {t} trailing significand bits; ue<w>m<t> takes w from 1 to 15 and t from 1 to 112 (e8m0 is the \
             OCP MX scale)"
        ));
    }
    Ok(Some(Float::unsigned(w, t)))
}

fn parse_supernormal(w: u32, t: u32, below: u32, above: u32) -> Result<Float, FormatError> {
    if below == 0 {
        return refuse("has no supernormal binade below; b<L> takes L from 1 (ns is the format with none)");
    }
    Ok(Float::supernormal(w, t, below, above))
}

/// Without trailing bits, field 0 holds only zero in either case.
fn nosub(format: Float) -> Float {
    let field_zero = if format.trailing_bits == 0 { FieldZero::Subnormal } else { FieldZero::Binade };
    Float { field_zero, ..format }
}

/// Widths of the formats of P3109.
const P3109_BITS: RangeInclusive<u32> = 3..=16;

/// `k<K>p<P>{se,sf,ue,uf}`, with `ns` after it for nosub.
fn parse_p3109(k: u32, p: u32, suffix: &str) -> Result<Option<Float>, FormatError> {
    let (domain, no_subnormals) = match suffix.strip_suffix("ns") {
        Some(domain) => (domain, true),
        None => (suffix, false),
    };
    let (sign, extended) = match domain {
        "se" => (Sign::Signed, true),
        "sf" => (Sign::Signed, false),
        "ue" => (Sign::Unsigned, true),
        "uf" => (Sign::Unsigned, false),
        "" => return refuse("needs its domain: se, sf, ue or uf (signed or unsigned, extended or finite)"),
        _ => return Ok(None),
    };
    let max_precision = match sign {
        Sign::Signed => k.saturating_sub(1),
        Sign::Unsigned => k,
    };
    if !P3109_BITS.contains(&k) || !(1..=max_precision).contains(&p) {
        return refuse(format!(
            "has {k} bits and precision {p}; P3109 takes 3 to 16 bits, and a precision from 1 to {}",
            match sign {
                Sign::Signed => "the width less one",
                Sign::Unsigned => "the width",
            }
        ));
    }
    let format = Float::p3109(k, p, sign, extended);
    Ok(Some(if no_subnormals { nosub(format) } else { format }))
}

/// Applies `bias=B`, `scale=2^k` or `sat` to the format called `name`.
fn apply_option(format: Format, name: &str, option: &str) -> Result<Format, NameError> {
    let value = |number: Option<i64>, expected| {
        // No format has a bias or scale beyond this.
        let number = number.filter(|number| (-65_536..=65_535).contains(number)).map(|number| number as i32);
        number.ok_or_else(|| NameError::OptionValue { name: name.into(), option: option.into(), expected })
    };
    let bias = |bias: &str| value(bias.parse().ok(), "bias=<B> with a whole number B");
    let scale =
        |scale: &str| value(scale.strip_prefix("2^").and_then(|k| k.parse().ok()), "scale=2^<k> with a whole number k");
    let sum = |sum: i64| value(Some(sum), "with all options, a bias or scale");
    match (format, option.split_once('=')) {
        (Format::Float(float), Some(("bias", number))) => Ok(Float { bias: bias(number)?, ..float }.into()),
        // Scaling by 2^k reduces the bias by k.
        (Format::Float(float), Some(("scale", power))) => {
            Ok(Float { bias: sum(i64::from(float.bias) - i64::from(scale(power)?))?, ..float }.into())
        }
        (Format::Posit(posit), Some(("scale", power))) => {
            Ok(Posit { scale: sum(i64::from(posit.scale) + i64::from(scale(power)?))?, ..posit }.into())
        }
        (Format::Fixed(fixed), Some(("scale", power))) => {
            Ok(Fixed { fraction_bits: sum(i64::from(fixed.fraction_bits) - i64::from(scale(power)?))?, ..fixed }.into())
        }
        (Format::Float(float), None) if option == "sat" && float.binades_below > 0 => {
            Ok(Float { infinity: Infinity::None, ..float }.into())
        }
        (Format::Codebook(_), _) => Err(NameError::NoOptions { name: name.into() }),
        (Format::Float(_) | Format::Posit(_) | Format::Fixed(_), _) => {
            Err(NameError::UnknownOption { name: name.into(), option: option.into() })
        }
    }
}

/// The canonical name, which is unique. [`Format::from_str`] parses it; that of a codebook once its file was read in this process.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let standard = CANONICAL.iter().find(|name| parse_base(name) == Ok(Some(*self)));
        match standard {
            Some(name) => f.pad(name),
            None => f.pad(&self.systematic_name()),
        }
    }
}

impl Format {
    /// The canonical name as part of a Verilog identifier.
    pub fn identifier(&self) -> String {
        self.to_string().replace("=-", "m").replace("=2^-", "m").replace("=2^", "").replace(',', "_").replace('=', "")
    }
}

impl Posit {
    /// The systematic name.
    pub(crate) fn systematic_name(&self) -> String {
        let scale = if self.scale == 0 { String::new() } else { format!(",scale=2^{}", self.scale) };
        let bits = self.bits;
        match self.regime {
            Regime::Run { exponent_bits, longest } if self.has_bound() => {
                format!("bposit{bits}_{longest}_{exponent_bits}{scale}")
            }
            Regime::Run { exponent_bits, .. } => format!("posit{bits}_{exponent_bits}{scale}"),
            Regime::Takum => format!("takum_linear{bits}{scale}"),
        }
    }
}

impl Fixed {
    /// The systematic name.
    pub(crate) fn systematic_name(&self) -> String {
        let Fixed { bits, fraction_bits, sign } = *self;
        let unsigned = match sign {
            Sign::Signed => "",
            Sign::Unsigned => "u",
        };
        match fraction_bits {
            0 => format!("{unsigned}int{bits}"),
            1.. => format!("{unsigned}fixed{bits}_{fraction_bits}"),
            _ => format!("{unsigned}int{bits},scale=2^{}", -fraction_bits),
        }
    }
}

impl Float {
    /// The systematic name.
    pub(crate) fn systematic_name(&self) -> String {
        let (w, t) = (self.exponent_bits, self.trailing_bits);
        let base = match (self.nan, self.infinity) {
            (Nan::NanInfinity, _) => "dlfloat16".into(),
            (Nan::SignAlone, _) if self.binades_below > 0 => self.supernormal_name(),
            (Nan::LastCode, _) if self.is_unsigned_scale() => format!("ue{w}m{t}"),
            (Nan::SignAlone | Nan::LastCode, _) => self.p3109_name(),
            (Nan::AllOnes, _) if !self.has_zero() => format!("e{w}m{t}"),
            (Nan::AllOnes, _) => format!("e{w}m{t}fn"),
            (Nan::None, Infinity::None) => format!("e{w}m{t}f"),
            (Nan::TopField | Nan::None, _) => format!("e{w}m{t}{}", self.field_zero_suffix()),
        };
        let default_bias = match self.nan {
            Nan::SignAlone | Nan::LastCode if !self.is_unsigned_scale() => 1 << (w - 1),
            _ => Float::ieee(w, t).bias,
        };
        if self.bias == default_bias { base } else { format!("{base},bias={}", self.bias) }
    }

    /// Whether the name is `ue<w>m<t>`: a finite unsigned format of P3109, except for its bias or width.
    fn is_unsigned_scale(&self) -> bool {
        let (w, t) = (self.exponent_bits, self.trailing_bits);
        let is_p3109 = self.bias == 1 << (w - 1) && P3109_BITS.contains(&self.width());
        t > 0 && !is_p3109 && *self == (Float { bias: self.bias, ..Float::unsigned(w, t) })
    }

    fn field_zero_suffix(&self) -> &'static str {
        match self.field_zero {
            FieldZero::Subnormal => "",
            FieldZero::Zero => "n",
            FieldZero::Binade => "ns",
            FieldZero::NoZero => "",
        }
    }

    fn supernormal_name(&self) -> String {
        let (below, above) = (self.binades_below, self.binades_above);
        let above = if above == below { String::new() } else { format!("u{above}") };
        let sat = if self.infinity == Infinity::None { ",sat" } else { "" };
        format!("e{}m{}b{below}{above}{sat}", self.exponent_bits, self.trailing_bits)
    }

    fn p3109_name(&self) -> String {
        let sign = match self.sign {
            Sign::Signed => 's',
            Sign::Unsigned => 'u',
        };
        let domain = if self.infinity == Infinity::None { 'f' } else { 'e' };
        let suffix = self.field_zero_suffix();
        format!("k{}p{}{sign}{domain}{suffix}", self.width(), self.precision())
    }
}
