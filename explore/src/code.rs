//! Formats, and the meaning of a code.

use crate::number::Written;
use crate::shown::Shown;
use crate::value::plain;
use crate::word::code_of;
use binade_golden::{Codec, Codes, Number};
use binade_report::formats::Facts;
use binade_spec::{Class, Format, Posit, Regime, Sign};
use num_bigint::BigUint;
use serde::Serialize;
use serde_json::{Value, json};

/// A field of a code.
#[derive(Serialize)]
struct Field {
    name: &'static str,
    bits: String,
    /// The meaning of the bits, if any.
    about: String,
}

/// The properties of a format.
pub fn about_format(format: &Format) -> Value {
    let facts = Facts::new(format);
    let [from, to] = facts.full_precision;
    let rows = [
        ("bits", facts.bits.to_string()),
        ("precision", format!("{} significand bits", facts.precision)),
        ("smallest", facts.smallest),
        ("full precision", format!("{from} to {to}")),
        ("largest", facts.largest),
        ("decades", format!("{:.1}", facts.decades)),
        ("finite codes", facts.finite.to_string()),
        ("infinities", facts.infinities.to_string()),
        ("NaNs", facts.nans.to_string()),
    ];
    json!({
        "name": format.to_string(),
        "summary": format.summary(),
        "bits": format.width(),
        "facts": rows,
        "places": places(format),
    })
}

/// Codes worth visiting, with their names.
fn places(format: &Format) -> Vec<[String; 2]> {
    let one = format.encode_literal(&"1".parse().expect("a number"), &plain(format));
    let codes = [
        ("0", format.class_codes(Class::Zero).map(|_| format.zero_code(false))),
        ("smallest", Some(format.smallest_code())),
        ("1", Some(one).filter(|&code| format.decode(code).to_string() == "1*2^0")),
        ("largest", Some(format.largest_code())),
        ("infinity", format.infinity_code()),
        ("NaN", format.nan_code()),
    ];
    codes.into_iter().filter_map(|(name, code)| Some([name.into(), format.hex(code?)])).collect()
}

/// The value of a code, and its neighbours.
pub fn about_code(format: &Format, word: &str) -> Result<Value, String> {
    let code = code_of(format, word)?;
    let codes = Codes::new(*format);
    let [toward_zero, away_from_zero] = codes.neighbours(code);
    let ulp = away_from_zero.or(toward_zero).map(|other| distance(&codes, code, other));
    Ok(json!({
        "code": Shown::new(&codes, code),
        "bits": format!("{code:0width$b}", width = format.width() as usize),
        "colors": colors(format, code),
        "fields": fields(format, code),
        "class": class(format, code),
        "ulp": ulp.as_ref().map(Written::number),
        "toward_zero": toward_zero.map(|code| Shown::new(&codes, code)),
        "away_from_zero": away_from_zero.map(|code| Shown::new(&codes, code)),
        // The neighbouring codes in counting order, for a stepper.
        "next": codes_beside(format, code).map(|code| code.map(|code| format.hex(code))),
    }))
}

fn class(format: &Format, code: u128) -> String {
    match (format, format.class(code)) {
        (Format::Posit(_), class) if class.is_nan() => "NaR".into(),
        (_, class) => class.name().into(),
    }
}

fn codes_beside(format: &Format, code: u128) -> [Option<u128>; 2] {
    let last = u128::MAX >> (u128::BITS - format.width());
    [code.checked_sub(1), (code < last).then(|| code + 1)]
}

/// The distance between the values of two codes.
fn distance(codes: &Codes, code: u128, other: u128) -> Number {
    let [value, other] = [code, other].map(|code| Number::from(codes.decode(code)));
    Number::sum(&[&other, &value.negated()], binade_spec::Rounding::Rne).absolute()
}

/// The fields of a code; for a negative posit, those of its magnitude.
fn fields(format: &Format, code: u128) -> Vec<Field> {
    let names = names(format, code);
    let parts = format.fields(code);
    let parts = parts.split(' ').zip(names.iter());
    parts.map(|(bits, name)| Field { name, bits: bits.into(), about: about(format, code, name, bits) }).collect()
}

/// The names of the code's fields, from the top.
fn names(format: &Format, code: u128) -> Vec<&'static str> {
    let has_field = format.sign() == Sign::Signed && !matches!(format, Format::Codebook(_));
    let sign = has_field.then_some("sign");
    let rest: Vec<&str> = match format {
        Format::Float(_) => vec!["biased exponent", "trailing significand"],
        Format::Posit(posit) => names_in_posit(posit, code),
        Format::Fixed(fixed) if fixed.fraction_bits <= 0 => vec!["integer"],
        Format::Fixed(fixed) if fixed.fraction_bits as u32 >= fixed.magnitude_bits() => vec!["fraction"],
        Format::Fixed(_) => vec!["integer", "fraction"],
        Format::Codebook(_) => vec!["index"],
    };
    sign.into_iter().chain(rest).collect()
}

/// The names of the fields below the sign that have bits.
fn names_in_posit(posit: &Posit, code: u128) -> Vec<&'static str> {
    let exponent = if posit.regime == Regime::Takum { "characteristic" } else { "exponent" };
    let regime = Format::from(*posit).regime(code);
    let widths = posit.regimes().into_iter().find(|codes| Some(codes.regime) == regime);
    let has_exponent = widths.is_some_and(|codes| codes.exponent_bits > 0);
    ["regime"].into_iter().chain(has_exponent.then_some(exponent)).chain(["fraction"]).collect()
}

fn about(format: &Format, code: u128, name: &str, bits: &str) -> String {
    let number = BigUint::parse_bytes(bits.as_bytes(), 2).unwrap_or_default();
    match (format, name) {
        (_, "sign") => (if bits == "1" { "negative" } else { "not negative" }).into(),
        (Format::Float(float), "biased exponent") => format!("{number}, bias {}", float.bias),
        (Format::Posit(posit), "regime") if format.class(code).is_number() => {
            let regime = format.regime(code).unwrap_or(0);
            match posit.regime {
                Regime::Run { .. } => format!("run of {}, regime {regime}", run(bits)),
                Regime::Takum => {
                    format!("direction {}, characteristic of {} bits", &bits[..1], regime.max(-1 - regime))
                }
            }
        }
        (Format::Posit(_), "regime") => String::new(),
        _ => number.to_string(),
    }
}

/// The number of leading bits that are equal.
fn run(bits: &str) -> usize {
    bits.chars().take_while(|&bit| bits.starts_with(bit)).count()
}

/// For each bit of a code from the top, the index of its field's name; none for the bits of a negative posit below its sign.
fn colors(format: &Format, code: u128) -> Vec<Option<usize>> {
    let is_negative_posit = format.posit().is_some() && code & format.sign_mask() != 0;
    let parts = format.fields(code);
    let of = |(place, part): (usize, &str)| vec![(place == 0 || !is_negative_posit).then_some(place); part.len()];
    parts.split(' ').enumerate().flat_map(of).collect()
}
