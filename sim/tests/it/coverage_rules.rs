//! Every bin of small formats, over all inputs: it is hit, or argued to be unreachable, and never both.

use binade_sim::coverage::{Coverage, Tally};
use binade_spec::{
    Activation, Column, Extremum, Format, Function, Kind, Operation, Overflow, PositRange, Rounding, Selection,
    Setting, Tininess, Unit,
};
use rayon::prelude::*;
use std::collections::HashSet;

/// All inputs of an operation, counted.
fn exhausted(operation: &Operation) -> Coverage {
    let ports = operation.inputs();
    let bits = operation.input_bits();
    assert!(bits <= 22, "{operation:?} has too many inputs");
    let tally = Tally::new(operation);
    let mut counter = tally.counter();
    let mut low = bits;
    let columns: Vec<Vec<u64>> = ports
        .iter()
        .map(|port| {
            low -= port.width();
            (0..1_u64 << bits).map(|index| index >> low & (u64::MAX >> (64 - port.width()))).collect()
        })
        .collect();
    counter.count(&columns.iter().map(|column| Column::narrow(column)).collect::<Vec<_>>());
    drop(counter);
    tally.coverage(false)
}

/// What enumeration says of an operation's bins.
#[derive(Default)]
struct Findings {
    /// How many bins there are.
    bins: usize,
    /// Those that were argued to be unreachable and were hit.
    disproved: Vec<String>,
    /// Those that are neither hit nor argued to be unreachable.
    open: Vec<String>,
}

fn findings(operation: &Operation) -> Findings {
    let argued = Tally::new(operation).coverage(false);
    let counted = exhausted(operation);
    let mut findings = Findings { bins: counted.bins, ..Findings::default() };
    for (argued, counted) in argued.groups.iter().zip(&counted.groups) {
        let hit: HashSet<&str> = counted.hit.iter().map(|bin| bin.bin.as_str()).collect();
        let describe = |bin: &String| {
            format!(
                "{} {} -> {} {}, {}: {bin}",
                operation.unit, operation.operand, operation.result, operation.rounding, argued.name
            )
        };
        let unreachable = argued.unreachable.iter().flat_map(|argument| &argument.bins);
        findings.disproved.extend(unreachable.filter(|bin| hit.contains(bin.as_str())).map(describe));
        findings.open.extend(counted.empty.iter().map(describe));
        let in_bins: u64 = counted.hit.iter().map(|bin| bin.vectors).sum();
        assert!(in_bins <= 1 << operation.input_bits(), "a vector is in one bin of a group at the most");
    }
    findings
}

fn format(name: &str) -> Format {
    name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

const FORMATS: [&str; 24] = [
    "e2m1",
    "e3m2",
    "e2m3",
    "e3m1",
    "e4m1",
    "e2m1f",
    "e3m2f",
    "e2m3f",
    "e3m2fn",
    "e3m2n",
    "e3m2ns",
    "e3m1b1",
    "e3m2b1",
    "e4m1b2",
    "e3m2b1u2",
    "e3m2b1,sat",
    "k4p2sf",
    "k5p3se",
    "k6p3uf",
    "k5p1se",
    "posit5_0",
    "posit6_1",
    "posit6_2",
    "posit5_3",
];

const ROUNDINGS: [Rounding; 10] = [
    Rounding::Rne,
    Rounding::Rna,
    Rounding::Rtz,
    Rounding::Rup,
    Rounding::Rdn,
    Rounding::Rto,
    Rounding::Sr(2),
    Rounding::Srb(1),
    Rounding::Src(2),
    Rounding::Mptorch,
];

/// Every selection that makes sense of these.
fn operations() -> Vec<Operation> {
    let mut all = vec![];
    for (at, name) in FORMATS.iter().enumerate() {
        for (turn, rounding) in ROUNDINGS.into_iter().enumerate() {
            // Units of vectors have many roundings of the same kinds: some of them are enough.
            let other = format(FORMATS[(at + 5 * turn + 7) % FORMATS.len()]);
            let is_of_vectors = |unit| matches!(Operation::new(unit, other, other).kind, Kind::Vector(_));
            for unit in Unit::ALL.into_iter().filter(|&unit| !is_of_vectors(unit) || (at + turn) % 8 == 0) {
                // Large enough for elements that share operands.
                let size = |size| (unit == Unit::Mma).then_some(size);
                let plain = Selection {
                    lanes: (unit == Unit::MxDot).then_some(2),
                    rows: size(2),
                    columns: size(1),
                    depth: size(2),
                    rounding: unit.takes(Setting::Round).then_some(rounding),
                    extremum: unit.takes(Setting::Operation).then_some(Extremum::ALL[turn % 8]),
                    function: unit.takes(Setting::Function).then_some(Function::ALL[(at + turn) % 18]),
                    accumulator: unit.takes(Setting::Acc).then_some(other),
                    target: (unit == Unit::Convert).then_some(other),
                    ..Selection::new(unit, format(name))
                };
                let variants = [
                    plain,
                    Selection { overflow: Overflow::Saturate, ..plain },
                    Selection { overflow: Overflow::Propagate, ..plain },
                    Selection { posit_range: PositRange::Float, ..plain },
                    Selection { flags: Some(Tininess::After), ..plain },
                    Selection { flags: Some(Tininess::Before), ..plain },
                    Selection {
                        output: Some(format(name)),
                        activation: (turn % 2 == 0).then_some(Activation::Relu),
                        ..plain
                    },
                ];
                all.extend(variants.into_iter().filter_map(|selection| selection.operation().ok()));
            }
        }
    }
    all.retain(|operation| operation.input_bits() <= 16 && operation.unit != Unit::Encode);
    all
}

/// Of all bins of a unit, those left open are at most this share: `open` of `in_all`.
struct Share {
    unit: Unit,
    open: usize,
    in_all: usize,
}

/// Products of narrow formats are listed one by one and parts are free, so nothing is open there. Sums are argued by ranges
/// and numbers of bits, and in formats of a few values some numbers that these allow do not occur.
const OPEN: [Share; 8] = [
    Share { unit: Unit::Decode, open: 0, in_all: 1 },
    Share { unit: Unit::Mul, open: 0, in_all: 1 },
    Share { unit: Unit::PositDecoder, open: 0, in_all: 1 },
    Share { unit: Unit::PositEncoder, open: 0, in_all: 1 },
    Share { unit: Unit::Convert, open: 1, in_all: 1000 },
    Share { unit: Unit::Add, open: 3, in_all: 1000 },
    Share { unit: Unit::Fmac, open: 3, in_all: 1000 },
    Share { unit: Unit::Mac, open: 3, in_all: 1000 },
];

#[test]
#[ignore = "nightly"]
fn nightly_every_bin_is_hit_or_argued_and_never_both() {
    let all = operations();
    let results: Vec<(Unit, Findings)> =
        all.par_iter().map(|operation| (operation.unit, findings(operation))).collect();
    let disproved: Vec<&String> = results.iter().flat_map(|(_, findings)| &findings.disproved).collect();
    assert!(disproved.is_empty(), "argued to be unreachable, and hit: {disproved:#?}");
    for Share { unit, open, in_all } in OPEN {
        let of_unit = || results.iter().filter(|(other, _)| *other == unit).map(|(_, findings)| findings);
        assert!(of_unit().count() > 5, "{unit} is among the operations");
        let bins: usize = of_unit().map(|findings| findings.bins).sum();
        let left: Vec<&String> = of_unit().flat_map(|findings| &findings.open).collect();
        println!("{unit}: {} operations, {bins} bins, {} open", of_unit().count(), left.len());
        assert!(left.len() * in_all <= bins * open, "{unit}: {} of {bins} bins are open: {left:#?}", left.len());
    }
}
