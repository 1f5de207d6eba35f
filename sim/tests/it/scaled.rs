//! Units with scales on the interpreter against the golden model: dot products of blocks, blocks that are made, quotients by a scale; all inputs of small formats of every family, and samples of
//! large ones.

use crate::common::{check, format};
use binade_sim::Choice;
use binade_spec::{Like, Operation, Overflow, PositRange, Rounding, ScaleRule, Selection, Tininess, Unit};
use rayon::prelude::*;

fn blocks([element, scale, result]: [&str; 3], lanes: u32, rounding: Rounding) -> Selection {
    Selection {
        scale: Some(format(scale)),
        accumulator: Some(format(result)),
        lanes: Some(lanes),
        rounding: Some(rounding),
        ..Selection::new(Unit::MxDot, format(element))
    }
}

/// Blocks as Blackwell's matrix units add them.
#[test]
fn blocks_of_matrix_units() {
    let modeled = |like: Like, [a, b, scale]: [&str; 3], block, lanes| Selection {
        like: Some(like),
        second: Some(format(b)),
        scale: Some(format(scale)),
        block,
        lanes,
        ..Selection::new(Unit::MxDot, format(a))
    };
    let units = [
        modeled(Like::B200, ["e4m3fn", "e4m3fn", "e8m0"], None, Some(4)),
        modeled(Like::B200, ["e5m2", "e4m3fn", "e8m0"], None, None),
        modeled(Like::B200, ["e5m2", "e5m2", "e8m0"], None, Some(2)),
        modeled(Like::B200, ["e2m1f", "e2m1f", "e8m0"], None, None),
        modeled(Like::B200, ["e2m1f", "e2m1f", "e8m0"], Some(16), Some(32)),
        modeled(Like::B200, ["e2m1f", "e2m1f", "e4m3fn"], None, Some(16)),
        modeled(Like::Rtxpro6000, ["e2m1f", "e2m1f", "e4m3fn"], Some(32), None),
        modeled(Like::B200, ["e2m1f", "e2m1f", "e4m3fn"], None, Some(8)),
    ];
    units.into_par_iter().for_each(|selection| {
        let saturated = Selection { overflow: Overflow::Saturate, ..selection };
        check(&selection.operation().unwrap(), Choice::Sample(20_000));
        check(&saturated.operation().unwrap(), Choice::Sample(5_000));
    });
}

fn exhaustively(selections: impl IntoParallelIterator<Item = Selection>) {
    selections.into_par_iter().for_each(|selection| {
        check(&selection.operation().unwrap(), Choice::Exhaustive);
    });
}

/// Scales with a sign, with a significand, with a zero and without, far beyond the result on both sides; results of every family.
#[test]
fn smallest_blocks() {
    exhaustively([
        blocks(["e2m1f", "e2m1", "e2m1"], 1, Rounding::Rdn),
        blocks(["e2m1f", "k4p1uf", "e3m2"], 1, Rounding::Rne),
        blocks(["e2m1", "e3m1", "e2m2b1"], 1, Rounding::Rup),
        blocks(["e2m0f", "e3m1", "posit5_1"], 1, Rounding::Rne),
        blocks(["k3p2se", "k4p1uf", "e3m1n"], 1, Rounding::Rna),
        blocks(["posit3_1", "e3m0", "e3m2"], 1, Rounding::Rto),
        blocks(["k3p2se", "k3p1uf", "e2m1"], 2, Rounding::Rtz),
        Selection { posit_range: PositRange::Float, ..blocks(["e2m0f", "k5p1uf", "posit5_1"], 1, Rounding::Rne) },
        Selection { overflow: Overflow::Saturate, ..blocks(["e2m1", "k4p1ue", "e2m1"], 1, Rounding::Sr(2)) },
        Selection { flags: Some(Tininess::Before), ..blocks(["e2m1", "k4p1ue", "e2m1"], 1, Rounding::Rne) },
        Selection { flags: Some(Tininess::After), ..blocks(["e2m1", "k4p1ue", "e2m1"], 1, Rounding::Rne) },
    ]);
}

#[test]
fn samples_of_blocks() {
    for formats in [["e2m1f", "e8m0", "binary32"], ["e4m3fn", "e8m0", "bfloat16"], ["e5m2", "e8m0", "binary16"]] {
        check(&blocks(formats, 8, Rounding::Rne).operation().unwrap(), Choice::Sample(20_000));
    }
    let nvfp4 = blocks(["e2m1f", "e4m3fn", "binary32"], 16, Rounding::Rne);
    check(&nvfp4.operation().unwrap(), Choice::Sample(20_000));
    let mixed = Selection { second: Some(format("e5m2")), ..blocks(["e2m3f", "e8m0", "binary32"], 4, Rounding::Sr(8)) };
    check(&mixed.operation().unwrap(), Choice::Sample(20_000));
}

#[test]
#[ignore = "long"]
fn whole_blocks() {
    for element in ["e5m2", "e4m3fn", "e3m2f", "e2m3f", "e2m1f"] {
        check(&blocks([element, "e8m0", "binary32"], 32, Rounding::Rne).operation().unwrap(), Choice::Sample(20_000));
    }
}

/// All inputs of small blocks, with subnormals that matter for the scale and without, and every rule.
#[test]
fn rules_of_scales() {
    let made = |from: &str, element: &str, lanes: u32, rule: ScaleRule| Selection {
        source: Some(format(from)),
        lanes: Some(lanes),
        scale_rule: Some(rule),
        ..Selection::new(Unit::MxQuantize, format(element))
    };
    let small = [
        ("e4m3", "e2m1f", 2),
        ("e5m2", "e3m2f", 2),
        ("binary16", "e4m3fn", 1),
        ("bfloat16", "e5m2", 1),
        ("e3m4", "int4", 2),
        // Sources without trailing bits, whose numbers are powers of two.
        ("e2m0ns", "e1m0", 2),
        ("e3m0ns", "e5m5", 1),
        ("e3m0", "e2m1f", 2),
    ];
    let all = |(from, element, lanes)| ScaleRule::ALL.map(|rule| made(from, element, lanes, rule));
    exhaustively(small.into_iter().flat_map(all).collect::<Vec<_>>());
    for rule in ScaleRule::ALL {
        check(&made("binary32", "e2m3f", 4, rule).operation().unwrap(), Choice::Sample(50_000));
        // So many lanes are instances of one module, which reads a single bit of an operand.
        check(&made("e3m0", "e2m1f", 32, rule).operation().unwrap(), Choice::Sample(20_000));
    }
}

/// Scales with a significand, where elements are divided: other roundings than to nearest, elements with many codes, operands with few
/// digits.
#[test]
fn quotients_by_scales_with_significands() {
    let by = |scale: &str, from: &str, element: &str, lanes: u32, rounding: Rounding| Selection {
        source: Some(format(from)),
        lanes: Some(lanes),
        scale: Some(format(scale)),
        rounding: Some(rounding),
        ..Selection::new(Unit::MxQuantize, format(element))
    };
    let made = |from: &str, element: &str, lanes, rounding| by("e4m3fn", from, element, lanes, rounding);
    exhaustively([
        made("binary16", "e2m1f", 1, Rounding::Sr(3)),
        made("bfloat16", "e2m1f", 1, Rounding::Rdn),
        made("bfloat16", "e4m3fn", 1, Rounding::Rne),
        made("bfloat16", "e2m3f", 1, Rounding::Rne),
        made("bfloat16", "int8", 1, Rounding::Rtz),
        made("bfloat16", "k6p3se", 1, Rounding::Rna),
        made("binary16", "e3m2b1", 1, Rounding::Rto),
        // A format of operands that does not represent all bounds, and a scale with more digits than the operands.
        made("binary16", "e3m2f", 1, Rounding::Rne),
        by("binary32", "binary16", "e4m3fn", 1, Rounding::Rne),
        by("e3m4", "e4m3", "e2m1f", 2, Rounding::Rne),
    ]);
    for rounding in [Rounding::Rne, Rounding::Sr(8)] {
        check(&made("binary32", "e4m3fn", 4, rounding).operation().unwrap(), Choice::Sample(50_000));
        check(&made("binary32", "e2m1f", 16, rounding).operation().unwrap(), Choice::Sample(20_000));
        check(&by("binary32", "bfloat16", "e4m3fn", 4, rounding).operation().unwrap(), Choice::Sample(20_000));
    }
}

fn unscale(from: &str, to: &str, rounding: Rounding) -> Selection {
    Selection { target: Some(format(to)), rounding: Some(rounding), ..Selection::new(Unit::Unscale, format(from)) }
}

#[test]
fn quotients_by_a_scale() {
    exhaustively([
        unscale("e4m3", "e4m3", Rounding::Rne),
        unscale("fixed8_6", "e4m3", Rounding::Rne),
        unscale("e5m2", "int8", Rounding::Rna),
        unscale("e5m2b1", "e5m2b1", Rounding::Rdn),
        unscale("posit8_1", "e5m2", Rounding::Sr(3)),
        unscale("k8p3sf", "posit8_0", Rounding::Rne),
        Selection { flags: Some(Tininess::After), ..unscale("e5m2", "e4m3", Rounding::Rup) },
        Selection { overflow: Overflow::Saturate, ..unscale("e4m3fn", "e2m3f", Rounding::Rto) },
    ]);
    for (from, to) in [("binary32", "binary32"), ("binary16", "binary32"), ("bfloat16", "posit16_1")] {
        let operation: Operation = unscale(from, to, Rounding::Rne).operation().unwrap();
        check(&operation, Choice::Sample(100_000));
    }
}

fn quantize(element: &str, source: &str, lanes: u32, rounding: Rounding) -> Selection {
    Selection {
        source: Some(format(source)),
        lanes: Some(lanes),
        rounding: Some(rounding),
        ..Selection::new(Unit::MxQuantize, format(element))
    }
}

/// Sources whose subnormals have scales of their own, and those whose have not; elements of every family.
#[test]
fn blocks_that_are_made() {
    exhaustively([
        quantize("e2m1f", "e3m2", 3, Rounding::Rne),
        quantize("e2m1f", "e5m2", 2, Rounding::Sr(2)),
        quantize("e5m2b1", "binary16", 1, Rounding::Rdn),
        quantize("posit6_1", "e4m3", 2, Rounding::Rne),
        quantize("k4p2sf", "bfloat16", 1, Rounding::Rup),
    ]);
    let with_scale = |scale, selection| Selection { scale: Some(format(scale)), ..selection };
    exhaustively([
        with_scale("e4m3fn", quantize("e2m1f", "binary16", 1, Rounding::Rne)),
        with_scale("e3m2", quantize("e2m1", "e6m9", 1, Rounding::Rne)),
        with_scale("e2m1", quantize("e2m0f", "e4m4", 2, Rounding::Rne)),
    ]);
    exhaustively([
        with_scale("k8p1uf", quantize("e2m1f", "bfloat16", 1, Rounding::Rne)),
        with_scale("k6p1ue", quantize("e4m3fn", "binary16", 1, Rounding::Sr(2))),
        with_scale("k4p1uf", quantize("int4", "e5m2", 2, Rounding::Rne)),
    ]);
    let with_factor = |factor, selection| Selection { tensor_scale: Some(format(factor)), ..selection };
    exhaustively([
        with_factor("e4m3", quantize("e2m1f", "e3m2", 2, Rounding::Rne)),
        with_factor("e5m3", with_scale("e4m3fn", quantize("e2m1f", "e5m2", 1, Rounding::Sr(3)))),
    ]);
    for (element, source) in [("e2m1f", "binary32"), ("e3m2f", "bfloat16"), ("e2m3f", "binary32")] {
        let selection = with_factor("binary32", with_scale("e4m3fn", quantize(element, source, 4, Rounding::Rne)));
        check(&selection.operation().unwrap(), Choice::Sample(20_000));
        let selection = with_scale("e4m3fn", quantize(element, source, 16, Rounding::Rne));
        check(&selection.operation().unwrap(), Choice::Sample(20_000));
    }
    for (element, source) in [("e4m3fn", "binary32"), ("e5m2", "bfloat16"), ("e2m1f", "binary32"), ("e3m2f", "tf32")] {
        check(&quantize(element, source, 8, Rounding::Rne).operation().unwrap(), Choice::Sample(50_000));
    }
}
