//! Every unit of the formats that people use, in the default rounding and, by turns, the others: exhaustive up to 2^16
//! inputs, else directed and random vectors.

use crate::common::{check, check_up_to, format, operation, shaped, some_ways, y};
use binade_sim::Choice;
use binade_spec::{Operation, Overflow, Unit, Word};
use rayon::prelude::*;

const FORMATS: [&str; 57] = [
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
    // Posits of the papers and of the standard, the MX scale
    "posit8_0",
    "posit8_2",
    "posit16_0",
    "posit16_1",
    "posit16_2",
    "posit16_3",
    "posit32_2",
    "posit16_1,scale=2^-4",
    "e8m0",
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
const SAMPLES: u64 = 40_000;

/// Runs `check` for all formats and their numbers.
fn for_all(check: impl Fn(&str, usize) + Sync) {
    FORMATS.par_iter().enumerate().for_each(|(number, name)| check(name, number));
}

/// With every overflow policy in the default rounding, and in some of the other roundings: all inputs, or the directed
/// vectors of the everyday plan and shaped ones.
fn check_well(unit: Unit, name: &str, turn: usize) {
    let operation = operation(unit, format(name), None, Overflow::Inf);
    let check = |operation: &Operation, samples: u64| {
        check_up_to(EXHAUSTIVE_BITS, samples, operation);
        if operation.input_bits() > EXHAUSTIVE_BITS {
            check(operation, Choice::Sample(samples));
        }
    };
    check(&operation, SAMPLES);
    for overflow in [Overflow::Saturate, Overflow::Propagate] {
        check(&Operation { overflow, ..operation }, SAMPLES / 2);
    }
    for way in some_ways(operation, turn).iter().skip(1) {
        check(way, SAMPLES / 3);
    }
}

#[test]
fn decode() {
    for_all(|name, number| check_well(Unit::Decode, name, number));
}

#[test]
fn encode() {
    for_all(|name, number| check_well(Unit::Encode, name, number + 1));
}

#[test]
fn mul() {
    for_all(|name, number| check_well(Unit::Mul, name, number + 2));
}

#[test]
fn add() {
    for_all(|name, number| check_well(Unit::Add, name, number + 3));
}

/// From each format to two of each width, so that every family meets every other.
#[test]
fn convert() {
    for_all(|name, number| {
        for (turn, other) in FORMATS.iter().skip(number % 4).step_by(4).enumerate() {
            let operation = operation(Unit::Convert, format(name), Some(format(other)), Overflow::Inf);
            for way in some_ways(operation, number + turn) {
                check_up_to(EXHAUSTIVE_BITS, SAMPLES / 4, &way);
            }
        }
    });
}

/// Into the default accumulator, the format itself, binary32, and one other.
#[test]
fn fmac() {
    for_all(|name, number| {
        let other = FORMATS[number * 7 % FORMATS.len()];
        for (turn, accumulator) in [None, Some(name), Some("binary32"), Some(other)].into_iter().enumerate() {
            let operation = operation(Unit::Fmac, format(name), accumulator.map(format), Overflow::Inf);
            some_ways(operation, number + 3 * turn).iter().for_each(|way| {
                shaped::check(way, SAMPLES);
            });
        }
    });
}

/// The second rounding of a bfloat16 product through binary32 would show here.
#[test]
fn bfloat16_fmac_rounds_once() {
    let operation = operation(Unit::Fmac, format("bfloat16"), Some(format("bfloat16")), Overflow::Inf);
    assert_eq!(y(&operation, &[0x2a20, 0x51a6, 0x9359]), 0x3c4f);
    check(&operation, Choice::Replay([0x2a20_u64, 0x51a6, 0x9359].map(Word::from).to_vec()));
}
