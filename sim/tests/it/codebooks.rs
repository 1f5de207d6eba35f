//! Units of codebooks with any values, on the interpreter against the golden model, for all operands: codes in any order, other magnitudes
//! below zero than above, with and without -0, NaN and infinities.

use crate::common::{all_ways, check, format, operation, selected};
use binade_sim::Choice;
use binade_spec::{Codebook, Family, Format, Listed, Listing, Overflow, Rounding, Setting, Unit};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Magnitudes of up to 4 bits in up to 12 binades, in ascending order.
fn magnitudes(count: usize, random: &mut Xoshiro256PlusPlus) -> Vec<Listed> {
    let mut all = BTreeSet::new();
    while all.len() < count {
        let (n, k) = (random.random_range(1..16_u64), random.random_range(-6..=5_i32));
        all.insert(n << (k + 6));
    }
    let listed = |units: u64| {
        let zeros = units.trailing_zeros();
        Listed::Number { negative: false, n: units >> zeros, k: zeros as i32 - 6 }
    };
    all.into_iter().map(listed).collect()
}

fn negated(value: Listed) -> Listed {
    match value {
        Listed::Number { n, k, .. } => Listed::Number { negative: true, n, k },
        other => other,
    }
}

/// A codebook of this many bits.
fn codebook(bits: u32, random: &mut Xoshiro256PlusPlus) -> Format {
    let mut values = vec![Listed::Zero { negative: false }];
    let specials = [
        Listed::Zero { negative: true },
        Listed::Nan,
        Listed::Nan,
        Listed::Infinity { negative: false },
        Listed::Infinity { negative: true },
    ];
    let left = (1 << bits) - 1;
    values.extend(specials.into_iter().filter(|_| random.random_range(0..3) == 0).take(left - 2));
    let numbers = (1_usize << bits) - values.len();
    let above = random.random_range(1..=numbers);
    let mut line = magnitudes(above, random);
    if random.random() {
        // Those below mirror those above, as far as they go.
        let own = magnitudes(numbers - above, random);
        let mirrored = line.clone().into_iter().chain(own).map(negated).take(numbers - above);
        let below: BTreeSet<String> = mirrored.clone().map(|value| value.to_string()).collect();
        let below = if below.len() == numbers - above { mirrored.collect() } else { vec![] };
        line.extend(below);
    }
    while line.len() < numbers {
        let missing = numbers - line.len();
        let more: Vec<Listed> = magnitudes(missing, random).into_iter().map(negated).collect();
        line.extend(more.into_iter().filter(|value| !line.contains(value)).collect::<Vec<_>>());
    }
    values.extend(line);
    values.shuffle(random);
    let place = values
        .iter()
        .any(|value| matches!(value, Listed::Infinity { .. }))
        .then(|| (random.random_range(1..4_u64) * 2 + 1, 9));
    let listing = Listing::new("random", bits, values).with(String::new(), Rounding::Rne, place);
    Codebook::new(listing).unwrap_or_else(|error| panic!("{error}")).into()
}

/// Every unit with few operand bits, in every way.
fn check_units(codebook: Format, other: Format) -> u64 {
    let mut checked = 0;
    let mut all = |unit: Unit, format: Format, second: Option<Format>| {
        let needs_signs = matches!(unit, Unit::Sub) && format.sign() == binade_spec::Sign::Unsigned;
        if needs_signs {
            return;
        }
        for operation in all_ways(operation(unit, format, second, Overflow::Inf)) {
            checked += check(&operation, Choice::Exhaustive);
        }
    };
    for unit in [Unit::Mul, Unit::Add, Unit::Sub, Unit::Divide, Unit::Reciprocal, Unit::Sqrt, Unit::Rsqrt] {
        all(unit, codebook, None);
    }
    for unit in [Unit::Decode, Unit::Compare, Unit::Classify] {
        check(&operation(unit, codebook, None, Overflow::Inf), Choice::Exhaustive);
    }
    all(Unit::Convert, codebook, Some(other));
    all(Unit::Convert, other, Some(codebook));
    all(Unit::Fmac, codebook, Some(codebook));
    all(Unit::Fmac, codebook, Some(other));
    all(Unit::Fmac, other, Some(codebook));
    all(Unit::Mac, codebook, Some(codebook));
    checked
}

const OTHERS: [&str; 8] = ["e3m2", "e2m1f", "posit4_0", "int4", "e3m1b1", "k5p3se", "ufixed4_2", "e2m1n"];

#[test]
fn any_values() {
    let checked: Vec<u64> = (0..5_u64)
        .into_par_iter()
        .map(|seed| {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            let codebook = codebook(2 + seed as u32 % 3, &mut random);
            let Format::Codebook(values) = codebook else { unreachable!() };
            assert!(values.check().is_ok());
            check_units(codebook, format(OTHERS[seed as usize % OTHERS.len()]))
        })
        .collect();
    assert!(checked.iter().sum::<u64>() > 30_000, "{checked:?}");
}

/// Stochastic rounding where every step is a power of two, with few random bits and all of them.
#[test]
fn stochastic_rounding() {
    let segments = r#"
        name = "steps"
        bits = 5
        segments = [
            { prefix = "00", linear = -3 },
            { prefix = "01", exponent = -1, binades = 2, trailing = 1 },
            { prefix = "1", exponent = 1, binades = 4, trailing = 1 },
        ]
        special = [[15, inf], [31, -inf], [16, nan]]
    "#;
    let own = binade_spec::definition::parse(segments).expect("a format");
    let mut checked = 0;
    for (codebook, all_bits) in [(format("hifloat8"), &[2][..]), (own, &[1, 4][..])] {
        for &bits in all_bits {
            for (unit, from, to) in [
                (Unit::Mul, codebook, None),
                (Unit::Add, codebook, None),
                (Unit::Divide, codebook, None),
                (Unit::Sqrt, codebook, None),
                (Unit::Convert, format("e5m2"), Some(codebook)),
                (Unit::Convert, format("posit8_1"), Some(codebook)),
                (Unit::Convert, format("fixed8_6"), Some(codebook)),
                (Unit::Convert, format("e8m0"), Some(codebook)),
                (Unit::Fmac, format("e2m1f"), Some(codebook)),
            ] {
                let plain = operation(unit, from, to, Overflow::Inf);
                for overflow in if bits == 1 { Overflow::ALL.to_vec() } else { vec![Overflow::Inf] } {
                    let operation = binade_spec::Operation { rounding: Rounding::Sr(bits), overflow, ..plain };
                    checked += check(&operation, Choice::Exhaustive);
                }
            }
        }
    }
    assert!(checked > 1_000_000, "{checked}");
}

/// The formats that come along, with each other.
#[test]
fn known_codebooks() {
    let pairs = [("nf4", "hifloat8"), ("hifloat8", "posit8_1"), ("af4", "int8")];
    pairs.into_par_iter().for_each(|(from, to)| {
        let [from, to] = [from, to].map(format);
        for (from, to) in [(from, to), (to, from)] {
            for operation in all_ways(operation(Unit::Convert, from, Some(to), Overflow::Inf)) {
                check(&operation, Choice::Exhaustive);
            }
        }
    });
}

/// Blocks of elements with and without infinities, for all operands.
#[test]
fn blocks_of_codebooks() {
    let words = [(Setting::Lanes, "1"), (Setting::QuantizeFrom, "binary16")];
    for name in ["hifloat8", "nf4"] {
        for round in ["rne", "rna", "rtz", "rup", "rto"] {
            let words = [words.as_slice(), &[(Setting::Round, round)]].concat();
            let operation = selected(Unit::MxQuantize, name, &words).expect("an operation");
            check(&operation, Choice::Exhaustive);
        }
    }
}
