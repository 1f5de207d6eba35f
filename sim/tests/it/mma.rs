//! Matrix units on the interpreter against the golden model: every way to sum, and formats of every family.

use crate::common::{check, format};
use binade_generator::generate;
use binade_sim::Choice;
use binade_spec::{Activation, Operation, OutputConversion, Rounding, Selection, Tininess, Unit};

fn mma(operand: &str, result: &str, sum: &str, [rows, columns, depth]: [u32; 3]) -> Operation {
    let selection = Selection {
        accumulator: Some(format(result)),
        summation: Some(sum.parse().unwrap()),
        rows: Some(rows),
        columns: Some(columns),
        depth: Some(depth),
        ..Selection::new(Unit::Mma, format(operand))
    };
    selection.operation().unwrap()
}

#[test]
fn every_sum_of_small_matrices() {
    for sum in ["exact", "chain", "tree", "fmac8", "align:4"] {
        check(&mma("e2m1b1", "e3m2", sum, [2, 3, 2]), Choice::Sample(10_000));
        check(&mma("k4p2sf", "posit6_1", sum, [2, 1, 3]), Choice::Sample(5_000));
    }
    for sum in ["flushed", "grouped", "interleaved"] {
        check(&mma("e2m1b1", "e3m2", sum, [2, 3, 2]), Choice::Sample(10_000));
        check(&mma("k4p2sf", "e3m1", sum, [2, 1, 3]), Choice::Sample(5_000));
    }
    let bulk = mma("e2m1b1", "e3m2", "bulk", [2, 3, 2]);
    check(&Operation { flags: Some(Tininess::After), ..bulk }, Choice::Sample(10_000));
}

/// One row, one column and one product of three bits: all inputs.
#[test]
fn the_smallest_matrices() {
    check(&mma("k3p2se", "e2m1", "exact", [2, 1, 1]), Choice::Exhaustive);
    check(&mma("e2m0f", "k3p2sf", "exact", [1, 2, 2]), Choice::Exhaustive);
}

/// Each element converted, after a function; with flags, and with random bits for each rounding.
#[test]
fn elements_are_converted() {
    let output = |name: &str, activation| Some(OutputConversion { format: format(name), activation });
    let gelu = Some(Activation::Function("gelu".parse().unwrap()));
    let plain = mma("e2m1", "e3m2", "exact", [2, 2, 1]);
    for (name, activation) in [("e2m1", None), ("e2m3f", Some(Activation::Relu)), ("e3m1", gelu)] {
        check(&Operation { output: output(name, activation), ..plain }, Choice::Sample(10_000));
    }
    check(
        &Operation {
            output: output("e2m2", gelu),
            flags: Some(Tininess::After),
            ..mma("e2m1", "e3m2", "chain", [1, 2, 2])
        },
        Choice::Sample(10_000),
    );
    let rounding = Rounding::Sr(3);
    check(&Operation { output: output("e3m1", None), rounding, ..plain }, Choice::Sample(10_000));
}

/// Sums just below the smallest normal value, which are tiny after rounding or are not.
#[test]
fn tiny_sums_with_flags() {
    let plain = mma("k4p2se", "e2m1", "exact", [1, 1, 2]);
    for rounding in [Rounding::Rne, Rounding::Rna, Rounding::Rdn] {
        let operation = Operation { rounding, flags: Some(Tininess::After), ..plain };
        check(&operation, Choice::Sample(100_000));
    }
}

/// However many products an operand is in, there is one decoder of it: one wire has the significands of all lanes of a port.
#[test]
fn operands_are_taken_apart_once() {
    let verilog = generate(mma("e5m2b1", "binary16", "exact", [2, 3, 2])).verilog;
    let (top, _) = verilog.split_once("\nendmodule").expect("a module");
    let declared: Vec<&str> = top.lines().filter_map(|line| line.trim().strip_prefix("wire ")).collect();
    for (port, lanes) in [("a", 4), ("b", 6)] {
        let name = format!("{port}_significand");
        let of_it: Vec<_> = declared.iter().filter(|line| line.contains(&name)).collect();
        assert_eq!(of_it, [&format!("[{}:0] {name};", 3 * lanes - 1)], "{top}");
    }
}

/// The tile that GPUs began with.
#[test]
#[ignore = "long"]
fn tiles_of_four_by_four() {
    for sum in ["exact", "align:13"] {
        check(&mma("e5m2b1", "binary16", sum, [4; 3]), Choice::Sample(20_000));
    }
}
