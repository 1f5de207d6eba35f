//! Dot products on the interpreter against the golden model: every way to sum, all inputs of small formats in every rounding,
//! samples of the formats that hardware has, and the models of GPUs.

use crate::common::{all_ways, check, format, interpreted, netlist, some_ways};
use binade_golden::Model;
use binade_sim::Choice;
use binade_spec::{
    Activation, Column, ColumnMut, Format, Like, Operation, Rounding, Selection, Summation, Tininess, Unit, Word,
};
use rayon::prelude::*;

const SUMS: [&str; 6] = ["exact", "chain", "tree", "fmac8", "align:2", "align:5,floor=0"];

fn selection(operand: &str, accumulator: &str, sum: &str, lanes: u32) -> Selection {
    Selection {
        accumulator: Some(format(accumulator)),
        summation: Some(sum.parse().unwrap()),
        lanes: Some(lanes),
        ..Selection::new(Unit::Dot, format(operand))
    }
}

fn dot(operand: &str, accumulator: &str, sum: &str, lanes: u32) -> Operation {
    selection(operand, accumulator, sum, lanes).operation().unwrap()
}

#[test]
#[ignore = "long"]
fn two_lanes_of_small_formats() {
    let pairs = [("k3p2se", "e2m1"), ("k3p2sf", "e2m1b1"), ("e2m0f", "posit4_1"), ("posit3_0", "e2m1n")];
    let operations: Vec<Operation> = pairs
        .iter()
        .flat_map(|(operand, accumulator)| SUMS.map(|sum| dot(operand, accumulator, sum, 2)))
        .enumerate()
        .flat_map(|(turn, operation)| some_ways(operation, turn))
        .collect();
    operations.par_iter().for_each(|operation| {
        check(operation, Choice::Exhaustive);
    });
}

/// Every rounding and policy of one pair.
#[test]
#[ignore = "long"]
fn exact_and_aligned_sums_in_every_rounding() {
    let operations = ["exact", "align:3"].map(|sum| dot("k3p2se", "e2m1", sum, 2));
    operations.into_par_iter().flat_map(all_ways).for_each(|operation| {
        check(&operation, Choice::Exhaustive);
    });
}

/// Accumulators whose exponents go far beyond those of the products, which are summed by themselves: all inputs of small ones.
#[test]
fn wide_accumulators() {
    for (operand, accumulator, lanes) in [("e2m0f", "e6m1", 2), ("k3p2sf", "e5m1", 2), ("e2m0f", "e5m3b1", 1)] {
        let unlike = Selection { second: Some(format("e2m1f")), ..selection(operand, accumulator, "exact", 1) };
        let alone = (lanes == 1).then(|| unlike.operation().unwrap());
        let operation = alone.unwrap_or_else(|| dot(operand, accumulator, "exact", lanes));
        some_ways(operation, lanes as usize).par_iter().for_each(|operation| {
            check(operation, Choice::Exhaustive);
        });
    }
}

/// The same with formats that hardware has, in every rounding.
#[test]
#[ignore = "takes minutes"]
fn nightly_wide_accumulators_of_tensor_cores() {
    let pairs =
        [("e4m3fn", "binary32", 4), ("e5m2", "binary32", 2), ("e2m1f", "bfloat16", 8), ("e2m1f", "posit16_2", 4)];
    pairs.into_par_iter().for_each(|(operand, accumulator, lanes)| {
        for operation in all_ways(dot(operand, accumulator, "exact", lanes)) {
            check(&operation, Choice::Sample(30_000));
        }
        let flagged = Selection { flags: Some(Tininess::After), ..selection(operand, accumulator, "exact", lanes) };
        if let Ok(operation) = flagged.operation() {
            check(&operation, Choice::Sample(30_000));
        }
    });
}

/// Three lanes: a term without a neighbour, and blocks of unlike lengths.
#[test]
fn three_lanes_in_blocks_of_two() {
    for sum in SUMS {
        let block = sum.parse::<Summation>().unwrap().has_blocks().then_some(2);
        let operation = Selection { block, ..selection("k3p2se", "e2m1", sum, 3) }.operation().unwrap();
        check(&operation, Choice::Sample(50_000));
    }
}

#[test]
fn rounded_products_mixed_formats_flags_and_outputs() {
    for sum in ["chain", "tree"] {
        let selection = Selection { rounds_products: true, ..selection("k3p2se", "e2m1", sum, 2) };
        check(&selection.operation().unwrap(), Choice::Exhaustive);
    }
    let (second, output, flags) = (Some(format("e2m0f")), Some(format("k3p2se")), Some(Tininess::Before));
    for sum in ["exact", "chain", "tree"] {
        let plain = selection("k3p2se", "e2m1", sum, 2);
        check(&Selection { second, ..plain }.operation().unwrap(), Choice::Exhaustive);
        check(&Selection { flags, ..plain }.operation().unwrap(), Choice::Exhaustive);
        let rounding = Some(Rounding::Sr(2));
        check(
            &Selection { output, activation: Some(Activation::Relu), rounding, ..plain }.operation().unwrap(),
            Choice::Sample(20_000),
        );
        let source = Some(format("e2m1"));
        check(&Selection { source, second, ..plain }.operation().unwrap(), Choice::Sample(20_000));
    }
}

/// Sums with more digits than the result has, just below its smallest normal value: whether they are tiny after rounding hangs
/// on bits below the guard bit. The sum is one in fixed point, and for the wide result the code is beside it.
#[test]
fn tiny_sums_with_flags() {
    for (result, sum, tininess) in [
        ("e2m1", "exact", Tininess::After),
        ("e2m1", "exact", Tininess::Before),
        ("e2m1", "tree", Tininess::After),
        ("e2m1n", "exact", Tininess::After),
        ("e5m1", "exact", Tininess::After),
    ] {
        let second = Some(format("k4p2sf"));
        let plain = Selection { second, flags: Some(tininess), ..selection("k4p2se", result, sum, 1) };
        all_ways(plain.operation().unwrap()).par_iter().for_each(|operation| {
            check(operation, Choice::Exhaustive);
        });
    }
    for name in ["e5m2", "binary16", "bfloat16"] {
        let flags = Some(Tininess::After);
        let accumulator = if name == "e5m2" { "binary16" } else { name };
        let operation = Selection { flags, ..selection(name, accumulator, "exact", 2) }.operation().unwrap();
        check(&operation, Choice::Sample(20_000));
    }
}

/// Flags of operands that are converted first, into formats of every family, signaling NaNs among them.
#[test]
fn flags_of_converted_operands() {
    let factors = [
        "e2m1b1",
        "e2m2b1u2",
        "e2m1ns",
        "e2m1n",
        "e2m1",
        "e2m1f",
        "k4p2se",
        "k3p1uf",
        "posit4_1",
        "fixed3_1",
        "dlfloat16",
    ];
    let units = factors.into_iter().map(|factor| (factor, "e3m2")).chain([("e8m0", "bfloat16")]);
    units.enumerate().par_bridge().for_each(|(turn, (factor, source))| {
        let (source, second) = (Some(format(source)), Some(format("e2m1f")));
        let plain = Selection { source, second, ..selection(factor, "e2m1", "exact", 1) };
        for tininess in Tininess::ALL {
            let operation = Selection { flags: Some(tininess), ..plain }.operation().unwrap();
            for operation in some_ways(operation, turn) {
                check(&operation, Choice::Sample(8_000));
            }
        }
    });
}

#[test]
#[ignore = "takes minutes"]
fn nightly_formats_of_hardware() {
    let units =
        [("e5m2", "binary16", 8), ("e4m3fn", "binary16", 4), ("bfloat16", "binary32", 2), ("binary16", "binary32", 2)];
    let units =
        units.into_iter().chain([("e5m2b1", "binary16", 4), ("posit8_2", "posit16_2", 4), ("e2m1f", "binary32", 16)]);
    units.par_bridge().for_each(|(operand, accumulator, lanes)| {
        for sum in ["exact", "chain", "tree", "fmac8", "align:14"] {
            check(&dot(operand, accumulator, sum, lanes), Choice::Sample(20_000));
        }
    });
}

#[test]
#[ignore = "takes minutes"]
fn nightly_matrix_units_of_gpus() {
    let operands = ["binary16", "bfloat16", "tf32", "e4m3fn", "e5m2", "k8p4sf", "k8p3sf", "binary32", "binary64"];
    let operands = operands.map(format);
    let results = [Format::binary16(), Format::binary32(), Format::binary64()];
    let all = Like::ALL.into_iter().flat_map(|like| operands.map(|operand| (like, operand)));
    let modeled = all.flat_map(|(like, operand)| results.map(|acc| (like, operand, acc)));
    let operations: Vec<Operation> = modeled
        .filter_map(|(like, operand, accumulator)| {
            let selection =
                Selection { like: Some(like), accumulator: Some(accumulator), ..Selection::new(Unit::Dot, operand) };
            selection.operation().ok()
        })
        .collect();
    assert_eq!(operations.len(), 68);
    operations.par_iter().for_each(|operation| {
        check(operation, Choice::Sample(10_000));
    });
}

const OF_AMD: [&str; 3] = ["flushed", "grouped", "interleaved"];

/// The sums of AMD's matrix units: all inputs of small formats. Some products of `e5m2` are beyond every result.
#[test]
fn sums_of_amd() {
    let small = [
        ("e2m1", "e2m1", 2),
        ("e3m1", "e2m2", 1),
        ("e2m2", "e3m1", 1),
        ("k3p2sf", "e3m1", 2),
        ("posit3_0", "e4m1", 2),
        ("e2m1b1", "e2m3", 1),
        ("e5m2", "e2m1", 1),
        ("ue3m2", "e3m2", 1),
    ];
    let operations = small.into_iter().flat_map(|(operand, result, lanes)| {
        OF_AMD.map(|sum| selection(operand, result, sum, lanes).operation().unwrap())
    });
    operations.par_bridge().for_each(|operation| {
        check(&operation, Choice::Exhaustive);
    });
}

/// The same with formats that hardware has, in blocks of unlike lengths, and with conversions.
#[test]
fn sums_of_amd_with_formats_of_hardware() {
    let units =
        [("binary16", "binary32", 3), ("bfloat16", "binary32", 5), ("k8p4sf", "binary32", 9), ("tf32", "binary16", 2)];
    units.into_iter().flat_map(|unit| OF_AMD.map(|sum| (unit, sum))).par_bridge().for_each(
        |((operand, result, lanes), sum)| {
            let plain = Selection { block: Some(2), ..selection(operand, result, sum, lanes) };
            check(&plain.operation().unwrap(), Choice::Sample(10_000));
            let (second, source) = (Some(format("e4m3")), Some(format("binary16")));
            let (output, activation) = (Some(format("e5m2")), Some(Activation::Relu));
            let converted = Selection { block: None, second, source, output, activation, ..plain };
            check(&converted.operation().unwrap(), Choice::Sample(5_000));
        },
    );
}

/// RISC-V's bulk normalization, with flags: all inputs of small formats, with fewer fraction bits than products have, and more.
#[test]
fn bulk_normalization() {
    let small = [
        ("k3p2se", "e2m1", 2),
        ("e2m1", "e3m1", 1),
        ("e3m1", "e2m3", 1),
        ("k3p2se", "e2m2", 2),
        ("posit3_0", "e3m1", 2),
    ];
    let flagged = |operand: &str, accumulator: &str, lanes: u32| {
        let plain = selection(operand, accumulator, "bulk", lanes);
        let flags = [None, Some(Tininess::After)];
        flags.map(|flags| Selection { flags, ..plain }.operation().unwrap())
    };
    small.into_par_iter().flat_map_iter(|(operand, accumulator, lanes)| flagged(operand, accumulator, lanes)).for_each(
        |operation| {
            check(&operation, Choice::Exhaustive);
        },
    );
    let hardware =
        [("bfloat16", "binary32", 4), ("e5m2", "binary32", 3), ("e4m3fn", "binary32", 8), ("binary16", "e4m3", 2)];
    hardware
        .into_par_iter()
        .flat_map_iter(|(operand, accumulator, lanes)| flagged(operand, accumulator, lanes))
        .for_each(|operation| {
            check(&operation, Choice::Sample(20_000));
        });
}

/// The product of two codes of `e4m3fn`: an integer of units of 2^-6, its reference exponent, and whether it is NaN.
#[derive(Clone, Copy)]
struct Product {
    units: i64,
    exponent: u32,
    is_nan: bool,
}

impl Product {
    fn of(a: u64, b: u64) -> Product {
        let [(m, e), (n, f)] = [a, b].map(|code| {
            let field = code >> 3 & 15;
            let significand = code & 7 | if field > 0 { 8 } else { 0 };
            (if code >> 7 == 1 { -(significand as i64) } else { significand as i64 }, field.max(1) as u32)
        });
        let is_nan = [a, b].iter().any(|code| code & 0x7f == 0x7f);
        Product { units: m * n, exponent: e + f, is_nan }
    }
}

/// The sum of two products by RISC-V's bulk normalization, in binary32: with 24 fraction bits, of which one is a guard bit.
fn bulk_normalized(x: Product, y: Product) -> u64 {
    if x.is_nan || y.is_nan {
        return 0x7fc0_0000;
    }
    let exponent = |product: Product| if product.units == 0 { 0 } else { product.exponent };
    let largest = exponent(x).max(exponent(y));
    let to_odd = |magnitude: i64, shift: u32| magnitude >> shift | i64::from(magnitude & ((1 << shift) - 1) != 0);
    let aligned = |product: Product| match product.units {
        0 => 0,
        units => to_odd(units.abs() << 18, (largest - product.exponent).min(40)) * units.signum(),
    };
    let sum = aligned(x) + aligned(y);
    if sum == 0 {
        return 0;
    }
    let place = sum.abs().ilog2();
    let significand = if place > 23 { to_odd(sum.abs(), place - 23) } else { sum.abs() << (23 - place) };
    // Two biases of 7, and the fraction bits.
    let field = i64::from(place + largest) - 14 - 24 + 127;
    u64::from(sum < 0) << 31 | (field << 23 | significand & 0x7f_ffff) as u64
}

/// All 2^32 operands of two lanes of `e4m3fn`, with zero for `c`.
#[test]
#[ignore = "takes minutes"]
fn nightly_bulk_normalization_of_all_pairs() {
    let operation =
        Selection { like: Some(Like::Rvbna), lanes: Some(2), ..Selection::new(Unit::Dot, format("e4m3fn")) };
    let operation = operation.operation().unwrap();
    let (model, netlist) = (Model::new(&operation), netlist(&operation));
    let products: Vec<Product> = (0..1 << 16).map(|codes| Product::of(codes >> 8, codes & 0xff)).collect();
    let (all, zeros): (Vec<u64>, Vec<u64>) = (0..1 << 16).map(|b| (b, 0)).unzip();
    (0..1_u64 << 16).into_par_iter().for_each_init(
        || interpreted(&netlist),
        |unit, a| {
            let codes = vec![a; all.len()];
            let inputs = [&codes, &all, &zeros].map(|words| Column::narrow(words));
            let mut got = vec![0; all.len()];
            unit(&inputs, &mut [ColumnMut { limbs: 1, words: &mut got }]);
            let product = |a: u64, b: u64| products[((a & 0xff) << 8 | b & 0xff) as usize];
            let want: Vec<u64> = all.iter().map(|&b| bulk_normalized(product(a, b), product(a >> 8, b >> 8))).collect();
            assert_eq!(got, want, "a {a:#x}");
            if a % 251 == 0 {
                model.evaluate_columns(&inputs, &mut [ColumnMut { limbs: 1, words: &mut got }]);
                assert_eq!(got, want, "the golden model, a {a:#x}");
            }
        },
    );
}

/// An exact sum does not care in which lanes its products are; one that is rounded on the way does.
#[test]
fn lanes_can_be_exchanged_where_the_sum_is_exact() {
    let differences = |sum: &str| {
        let model = Model::new(&dot("e4m3", "e4m3", sum, 3));
        let words = |codes: [u64; 3]| Word::from(codes[0] | codes[1] << 8 | codes[2] << 16);
        let mut differences = 0;
        for turn in 0..20_000_u64 {
            let code = |at: u64| (8 * turn + at).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40 & 0x8f | 0x30;
            let (a, b) = ([code(0), code(1), code(2)], [code(3), code(4), code(5)]);
            let c = Word::from(code(6));
            let plain = model.evaluate(&[words(a), words(b), c.clone()]);
            let turned = model.evaluate(&[words([a[2], a[0], a[1]]), words([b[2], b[0], b[1]]), c]);
            differences += u64::from(plain != turned);
        }
        differences
    };
    assert_eq!(differences("exact"), 0);
    assert!(differences("chain") > 100);
    assert!(differences("tree") > 100);
}
