//! Format names: what the user writes, and the one canonical spelling.

use crate::{FieldZero, Float, Format, FormatError, Infinity, Nan, Posit, Sign, Underflow};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// Why a name is not a format. The text is what the user reads.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    /// There is no name, or only blanks.
    #[error(
        "a format name is missing; names look like e5m2, e4m3fn, e5m2b1, k8p3se, posit16_1 or binary16 (`binade formats` lists them)"
    )]
    Empty,
    /// The name follows no pattern.
    #[error("unknown format {name}; names look like e5m2, e4m3fn, e5m2b1, k8p3se, posit16_1 or binary16 (`binade formats` lists them){}",
        nearest.as_ref().map(|near| format!("; did you mean {near}?")).unwrap_or_default())]
    Unknown {
        /// The name as it was written.
        name: String,
        /// A known name that is spelt much like it, if there is one.
        nearest: Option<String>,
    },
    /// The name follows a pattern, but there is no such format.
    #[error("{name} {why}")]
    Impossible {
        /// The name in lower case.
        name: String,
        /// What is wrong with its numbers.
        why: FormatError,
    },
    /// What follows a comma is no option of the format.
    #[error(
        "{name}: {option} is no option of this format; allowed are scale=2^<k> and, for floats, bias=<B> (both from -65536 to 65535), and sat for supernormals"
    )]
    UnknownOption {
        /// The name in lower case, without options.
        name: String,
        /// The option as it was written.
        option: String,
    },
}

/// A name and the format it stands for.
type Alias = (&'static str, fn() -> Format);

/// Names that follow no pattern.
const ALIASES: [Alias; 27] = [
    ("binary16", Format::binary16),
    ("half", Format::binary16),
    ("fp16", Format::binary16),
    ("f16", Format::binary16),
    ("ieee16", Format::binary16),
    ("bfloat16", || Format::ieee(8, 7)),
    ("bf16", || Format::ieee(8, 7)),
    ("tf32", || Format::ieee(8, 10)),
    ("binary32", Format::binary32),
    ("fp32", Format::binary32),
    ("f32", Format::binary32),
    ("ieee32", Format::binary32),
    ("binary64", Format::binary64),
    ("fp64", Format::binary64),
    ("f64", Format::binary64),
    ("ieee64", Format::binary64),
    ("binary128", Format::binary128),
    ("fp128", Format::binary128),
    ("f128", Format::binary128),
    ("ieee128", Format::binary128),
    ("dlfloat16", || Float::dlfloat16().into()),
    ("dlfloat", || Float::dlfloat16().into()),
    ("e8m0", || Float::e8m0().into()),
    ("ieee16_6", || Format::ieee(6, 9)),
    ("ieee16_7", || Format::ieee(7, 8)),
    ("ofp8e4m3", || finite_with_nan(4, 3).into()),
    ("ofp8e5m2", || Format::ieee(5, 2)),
];

/// Names that are printed in place of the systematic one.
const CANONICAL: [&str; 7] = ["binary16", "bfloat16", "tf32", "binary32", "binary64", "binary128", "dlfloat16"];

/// The formats that `binade formats` lists: name and one line about it. Every other name of the families works, too.
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
        ("e8m0", "OCP MX scale: powers of two, no sign, no zero"),
        ("posit8_2", "posit standard 2022, 8 bits (posit8)"),
        ("posit16_1", "posit, 16 bits, 1 exponent bit"),
        ("posit16_2", "posit standard 2022, 16 bits (posit16)"),
        ("posit16_3", "posit, 16 bits, 3 exponent bits"),
        ("posit32_2", "posit standard 2022, 32 bits (posit32)"),
        ("posit64_2", "posit standard 2022, 64 bits (posit64)"),
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

    /// Reads a format name (any case); the sentence of an error says what is allowed.
    fn from_str(text: &str) -> Result<Format, NameError> {
        let name: String = text.split_whitespace().collect::<String>().to_lowercase();
        if name.is_empty() {
            return Err(NameError::Empty);
        }
        let (base, options) = name.split_once(',').unwrap_or((&name, ""));
        let impossible = |why| NameError::Impossible { name: name.clone(), why };
        let mut format = parse_base(base).map_err(impossible)?.ok_or_else(|| unknown(text))?;
        for option in options.split(',').filter(|option| !option.is_empty()) {
            format = apply_option(format, option)
                .ok_or_else(|| NameError::UnknownOption { name: base.into(), option: option.into() })?;
        }
        format.check().map_err(impossible)
    }
}

fn unknown(name: &str) -> NameError {
    let candidates = known_formats().into_iter().map(|(format, _)| format.to_string());
    let nearest = candidates
        .chain(ALIASES.iter().map(|(alias, _)| alias.to_string()))
        .map(|candidate| (strsim::damerau_levenshtein(&name.to_lowercase(), &candidate), candidate))
        .filter(|(distance, _)| *distance <= 2)
        .min()
        .map(|(_, candidate)| candidate);
    NameError::Unknown { name: name.into(), nearest }
}

fn refuse<T>(why: impl Into<String>) -> Result<T, FormatError> {
    Err(FormatError(why.into()))
}

/// The format of a name without options; `None` if the name follows no pattern.
fn parse_base(base: &str) -> Result<Option<Format>, FormatError> {
    if let Some((_, format)) = ALIASES.iter().find(|(alias, _)| *alias == base) {
        return Ok(Some(format()));
    }
    if base.contains('/') {
        return parse_slashes(base);
    }
    if let Some(name) = base.strip_prefix("posit") {
        return Ok(parse_posit(name));
    }
    let mut rest = base;
    if let (Some(w), Some(t)) = (number_after(&mut rest, "e"), number_after(&mut rest, "m")) {
        return Ok(parse_float(w, t, rest)?.map(Format::from));
    }
    let mut rest = base.strip_prefix("binary").unwrap_or(base.strip_prefix('k').unwrap_or(""));
    if let (Some(k), Some(p)) = (number_after(&mut rest, ""), number_after(&mut rest, "p")) {
        // The standard's short names leave out the domain of the signed, extended formats.
        let domain = if base.starts_with("binary") && ["", "ns"].contains(&rest) { "se" } else { "" };
        return Ok(parse_p3109(k, p, &format!("{domain}{rest}"))?.map(Format::from));
    }
    Ok(None)
}

/// `posit<n>_<es>`; `posit<n>` has the 2 exponent bits of the 2022 standard.
fn parse_posit(name: &str) -> Option<Format> {
    let mut rest = name;
    let bits = number_after(&mut rest, "")?;
    let exponent_bits = if rest.is_empty() { 2 } else { number_after(&mut rest, "_")? };
    rest.is_empty().then(|| Posit { bits, exponent_bits, scale: 0 }.into())
}

/// Takes `prefix` and the decimal number behind it off `text`.
fn number_after(text: &mut &str, prefix: &str) -> Option<u32> {
    let rest = text.strip_prefix(prefix)?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest[..digits].parse().ok()?;
    *text = &rest[digits..];
    Some(number)
}

/// The first paper's `1/e/p/d` (subnormals) and `1/e/p/n` (flushed).
fn parse_slashes(base: &str) -> Result<Option<Format>, FormatError> {
    let parts: Vec<&str> = base.split('/').collect();
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
    if !((2..=15).contains(&w) && t <= 112) {
        return refuse(format!(
            "has {w} exponent and {t} trailing significand bits; e<w>m<t> takes w from 2 to 15 and t from 0 to 112"
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

fn parse_supernormal(w: u32, t: u32, below: u32, above: u32) -> Result<Float, FormatError> {
    if below == 0 {
        return refuse("has no supernormal binade below; b<L> takes L from 1 (ns is the format with none)");
    }
    Ok(Float::supernormal(w, t, below, above))
}

/// With no trailing bits, field 0 holds nothing but zero either way.
fn nosub(format: Float) -> Float {
    let field_zero = if format.trailing_bits == 0 { FieldZero::Subnormal } else { FieldZero::Binade };
    Float { field_zero, ..format }
}

/// `k<K>p<P>{se,sf,ue,uf}`, `ns` after it for nosub.
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
    if !(3..=16).contains(&k) || !(1..=max_precision).contains(&p) {
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

/// `bias=B`, `scale=2^k` and `sat`; `None` if the format has no such option.
fn apply_option(format: Format, option: &str) -> Option<Format> {
    match (format, option.split_once('=')) {
        (Format::Float(float), Some(("bias", bias))) => {
            Some(Float { bias: option_value(bias.parse().ok()?)?, ..float }.into())
        }
        // Values times 2^k are those of a bias less k.
        (Format::Float(float), Some(("scale", scale))) => {
            Some(Float { bias: option_value(i64::from(float.bias) - parse_scale(scale)?)?, ..float }.into())
        }
        (Format::Posit(posit), Some(("scale", scale))) => {
            Some(Posit { scale: option_value(i64::from(posit.scale) + parse_scale(scale)?)?, ..posit }.into())
        }
        (Format::Float(float), None) if option == "sat" && float.binades_below > 0 => {
            Some(Float { infinity: Infinity::None, ..float }.into())
        }
        _ => None,
    }
}

/// The exponent of `2^k`.
fn parse_scale(scale: &str) -> Option<i64> {
    Some(option_value(scale.strip_prefix("2^")?.parse().ok()?)?.into())
}

/// A bias or scale, unless it is further out than that of any format can be.
fn option_value(number: i64) -> Option<i32> {
    (-65_536..=65_535).contains(&number).then_some(number as i32)
}

/// The canonical name: [`Format::from_str`] reads it back, and no other format has it.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let standard = CANONICAL.iter().find(|name| parse_base(name) == Ok(Some(*self)));
        match standard {
            Some(name) => f.pad(name),
            None => match self {
                Format::Float(float) => f.pad(&float.systematic_name()),
                Format::Posit(posit) => f.pad(&posit.systematic_name()),
            },
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
    fn systematic_name(&self) -> String {
        let scale = if self.scale == 0 { String::new() } else { format!(",scale=2^{}", self.scale) };
        format!("posit{}_{}{scale}", self.bits, self.exponent_bits)
    }
}

impl Float {
    fn systematic_name(&self) -> String {
        let (w, t) = (self.exponent_bits, self.trailing_bits);
        let base = match (self.nan, self.infinity) {
            (Nan::NanInfinity, _) => "dlfloat16".into(),
            (Nan::SignAlone, _) if self.binades_below > 0 => self.supernormal_name(),
            (Nan::SignAlone | Nan::LastCode, _) => self.p3109_name(),
            (Nan::AllOnes, _) if !self.has_zero() => format!("e{w}m{t}"),
            (Nan::AllOnes, _) => format!("e{w}m{t}fn"),
            (Nan::None, Infinity::None) => format!("e{w}m{t}f"),
            (Nan::TopField | Nan::None, _) => format!("e{w}m{t}{}", self.field_zero_suffix()),
        };
        let default_bias = match self.nan {
            Nan::SignAlone | Nan::LastCode => 1 << (w - 1),
            Nan::None | Nan::TopField | Nan::AllOnes | Nan::NanInfinity => (1 << (w - 1)) - 1,
        };
        if self.bias == default_bias { base } else { format!("{base},bias={}", self.bias) }
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
