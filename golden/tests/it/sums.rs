//! Sums of terms at every distance: the fast paths, which replace a term too small for its size to matter, agree with
//! the plain walk, whose sums are integers of any size.

use crate::common::{Random, format};
use binade_golden::{Codec, Exact, Model, Value};
use binade_spec::{Format, Nan, Operation, Overflow, PositRange, Rounding, Tininess, Unit, Word};

const ROUNDINGS: [Rounding; 10] = [
    Rounding::Rne,
    Rounding::Rna,
    Rounding::Rnu,
    Rounding::Rtz,
    Rounding::Rup,
    Rounding::Rdn,
    Rounding::Rto,
    Rounding::Mptorch,
    Rounding::Sr(1),
    Rounding::Sr(13),
];

/// The code nearest to a number with its leading one at `2^exponent`: a power of two, the previous or the next number
/// in some number of bits, or a random one.
fn code_near(format: &Format, exponent: i64, random: &mut Random) -> u64 {
    let bits = format.precision().min(62);
    let leading_one = 1_u64 << bits;
    let (n, k) = match random.below(4) {
        0 => (1, 0),
        1 => (leading_one - 1, 1 - bits as i32),
        2 => (leading_one + 1, -(bits as i32)),
        _ => (leading_one | random.below(leading_one), -(bits as i32)),
    };
    let exact = Exact { negative: random.below(2) == 1, n: n.into(), k: exponent as i32 + k };
    let rounding = if format.ignores_sign_of_specials() { Rounding::Rnu } else { Rounding::Rne };
    format.encode(Value::Finite(exact), rounding, Overflow::Saturate) as u64
}

fn exponent(value: Value) -> Option<i64> {
    match value {
        Value::Finite(exact) => Some(exact.exponent().into()),
        _ => None,
    }
}

fn near_an_end_or_not(format: &Format, random: &mut Random) -> i64 {
    let (low, high) = (format.min_exponent(), format.max_exponent());
    match random.below(4) {
        0 => low + random.below(2 * u64::from(format.precision()) + 4) as i64,
        1 => high - random.below(4) as i64,
        _ => low + random.below((high - low + 1) as u64) as i64,
    }
}

/// One vector with terms this many binades apart; returns whether the exponents of the formats allow that.
fn check(model: &Model, distance: i64, random: &mut Random) -> bool {
    let (operand, result) = (model.operation().operand, model.operation().result);
    let first = code_near(&operand, near_an_end_or_not(&operand, random), random);
    let second = code_near(&operand, near_an_end_or_not(&operand, random), random);
    let larger = match model.operation().unit {
        Unit::Add => exponent(operand.decode(first.into())),
        _ => exponent(operand.decode(first.into())).zip(exponent(operand.decode(second.into()))).map(|(a, b)| a + b),
    };
    let Some(larger) = larger else { return false };
    let smaller = code_near(&result, larger - distance, random);
    let mut vector = match model.operation().unit {
        Unit::Add => vec![first, smaller],
        _ => vec![first, second, smaller],
    };
    let bits = model.operation().rounding.random_bits();
    if bits > 0 {
        vector.push([0, (1 << bits) - 1, random.bits() & ((1 << bits) - 1)][random.below(3) as usize]);
    }
    let words: Vec<Word> = vector.iter().map(|&word| Word::from(word)).collect();
    assert_eq!(model.evaluate(&words), model.evaluate_plainly(&words), "{:?} {vector:x?}", model.operation());
    exponent(result.decode(smaller.into())) == Some(larger - distance)
}

/// Every distance at which anything changes, to either side, and some beyond.
fn every_distance(unit: Unit, operand: &str, result: &str) {
    let (operand, result) = (format(operand), format(result));
    let mut random = Random(754);
    let reach = i64::from(2 * operand.precision() + 2 * result.precision() + 40);
    let mut met = 0;
    for rounding in ROUNDINGS.into_iter().filter(|rounding| result.check_rounding(*rounding).is_ok()) {
        for (overflow, flags) in [(Overflow::Inf, false), (Overflow::Inf, true), (Overflow::Saturate, false)] {
            let has_flags = flags && result.float().is_some_and(|float| float.nan == Nan::TopField);
            let posit_range = if flags { PositRange::Float } else { PositRange::Saturate };
            let model = Model::new(&Operation {
                rounding,
                overflow,
                posit_range,
                flags: has_flags.then_some(if rounding == Rounding::Rna { Tininess::Before } else { Tininess::After }),
                ..Operation::new(unit, operand, result)
            });
            for distance in -reach..=reach {
                met += u64::from((0..3).filter(|_| check(&model, distance, &mut random)).count() as u32);
            }
            for _ in 0..50 {
                let distance = random_distance(&result, &mut random);
                check(&model, distance, &mut random);
            }
        }
    }
    assert!(met > 300, "{operand} {result}: {met} of the distances");
}

fn random_distance(format: &Format, random: &mut Random) -> i64 {
    random.below((format.max_exponent() - format.min_exponent() + 1) as u64) as i64
}

#[test]
fn narrow_floats() {
    for name in
        ["e5m2", "e4m3ns", "e5m2b1", "e5m2b4", "e4m3b2,sat", "k8p3se", "e6m9n", "dlfloat16", "e4m3fn", "binary16"]
    {
        every_distance(Unit::Add, name, name);
        every_distance(Unit::Fmac, name, name);
    }
    every_distance(Unit::Fmac, "e5m2", "binary32");
    every_distance(Unit::Fmac, "binary32", "e5m2b2");
    every_distance(Unit::Fmac, "bfloat16", "e8m0");
}

#[test]
fn wide_floats() {
    for name in
        ["binary32", "binary64", "e11m52n", "e11m52ns", "e11m52f", "e15m2", "e15m0", "e2m60", "e2m61fn", "e15m48"]
    {
        every_distance(Unit::Add, name, name);
        every_distance(Unit::Fmac, name, name);
    }
    every_distance(Unit::Fmac, "binary64", "binary16");
    every_distance(Unit::Fmac, "binary16", "binary64");
    every_distance(Unit::Fmac, "e2m60", "binary64");
    every_distance(Unit::Fmac, "binary64", "e2m60");
    every_distance(Unit::Fmac, "e2m61", "e5m2b1");
}

#[test]
fn posits() {
    for name in ["posit8_0", "posit8_5", "posit16_1", "posit32_2", "posit64_0", "posit64_2", "posit64_5"] {
        every_distance(Unit::Add, name, name);
        every_distance(Unit::Fmac, name, name);
    }
    every_distance(Unit::Fmac, "binary64", "posit16_1");
    every_distance(Unit::Fmac, "posit64_0", "binary16");
    every_distance(Unit::Fmac, "posit16_3", "e4m3b2");
}
