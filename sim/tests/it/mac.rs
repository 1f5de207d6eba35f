//! Multiply-accumulate with a rounded product, on the interpreter against the golden model: all inputs of small formats
//! in every rounding, samples of the papers' 16-bit ones; and that it differs from the fused unit where it should.

use crate::common::interpreted;
use binade_generator::generate;
use binade_sim::{Choice, Plan, compare};
use binade_spec::{Operation, Overflow, Rounding, Selection, Unit};
use rayon::prelude::*;

fn operation(unit: Unit, format: &str, accumulator: &str, rounding: Option<Rounding>, overflow: Overflow) -> Operation {
    let parse = |name: &str| name.parse().unwrap_or_else(|error| panic!("{error}"));
    let (format, accumulator) = (parse(format), Some(parse(accumulator)));
    Selection { accumulator, rounding, overflow, ..Selection::new(unit, format) }.operation().unwrap()
}

fn check(operation: &Operation, choice: Choice) {
    let unit = generate(operation);
    let plan = Plan::new(operation, choice, 1).unwrap();
    let found = compare(operation, &plan, || interpreted(&unit.netlist), &|_| {}).unwrap();
    assert_eq!(found, None, "{}", unit.module);
}

#[test]
fn small_formats_in_every_rounding() {
    let pairs = [("e2m1f", "e3m2"), ("e2m1f", "e3m1b1"), ("e2m1", "e2m2fn"), ("k4p2se", "k5p3se"), ("k4p3uf", "e3m1n")];
    pairs.par_iter().for_each(|(format, accumulator)| {
        let roundings = ["rne", "rna", "rtz", "rup", "rdn", "rto", "sr2"];
        for rounding in roundings.map(|name| name.parse::<Rounding>().unwrap()) {
            for overflow in Overflow::ALL {
                check(&operation(Unit::Mac, format, accumulator, Some(rounding), overflow), Choice::Exhaustive);
            }
        }
    });
}

#[test]
fn formats_of_the_papers() {
    let pairs = [
        ("e5m2b1", "binary16"),
        ("e6m9", "e6m9"),
        ("e6m9n", "e6m9n"),
        ("e6m9n", "binary32"),
        ("binary16", "binary32"),
        ("bfloat16", "bfloat16"),
        ("dlfloat16", "dlfloat16"),
    ];
    pairs.par_iter().for_each(|(format, accumulator)| {
        check(&operation(Unit::Mac, format, accumulator, None, Overflow::Inf), Choice::Sample(100_000));
    });
}

/// (1 + 2^-10)^2 - (1 + 2^-9) in binary16: the rounded product cancels, the fused unit keeps 2^-20.
#[test]
fn the_product_is_rounded() {
    let operands = [0x3c01, 0x3c01, 0xbc02];
    let run = |unit| crate::common::y(&operation(unit, "binary16", "binary16", None, Overflow::Inf), &operands);
    assert_eq!(run(Unit::Mac), 0x0000);
    assert_eq!(run(Unit::Fmac), 0x0010);
}
