//! Circuits whose port `rm` chooses the rounding, on all inputs of small units.

use crate::common::{self, check, check_up_to, format};
use binade_sim::Choice;
use binade_spec::{Format, Operation, Overflow, Rounding, Selection, Tininess, Unit};
use rayon::prelude::*;

/// The units of a format, with and without flags where it has them.
fn units(name: &str) -> Vec<Operation> {
    let format = format(name);
    let units = [Unit::Mul, Unit::Add, Unit::Sub, Unit::Fmac, Unit::Divide, Unit::Sqrt, Unit::Reciprocal, Unit::Rsqrt];
    let flags = [None, Some(Tininess::After), Some(Tininess::Before)];
    let all = units.into_iter().flat_map(|unit| flags.map(|flags| (unit, flags)));
    let operation = |(unit, flags)| {
        let accumulator = (unit == Unit::Fmac).then_some(format);
        let plain = Selection::new(unit, format);
        Selection { rounding: Some(Rounding::Any), flags, accumulator, ..plain }.operation().ok()
    };
    all.filter_map(operation).collect()
}

#[test]
fn arithmetic_of_every_family() {
    let names = ["e3m2", "e3m2n", "e3m2ns", "e3m2f", "e3m2fn", "k6p3se", "e2m1f", "int5", "fixed5_3"];
    let operations: Vec<Operation> = names.iter().flat_map(|name| units(name)).collect();
    assert!(operations.len() > 9 * 6);
    operations.par_iter().for_each(|operation| _ = check_up_to(15, 20_000, operation));
}

#[test]
fn conversions() {
    let formats = ["e3m2", "e4m3fn", "e2m3f", "e3m4n", "int5", "uint4", "fixed6_4", "posit6_1", "e3m2b1"];
    let pairs: Vec<(Format, Format)> =
        formats.iter().flat_map(|from| formats[..7].iter().map(|to| (format(from), format(to)))).collect();
    let ways = pairs.into_iter().flat_map(|pair| Overflow::ALL.map(|overflow| (pair, overflow)));
    let operation = |((from, to), overflow)| {
        let rounding = Some(Rounding::Any);
        Selection { rounding, target: Some(to), overflow, ..Selection::new(Unit::Convert, from) }.operation().ok()
    };
    let operations: Vec<Operation> = ways.filter_map(operation).collect();
    assert!(operations.len() > 9 * 4 * 3, "{} conversions", operations.len());
    operations.par_iter().for_each(|operation| _ = check(operation, Choice::Exhaustive));
}

/// A unit that exchanges two roundings is noticed, whichever two.
#[test]
fn exchanged_roundings_are_noticed() {
    let selection = Selection { rounding: Some(Rounding::Any), ..Selection::new(Unit::Add, format("e4m3")) };
    let operation = selection.operation().expect("an operation");
    let netlist = common::netlist(&operation);
    let plan = binade_sim::Plan::new(&operation, Choice::Sample(20_000), 1).expect("a plan for the operation");
    for (one, other) in (0..5).flat_map(|one| (one + 1..5).map(move |other| (one, other))) {
        let exchanged = |rm: u64| match rm {
            _ if rm == one => other,
            _ if rm == other => one,
            _ => rm,
        };
        let broken = || {
            let mut right = common::interpreted(&netlist);
            move |inputs: &[binade_spec::Column], outputs: &mut [binade_spec::ColumnMut]| {
                let modes: Vec<u64> = inputs[2].words.iter().map(|&rm| exchanged(rm)).collect();
                right(&[inputs[0], inputs[1], binade_spec::Column::narrow(&modes)], outputs);
            }
        };
        let found = binade_sim::compare(&operation, &plan, broken, &|_| {}).expect("nobody interrupts a test");
        assert!(found.is_some(), "{one} and {other}");
    }
}
