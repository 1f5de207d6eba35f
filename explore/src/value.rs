//! What each rounding makes of a number.

use crate::number::{Written, integer, ratio};
use crate::shown::Shown;
use binade_golden::{Codes, Literal, LiteralError, Magnitude, Number, Policy};
use binade_spec::{Format, Overflow, PositRange, Rounding, Sign};
use num_bigint::BigUint;
use serde::Serialize;
use serde_json::{Value, json};

/// The number of random bits for stochastic rounding; each code's probability is counted over all of their values.
const RANDOM_BITS: u32 = 8;

/// A rounding and its results.
#[derive(Serialize)]
struct Row {
    rounding: String,
    about: String,
    /// One result for each overflow policy.
    results: Vec<Landed>,
}

/// The result for a number.
#[derive(Serialize)]
struct Landed {
    #[serde(flatten)]
    shown: Shown,
    /// The error in units of the distance between the neighbouring values; none if the result is infinite.
    error: Option<f64>,
}

/// To nearest with the format's default, and to infinity on overflow.
pub fn plain(format: &Format) -> Policy {
    Policy::new(format.default_rounding(), Overflow::Inf)
}

/// The results of rounding a number, given as text, to a format.
pub fn rounded(format: &Format, text: &str) -> Result<Value, String> {
    let literal: Literal = text.parse().map_err(|error: LiteralError| error.to_string())?;
    let number = number(&literal);
    let codes = Codes::new(*format);
    let around = Around::new(&codes, &number);
    let policies = policies(format);
    let landed = |policy: &Policy| landed(&codes, &literal, &number, around.as_ref(), policy);
    let row = |rounding: Rounding| Row {
        rounding: rounding.to_string(),
        about: binade_generator::description::rounding(rounding),
        results: policies.iter().map(|(_, policy)| landed(&Policy { rounding, ..*policy })).collect(),
    };
    let rows: Vec<Row> = roundings(format).map(row).collect();
    // Without overflow all policies agree, so one is enough.
    let are_alike = rows.iter().all(|row| row.results.iter().all(|it| it.shown.code == row.results[0].shown.code));
    let names: Vec<&str> = policies.iter().map(|(name, _)| *name).collect();
    Ok(json!({
        "number": Written::number(&number),
        "around": around.as_ref().map(|around| around.json(&codes)),
        "policies": if are_alike { &names[..1] } else { &names[..] },
        "rows": rows,
        "chances": chances(&codes, &literal),
        "code": landed(&plain(format)).shown,
    }))
}

/// The exact number of a literal.
fn number(literal: &Literal) -> Number {
    match literal {
        Literal::Special(value) => (*value).into(),
        Literal::Number { negative, n, k } => Number::Finite { negative: *negative, n: magnitude(n), k: *k },
    }
}

fn magnitude(n: &BigUint) -> Magnitude {
    u128::try_from(n).map_or_else(|_| Magnitude::Large(n.clone()), Magnitude::Small)
}

/// A number as a literal, to be rounded.
fn literal(number: &Number) -> Option<Literal> {
    match number {
        Number::Finite { negative, n, k } => Some(Literal::Number { negative: *negative, n: integer(n), k: *k }),
        Number::Zero { .. } | Number::Infinite { .. } | Number::Nan => None,
    }
}

/// The non-stochastic roundings to a format.
fn roundings(format: &Format) -> impl Iterator<Item = Rounding> {
    let all = [Rounding::Rne, Rounding::Rna, Rounding::Rtz, Rounding::Rup, Rounding::Rdn, Rounding::Rto];
    let own = [Rounding::Rnu].into_iter().filter(|_| format.default_rounding() == Rounding::Rnu);
    all.into_iter().chain(own).chain([Rounding::Mptorch]).filter(|rounding| format.check_rounding(*rounding).is_ok())
}

/// The policies for overflow.
fn policies(format: &Format) -> Vec<(&'static str, Policy)> {
    let plain = Policy::new(Rounding::Rne, Overflow::Inf);
    match format {
        Format::Float(_) => Overflow::ALL.map(|overflow| (overflow.name(), Policy { overflow, ..plain })).into(),
        Format::Posit(_) => {
            let ranges = PositRange::ALL.into_iter().filter(|range| format.check_range(Overflow::Inf, *range).is_ok());
            ranges.map(|range| (range.name(), Policy { posit_range: range, ..plain })).collect()
        }
        Format::Fixed(_) | Format::Codebook(_) => vec![("saturate", plain)],
    }
}

fn landed(codes: &Codes, literal: &Literal, number: &Number, around: Option<&Around>, policy: &Policy) -> Landed {
    let code = codes.encode_literal(literal, policy);
    let result = Number::from(codes.decode(code));
    let is_finite = matches!(result, Number::Zero { .. } | Number::Finite { .. });
    let error = around.filter(|_| is_finite).map(|around| ratio(&difference(&result, number), &around.distance));
    Landed { shown: Shown::new(codes, code), error }
}

/// How often stochastic rounding returns each neighbour of the number.
fn chances(codes: &Codes, literal: &Literal) -> Value {
    let rounding = Rounding::Sr(RANDOM_BITS);
    if codes.check_rounding(rounding).is_err() || matches!(literal, Literal::Special(_)) {
        return Value::Null;
    }
    let mut counts: Vec<(u128, u32)> = vec![];
    for random in 0..1 << RANDOM_BITS {
        let code = codes.encode_literal(literal, &Policy { random, ..Policy::new(rounding, Overflow::Inf) });
        match counts.iter_mut().find(|(other, _)| *other == code) {
            Some((_, count)) => *count += 1,
            None => counts.push((code, 1)),
        }
    }
    let of: Vec<Value> =
        counts.iter().map(|&(code, count)| json!({ "code": Shown::new(codes, code), "count": count })).collect();
    json!({ "rounding": rounding.to_string(), "of": of, "all": 1 << RANDOM_BITS })
}

/// The neighbouring values of a nonzero number, by magnitude.
pub struct Around {
    /// The code of the largest magnitude not above the number's; none below the smallest value of a format without zero.
    pub lower: Option<u128>,
    /// The code of the next larger magnitude; none above the largest value.
    pub upper: Option<u128>,
    /// The distance between the two; above the largest value it is the same as below.
    distance: Number,
    /// The position of the number between the two, from 0 to 1.
    pub part: f64,
}

impl Around {
    /// The neighbours of a number; none if it is zero, infinite or NaN, or the format lacks its sign.
    pub fn new(codes: &Codes, number: &Number) -> Option<Around> {
        let literal = literal(number).filter(|_| !number.is_negative() || codes.sign() == Sign::Signed)?;
        let (exact, zero) = (number.absolute(), Number::Zero { negative: false });
        let size = |code: u128| Number::from(codes.decode(code)).absolute();
        let rounding = if codes.check_rounding(Rounding::Rtz).is_ok() { Rounding::Rtz } else { Rounding::Rnu };
        let nearest = codes.encode_literal(&literal, &Policy::new(rounding, Overflow::Saturate));
        // The result of rounding to nearest may be larger, and so may that of a posit, which is never rounded to zero.
        let mut lower = Some(nearest).filter(|&code| !codes.is_nan(code));
        while let Some(code) = lower.filter(|&code| is_positive(&difference(&size(code), &exact))) {
            lower = codes.neighbours(code)[0];
        }
        let upper = match lower {
            Some(code) => codes.neighbours(code)[1],
            None => Some(codes.code(number.is_negative(), codes.min_code())),
        };
        let below = |code| codes.neighbours(code)[0].map_or(zero.clone(), size);
        let distance = match (lower, upper) {
            (Some(largest), None) => difference(&size(largest), &below(largest)),
            (lower, upper) => difference(&upper.map_or(exact.clone(), size), &lower.map_or(zero.clone(), size)),
        };
        let part = ratio(&difference(&exact, &lower.map_or(zero, size)), &distance);
        Some(Around { lower, upper, distance, part })
    }

    /// The two values, and the position of the number.
    pub fn json(&self, codes: &Codes) -> Value {
        let shown = |code: Option<u128>| code.map(|code| Shown::new(codes, code));
        json!({ "lower": shown(self.lower), "upper": shown(self.upper), "part": self.part, "distance": Written::number(&self.distance) })
    }
}

/// The difference of two numbers.
fn difference(number: &Number, other: &Number) -> Number {
    Number::sum(&[number, &other.negated()], Rounding::Rne)
}

fn is_positive(number: &Number) -> bool {
    matches!(number, Number::Finite { negative: false, .. } | Number::Infinite { negative: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(format: &str, text: &str) -> Value {
        rounded(&format.parse().expect("a format"), text).expect("a number")
    }

    fn codes(answer: &Value, policy: usize) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().expect("text").to_string();
        let rows = answer["rows"].as_array().expect("rows").iter();
        rows.map(|row| (text(&row["rounding"]), text(&row["results"][policy]["code"]))).collect()
    }

    fn code_by<'a>(codes: &'a [(String, String)], rounding: &str) -> &'a str {
        &codes.iter().find(|(name, _)| name == rounding).expect("the rounding").1
    }

    #[test]
    fn every_rounding_goes_its_way() {
        let answer = answer("e5m2", "1.1");
        let codes = codes(&answer, 0);
        assert_eq!(
            ["rne", "rtz", "rup", "rdn", "rto"].map(|of| code_by(&codes, of)),
            ["0x3c", "0x3c", "0x3d", "0x3c", "0x3d"]
        );
        assert_eq!(answer["policies"], json!(["inf"]));
        assert_eq!(
            (&answer["around"]["lower"]["code"], &answer["around"]["upper"]["code"]),
            (&json!("0x3c"), &json!("0x3d"))
        );
        let part = answer["around"]["part"].as_f64().expect("a number");
        assert!((part - 0.4).abs() < 1e-12, "{part}");
        let error = answer["rows"][0]["results"][0]["error"].as_f64().expect("a number");
        assert!((error + 0.4).abs() < 1e-12, "{error}");
    }

    #[test]
    fn beyond_the_range_policies_differ() {
        let answer = answer("e5m2", "1e9");
        assert_eq!(answer["policies"], json!(["inf", "saturate", "propagate"]));
        assert_eq!(["rne", "rtz"].map(|of| code_by(&codes(&answer, 0), of).to_string()), ["0x7c", "0x7b"]);
        assert_eq!(code_by(&codes(&answer, 1), "rne"), "0x7b");
        assert_eq!(answer["around"]["upper"], Value::Null);
    }

    /// A number lies between its neighbours, in every family and region.
    #[test]
    fn numbers_lie_between_their_neighbours() {
        for format in [
            "e5m2",
            "e5m2b1",
            "e4m3fn",
            "e2m1f",
            "e8m0",
            "dlfloat16",
            "posit8_1",
            "posit16_1",
            "int8",
            "uint8",
            "k8p3se",
        ] {
            let codes = Codes::new(format.parse().expect("a format"));
            for text in ["1e-9", "1e-3", "0.3", "1", "1.1", "3", "57.3", "250", "-0.7", "-3e-8"] {
                let number = number(&text.parse().expect("a number"));
                let Some(around) = Around::new(&codes, &number) else {
                    assert!(number.is_negative() && codes.sign() == Sign::Unsigned, "{format} {text}");
                    continue;
                };
                let size = |code: u128| Number::from(codes.decode(code)).absolute();
                let is_above = |of: u128| is_positive(&difference(&size(of), &number.absolute()));
                assert!(around.lower.is_none_or(|lower| !is_above(lower)), "{format} {text}");
                assert!(around.upper.is_none_or(is_above), "{format} {text}");
                assert!(around.upper.is_none() || (0.0..1.0).contains(&around.part), "{format} {text} {}", around.part);
            }
        }
    }

    /// 1.1 is 0.4 of the way from 1 to 1.25: of 256 random integers, floor(0.4 * 256) round it up.
    #[test]
    fn chances_are_counted() {
        let chances = &answer("e5m2", "1.1")["chances"];
        let counts: Vec<u64> =
            chances["of"].as_array().expect("codes").iter().filter_map(|of| of["count"].as_u64()).collect();
        assert_eq!((counts, &chances["all"]), (vec![154, 102], &json!(256)));
        assert_eq!(answer("dlfloat16", "1.1")["chances"], Value::Null);
    }
}
