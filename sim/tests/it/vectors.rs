//! Units of vectors on the interpreter against the golden model: all inputs where they are few, samples of larger ones.

use crate::common::{check, format};
use binade_sim::Choice;
use binade_spec::{Overflow, Reduction, Rounding, Selection, Unit};
use rayon::prelude::*;

const UNITS: [Unit; 4] = [Unit::Softmax, Unit::RmsNorm, Unit::LayerNorm, Unit::Hadamard];

/// A unit with operands and steps in these formats.
fn selection(unit: Unit, name: &str, accumulator: &str, lanes: u32) -> Selection {
    Selection { accumulator: Some(format(accumulator)), lanes: Some(lanes), ..Selection::new(unit, format(name)) }
}

/// All inputs if they have up to 16 bits, else a sample; none of a selection that is refused.
fn checked(selection: Selection) -> u64 {
    selection.operation().map_or(0, |operation| {
        let is_small = operation.input_bits() <= 16;
        check(&operation, if is_small { Choice::Exhaustive } else { Choice::Sample(5_000) })
    })
}

#[test]
fn small_formats_of_every_family() {
    let formats = ["e2m1", "e2m1n", "e2m1f", "e3m2b1", "e2m1b1", "k4p2sf", "k3p2se", "posit5_1", "int3", "fixed4_2"];
    let selections: Vec<Selection> = UNITS
        .into_iter()
        .flat_map(|unit| formats.map(|name| selection(unit, name, "e4m3", 2)))
        .chain(formats.map(|name| selection(Unit::Softmax, name, "posit8_1", 3)))
        .chain(UNITS.into_iter().flat_map(|unit| formats.map(|name| selection(unit, name, "e4m3", 1))))
        .chain(UNITS.map(|unit| Selection { rounding: Some(Rounding::Sr(1)), ..selection(unit, "e2m1", "e4m3", 2) }))
        .collect();
    let vectors: u64 = selections.into_par_iter().map(checked).sum();
    assert!(vectors > 50_000, "{vectors}");
}

/// All inputs of transforms of 4 points, and samples of longer ones.
#[test]
fn hadamard_transforms() {
    let formats = ["e2m1", "posit4_1", "int4"];
    let steps = ["e4m3", "int8"];
    let small = formats.into_iter().flat_map(|name| steps.map(|acc| selection(Unit::Hadamard, name, acc, 4)));
    let longer = [("e4m3fn", "binary16", 16), ("bfloat16", "binary32", 16), ("e2m1f", "e3m2", 64)]
        .map(|(name, acc, lanes)| selection(Unit::Hadamard, name, acc, lanes));
    let few = |selection: Selection| check(&selection.operation().expect("a unit"), Choice::Sample(500));
    let small: Vec<Selection> = small.collect();
    let vectors: u64 = small.into_par_iter().map(checked).sum::<u64>() + longer.into_par_iter().map(few).sum::<u64>();
    assert!(vectors > 6 << 16, "{vectors}");
}

#[test]
fn results_of_other_formats_and_roundings() {
    let selections: Vec<Selection> = UNITS
        .into_iter()
        .flat_map(|unit| {
            let plain = selection(unit, "e4m3fn", "binary16", 4);
            let to = Selection { target: Some(format("e5m2")), ..plain };
            let down = Selection { rounding: Some(Rounding::Rdn), ..to };
            let saturated = Selection { overflow: Overflow::Saturate, ..plain };
            [
                plain,
                to,
                down,
                saturated,
                selection(unit, "bfloat16", "bfloat16", 2),
                selection(unit, "e5m2", "bfloat16", 8),
            ]
        })
        .collect();
    let vectors: u64 = selections.into_par_iter().map(checked).sum();
    assert!(vectors > 50_000, "{vectors}");
}

#[test]
fn reductions() {
    let formats =
        ["e2m1", "e2m1n", "e3m1f", "e3m2b1", "e8m0", "k4p2sf", "k4p2ue", "posit5_1", "int4", "uint4", "dlfloat16"];
    let selections: Vec<Selection> = formats
        .into_iter()
        .flat_map(|name| {
            let of = |reduction| Selection {
                reduction: Some(reduction),
                lanes: Some(3),
                ..Selection::new(Unit::Reduce, format(name))
            };
            let drawn =
                Selection { rounding: Some(Rounding::Sr(3)), accumulator: Some(format("e4m3")), ..of(Reduction::Sum) };
            // The sum of one number is arithmetic, not a conversion: a NaN loses its payload.
            let alone = |accumulator| Selection { lanes: Some(1), accumulator, ..of(Reduction::Sum) };
            let ways = [drawn, alone(Some(format(name))), alone(Some(format("e4m3"))), alone(None)];
            Reduction::ALL.map(of).into_iter().chain(ways)
        })
        .collect();
    let vectors: u64 = selections.into_par_iter().map(checked).sum();
    assert!(vectors > 50_000, "{vectors}");
}
