//! Every unit of the formats that people use, in the default rounding and, by turns, the others: exhaustive where there are few
//! inputs, else directed and random vectors. Every night there are more of them.

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

/// How much is checked.
#[derive(Clone, Copy)]
struct Effort {
    /// Inputs of up to so many bits are enumerated.
    exhaustive_bits: u32,
    /// Vectors of a unit with more inputs.
    samples: u64,
}

const EVERYDAY: Effort = Effort { exhaustive_bits: 12, samples: 6_000 };
const NIGHTLY: Effort = Effort { exhaustive_bits: 16, samples: 40_000 };

/// Runs `check` for all formats and their numbers.
fn for_all(check: impl Fn(&str, usize) + Sync) {
    FORMATS.par_iter().enumerate().for_each(|(number, name)| check(name, number));
}

/// With every overflow policy in the default rounding, and in some of the other roundings: all inputs, or the directed
/// vectors of the everyday plan and shaped ones.
fn check_well(Effort { exhaustive_bits, samples }: Effort, unit: Unit, name: &str, turn: usize) {
    let operation = operation(unit, format(name), None, Overflow::Inf);
    let check = |operation: &Operation, samples: u64| {
        check_up_to(exhaustive_bits, samples, operation);
        if operation.input_bits() > exhaustive_bits {
            check(operation, Choice::Sample(samples));
        }
    };
    check(&operation, samples);
    for overflow in [Overflow::Saturate, Overflow::Propagate] {
        check(&Operation { overflow, ..operation }, samples / 2);
    }
    for way in some_ways(operation, turn).iter().skip(1) {
        check(way, samples / 3);
    }
}

fn check_unit(effort: Effort, unit: Unit, turn: usize) {
    for_all(|name, number| check_well(effort, unit, name, number + turn));
}

/// From each format to two of each width, so that every family meets every other.
fn check_conversions(Effort { exhaustive_bits, samples }: Effort) {
    for_all(|name, number| {
        for (turn, other) in FORMATS.iter().skip(number % 4).step_by(4).enumerate() {
            let operation = operation(Unit::Convert, format(name), Some(format(other)), Overflow::Inf);
            for way in some_ways(operation, number + turn) {
                check_up_to(exhaustive_bits, samples / 4, &way);
            }
        }
    });
}

/// Into the default accumulator, the format itself, binary32, and one other.
fn check_fmac(effort: Effort) {
    for_all(|name, number| {
        let other = FORMATS[number * 7 % FORMATS.len()];
        for (turn, accumulator) in [None, Some(name), Some("binary32"), Some(other)].into_iter().enumerate() {
            let operation = operation(Unit::Fmac, format(name), accumulator.map(format), Overflow::Inf);
            some_ways(operation, number + 3 * turn).iter().for_each(|way| {
                shaped::check(way, effort.samples);
            });
        }
    });
}

#[test]
fn decode() {
    check_unit(EVERYDAY, Unit::Decode, 0);
}

#[test]
fn encode() {
    check_unit(EVERYDAY, Unit::Encode, 1);
}

#[test]
fn mul() {
    check_unit(EVERYDAY, Unit::Mul, 2);
}

#[test]
fn add() {
    check_unit(EVERYDAY, Unit::Add, 3);
}

#[test]
fn convert() {
    check_conversions(EVERYDAY);
}

#[test]
#[ignore = "long"]
fn fmac() {
    check_fmac(EVERYDAY);
}

#[test]
#[ignore = "takes minutes"]
fn nightly_units() {
    for (turn, unit) in [Unit::Decode, Unit::Encode, Unit::Mul, Unit::Add].into_iter().enumerate() {
        check_unit(NIGHTLY, unit, turn);
    }
    check_conversions(NIGHTLY);
    check_fmac(NIGHTLY);
}

/// The second rounding of a bfloat16 product through binary32 would show here.
#[test]
fn bfloat16_fmac_rounds_once() {
    let operation = operation(Unit::Fmac, format("bfloat16"), Some(format("bfloat16")), Overflow::Inf);
    assert_eq!(y(&operation, &[0x2a20, 0x51a6, 0x9359]), 0x3c4f);
    check(&operation, Choice::Replay(vec![[0x2a20_u64, 0x51a6, 0x9359].map(Word::from).to_vec()]));
}
