//! Formats of more bits than binary32, in every unit: directed vectors and random ones, both circuits.

use crate::common::{check, format, operation, some_ways};
use binade_sim::Choice;
use binade_spec::{Activation, Extremum, Operation, OutputConversion, Overflow, Rounding, Selection, Tininess, Unit};
use rayon::prelude::*;

const FORMATS: [&str; 14] = [
    "binary64",
    "binary128",
    "e11m20",
    "e15m16",
    "e15m0",
    "e2m112",
    "e15m40n",
    "e14m33ns",
    "e12m3b5",
    "e11m52,bias=40",
    "posit33_0",
    "posit48_1",
    "posit64_2",
    "posit64_5,scale=2^-9",
];

const SAMPLES: u64 = 300;

/// Other formats that meet them: narrow ones of every family, and the next ones.
fn others(number: usize) -> impl Iterator<Item = &'static str> {
    let narrow = ["e5m2b1", "binary32", "e4m3fn", "posit16_1", "dlfloat16"];
    [narrow[number % narrow.len()], FORMATS[number], FORMATS[(number + 3) % 14], FORMATS[(number + 8) % 14]].into_iter()
}

fn check_ways(operation: Operation, turn: usize) {
    for way in some_ways(operation, turn) {
        check(&way, Choice::Sample(SAMPLES));
    }
}

#[test]
fn own_format() {
    FORMATS.par_iter().enumerate().for_each(|(number, name)| {
        for (place, unit) in [Unit::Decode, Unit::Encode, Unit::Mul, Unit::Add].into_iter().enumerate() {
            check_ways(operation(unit, format(name), None, Overflow::Inf), number + place);
        }
    });
}

#[test]
#[ignore = "takes minutes"]
fn nightly_with_others() {
    FORMATS.par_iter().enumerate().for_each(|(number, name)| {
        for (place, other) in others(number).enumerate() {
            for (unit, from, to) in [
                (Unit::Convert, *name, other),
                (Unit::Fmac, *name, other),
                (Unit::Fmac, other, name),
                (Unit::Mac, other, name),
            ] {
                let ways = some_ways(operation(unit, format(from), Some(format(to)), Overflow::Inf), number + place);
                check(&ways[(number + place) % ways.len()], Choice::Sample(SAMPLES));
            }
        }
    });
}

/// Flags, second outputs and random words that are together wider than 64 bits; and the units without rounding.
#[test]
#[ignore = "long"]
fn other_ports() {
    let own = |unit, name| Selection::new(unit, format(name));
    let mut selections = vec![];
    for name in FORMATS {
        let more = |unit| Selection { extremum: Some(Extremum::MaximumMagnitude), ..own(unit, name) };
        selections.extend([own(Unit::Compare, name), own(Unit::Classify, name), more(Unit::Minmax)]);
        selections.extend([own(Unit::PositDecoder, name), own(Unit::PositEncoder, name)]);
        selections
            .extend([Unit::Mul, Unit::Add].map(|unit| Selection { flags: Some(Tininess::Before), ..own(unit, name) }));
    }
    let operations: Vec<Operation> =
        selections.into_iter().filter_map(|selection| selection.operation().ok()).collect();
    assert_eq!(operations.len(), 14 * 3 + 4 * 2 + 7 * 2, "a posit has two more units, an IEEE encoding has flags");
    operations.par_iter().for_each(|operation| {
        check(operation, Choice::Sample(SAMPLES));
    });
    let output = OutputConversion { format: format("binary64"), activation: Some(Activation::Relu) };
    let mac = operation(Unit::Mac, format("e11m20"), Some(format("binary128")), Overflow::Inf);
    check(&Operation { output: Some(output), rounding: Rounding::Sr(32), ..mac }, Choice::Sample(SAMPLES));
    check(&Operation { output: Some(output), flags: Some(Tininess::After), ..mac }, Choice::Sample(SAMPLES));
}
