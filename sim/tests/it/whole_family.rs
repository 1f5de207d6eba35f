//! Widths of every family, all of them every night: no unit may panic while it is built, nor be wrong on a few hundred shaped vectors.

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

/// Everyday tests take about every fourth format, by a step that shares no factor with the number of suffixes.
const EVERYDAY: usize = 4;

fn check_formats(step: usize, names: impl Iterator<Item = String>) {
    // What is impossible is refused with a sentence, and the tests of the golden model are about that.
    let formats: Vec<Format> = names.filter_map(|name| name.parse().ok()).collect();
    let chosen: Vec<(usize, &Format)> = formats.iter().enumerate().step_by(step).collect();
    assert!(!chosen.is_empty());
    chosen.par_iter().for_each(|&(number, format)| check_all_units(number, format));
}

/// All `e<w>m<t>` with these suffixes.
fn check_suffixes(step: usize, suffixes: &[&str]) {
    let widths = (2..=8).flat_map(|w| (0..=23).map(move |t| (w, t)));
    check_formats(step, widths.flat_map(|(w, t)| suffixes.iter().map(move |suffix| format!("e{w}m{t}{suffix}"))));
}

const IEEE: [&str; 1] = [""];
const FLUSHED_AND_NOSUB: [&str; 2] = ["n", "ns"];
const FINITE: [&str; 2] = ["f", "fn"];
const BIASED: [&str; 4] = [",bias=0", "fn,bias=-100", "n,bias=300", "b1,bias=-7"];
const SUPERNORMAL: [&str; 4] = ["b1", "b1u0", "b1u2", "b1,sat"];

/// As many supernormal binades as there can be, on both sides and on one.
fn check_hardly_an_ordinary_binade(step: usize) {
    let widths = (2..=8).flat_map(|w| (0..=23).map(move |t| (w, t, (1 << w) - 1)));
    let names = widths.flat_map(|(w, t, most)| {
        [format!("e{w}m{t}b{}", most / 2), format!("e{w}m{t}b{most}u0"), format!("e{w}m{t}b1u{}", most - 1)]
    });
    check_formats(step, names);
}

fn check_p3109(step: usize) {
    let sizes = (3..=8).flat_map(|k| (1..=k).map(move |p| (k, p)));
    let names = sizes.flat_map(|(k, p)| {
        ["se", "sf", "ue", "uf", "sens", "uens"].into_iter().map(move |domain| format!("k{k}p{p}{domain}"))
    });
    check_formats(step, names);
}

#[test]
fn ieee() {
    check_suffixes(EVERYDAY, &IEEE);
}

#[test]
#[ignore = "long"]
fn flushed_and_nosub() {
    check_suffixes(EVERYDAY - 1, &FLUSHED_AND_NOSUB);
}

#[test]
#[ignore = "long"]
fn finite() {
    check_suffixes(EVERYDAY - 1, &FINITE);
}

#[test]
#[ignore = "long"]
fn biased() {
    check_suffixes(EVERYDAY + 1, &BIASED);
}

#[test]
#[ignore = "long"]
fn supernormal() {
    check_suffixes(EVERYDAY + 1, &SUPERNORMAL);
}

#[test]
fn hardly_an_ordinary_binade() {
    check_hardly_an_ordinary_binade(EVERYDAY + 1);
}

#[test]
fn p3109() {
    check_p3109(EVERYDAY + 1);
}

#[test]
#[ignore = "takes minutes"]
fn nightly_every_width() {
    for suffixes in [&IEEE[..], &FLUSHED_AND_NOSUB, &FINITE, &BIASED, &SUPERNORMAL] {
        check_suffixes(1, suffixes);
    }
    check_hardly_an_ordinary_binade(1);
    check_p3109(1);
}
