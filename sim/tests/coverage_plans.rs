//! The default plans of units whose inputs are too many to enumerate leave no bin empty.

use binade_golden::{Operation, Selection, Unit};
use binade_sim::coverage::{Coverage, Tally};
use binade_sim::{Choice, Plan, compare};

/// The coverage of a plan, the golden model standing for the unit.
fn covered(operation: &Operation, choice: Choice) -> Coverage {
    let plan = Plan::new(operation, choice, 1).unwrap();
    let tally = Tally::new(operation);
    let new_instance = || {
        let mut counter = tally.counter();
        move |inputs: &[&[u64]], output: &mut [u64]| {
            counter.count(inputs);
            operation.evaluate_columns(inputs, output);
        }
    };
    assert_eq!(compare(operation, &plan, new_instance, &|_| {}).unwrap(), None);
    tally.coverage(plan.is_exhaustive())
}

#[test]
fn explore() {
    let units = [
        ("e5m2b1", Unit::Fmac), ("binary16", Unit::Fmac), ("binary16", Unit::Add), ("binary16", Unit::Mul),
        ("bfloat16", Unit::Add), ("bfloat16", Unit::Mul), ("e5m2b1", Unit::Encode), ("binary16", Unit::Encode),
        ("posit16_1", Unit::Mul), ("posit16_1", Unit::Add), ("dlfloat16", Unit::Fmac), ("e5m2b1", Unit::Mac), ("binary32", Unit::Fmac),
    ];
    for (format, unit) in units {
        let operation = Selection::new(unit, format.parse().unwrap()).operation().unwrap();
        let started = std::time::Instant::now();
        let plan = Plan::new(&operation, Choice::Default, 1).unwrap();
        let planning = started.elapsed().as_secs_f64();
        let started = std::time::Instant::now();
        let coverage = covered(&operation, Choice::Default);
        println!("== {unit} {format} {planning:.3} s to plan ({}), {:.2} s: {} bins, {} reachable, {} hit, {} empty", plan.describe(), started.elapsed().as_secs_f64(), coverage.bins, coverage.reachable, coverage.hit, coverage.empty);
        for group in &coverage.groups {
            if !group.empty.is_empty() {
                println!("  {}: {} empty: {:?}", group.name, group.empty.len(), &group.empty[..group.empty.len().min(12)]);
            }
        }
        if unit == Unit::Fmac && format == "e5m2b1" { println!("{coverage}"); }
    }
}
