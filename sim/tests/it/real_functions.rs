//! Functions of real numbers on the interpreter against the golden model, for all operands: the circuit's values come from binary64, the
//! model's from intervals of any precision.

use crate::common::{check, format};
use binade_sim::Choice;
use binade_spec::{Function, Overflow, PositRange, Rounding, Selection, Tininess, Unit};
use rayon::prelude::*;

fn selection(function: Function, name: &str) -> Selection {
    Selection { function: Some(function), ..Selection::new(Unit::Function, format(name)) }
}

/// The number of vectors; none for a selection that is refused.
fn checked(selection: Selection) -> u64 {
    selection.operation().map_or(0, |operation| check(&operation, Choice::Exhaustive))
}

fn all(names: &[&str], variants: impl Fn(Selection) -> Vec<Selection> + Sync) -> u64 {
    let plain: Vec<Selection> =
        names.iter().flat_map(|name| Function::ALL.map(|function| selection(function, name))).collect();
    plain.into_par_iter().flat_map(&variants).map(checked).sum()
}

#[test]
fn every_family() {
    let names = [
        "e5m2",
        "e4m3",
        "e2m1",
        "e3m1n",
        "e4m3n",
        "e4m3ns",
        "e4m3fn",
        "e3m2f",
        "e5m0",
        "e2m5",
        "e8m0",
        "e5m2b1",
        "e4m3b2",
        "e3m2b1u2",
        "e5m2b1,sat",
        "k3p1se",
        "k6p3uf",
        "k8p3se",
        "k8p4ue",
        "k8p1se",
        "posit3_0",
        "posit6_1",
        "posit8_0",
        "posit8_2",
        "int8",
        "uint8",
        "fixed8_6",
        "ue4m3",
    ];
    let checked = all(&names, |plain| vec![plain]);
    assert!(checked > 90_000, "{checked}");
}

/// Roundings, policies and flags; another format for the result.
#[test]
fn every_rounding() {
    let roundings = [
        Rounding::Rna,
        Rounding::Rtz,
        Rounding::Rup,
        Rounding::Rdn,
        Rounding::Rto,
        Rounding::Sr(1),
        Rounding::Sr(5),
        Rounding::Mptorch,
    ];
    let checked = all(&["e5m2", "k8p3se", "posit8_2", "int8"], |plain| {
        let rounded = roundings.map(|rounding| Selection { rounding: Some(rounding), ..plain });
        let flagged = rounded.map(|rounded| Selection { flags: Some(Tininess::After), ..rounded });
        let others = [
            Selection { overflow: Overflow::Saturate, ..plain },
            Selection { overflow: Overflow::Propagate, ..plain },
            Selection { posit_range: PositRange::Float, ..plain },
            Selection { flags: Some(Tininess::Before), ..plain },
            Selection { target: Some(format("binary32")), flags: Some(Tininess::After), ..plain },
            Selection { target: Some(format("posit16_1")), ..plain },
        ];
        rounded.into_iter().chain(flagged).chain(others).collect()
    });
    assert!(checked > 500_000, "{checked}");
}

/// Exponentials of more than 8 bits have their operand in fixed point: results of every width, policy and family.
#[test]
fn exponentials_in_fixed_point() {
    let targets = ["e5m3", "e4m3fn", "e8m7", "e3m0f", "k8p1se", "e2m9", "e5m2b1", "ue4m3", "posit8_2"];
    let operands = ["e5m3", "e3m6", "e2m9", "e8m3", "k10p5se", "k10p4uf", "e4m6ns", "e1m8"];
    let pairs = operands.iter().flat_map(|operand| targets.map(|target| (*operand, target)));
    let selections: Vec<Selection> = pairs
        .flat_map(|(operand, target)| {
            let to = |function| Selection { target: Some(format(target)), ..selection(function, operand) };
            [Function::Exp, Function::Exp2].map(to)
        })
        .enumerate()
        .map(|(turn, plain)| match turn % 3 {
            0 => plain,
            1 => Selection { rounding: Some([Rounding::Rtz, Rounding::Rup][turn / 3 % 2]), ..plain },
            _ => Selection { overflow: Overflow::Saturate, ..plain },
        })
        .collect();
    let checked: u64 = selections.into_par_iter().map(checked).sum();
    assert!(checked > 50_000, "{checked}");
}

#[test]
fn codes_of_16_bits() {
    let few = [Function::Exp2, Function::Tanh, Function::Recip];
    let plain = few.map(|function| selection(function, "bfloat16"));
    let checked: u64 = plain.into_par_iter().map(checked).sum();
    assert_eq!(checked, 3 << 16);
}

#[test]
#[ignore = "long"]
fn nightly_all_codes_of_16_bits() {
    let checked = all(&["bfloat16", "binary16", "posit16_1", "e6m9n", "dlfloat16", "int16", "k16p8se"], |plain| {
        vec![plain, Selection { rounding: Some(Rounding::Rdn), flags: Some(Tininess::After), ..plain }]
    });
    assert!(checked > (7 * 18) << 16, "{checked}");
}
