//! Every unit of the formats that people use, with both overflow policies: exhaustive up to 2^16 inputs, else directed
//! and random vectors.

mod common;

use binade_golden::{Operation, Overflow, Unit};
use binade_sim::Choice;
use common::{check, check_up_to, format, operation, shaped};
use rayon::prelude::*;

const FORMATS: [&str; 48] = [
    "e5m2",
    "e5m2b1",
    "e5m2b2",
    "e5m2b4",
    "e5m2b1u2",
    "e5m2b1,sat",
    "e4m3",
    "e4m3fn",
    "e4m3ns",
    "e4m3b1",
    "e4m3b2",
    "k8p3se",
    "k8p4se",
    "k8p3ue",
    "k8p4uf",
    "e5m3",
    "e2m1f",
    "e3m2f",
    "e2m3f",
    "binary16",
    "bfloat16",
    "e6m9",
    "e6m9n",
    "e7m8",
    "e8m7n",
    "dlfloat16",
    "e5m10b3",
    "e6m9b2u5",
    "k16p11se",
    "tf32",
    "binary32",
    // Another bias
    "e4m3fn,bias=11",
    "e5m2b2,bias=-20",
    "binary16,bias=100",
    // No trailing significand
    "e5m0",
    "e8m0n",
    "e4m0b3",
    "k8p1se",
    // Exponent fields of 2 and 8 bits
    "e2m23",
    "e2m5b1",
    "e2m9f",
    "e2m4ns",
    "e8m23n",
    "e8m5fn",
    "e8m1",
    "e8m3b100",
    "e8m2b1u250",
    "e8m0f",
];

const EXHAUSTIVE_BITS: u32 = 16;
const SAMPLES: u64 = 60_000;

/// Runs `check` for all formats with both overflow policies.
fn for_all(check: impl Fn(&str, Overflow) + Sync) {
    let cases: Vec<(&str, Overflow)> =
        FORMATS.iter().flat_map(|name| Overflow::ALL.map(|overflow| (*name, overflow))).collect();
    cases.par_iter().for_each(|(name, overflow)| check(name, *overflow));
}

/// All inputs, or the directed vectors of the everyday plan and shaped ones.
fn check_well(operation: &Operation) {
    check_up_to(EXHAUSTIVE_BITS, SAMPLES, operation);
    if operation.input_bits() > EXHAUSTIVE_BITS {
        check(operation, Choice::Sample(SAMPLES));
    }
}

#[test]
fn decode() {
    for_all(|name, overflow| check_well(&operation(Unit::Decode, format(name), None, overflow)));
}

#[test]
fn encode() {
    for_all(|name, overflow| check_well(&operation(Unit::Encode, format(name), None, overflow)));
}

#[test]
fn mul() {
    for_all(|name, overflow| check_well(&operation(Unit::Mul, format(name), None, overflow)));
}

#[test]
fn add() {
    for_all(|name, overflow| check_well(&operation(Unit::Add, format(name), None, overflow)));
}

/// From each format to two of each width, so that every family meets every other.
#[test]
fn convert() {
    for_all(|name, overflow| {
        let number = FORMATS.iter().position(|other| *other == name).expect("it is one of them");
        for other in FORMATS.iter().skip(number % 4).step_by(4) {
            let operation = operation(Unit::Convert, format(name), Some(format(other)), overflow);
            check_up_to(EXHAUSTIVE_BITS, SAMPLES / 4, &operation);
        }
    });
}

/// Into the default accumulator, the format itself, binary32, and one other.
#[test]
fn fmac() {
    for_all(|name, overflow| {
        let number = FORMATS.iter().position(|other| *other == name).expect("it is one of them");
        let other = FORMATS[number * 7 % FORMATS.len()];
        for accumulator in [None, Some(name), Some("binary32"), Some(other)] {
            shaped::check(&operation(Unit::Fmac, format(name), accumulator.map(format), overflow), SAMPLES);
        }
    });
}

/// The second rounding of a bfloat16 product through binary32 would show here.
#[test]
fn bfloat16_fmac_rounds_once() {
    let operation = operation(Unit::Fmac, format("bfloat16"), Some(format("bfloat16")), Overflow::Inf);
    assert_eq!(operation.evaluate(&[0x2a20, 0x51a6, 0x9359]), 0x3c4f);
    check(&operation, Choice::Replay(vec![0x2a20, 0x51a6, 0x9359]));
}
