//! A module's name says everything that changes its logic: two operations never share one.

use binade_generator::description::module_name;
use binade_golden::{Format, Operation, Overflow, Rounding, Selection, Unit};
use rayon::prelude::*;
use std::collections::HashMap;

/// Formats of every family, with all that can be told apart only by a suffix.
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
    let named = ["dlfloat16", "dlfloat16,bias=30", "binary64"].map(String::from);
    floats.chain(p3109).chain(named).filter_map(|name| name.parse().ok()).collect()
}

/// Every operation on a format, alone and with each of `others`.
fn operations(format: Format, others: &[Format]) -> Vec<Operation> {
    let mut operations = vec![];
    let mut add = |unit, accumulator, target| {
        for rounding in Rounding::ALL {
            for overflow in Overflow::ALL {
                let selection = Selection { unit, format, accumulator, target, rounding: Some(rounding), overflow };
                operations.extend(selection.operation());
            }
        }
    };
    for unit in [Unit::Decode, Unit::Encode, Unit::Mul, Unit::Add] {
        add(unit, None, None);
    }
    for &other in others {
        add(Unit::Fmac, Some(other), None);
        add(Unit::Mac, Some(other), None);
        add(Unit::Convert, None, Some(other));
    }
    operations
}

#[test]
fn equal_names_mean_equal_operations() {
    let formats = formats();
    let others: Vec<Format> = formats.iter().copied().step_by(137).collect();
    let named: Vec<(String, Operation)> = formats
        .par_iter()
        .flat_map_iter(|&format| operations(format, &others))
        .map(|operation| (module_name(&operation), operation))
        .collect();
    assert!(named.len() > 100_000, "only {} operations", named.len());
    let mut seen: HashMap<&str, &Operation> = HashMap::new();
    for (name, operation) in &named {
        let first = seen.entry(name).or_insert(operation);
        assert_eq!(*first, operation, "two operations are called {name}");
    }
}

#[test]
fn names_are_identifiers() {
    let formats = formats();
    let others: Vec<Format> = formats.iter().copied().step_by(397).collect();
    formats.par_iter().flat_map_iter(|&format| operations(format, &others)).for_each(|operation| {
        let name = module_name(&operation);
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(is_plain), "{name}");
        assert!(!name.contains("__") && !name.ends_with('_') && name.len() < 100, "{name}");
    });
}
