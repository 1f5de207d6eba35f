//! Every bin of small formats, over all inputs: it is hit, or argued to be unreachable, and never both.

use binade_golden::{Format, Operation, Overflow, PositRange, Rounding, Selection, Tininess, Unit};
use binade_sim::coverage::{Coverage, Tally};
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
    counter.count(&columns.iter().map(Vec::as_slice).collect::<Vec<_>>());
    drop(counter);
    tally.coverage(false)
}

/// Bins that were argued to be unreachable and were hit; bins that are neither.
fn faults(operation: &Operation) -> (Vec<String>, Vec<String>) {
    let argued = Tally::new(operation).coverage(false);
    let counted = exhausted(operation);
    let mut faults = (vec![], vec![]);
    for (argued, counted) in argued.groups.iter().zip(&counted.groups) {
        let hit: HashSet<&str> = counted.hit.iter().map(|bin| bin.bin.as_str()).collect();
        let unreachable = argued.unreachable.iter().flat_map(|argument| &argument.bins);
        faults.0.extend(unreachable.filter(|bin| hit.contains(bin.as_str())).map(|bin| format!("{}: {bin}", argued.name)));
        faults.1.extend(counted.empty.iter().map(|bin| format!("{}: {bin}", argued.name)));
    }
    faults
}

fn format(name: &str) -> Format {
    name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

const FORMATS: [&str; 24] = [
    "e2m1", "e3m2", "e2m3", "e3m1", "e4m1", "e2m1f", "e3m2f", "e2m3f", "e3m2fn", "e3m2n", "e3m2ns", "e3m1b1", "e3m2b1", "e4m1b2",
    "e3m2b1u2", "e3m2b1,sat", "k4p2sf", "k5p3se", "k6p3uf", "k5p1se", "posit5_0", "posit6_1", "posit6_2", "posit5_3",
];

const ROUNDINGS: [Rounding; 8] = [
    Rounding::Rne,
    Rounding::Rna,
    Rounding::Rtz,
    Rounding::Rup,
    Rounding::Rdn,
    Rounding::Rto,
    Rounding::Sr(2),
    Rounding::Mptorch,
];

/// Every selection that makes sense of these.
fn operations() -> Vec<Operation> {
    let mut all = vec![];
    for (at, name) in FORMATS.iter().enumerate() {
        for (turn, rounding) in ROUNDINGS.into_iter().enumerate() {
            for unit in Unit::ALL {
                let other = format(FORMATS[(at + 5 * turn + 7) % FORMATS.len()]);
                let plain = Selection {
                    rounding: (unit != Unit::PositDecoder).then_some(rounding),
                    accumulator: unit.accumulates().then_some(other),
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
                    Selection { output: Some(format(name)), relu: turn % 2 == 0, ..plain },
                ];
                all.extend(variants.into_iter().filter_map(|selection| selection.operation().ok()));
            }
        }
    }
    all.retain(|operation| operation.input_bits() <= 17 && operation.unit != Unit::Encode);
    all
}

#[test]
fn explore() {
    let all = operations();
    println!("{} operations", all.len());
    let results: Vec<_> = all.par_iter().map(|operation| (operation, faults(operation))).collect();
    let mut tally: std::collections::BTreeMap<(bool, String, String), (usize, String)> = Default::default();
    for (operation, (wrong, open)) in &results {
        for (is_wrong, list) in [(true, wrong), (false, open)] {
            for bin in list {
                let (group, rest) = bin.split_once(": ").unwrap();
                let unit = format!("{}", operation.unit);
                let entry = tally.entry((is_wrong, unit, group.into())).or_default();
                entry.0 += 1;
                entry.1 = format!("{} -> {} {}: {rest}", operation.operand, operation.result, operation.rounding);
            }
        }
    }
    for (key, value) in tally {
        println!("{key:?} {value:?}");
    }
}
