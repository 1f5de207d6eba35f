//! A second solver agrees on whole cases.

use binade_gates::{GateFault, Graph};
use binade_generator::generate;
use binade_prove::second_opinion;
use binade_spec::{Operation, Selection, Unit};

/// The most conflicts per case.
const MOST_CONFLICTS: i32 = 200_000;

fn operation(unit: Unit, format: &str, accumulator: Option<&str>) -> Operation {
    let accumulator = accumulator.map(|name| name.parse().expect("a format"));
    Selection { accumulator, ..Selection::new(unit, format.parse().expect("a format")) }.operation().expect("one")
}

#[test]
#[ignore = "takes minutes"]
fn nightly_a_second_solver_agrees() {
    for (unit, format, accumulator, every) in [
        (Unit::Add, "e4m3", None, 1),
        (Unit::Add, "binary16", None, 3),
        (Unit::Add, "binary32", None, 7),
        (Unit::Add, "posit8_2", None, 11),
        (Unit::Mul, "e5m2", None, 1),
        (Unit::Mul, "posit6_1", None, 3),
        (Unit::Encode, "binary16", None, 1),
        (Unit::Fmac, "e2m1f", Some("e4m3"), 5),
        (Unit::Compare, "binary32", None, 1),
    ] {
        let operation = operation(unit, format, accumulator);
        let unit = Graph::of_circuit(&generate(operation).netlist);
        let opinion = second_opinion(&unit, &operation, every, MOST_CONFLICTS).expect("a specification");
        assert!(opinion.differ.is_empty(), "{operation:?}: {opinion:?}");
        assert!(opinion.agree > 10 * opinion.open.len(), "{operation:?}: {opinion:?}");
    }
}

#[test]
fn a_second_solver_notices_a_fault() {
    let operation = operation(Unit::Add, "e4m3", None);
    let sound = Graph::of_circuit(&generate(operation).netlist);
    let broken = sound.with_fault(sound.gates().len() - 9, GateFault::Zero);
    let opinion = second_opinion(&broken, &operation, 1, MOST_CONFLICTS).expect("a specification");
    assert!(!opinion.differ.is_empty() && opinion.open.is_empty(), "{opinion:?}");
}
