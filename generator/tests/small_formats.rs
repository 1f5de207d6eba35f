//! Every input of every unit, for formats small enough to enumerate, on the interpreter against the golden model.

mod common;

use binade_golden::{Overflow, Unit};
use common::{all_vectors, check, operation};
use rayon::prelude::*;

const FORMATS: [&str; 24] = [
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
    "e3m0n",
    "e3m0fn",
    "e4m1b3",
    "e2m3,bias=-3",
    "e4m0b2",
];

/// Accumulators of the same size, and one that is wider than any of `FORMATS`.
const RESULTS: [&str; 9] = ["e3m2", "e3m2n", "e3m2ns", "e3m2fn", "e2m1f", "e3m2b1", "k6p3se", "k5p3uf", "e4m4"];

fn check_all(unit: Unit, format: &str, other: Option<&str>) {
    for overflow in Overflow::ALL {
        let operation = operation(unit, format, other, overflow);
        check(&operation, all_vectors(&operation));
    }
}

#[test]
fn mul_and_add() {
    FORMATS.par_iter().for_each(|format| {
        check_all(Unit::Mul, format, None);
        check_all(Unit::Add, format, None);
    });
}

#[test]
fn decode() {
    FORMATS.par_iter().for_each(|format| check_all(Unit::Decode, format, None));
}

#[test]
fn convert() {
    FORMATS.par_iter().for_each(|from| FORMATS.iter().for_each(|to| check_all(Unit::Convert, from, Some(to))));
}

#[test]
fn fmac() {
    FORMATS.par_iter().for_each(|format| RESULTS.iter().for_each(|to| check_all(Unit::Fmac, format, Some(to))));
}
