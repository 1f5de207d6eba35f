//! Units with valid and ready: right ones are right, however both sides stop, and each way to break a shell is noticed.

use crate::common::format;
use binade_circuit::{Interface, Optimize};
use binade_generator::{Design, GeneratedUnit, generate};
use binade_sim::verilator::lint;
use binade_sim::{Choice, Fault, Plan, Run, Verification, build_together, verify};
use binade_spec::{Activation, Dataflow, Operation, Selection, Tininess, Unit};
use binade_tools::{Source, Tools};
use rayon::prelude::*;

/// Five blocks and a bit.
const VECTORS: u64 = 21_000;

const SHELLS: [Interface; 2] = [Interface::ReadyValid, Interface::AxiStream];

fn check(unit: &GeneratedUnit) -> Verification {
    let plan = Plan::new(&unit.design.operation, Choice::Sample(VECTORS), 7).expect("a plan for the operation");
    verify(&Tools::new(Source::Pinned), Run::new(unit, &plan), &|_| {}).unwrap_or_else(|error| panic!("{error}"))
}

/// Ports of all kinds: of a bit and wide, lanes, flags, a random word, an output of its own, a state.
fn operations() -> Vec<Operation> {
    let select = |unit, name: &str| Selection::new(unit, format(name));
    let selections = [
        Selection { flags: Some(Tininess::After), ..select(Unit::Mul, "e5m2") },
        Selection {
            output: Some(format("e4m3fn")),
            activation: Some(Activation::Relu),
            ..select(Unit::Fmac, "e5m2b1")
        },
        Selection { rounding: Some("sr3".parse().expect("a rounding")), ..select(Unit::Add, "e4m3") },
        Selection { lanes: Some(3), ..select(Unit::Dot, "e2m1f") },
        select(Unit::Add, "binary64"),
        select(Unit::Compare, "posit8_2"),
        select(Unit::Accumulate, "e5m2"),
        Selection {
            rounding: Some("sr8".parse().expect("a rounding")),
            has_internal_random: true,
            ..select(Unit::Encode, "e5m2b1")
        },
        Selection {
            array: Some(Dataflow::OutputStationary),
            rows: Some(2),
            columns: Some(1),
            ..select(Unit::Mma, "e2m1f")
        },
        Selection::with_formats(Unit::Random, Unit::Random.format_or_none(None).expect("it has no format")),
    ];
    selections.iter().map(|selection| selection.operation().expect("an operation")).collect()
}

fn units() -> Vec<GeneratedUnit> {
    let operations = operations().into_iter().enumerate();
    let designs = operations.flat_map(|(turn, operation)| {
        [0, 1 + turn as u32 % 4].map(|stages| Design::pipelined(operation, stages).optimized(Optimize::ALL[turn % 2]))
    });
    let shells = designs.enumerate().map(|(turn, design)| design.spoken_to(SHELLS[turn / 2 % 2]));
    let deepest = Design::pipelined(self::operations()[0], 16);
    shells.chain(SHELLS.map(|interface| deepest.spoken_to(interface))).map(generate).collect()
}

#[test]
fn some_units_are_right_whatever_stops() {
    are_right(units().into_iter().step_by(5).collect());
}

#[test]
#[ignore = "long"]
fn right_units_are_right_whatever_stops() {
    are_right(units());
}

fn are_right(units: Vec<GeneratedUnit>) {
    let tools = Tools::new(Source::Pinned);
    units.par_chunks(4).for_each(|units| {
        build_together(&tools, units).unwrap_or_else(|error| panic!("{error}"));
        for unit in units {
            let found = check(unit);
            assert!(found.is_right(), "{}: {:?}, {:?}", found.module, found.violation, found.mismatch);
        }
    });
}

#[test]
fn lint_says_nothing_of_shells() {
    units().par_iter().for_each(|unit| {
        lint(&Tools::new(Source::Pinned), &unit.module, &unit.verilog).unwrap_or_else(|error| panic!("{error}"));
    });
}

/// The text of a shell is that of the unit below it, which it is around.
#[test]
fn a_shell_is_around_the_plain_unit() {
    for unit in units() {
        let plain = generate(unit.design.within_shell().expect("a shell"));
        assert_eq!(unit.module, plain.module.clone() + unit.design.interface.suffix());
        let (shell, below) = unit.verilog.split_once("\n// The unit inside the shell.\n").expect("two modules");
        let module = |text: &str| text.split_once("\nmodule ").expect("a module").1.to_string();
        let without_waivers = |text: &str| {
            let waivers = ["off", "on"].map(|switch| format!("\n// verilator lint_{switch} DECLFILENAME\n"));
            waivers.iter().fold(text.to_string(), |text, waiver| text.replace(waiver, ""))
        };
        let plain_modules = without_waivers(&format!("module {}", module(&plain.verilog)));
        assert_eq!(plain_modules, without_waivers(below), "{}", unit.module);
        assert_eq!(unit.verilog.matches("do not edit").count(), 1, "{}", unit.module);
        assert!(shell.contains(&format!("\n  {} unit (\n", plain.module)), "{shell}");
    }
}

/// What is replaced in a shell, and what is found then.
const BROKEN: [(&str, &str, &[Fault]); 12] = [
    // No skid buffer: what is taken in the first clock of a standstill is lost.
    ("is_waiting <= unit_valid & ~en", "is_waiting <= 1'b0", &[Fault::InReady]),
    ("is_waiting <= unit_valid & ~en", "is_waiting <= in_valid & ~en", &[Fault::InReady]),
    ("in_ready = ~is_waiting", "in_ready = en", &[Fault::InReady]),
    ("in_ready = ~is_waiting", "in_ready = 1'b1", &[Fault::InReady]),
    ("in_ready = ~is_waiting", "in_ready = ~is_waiting & en", &[Fault::InReady]),
    ("if (!is_waiting) begin", "if (1'b1) begin", &[Fault::Results]),
    ("if (!is_waiting) begin", "if (en) begin", &[Fault::Results]),
    ("= is_waiting ? waiting_a : a", "= a", &[Fault::Results]),
    ("unit_valid = in_valid | is_waiting", "unit_valid = in_valid", &[Fault::OutValid, Fault::InReady]),
    ("= out_ready | ~out_valid", "= 1'b1", &[Fault::OutValid, Fault::OfferMoved, Fault::Results, Fault::InReady]),
    ("= out_ready | ~out_valid", "= out_ready", &[Fault::OutValid, Fault::InReady]),
    (".rst_n(rst_n)", ".rst_n(1'b1)", &[Fault::OutValid, Fault::Results]),
];

#[test]
#[ignore = "long"]
fn broken_shells_are_noticed() {
    let sound = Selection::new(Unit::Mul, format("e4m3fn")).operation().expect("an operation");
    let sound = Design::pipelined(sound, 2).spoken_to(Interface::ReadyValid);
    let broken: Vec<(GeneratedUnit, usize)> = (0..BROKEN.len())
        .map(|number| {
            let mut unit = generate(sound);
            let (from, to, _) = BROKEN[number];
            assert!(unit.verilog.contains(from), "`{from}` is not there in\n{}", unit.verilog);
            unit.verilog = unit.verilog.replacen(from, to, 1);
            (unit, number)
        })
        .collect();
    broken.par_chunks(6).for_each(|broken| {
        let units: Vec<&GeneratedUnit> = broken.iter().map(|(unit, _)| unit).collect();
        build_together(&Tools::new(Source::Pinned), units).unwrap_or_else(|error| panic!("{error}"));
        for (unit, number) in broken {
            let (from, to, faults) = BROKEN[*number];
            let found = check(unit).violation.map(|violation| violation.fault);
            assert!(found.is_some_and(|fault| faults.contains(&fault)), "{from} -> {to}: {found:?}");
        }
    });
}
