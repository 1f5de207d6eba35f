//! Units with more than `y`: the accumulator's conversion to an output format, and exception flags; all inputs of small
//! formats, samples of wide ones, on the interpreter against the golden model.

use crate::common::{self, check, check_up_to, format, operation};
use binade_sim::Choice;
use binade_spec::{Activation, Format, Function, Operation, OutputConversion, Overflow, Rounding, Tininess, Unit};
use rayon::prelude::*;

const DIRECTIONS: [Rounding; 7] =
    [Rounding::Rne, Rounding::Rna, Rounding::Rtz, Rounding::Rup, Rounding::Rdn, Rounding::Rto, Rounding::Sr(2)];

/// With flags, in every rounding, with tininess before and after it.
fn with_flags(operation: Operation) -> impl Iterator<Item = Operation> {
    let overflows = [Overflow::Inf, Overflow::Saturate];
    DIRECTIONS.into_iter().enumerate().flat_map(move |(turn, rounding)| {
        Tininess::ALL.map(|tininess| Operation {
            rounding,
            overflow: overflows[turn / 2 % 2],
            flags: Some(tininess),
            ..operation
        })
    })
}

/// Accumulators, output formats and whether they are rectified, by turns.
fn with_output(operation: Operation, output: Format, turn: usize) -> Operation {
    let function = Function::ALL[turn % Function::ALL.len()];
    // A function of a wide accumulator is a large table.
    let function = (operation.result.width() <= 8).then_some(Activation::Function(function));
    let activation = [Some(Activation::Relu), None, function][turn % 3];
    let output = Some(OutputConversion { format: output, activation });
    let rounding = DIRECTIONS[turn % 7];
    let takes = operation.result.check_rounding(rounding).is_ok();
    Operation { output, rounding: if takes { rounding } else { operation.rounding }, ..operation }
}

#[test]
fn flags_of_small_formats() {
    let formats = ["e2m2", "e3m1", "e3m2", "e2m3", "e4m1", "e3m2n", "e2m1n", "e2m1"];
    formats.par_iter().for_each(|name| {
        let format = format(name);
        for unit in [Unit::Mul, Unit::Add, Unit::Decode] {
            with_flags(operation(unit, format, None, Overflow::Inf))
                .for_each(|way| _ = check(&way, Choice::Exhaustive));
        }
        for from in ["e3m2", "e4m3", "e4m4n", "e5m2b1", "posit6_1", "e4m3fn", "e8m1", "e3m5"] {
            let convert = operation(Unit::Convert, common::format(from), Some(format), Overflow::Inf);
            with_flags(convert).for_each(|way| _ = check(&way, Choice::Exhaustive));
        }
    });
}

#[test]
fn flags_of_accumulations() {
    let pairs = [
        ("e2m1", "e3m2"),
        ("e2m2", "e2m2"),
        ("e3m1", "e3m3n"),
        ("e2m1f", "e2m3"),
        ("k4p2se", "e3m2"),
        ("posit4_0", "e3m2"),
    ];
    pairs.par_iter().for_each(|(name, other)| {
        for unit in [Unit::Fmac, Unit::Mac] {
            let operation = operation(unit, format(name), Some(format(other)), Overflow::Inf);
            with_flags(operation).for_each(|way| _ = check_up_to(14, 4_000, &way));
        }
    });
}

#[test]
fn flags_of_wide_formats() {
    let formats = ["binary16", "bfloat16", "binary32", "e6m9n"];
    formats.par_iter().for_each(|name| {
        for unit in [Unit::Encode, Unit::Mul, Unit::Add, Unit::Fmac] {
            let other = (unit == Unit::Fmac).then(|| format(name));
            let operation = operation(unit, format(name), other, Overflow::Inf);
            with_flags(operation).for_each(|way| _ = check_up_to(0, 20_000, &way));
        }
    });
}

#[test]
fn outputs_of_small_formats() {
    let factors = ["e2m1", "e2m1f", "posit4_0", "e2m1b1"];
    let accumulators = ["e3m2", "posit6_1", "e3m2b1", "k5p3se", "e3m1fn", "e3m2n"];
    let outputs = ["e2m1f", "posit4_1", "e2m2b1", "k4p2se", "e2m1", "e4m3", "k4p2uf", "dlfloat16"];
    factors.par_iter().enumerate().for_each(|(row, name)| {
        for (column, other) in accumulators.iter().enumerate() {
            for (depth, output) in outputs.iter().enumerate() {
                let turn = row + 3 * column + 5 * depth;
                let unit = [Unit::Fmac, Unit::Mac][turn / 2 % 2];
                let accumulated = operation(unit, format(name), Some(format(other)), Overflow::Inf);
                check_up_to(15, 20_000, &with_output(accumulated, format(output), turn));
            }
        }
    });
}

/// The third paper's pipeline: 8-bit operands, a 16-bit accumulator, rectified and quantized; with the flags of both roundings.
#[test]
fn outputs_with_flags() {
    for (name, output) in [("e5m2", "e5m2"), ("e5m2b1", "e4m3"), ("e4m3fn", "bfloat16")] {
        let accumulated = operation(Unit::Fmac, format(name), Some(format("binary16")), Overflow::Inf);
        for turn in 0..7 {
            let operation = with_output(accumulated, format(output), turn);
            check_up_to(0, 20_000, &Operation { flags: Some(Tininess::After), ..operation });
        }
    }
}
