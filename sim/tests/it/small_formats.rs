//! Every input of every unit, in every rounding and with every overflow policy, for formats small enough to enumerate.

use crate::common::{all_ways, check, check_up_to, format, netlist, operation, some_ways};
use binade_sim::Choice;
use binade_spec::{Operation, Overflow, Rounding, Unit};
use rayon::prelude::*;

const FORMATS: [&str; 30] = [
    "e3m2",
    "e3m2n",
    "e3m2ns",
    "e3m2fn",
    "e3m2f",
    "e3m2b1",
    "e3m2b2u1",
    "e3m2b1u0",
    "e3m2b2,sat",
    "k6p3se",
    "k6p3sf",
    "k6p1se",
    "k6p5se",
    "k5p3ue",
    "k6p3uf",
    "k6p6uf",
    "k6p3sens",
    "e2m1f",
    "e2m0",
    "e2m0n",
    "e3m0n",
    "e3m0fn",
    "e4m1b3",
    "e2m3,bias=-3",
    "e3m2,bias=9",
    "e4m0b2",
    "e5m0",
    "e2m3b1",
    "k4p2se",
    "e8m0,bias=3",
];

/// Operands of `fmac` of up to five bits, of every family, and two longer ones: with a longer significand, and with a longer exponent.
const FACTORS: [&str; 19] = [
    "e2m2",
    "e2m2n",
    "e2m2ns",
    "e2m2fn",
    "e2m2f",
    "e2m2b1",
    "e2m2b1u0",
    "e3m1b2u1",
    "e3m1b3,sat",
    "k5p3se",
    "k5p2sf",
    "k5p1se",
    "k5p3ue",
    "k5p5uf",
    "k5p3sens",
    "e2m0",
    "e3m1,bias=-3",
    "e2m3f",
    "e4m1",
];

/// Accumulators of every family of about the same size, and a wider one.
const ACCUMULATORS: [&str; 13] = [
    "e3m1",
    "e2m3",
    "e2m2n",
    "e3m1ns",
    "e3m2fn",
    "e2m1f",
    "e3m1b1",
    "e3m1b1u2,sat",
    "k5p3se",
    "k5p3uf",
    "e3m0n",
    "e2m0",
    "e4m4",
];

/// Operands of `fmac` of three and four bits, and accumulators of up to five.
const TINY_FACTORS: [&str; 8] = ["e2m1", "e2m1n", "e2m1ns", "e2m1fn", "e2m1b1", "k4p2se", "k4p2uf", "e2m0"];
const TINY_ACCUMULATORS: [&str; 9] =
    ["e2m2", "e2m2n", "e2m1ns", "e3m1fn", "e2m1f", "e2m1b1", "e3m1b1u2,sat", "k5p3se", "k4p2ue"];

/// Vectors of an `encode`.
const ENCODED: u64 = 2_000;

fn check_all(unit: Unit, name: &str, other: Option<&str>) {
    for operation in all_ways(operation(unit, format(name), other.map(format), Overflow::Inf)) {
        check(&operation, Choice::Exhaustive);
    }
}

#[test]
#[ignore = "long"]
fn mul_and_add() {
    FORMATS.par_iter().for_each(|name| {
        check_all(Unit::Mul, name, None);
        check_all(Unit::Add, name, None);
        if format(name).sign_mask() != 0 {
            check(&operation(Unit::Sub, format(name), None, Overflow::Inf), Choice::Exhaustive);
        }
    });
}

#[test]
#[ignore = "long"]
fn decode() {
    FORMATS.par_iter().for_each(|name| check_all(Unit::Decode, name, None));
}

#[test]
#[ignore = "long"]
fn convert() {
    FORMATS.par_iter().for_each(|from| FORMATS.iter().for_each(|to| check_all(Unit::Convert, from, Some(to))));
}

/// From binary32: each value, each tie, and their surroundings.
#[test]
#[ignore = "long"]
fn encode() {
    FORMATS.par_iter().for_each(|name| {
        for operation in all_ways(operation(Unit::Encode, format(name), None, Overflow::Inf)) {
            check_up_to(0, ENCODED, &operation);
        }
    });
}

/// Every pair of formats in some of the ways, by turns; the widest in one of them.
#[test]
#[ignore = "takes minutes"]
fn nightly_fmac() {
    FACTORS.par_iter().enumerate().for_each(|(number, name)| {
        for (column, to) in ACCUMULATORS.iter().enumerate() {
            let operation = operation(Unit::Fmac, format(name), Some(format(to)), Overflow::Inf);
            let ways = some_ways(operation, number + column);
            let (first, step) = if operation.input_bits() > 15 { (number % ways.len(), ways.len()) } else { (0, 1) };
            for way in ways.iter().skip(first).step_by(step) {
                check(way, Choice::Exhaustive);
            }
        }
    });
}

/// Tinier formats in all ways.
#[test]
#[ignore = "long"]
fn tiny_fmac() {
    TINY_FACTORS
        .par_iter()
        .for_each(|name| TINY_ACCUMULATORS.iter().for_each(|to| check_all(Unit::Fmac, name, Some(to))));
}

/// Two names of one rounding, one circuit.
#[test]
fn nearest_up_is_ties_away() {
    for (name, unit) in FORMATS.iter().flat_map(|name| [Unit::Mul, Unit::Add].map(|unit| (name, unit))) {
        for overflow in Overflow::ALL {
            let circuit = |rounding| {
                let operation = Operation { rounding, ..operation(unit, format(name), None, overflow) };
                netlist(&operation).nodes.into_iter().map(|node| node.op).collect::<Vec<_>>()
            };
            assert_eq!(circuit(Rounding::Rna), circuit(Rounding::Rnu), "{unit} {name} {overflow}");
        }
    }
}
