//! The default plans of units whose inputs are too many to enumerate leave no bin empty.

use binade_golden::Model;
use binade_sim::Coverage;
use binade_sim::coverage::Tally;
use binade_sim::{Choice, Plan, compare};
use binade_spec::{Column, ColumnMut, Operation, Selection, Tininess, Unit, Word};

/// The coverage of a plan, the golden model standing for the unit.
fn covered(operation: &Operation, choice: Choice) -> Coverage {
    let plan = Plan::new(operation, choice, 1).unwrap();
    let (tally, model) = (Tally::new(operation), Model::new(operation));
    let new_instance = || {
        let (mut counter, model) = (tally.counter(), &model);
        move |inputs: &[Column], outputs: &mut [ColumnMut]| {
            counter.count(inputs);
            model.evaluate_columns(inputs, outputs);
        }
    };
    assert_eq!(compare(operation, &plan, new_instance, &|_| {}).unwrap(), None);
    tally.coverage(plan.is_exhaustive())
}

/// As many vectors as it takes for all directed ones to be among them.
#[test]
#[ignore = "takes minutes"]
fn nightly_plans_of_large_units_leave_nothing_empty() {
    let units = [
        ("e5m2b1", Unit::Fmac, 3_000_000),
        ("binary16", Unit::Add, 400_000),
        ("bfloat16", Unit::Mul, 1_600_000),
        ("e5m2b1", Unit::Encode, 100_000),
        ("binary16", Unit::Encode, 1_100_000),
        ("posit16_1", Unit::Mul, 300_000),
        ("posit16_1", Unit::Add, 500_000),
    ];
    for (format, unit, count) in units {
        let operation = Selection::new(unit, format.parse().unwrap()).operation().unwrap();
        let coverage = covered(&operation, Choice::Sample(count));
        assert_eq!(coverage.vectors, count);
        let empty: Vec<&String> = coverage.groups.iter().flat_map(|group| &group.empty).collect();
        assert!(empty.is_empty(), "{unit} {format}: {empty:?}");
        assert_eq!(coverage.hit, coverage.reachable);
    }
}

/// What was not checked is said.
#[test]
fn a_short_run_leaves_bins_empty() {
    let operation = Selection::new(Unit::Add, "binary16".parse().unwrap()).operation().unwrap();
    let coverage = covered(&operation, Choice::Replay(vec![[0x3c00_u64, 0x1000].map(Word::from).to_vec()]));
    assert_eq!(coverage.vectors, 1);
    let group = |name: &str| coverage.groups.iter().find(|group| group.name == name).unwrap();
    assert_eq!(group("rounding").hit[0].bin, "normal, tie, even, down, positive");
    assert!(group("rounding").empty.contains(&"normal, tie, odd, up, positive".to_string()));
    assert_eq!(group("exponent difference").hit[0].bin, "11, addition");
    assert_eq!(coverage.empty, coverage.reachable - coverage.hit);
    assert!(coverage.to_string().contains("EMPTY: normal, tie, odd, up, positive"), "{coverage}");
}

fn accumulate(format: &str, accumulator: &str, is_flagged: bool) -> Operation {
    let plain = Selection::new(Unit::Accumulate, format.parse().unwrap());
    let flags = is_flagged.then_some(Tininess::After);
    Selection { accumulator: Some(accumulator.parse().unwrap()), flags, ..plain }.operation().unwrap()
}

/// The accumulator is counted as it stands before each vector of a sequence.
#[test]
fn registers_are_counted_step_by_step() {
    let operation = accumulate("e3m2", "e3m2", false);
    // 1, then 1 + 1, then 2 - 1, then 1 - 1.
    let sequence = [[0x0c_u64, 1], [0x0c, 0], [0x2c, 0], [0x2c, 0]];
    let coverage = covered(&operation, Choice::Replay(sequence.map(|vector| vector.map(Word::from).to_vec()).into()));
    let hit = |name: &str| -> Vec<(&str, u64)> {
        let group = coverage.groups.iter().find(|group| group.name == name).unwrap_or_else(|| panic!("no {name}"));
        group.hit.iter().map(|bin| (bin.bin.as_str(), bin.vectors)).collect()
    };
    assert_eq!(hit("acc"), [("zero, positive", 1), ("normal, positive", 3)]);
    assert_eq!(hit("clear"), [("1", 1), ("0", 3)]);
    assert_eq!(hit("exponent difference"), [("0, addition", 1), ("0, subtraction", 1), ("1, subtraction", 1)]);
    assert_eq!(hit("cancellation"), [("1 bit", 1), ("all: exactly zero", 1)]);
    assert!(hit("x x acc x clear x sign x result").contains(&("normal, normal, clear 0, subtraction, zero", 1)));
}

/// In all states with all inputs no bin is hit that is argued to be unreachable, and few others stay open.
#[test]
fn all_steps_of_accumulators_are_hit_or_argued() {
    for (format, accumulator, is_flagged) in
        [("e3m2", "e3m2", true), ("e2m1f", "e3m3", false), ("e3m2f", "e2m3", false), ("posit5_1", "posit6_1", false)]
    {
        let operation = accumulate(format, accumulator, is_flagged);
        let argued = covered(&operation, Choice::Exhaustive);
        assert_eq!(argued.empty, 0, "{argued}");
        let groups = argued.groups.iter();
        let open: usize =
            groups.flat_map(|group| &group.unreachable).filter(|it| it.by_enumeration).map(|it| it.bins.len()).sum();
        let is_state = |reason: &str| reason.ends_with("vectors, all inputs in all states, is here");
        let enumerated = argued.groups.iter().flat_map(|group| &group.unreachable).filter(|it| it.by_enumeration);
        assert!(enumerated.clone().all(|argument| is_state(&argument.reason)), "{argued}");
        assert!(open * 10 <= argued.bins, "{format} {accumulator}: {open} of {} bins are open: {argued}", argued.bins);
    }
}

/// What no input of all reaches is no hole, and is not passed off as argued.
#[test]
fn a_run_over_all_inputs_leaves_nothing_open() {
    let operation = Selection::new(Unit::Add, "e2m1f".parse().unwrap()).operation().unwrap();
    let coverage = covered(&operation, Choice::Default);
    assert_eq!((coverage.vectors, coverage.empty), (256, 0));
    let unreachable = || coverage.groups.iter().flat_map(|group| &group.unreachable);
    let enumerated = unreachable().filter(|argument| argument.by_enumeration);
    assert!(enumerated.clone().all(|argument| argument.reason == "none of all 256 input combinations is here"));
    assert!(unreachable().any(|argument| argument.reason == "e2m1f has no infinity"));
}
