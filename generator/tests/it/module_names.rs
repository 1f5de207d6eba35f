//! A module's name contains everything that changes its logic: two designs never share a name.

use binade_circuit::Optimize;
use binade_generator::Design;
use binade_generator::description::module_name;
use binade_spec::{
    Activation, Comparison, Dataflow, Extremum, Format, Function, Operation, Overflow, PositRange, Rounding, Selection,
    Setting, Significand, Tininess, Unit,
};
use rayon::prelude::*;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Formats of every family, including those that differ only in a suffix.
fn formats() -> Vec<Format> {
    let suffixes = [
        "",
        "n",
        "ns",
        "f",
        "fn",
        "b1",
        "b1u0",
        "b1u2",
        "b2",
        "b2u1",
        "b11",
        "b1,sat",
        "b1u2,sat",
        ",bias=1",
        ",bias=-1",
        ",bias=11",
        ",bias=-11",
        "b1,bias=1",
        "b1,sat,bias=1",
        "n,bias=1",
        "f,bias=1",
        "fn,bias=-1",
    ];
    let sizes = (2..=8).flat_map(|w| [0, 1, 2, 3, 7, 10, 11, 23].map(|t| format!("e{w}m{t}")));
    let floats = sizes.flat_map(|size| suffixes.map(|suffix| format!("{size}{suffix}")));
    let domains = ["se", "sf", "ue", "uf", "sens", "ufns", "se,bias=3", "uf,bias=-3"];
    let p3109 = (3..=16).flat_map(|k| (1..=k).map(move |p| format!("k{k}p{p}")));
    let p3109 = p3109.flat_map(|size| domains.map(|domain| format!("{size}{domain}")));
    let named =
        ["dlfloat16", "dlfloat16,bias=30", "binary64", "e8m0", "e8m0,bias=1", "e8m0,scale=2^-1"].map(String::from);
    let scales = ["", ",scale=2^1", ",scale=2^-1", ",scale=2^11", ",scale=2^-11"];
    let posits = (3..=32).flat_map(|bits| (0..=5).map(move |es| format!("posit{bits}_{es}")));
    let posits = posits.flat_map(|posit| scales.map(|scale| format!("{posit}{scale}")));
    floats.chain(p3109).chain(posits).chain(named).filter_map(|name| name.parse().ok()).collect()
}

/// Every operation on a format, alone and with each of `others`.
fn operations(format: Format, others: &[Format]) -> Vec<Operation> {
    let alone = Unit::ALL.into_iter().filter(|unit| !unit.takes(Setting::Acc) && *unit != Unit::Convert);
    let mut selections: Vec<Selection> = alone.flat_map(|unit| kinds(Selection::new(unit, format))).collect();
    for &other in others {
        let accumulator = Some(other);
        for unit in Unit::ALL.into_iter().filter(|unit| unit.takes(Setting::Acc)) {
            let plain = Selection { accumulator, ..Selection::new(unit, format) };
            let outputs = [None, Some(Activation::Relu), Some(Activation::Function(Function::GeluTanh))]
                .map(|activation| Selection { output: Some(format), activation, ..plain });
            let arrays = Dataflow::ALL.map(|array| Selection { array: Some(array), ..plain });
            let arrays = arrays.into_iter().filter(|_| unit.takes(Setting::Array));
            let rounded = |array| Selection { rounds_products: true, second: Some(format), ..array };
            selections.extend(arrays.clone().chain(arrays.map(rounded)));
            let quire = Selection { has_quire: true, ..plain };
            selections.extend([plain, quire].into_iter().chain(outputs));
        }
        selections.push(Selection { target: Some(other), ..Selection::new(Unit::Convert, format) });
    }
    selections.into_iter().flat_map(all_policies).filter_map(|selection| selection.operation().ok()).collect()
}

/// Every kind of the units that have several.
fn kinds(plain: Selection) -> Vec<Selection> {
    match plain.unit {
        Unit::Minmax => Extremum::ALL.map(|extremum| Selection { extremum: Some(extremum), ..plain }).to_vec(),
        Unit::Function => Function::ALL.map(|function| Selection { function: Some(function), ..plain }).to_vec(),
        Unit::Compare => Comparison::ALL.map(|kind| Selection { comparison: Some(kind), ..plain }).to_vec(),
        Unit::PositDecoder => Significand::ALL.map(|form| Selection { significand: Some(form), ..plain }).to_vec(),
        _ => vec![plain],
    }
}

/// Every rounding with every policy, and no rounding, for the unit that rounds nothing.
fn all_policies(selection: Selection) -> Vec<Selection> {
    let roundings = Rounding::NAMED.into_iter().chain([1, 12].map(Rounding::Sr)).map(Some).chain([None]);
    let policies = roundings.flat_map(|rounding| Overflow::ALL.map(|overflow| (rounding, overflow)));
    let with = |(rounding, overflow)| {
        let has_internal_random = selection.unit.takes(Setting::Random) && rounding == Some(Rounding::Sr(1));
        let plain = Selection { rounding, overflow, ..selection };
        [plain].into_iter().chain(has_internal_random.then_some(Selection { has_internal_random, ..plain }))
    };
    let flags = [None, Some(Tininess::After), Some(Tininess::Before)];
    let ranged = |selection| PositRange::ALL.map(|posit_range| Selection { posit_range, ..selection });
    policies
        .flat_map(with)
        .flat_map(ranged)
        .flat_map(|selection| flags.map(|flags| Selection { flags, ..selection }))
        .collect()
}

/// Designs of every format, alternately for area and depth, with and without registers.
fn designs() -> impl ParallelIterator<Item = Design> {
    let formats = formats();
    let others: Vec<Format> = formats.iter().copied().step_by(797).collect();
    let operations = formats.into_par_iter().enumerate().flat_map_iter(move |(number, format)| {
        operations(format, &others).into_iter().map(move |operation| (number, operation))
    });
    operations.flat_map_iter(|(number, operation)| {
        let optimize = Optimize::ALL[number % 2];
        [Design::from(operation), Design::pipelined(operation, 1 + number as u32 % 16).optimized(optimize)]
    })
}

fn hash(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// There are millions of designs, so only a hash of each name and design is kept.
#[test]
#[ignore = "nightly"]
fn nightly_names_are_identifiers_and_equal_ones_mean_equal_designs() {
    let named = |design: Design| {
        let name = module_name(&design);
        assert_identifier(&name);
        (hash(name), hash(design))
    };
    let mut named: Vec<(u64, u64)> = designs().map(named).collect();
    assert!(named.len() > 200_000, "only {} designs", named.len());
    named.par_sort_unstable();
    let two = named.par_windows(2).find_any(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1);
    if let Some(&[(name, _), _]) = two {
        let so_called: HashSet<Design> = designs().filter(|design| hash(module_name(design)) == name).collect();
        panic!("designs of one name: {so_called:#?}");
    }
}

/// The name of a design with all settings is no longer than this; after `module`, it is hardly more than a line.
const LONGEST: usize = 116;

fn assert_identifier(name: &str) {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    assert!(name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(is_plain), "{name}");
    assert!(!name.contains("__") && !name.ends_with('_') && name.len() < LONGEST, "{name}");
}
