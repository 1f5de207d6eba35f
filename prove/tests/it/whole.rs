//! The specification as one circuit agrees with the golden model: on all inputs of small units, and on samples of large
//! ones.

use crate::families::{FORMATS, format};
use binade_generator::generate;
use binade_prove::specification;
use binade_sim::{Choice, Engine, Gates, Plan, Run, verify};
use binade_spec::{
    Activation, Comparison, Extremum, Function, Operation, Overflow, PositRange, Rounding, Selection, Setting,
    Tininess, Unit,
};
use binade_tools::{Source, Tools};
use rayon::prelude::*;

/// The most input bits that are enumerated.
const ENUMERATED_BITS: u32 = 20;

/// The number of vectors for larger units.
const SAMPLE: u64 = 1 << 17;

/// Compares specification and golden model; returns the number of vectors, or `None` if there is no such unit.
fn checked(selection: &Selection) -> Option<u64> {
    let operation = selection.operation().ok()?;
    let graph = specification(&operation).unwrap_or_else(|reason| panic!("{operation:?}: {reason}"));
    Some(checked_graph(&operation, Gates { graph, origin: "the specification".into() }))
}

fn checked_graph(operation: &Operation, gates: Gates) -> u64 {
    let is_small = operation.input_bits() <= ENUMERATED_BITS;
    let choice = if is_small { Choice::Exhaustive } else { Choice::Sample(SAMPLE) };
    let plan = Plan::new(operation, choice, 1).expect("a plan for the operation");
    let unit = generate(*operation);
    let run = Run { engine: Engine::Lanes(&gates), ..Run::new(&unit, &plan) };
    let found = verify(&Tools::new(Source::Pinned), run, &|_| {}).unwrap_or_else(|error| panic!("{error}"));
    assert!(found.is_right(), "{}: {:?}", found.module, found.mismatch);
    found.checked
}

/// Compares all of these, of which so many must be units.
fn assert_same(selections: &[Selection], units: usize) {
    let vectors: Vec<u64> = selections.par_iter().filter_map(checked).collect();
    assert_eq!(vectors.len(), units, "units among {}", selections.len());
    assert!(vectors.iter().all(|&vectors| vectors > 0));
}

/// Units of one and two operands in every format.
fn plain_units() -> Vec<Selection> {
    let of_format = |name: &&str| {
        let format = format(name);
        let units = [Unit::Decode, Unit::Encode, Unit::Mul, Unit::Add, Unit::Sub, Unit::Compare, Unit::Classify];
        let extrema = Extremum::ALL
            .into_iter()
            .map(move |which| Selection { extremum: Some(which), ..Selection::new(Unit::Minmax, format) });
        let targets = ["e4m3fn", "posit8_1", "e5m2b1", "bfloat16"];
        let conversions = targets
            .map(|target| Selection { target: Some(target.parse().unwrap()), ..Selection::new(Unit::Convert, format) });
        units.into_iter().map(move |unit| Selection::new(unit, format)).chain(extrema).chain(conversions)
    };
    FORMATS.iter().flat_map(of_format).collect()
}

/// Every unit has a right specification or none, including future units.
#[test]
fn a_unit_has_a_right_specification_or_none() {
    let of_unit = |unit: Unit| {
        let formats = ["e3m2", "e3m2b1", "e2m1f", "k5p2se", "posit5_1", "fixed5_2"].map(format);
        formats.into_iter().flat_map(move |format| {
            let plain = Selection {
                accumulator: unit.takes(Setting::Acc).then_some(format),
                target: unit.takes(Setting::To).then_some(format),
                extremum: unit.takes(Setting::Operation).then_some(Extremum::Minimum),
                function: unit.takes(Setting::Function).then_some(Function::Tanh),
                lanes: unit.takes(Setting::Lanes).then_some(1),
                ..Selection::new(unit, format)
            };
            [None, Some(Tininess::After)].map(|flags| Selection { flags, ..plain })
        })
    };
    let selections = Unit::ALL.into_iter().filter(|unit| unit.has_format()).flat_map(of_unit);
    let operations: Vec<Operation> = selections.filter_map(|selection| selection.operation().ok()).collect();
    let specified = operations.par_iter().filter_map(|operation| {
        let graph = specification(operation).ok()?;
        (!operation.has_state()).then(|| checked_graph(operation, Gates { graph, origin: "the specification".into() }))
    });
    let specified = specified.count();
    assert_eq!((specified, operations.len()), (162, 226), "units with a specification, and all");
}

#[test]
fn units_of_one_and_two_operands() {
    assert_same(&plain_units(), 510);
}

/// Each rounding and each policy for the range.
fn all_ways(selection: Selection) -> impl Iterator<Item = Selection> {
    let roundings =
        Rounding::NAMED.into_iter().chain([1, 5].map(Rounding::Sr)).chain([Rounding::Srb(3), Rounding::Src(3)]);
    let of_rounding = move |rounding| {
        let with = Selection { rounding: Some(rounding), ..selection };
        let of_floats = Overflow::ALL.map(|overflow| Selection { overflow, ..with });
        let of_posits = PositRange::ALL.map(|posit_range| Selection { posit_range, ..with });
        of_floats.into_iter().chain(of_posits)
    };
    roundings.flat_map(of_rounding)
}

#[test]
#[ignore = "long"]
fn roundings_and_policies() {
    let of_format = |name: &&str| {
        let format = format(name);
        let units = [Unit::Encode, Unit::Mul, Unit::Add].map(move |unit| Selection::new(unit, format));
        units.into_iter().flat_map(all_ways).collect::<Vec<_>>()
    };
    let selections: Vec<Selection> = FORMATS.iter().flat_map(of_format).collect();
    assert_same(&selections, 3006);
}

#[test]
fn flags() {
    let mut selections = vec![];
    for (name, tininess) in [("e4m3", Tininess::After), ("e3m4n", Tininess::Before), ("e5m2", Tininess::Before)] {
        for rounding in [Rounding::Rne, Rounding::Rdn, Rounding::Rto] {
            for unit in [Unit::Encode, Unit::Mul, Unit::Add, Unit::Sub, Unit::Fmac, Unit::Mac] {
                let accumulator = unit.takes(Setting::Acc).then(|| format("e4m4"));
                let selection = Selection { accumulator, ..Selection::new(unit, format(name)) };
                selections.push(Selection { flags: Some(tininess), rounding: Some(rounding), ..selection });
            }
        }
    }
    let signaling = Some(Comparison::Signaling);
    let compare = Selection::new(Unit::Compare, format("e5m2"));
    selections.push(Selection { comparison: signaling, flags: Some(Tininess::After), ..compare });
    assert_same(&selections, 55);
}

/// Formats in which the gap from zero to the smallest value is not a power of two.
#[test]
fn stochastic_rounding_without_subnormals() {
    let formats = ["e2m1ns", "e2m2ns", "e3m0ns", "e3m2ns", "e4m3ns", "k6p3sens"].into_iter();
    let ways = formats.filter_map(|name| name.parse().ok()).flat_map(|format| {
        let units = [Unit::Encode, Unit::Mul, Unit::Add].map(|unit| Selection::new(unit, format));
        let fmac = Selection { accumulator: Some(format), ..Selection::new(Unit::Fmac, format) };
        units
            .into_iter()
            .chain([fmac])
            .flat_map(|selection| [1, 3, 6].map(|bits| Selection { rounding: Some(Rounding::Sr(bits)), ..selection }))
    });
    assert_same(&ways.collect::<Vec<_>>(), 72);
}

#[test]
fn multiply_adds() {
    let mut selections = vec![];
    for (name, accumulator) in [
        ("e2m3f", "e4m3"),
        ("e3m2f", "e3m3"),
        ("e3m2b1", "e3m2b1"),
        ("e3m1b2u1", "e3m4"),
        ("e3m2n", "e3m2ns"),
        ("k6p3se", "e5m2"),
        ("posit6_1", "posit6_1"),
        ("e2m3f", "posit8_2"),
        ("posit5_2", "e4m3"),
        ("e5m2", "binary16"),
        ("e8m0", "e5m3"),
        ("dlfloat16", "dlfloat16"),
        ("bfloat16", "bfloat16"),
    ] {
        for unit in [Unit::Fmac, Unit::Mac] {
            let plain = Selection { accumulator: Some(format(accumulator)), ..Selection::new(unit, format(name)) };
            selections.push(plain);
            selections.push(Selection { rounding: Some(Rounding::Rdn), overflow: Overflow::Saturate, ..plain });
            selections.push(Selection { rounding: Some(Rounding::Sr(3)), ..plain });
            let takes_any = format(accumulator).check_rounding(Rounding::Srb(3)).is_ok();
            let others = [Rounding::Srb(2), Rounding::Src(3)].into_iter().filter(|_| takes_any);
            selections.extend(others.map(|rounding| Selection { rounding: Some(rounding), ..plain }));
            selections.push(Selection {
                output: Some(format("posit6_0")),
                activation: Some(Activation::Relu),
                ..plain
            });
        }
    }
    assert_same(&selections, 128);
}

/// Exact sums of products, of two formats, with wide and narrow results.
#[test]
fn dot_products() {
    let mut selections = vec![];
    for (name, second, accumulator, lanes) in [
        ("e2m1f", "e2m1f", "e3m2", 2),
        ("e2m1f", "e3m2f", "e5m2", 3),
        ("e3m1", "e3m1", "e4m2", 5),
        ("e3m2b1", "e2m1f", "e3m2b1", 2),
        ("e4m3", "e5m2", "binary16", 4),
        ("e5m2", "e4m3fn", "bfloat16", 1),
        ("k6p3se", "k5p2se", "k6p3se", 2),
        ("posit5_1", "e2m3f", "posit6_1", 2),
        ("e3m2ns", "e3m2ns", "e4m3", 3),
    ] {
        let [second, accumulator] = [second, accumulator].map(|name| Some(format(name)));
        let plain = Selection { second, accumulator, lanes: Some(lanes), ..Selection::new(Unit::Dot, format(name)) };
        selections.push(plain);
        selections.push(Selection { rounding: Some(Rounding::Rdn), overflow: Overflow::Saturate, ..plain });
        selections.push(Selection { rounding: Some(Rounding::Sr(3)), ..plain });
        selections.push(Selection { flags: Some(Tininess::After), ..plain });
        selections.push(Selection { output: Some(format("posit6_0")), activation: Some(Activation::Relu), ..plain });
    }
    assert_same(&selections, 41);
}

/// Sums of terms that are truncated below the largest exponent, as in matrix units of GPUs.
#[test]
fn sums_of_terms_that_are_cut_off() {
    let mut selections = vec![];
    for (name, second, accumulator, lanes, sum) in [
        ("e2m1f", "e2m1f", "e3m2", 2, "align:1"),
        ("e4m3", "e5m2", "binary16", 4, "align:13"),
        ("e4m3fn", "e4m3fn", "binary32", 4, "align:13,floor=-133,result=13"),
        ("bfloat16", "bfloat16", "binary32", 4, "align:24,floor=-132"),
        ("e3m2b1", "e2m1ns", "e3m2b1", 2, "align:4"),
        ("posit8_2", "e2m1f", "posit16_2", 4, "align:14"),
        ("nf4", "e3m2", "e4m3", 2, "align:5"),
    ] {
        let [second, accumulator] = [second, accumulator].map(|name| Some(format(name)));
        let summation = Some(sum.parse().expect("a summation"));
        let dot = Selection { second, accumulator, summation, ..Selection::new(Unit::Dot, format(name)) };
        let plain = Selection { lanes: Some(lanes), ..dot };
        selections.push(plain);
        selections.push(Selection { rounding: Some(Rounding::Rdn), overflow: Overflow::Saturate, ..plain });
        selections.push(Selection { rounding: Some(Rounding::Sr(3)), ..plain });
    }
    let like = Some("b200".parse().expect("a machine"));
    for (name, lanes) in [("e2m1f", 32), ("e4m3fn", 32)] {
        selections.push(Selection { like, lanes: Some(lanes), ..Selection::new(Unit::MxDot, format(name)) });
    }
    assert_same(&selections, 22);
}

/// Sums of groups of products, as in matrix units of AMD's CDNA 3. Some products of `e5m2` and of `bfloat16` are beyond the results.
#[test]
fn sums_of_groups() {
    let mut selections = vec![];
    for (name, second, accumulator, lanes) in [
        ("e2m1f", "e2m1", "e3m2", 2),
        ("e5m2", "e2m1f", "e2m1", 2),
        ("e4m3", "e5m2", "binary16", 4),
        ("k8p4sf", "k8p3sf", "binary32", 6),
        ("bfloat16", "bfloat16", "binary32", 3),
        ("e3m2b1", "e2m1ns", "e3m2", 2),
        ("posit8_2", "e2m1f", "binary16", 3),
        ("nf4", "e3m2", "e4m3", 2),
    ] {
        let [second, accumulator] = [second, accumulator].map(|name| Some(format(name)));
        for sum in ["grouped", "interleaved"] {
            let summation = Some(sum.parse().expect("a summation"));
            let dot = Selection { second, accumulator, summation, ..Selection::new(Unit::Dot, format(name)) };
            selections.push(Selection { lanes: Some(lanes), ..dot });
        }
    }
    assert_same(&selections, 16);
}

#[test]
fn wide_units() {
    let mut selections = vec![];
    for name in ["binary16", "binary32", "binary64", "posit16_1", "posit16_2", "posit32_2"] {
        for unit in [Unit::Encode, Unit::Decode, Unit::Mul, Unit::Add, Unit::Fmac, Unit::Mac, Unit::Compare] {
            selections.push(Selection::new(unit, format(name)));
        }
    }
    assert_same(&selections, 42);
}
