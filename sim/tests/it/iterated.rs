//! Units that take several clocks for an operation: right ones are right in every pace and shell, and broken ones are noticed.

use crate::common::format;
use binade_circuit::Interface;
use binade_generator::{Design, GeneratedUnit, generate};
use binade_sim::mutate::{Breakable, Mutant, MutatedUnit, mutate};
use binade_sim::{Choice, Engine, Fault, Gates, Plan, Run, Verification, build_together, verify};
use binade_spec::{Operation, Selection, Tininess, Unit};
use binade_tools::{Source, Tools};
use rayon::prelude::*;

const UNITS: [Unit; 4] = [Unit::Divide, Unit::Reciprocal, Unit::Sqrt, Unit::Rsqrt];

fn tools() -> Tools {
    Tools::new(Source::Pinned)
}

fn iterated(operation: Operation, digits: u32, interface: Interface) -> GeneratedUnit {
    let design = Design::from(operation);
    let design = design.in_clocks(digits).or_else(|_| design.in_clocks(1)).expect("a unit with digits");
    generate(design.spoken_to(interface))
}

fn check(unit: &GeneratedUnit, engine: Engine) -> Verification {
    let bits = unit.design.operation.input_bits();
    let choice = if bits <= 16 { Choice::Exhaustive } else { Choice::Sample(20_000) };
    let plan = Plan::new(&unit.design.operation, choice, 3).expect("a plan for the operation");
    verify(&tools(), Run { engine, ..Run::new(unit, &plan) }, &|_| {}).unwrap_or_else(|error| panic!("{error}"))
}

/// Every unit in a family each, with one and more digits in a clock, flags and random bits.
fn operations() -> Vec<Operation> {
    let formats = ["e5m2", "e4m3b1", "k8p3se", "posit8_2", "int8", "e4m3ns", "fixed8_6", "binary16", "posit16_1"];
    let plain = formats.iter().flat_map(|name| UNITS.map(|unit| Selection::new(unit, format(name))));
    let others = UNITS.into_iter().map(|unit| Selection {
        rounding: Some("sr3".parse().expect("a rounding")),
        flags: Some(Tininess::Before),
        ..Selection::new(unit, format("e4m3"))
    });
    plain.chain(others).map(|selection| selection.operation().expect("an operation")).collect()
}

/// The gates of every unit, and the Verilog of some in each interface.
#[test]
fn every_family_is_right() {
    let units: Vec<GeneratedUnit> = operations()
        .into_iter()
        .enumerate()
        .map(|(turn, operation)| iterated(operation, 1 + turn as u32 % 3, Interface::Plain))
        .collect();
    units.par_iter().for_each(|unit| {
        let found = check(unit, Engine::Lanes(&Gates::of_circuit(unit)));
        assert!(found.is_right(), "{}: {found:?}", unit.module);
    });
}

#[test]
fn verilog_and_shells_are_right() {
    let chosen = operations().into_iter().step_by(5).enumerate();
    let units: Vec<GeneratedUnit> =
        chosen.map(|(turn, operation)| iterated(operation, 1 + turn as u32 % 2, Interface::ALL[turn % 3])).collect();
    build_together(&tools(), units.iter()).expect("models");
    for unit in &units {
        let found = check(unit, Engine::Verilator);
        assert!(found.is_right(), "{}: {found:?}", unit.module);
    }
}

/// A unit whose text is changed, in Verilator.
fn changed(interface: Interface, from: &str, to: &str) -> Verification {
    let operation = Selection::new(Unit::Divide, format("e5m2")).operation().expect("an operation");
    let mut unit = iterated(operation, 1, interface);
    assert_eq!(unit.verilog.matches(from).count(), 1, "{from} in {}", unit.verilog);
    unit.verilog = unit.verilog.replace(from, to);
    check(&unit, Engine::Verilator)
}

#[test]
fn each_way_to_break_the_control_is_noticed() {
    let faults = [
        // A clock too few or too many.
        ("in_valid ? 3'd5 :", "in_valid ? 3'd4 :"),
        ("in_valid ? 3'd5 :", "in_valid ? 3'd6 :"),
        // Results stay, or are due after a reset or without operands.
        ("is_busy <= in_valid | (is_busy & ~is_last)", "is_busy <= in_valid | is_busy"),
        ("if (!rst_n) is_busy <= 1'b0;\n    else if (en)", "if (en)"),
        ("assign out_valid = is_busy & is_last", "assign out_valid = is_last"),
        // What belongs to the operation before is kept.
        ("in_valid ? quotient_sign : held_sign", "quotient_sign"),
        ("in_valid ? {1'b1, b_up_to_1} : divisor", "{1'b1, b_up_to_1}"),
        // A stall does not stop.
        ("    if (en) begin\n", "    if (1'b1) begin\n"),
    ];
    for (from, to) in faults {
        assert!(!changed(Interface::Plain, from, to).is_right(), "{from} -> {to}");
    }
}

#[test]
fn each_way_to_break_the_shell_is_noticed() {
    let faults = [
        ("is_free = ~is_running | out_valid", "is_free = ~is_running"),
        ("is_free = ~is_running | out_valid", "is_free = 1'b1"),
        ("unit_valid = is_offered & is_free", "unit_valid = is_offered"),
        ("is_running <= unit_valid | ~is_free", "is_running <= unit_valid"),
        ("is_waiting <= is_offered & ~(is_free & en)", "is_waiting <= is_offered & ~en"),
    ];
    for (from, to) in faults {
        let spaced = from.replace("is_free =", "is_free    =");
        let operation = Selection::new(Unit::Divide, format("e5m2")).operation().expect("an operation");
        let text = iterated(operation, 1, Interface::ReadyValid).verilog;
        let from = if text.contains(from) { from } else { &spaced };
        let found = changed(Interface::ReadyValid, from, to);
        assert!(!found.is_right(), "{from} -> {to}");
        assert!(found.violation.is_some_and(|violation| violation.fault != Fault::Results), "{from} -> {to}");
    }
}

/// Every operator and gate of a small unit is broken: what no vector shows is one clock's circuit under another name, or is left open.
#[test]
fn mutants_are_killed() {
    let operation = Selection::new(Unit::Divide, format("e3m2f")).operation().expect("an operation");
    let unit = iterated(operation, 1, Interface::Plain);
    let subject = MutatedUnit::new(&unit);
    let mutants: Vec<Mutant> = subject.mutants();
    let plan = Plan::new(&operation, Choice::Exhaustive, 3).expect("a plan for the operation");
    let found = mutate(&subject, &mutants, &plan, &|_| {}).expect("nobody interrupts a test");
    assert!(found.survived.is_empty(), "{:?}", found.survived);
    assert!(
        found.undecided.len() * 20 < mutants.len(),
        "{} of {}: {:?}",
        found.undecided.len(),
        mutants.len(),
        found.undecided
    );
}
