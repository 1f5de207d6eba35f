//! Format names: what the user writes, and the one canonical spelling.

use crate::{FieldZero, Format, FormatError, Infinity, Nan, Sign, Underflow};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// Why a name is not a format. The text is what the user reads.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    #[error(
        "a format name is missing; names look like e5m2, e4m3fn, e5m2b1, k8p3se or binary16 (`binade formats` lists them)"
    )]
    Empty,
    #[error("unknown format {name}; names look like e5m2, e4m3fn, e5m2b1, k8p3se or binary16 (`binade formats` lists them){}",
        nearest.as_ref().map(|near| format!("; did you mean {near}?")).unwrap_or_default())]
    Unknown { name: String, nearest: Option<String> },
    #[error("{name} {why}")]
    Impossible { name: String, why: FormatError },
    #[error(
        "{name}: {option} is no option of this format; allowed are bias=<-32768 to 32767>, and sat for supernormals"
    )]
    UnknownOption { name: String, option: String },
}

/// A name and the format it stands for.
type Alias = (&'static str, fn() -> Format);

/// Names that follow no pattern.
const ALIASES: [Alias; 19] = [
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
    ("binary64", || Format::ieee(11, 52)),
    ("dlfloat16", Format::dlfloat16),
    ("dlfloat", Format::dlfloat16),
    ("ieee16_6", || Format::ieee(6, 9)),
    ("ieee16_7", || Format::ieee(7, 8)),
    ("ofp8e4m3", || finite_with_nan(4, 3)),
    ("ofp8e5m2", || Format::ieee(5, 2)),
];

/// Names that are printed in place of the systematic one.
const CANONICAL: [&str; 6] = ["binary16", "bfloat16", "tf32", "binary32", "binary64", "dlfloat16"];

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
        ("binary16", "IEEE 754, 16 bits"),
        ("bfloat16", "binary32 cut to 16 bits"),
        ("e6m9", "IEEE encoding, 16 bits (1/6/9/d)"),
        ("e6m9n", "IEEE encoding, 16 bits, subnormals flushed (1/6/9/n)"),
        ("e7m8", "IEEE encoding, 16 bits"),
        ("dlfloat16", "IBM DLFloat: 1/6/9, no subnormals, one NaN-infinity"),
        ("tf32", "TensorFloat-32, 19 bits"),
        ("binary32", "IEEE 754, 32 bits"),
    ]
    .into_iter()
    .map(|(name, about)| (name.parse().expect("a listed format parses"), about))
    .collect()
}

fn finite_with_nan(exponent_bits: u32, trailing_bits: u32) -> Format {
    Format { infinity: Infinity::None, nan: Nan::AllOnes, ..Format::ieee(exponent_bits, trailing_bits) }
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
    let mut rest = base;
    if let (Some(w), Some(t)) = (number_after(&mut rest, "e"), number_after(&mut rest, "m")) {
        return parse_float(w, t, rest);
    }
    let mut rest = base.strip_prefix("binary").unwrap_or(base.strip_prefix('k').unwrap_or(""));
    if let (Some(k), Some(p)) = (number_after(&mut rest, ""), number_after(&mut rest, "p")) {
        // The standard's short names leave out the domain of the signed, extended formats.
        let domain = if base.starts_with("binary") && ["", "ns"].contains(&rest) { "se" } else { "" };
        return parse_p3109(k, p, &format!("{domain}{rest}"));
    }
    Ok(None)
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
        (Ok(e), Ok(p), "d") => parse_float(e, p, ""),
        (Ok(e), Ok(p), "n") => parse_float(e, p, "n"),
        _ => Ok(None),
    }
}

/// `e<w>m<t>` and its suffixes.
fn parse_float(w: u32, t: u32, suffix: &str) -> Result<Option<Format>, FormatError> {
    if (w, t) == (8, 0) && ["", "ns"].contains(&suffix) {
        return refuse("is the unsigned scale format of OCP MX, which has no units yet; e8m1 is the nearest float");
    }
    let is_binary64 = (w, t, suffix) == (11, 52, "");
    if !((2..=8).contains(&w) && t <= 23 || is_binary64) {
        return refuse(format!(
            "has {w} exponent and {t} trailing significand bits; e<w>m<t> takes w from 2 to 8 and t from 0 to 23"
        ));
    }
    let ieee = Format::ieee(w, t);
    Ok(match suffix {
        "" => Some(ieee),
        "n" => Some(Format { field_zero: FieldZero::Zero, underflow: Underflow::ToZero, ..ieee }),
        "ns" => Some(nosub(ieee)),
        "fn" => Some(finite_with_nan(w, t)),
        "f" => Some(Format { infinity: Infinity::None, nan: Nan::None, ..ieee }),
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

fn parse_supernormal(w: u32, t: u32, below: u32, above: u32) -> Result<Format, FormatError> {
    if below == 0 {
        return refuse("has no supernormal binade below; b<L> takes L from 1 (ns is the format with none)");
    }
    Ok(Format::supernormal(w, t, below, above))
}

/// With no trailing bits, field 0 holds nothing but zero either way.
fn nosub(format: Format) -> Format {
    let field_zero = if format.trailing_bits == 0 { FieldZero::Subnormal } else { FieldZero::Binade };
    Format { field_zero, ..format }
}

/// `k<K>p<P>{se,sf,ue,uf}`, `ns` after it for nosub.
fn parse_p3109(k: u32, p: u32, suffix: &str) -> Result<Option<Format>, FormatError> {
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
    let format = Format::p3109(k, p, sign, extended);
    Ok(Some(if no_subnormals { nosub(format) } else { format }))
}

/// `bias=B` and `sat`; `None` if the format has no such option.
fn apply_option(format: Format, option: &str) -> Option<Format> {
    match option.split_once('=') {
        Some(("bias", bias)) => Some(Format { bias: bias.parse::<i16>().ok()?.into(), ..format }),
        None if option == "sat" && format.binades_below > 0 => Some(Format { infinity: Infinity::None, ..format }),
        _ => None,
    }
}

/// The canonical name: [`Format::from_str`] reads it back, and no other format has it.
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
        self.to_string().replace("bias=-", "biasm").replace(',', "_").replace('=', "")
    }

    fn systematic_name(&self) -> String {
        let (w, t) = (self.exponent_bits, self.trailing_bits);
        let base = match (self.nan, self.infinity) {
            (Nan::NanInfinity, _) => "dlfloat16".into(),
            (Nan::SignAlone, _) if self.binades_below > 0 => self.supernormal_name(),
            (Nan::SignAlone | Nan::LastCode, _) => self.p3109_name(),
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
