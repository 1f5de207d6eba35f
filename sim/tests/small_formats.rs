//! Every input of every unit, for formats small enough to enumerate.

mod common;

use binade_golden::{Overflow, Unit};
use binade_sim::Choice;
use common::{check, format, operation};
use rayon::prelude::*;

const FORMATS: [&str; 29] = [
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

fn check_all(unit: Unit, name: &str, other: Option<&str>) {
    for overflow in Overflow::ALL {
        check(&operation(unit, format(name), other.map(format), overflow), Choice::Exhaustive);
    }
}

#[test]
fn mul_and_add() {
    FORMATS.par_iter().for_each(|name| {
        check_all(Unit::Mul, name, None);
        check_all(Unit::Add, name, None);
    });
}

#[test]
fn decode() {
    FORMATS.par_iter().for_each(|name| check_all(Unit::Decode, name, None));
}

#[test]
fn convert() {
    FORMATS.par_iter().for_each(|from| FORMATS.iter().for_each(|to| check_all(Unit::Convert, from, Some(to))));
}

#[test]
fn fmac() {
    FACTORS.par_iter().for_each(|name| ACCUMULATORS.iter().for_each(|to| check_all(Unit::Fmac, name, Some(to))));
}
