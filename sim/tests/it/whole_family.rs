//! Every width of every family: no unit may panic while it is built, nor be wrong on a few hundred shaped vectors.

use crate::common::{check_up_to, format, operation, some_ways};
use binade_spec::{Format, Overflow, Unit};
use rayon::prelude::*;

/// Inputs of up to this many bits are enumerated.
const EXHAUSTIVE_BITS: u32 = 9;

/// Vectors of each unit with more inputs.
const SAMPLES: u64 = 300;

/// All units of a format, in some of the roundings and overflow policies.
fn check_all_units(number: usize, format: &Format) {
    let partners = partners(number);
    let alone = [Unit::Decode, Unit::Encode, Unit::Mul, Unit::Add, Unit::Mac].map(|unit| (unit, None));
    let paired = [*format, partners[0], partners[1]]
        .into_iter()
        .flat_map(|other| [Unit::Fmac, Unit::Convert].map(|unit| (unit, Some(other))));
    for (place, (unit, other)) in alone.into_iter().chain(paired).enumerate() {
        for way in some_ways(operation(unit, *format, other, Overflow::Inf), number + place) {
            check_up_to(EXHAUSTIVE_BITS, SAMPLES, &way);
        }
    }
}

/// Two other formats, wider and narrower ones in turn.
fn partners(number: usize) -> [Format; 2] {
    let names = ["binary16", "e2m0", "e4m3fn", "e5m2b1", "binary32", "e3m2n", "k5p3uf", "dlfloat16", "e4m3ns"];
    [names[number % names.len()], names[(number + 4) % names.len()]].map(format)
}

fn check_formats(names: impl Iterator<Item = String>) {
    // What is impossible is refused with a sentence, and the tests of the golden model are about that.
    let formats: Vec<Format> = names.filter_map(|name| name.parse().ok()).collect();
    assert!(!formats.is_empty());
    formats.par_iter().enumerate().for_each(|(number, format)| check_all_units(number, format));
}

/// All `e<w>m<t>` with these suffixes.
fn check_suffixes(suffixes: &[&str]) {
    let widths = (2..=8).flat_map(|w| (0..=23).map(move |t| (w, t)));
    check_formats(widths.flat_map(|(w, t)| suffixes.iter().map(move |suffix| format!("e{w}m{t}{suffix}"))));
}

#[test]
fn ieee() {
    check_suffixes(&[""]);
}

#[test]
fn flushed_and_nosub() {
    check_suffixes(&["n", "ns"]);
}

#[test]
fn finite() {
    check_suffixes(&["f", "fn"]);
}

#[test]
fn biased() {
    check_suffixes(&[",bias=0", "fn,bias=-100", "n,bias=300", "b1,bias=-7"]);
}

#[test]
fn supernormal() {
    check_suffixes(&["b1", "b1u0", "b1u2", "b1,sat"]);
}

/// As many supernormal binades as there can be, on both sides and on one.
#[test]
fn hardly_an_ordinary_binade() {
    let widths = (2..=8).flat_map(|w| (0..=23).map(move |t| (w, t, (1 << w) - 1)));
    check_formats(widths.flat_map(|(w, t, most)| {
        [format!("e{w}m{t}b{}", most / 2), format!("e{w}m{t}b{most}u0"), format!("e{w}m{t}b1u{}", most - 1)]
    }));
}

#[test]
fn p3109() {
    let sizes = (3..=8).flat_map(|k| (1..=k).map(move |p| (k, p)));
    check_formats(sizes.flat_map(|(k, p)| {
        ["se", "sf", "ue", "uf", "sens", "uens"].into_iter().map(move |domain| format!("k{k}p{p}{domain}"))
    }));
}
