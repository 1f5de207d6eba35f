//! The unit with state: right ones are right on every engine and at any depth, and each way to break what only state
//! shows is noticed and shrunk to a short sequence.

use crate::common::engines::{on_all_engines, synthesized, verified};
use crate::common::format;
use binade_circuit::{Interpreter, Netlist, Optimize};
use binade_generator::{Design, GeneratedUnit, generate};
use binade_sim::{Choice, Device, Engine, Fault, Gates, Plan, Verification, Violation, compare, list};
use binade_spec::word::low_bits;
use binade_spec::{Column, ColumnMut, Operation, Overflow, PositRange, Rounding, Selection, Tininess, Unit, Word};
use binade_synth::Target;
use rayon::prelude::*;
use std::collections::HashSet;
use std::convert::Infallible;

/// Seven sequences and a bit.
const VECTORS: u64 = 30_000;

/// Operand and accumulator: narrower and wider ones, of both families.
const PAIRS: [(&str, &str); 20] = [
    ("e5m2", "e5m2"),
    ("e5m2", "binary16"),
    ("e5m2b1", "e4m3fn"),
    ("e4m3fn", "bfloat16"),
    ("e4m3b2", "e5m2b1"),
    ("e2m1f", "e3m2f"),
    ("binary16", "e4m3"),
    ("binary32", "binary16"),
    ("bfloat16", "binary32"),
    ("binary32", "binary32"),
    ("dlfloat16", "dlfloat16"),
    ("k8p3se", "k8p4uf"),
    ("k5p3se", "dlfloat16"),
    ("e6m9n", "e6m9n"),
    ("e8m0", "binary16"),
    ("posit8_2", "posit8_2"),
    ("posit16_1", "posit8_0"),
    ("posit8_2", "binary16"),
    ("e4m3", "posit16_1"),
    ("posit16_1", "posit32_2"),
];

fn plain(operand: &str, accumulator: &str) -> Operation {
    let selection =
        Selection { accumulator: Some(format(accumulator)), ..Selection::new(Unit::Accumulate, format(operand)) };
    selection.operation().unwrap_or_else(|error| panic!("{error}"))
}

/// The operation in several roundings and policies.
fn ways(operation: Operation) -> Vec<Operation> {
    let roundings = [operation.rounding, Rounding::Rdn, Rounding::Rto, Rounding::Sr(5)];
    let mut ways: Vec<Operation> = roundings
        .into_iter()
        .filter(|&rounding| operation.result.check_rounding(rounding).is_ok())
        .map(|rounding| Operation { rounding, ..operation })
        .collect();
    ways.dedup();
    ways.push(match operation.result.posit() {
        Some(_) => Operation { posit_range: PositRange::Float, ..operation },
        None => Operation { overflow: Overflow::Saturate, ..operation },
    });
    ways
}

/// A circuit, step by step from a reset on.
struct Interpreted<'n>(&'n Netlist);

impl Device for Interpreted<'_> {
    fn evaluate(&mut self, _: u64, inputs: &[Column], outputs: &mut [ColumnMut]) -> Result<(), Violation> {
        let Interpreted(netlist) = *self;
        let (mut interpreter, mut states) = (Interpreter::new(netlist), netlist.reset_states(1));
        for step in 0..outputs[0].words.len() {
            let inputs: Vec<&[u64]> = inputs.iter().map(|column| &column.words[step..=step]).collect();
            let mut outputs: Vec<&mut [u64]> =
                outputs.iter_mut().map(|column| &mut column.words[step..=step]).collect();
            interpreter.step(&inputs, &mut states, &mut outputs);
        }
        Ok(())
    }

    fn clock(&self, _: usize) -> Option<u64> {
        None
    }
}

/// The interpreter runs a part of it, gates the whole.
#[test]
fn circuits_do_what_the_golden_model_says() {
    PAIRS.into_par_iter().for_each(|(operand, accumulator)| {
        for (turn, operation) in ways(plain(operand, accumulator)).into_iter().enumerate() {
            let unit = generate(Design::from(operation).optimized(Optimize::ALL[turn % 2]));
            let plan = Plan::new(&operation, Choice::Sample(600), 3).unwrap();
            let found = compare(&operation, &plan, || Interpreted(&unit.netlist), &|_| {}).unwrap();
            assert!(found.is_none(), "{}: {found:x?}", unit.module);
            let gates = Gates::of_circuit(&unit);
            let found = verified(&unit, Engine::Lanes(&gates), Choice::Sample(VECTORS));
            assert!(found.is_right(), "{}: {:?}", unit.module, found.mismatch);
        }
    });
}

#[test]
#[ignore = "takes minutes"]
fn nightly_right_units_are_right_on_every_engine() {
    let flagged = |operation: Operation| Operation { flags: Some(Tininess::After), ..operation };
    let stochastic = |operation: Operation| Operation { rounding: Rounding::Sr(4), ..operation };
    let units = [
        (flagged(plain("e5m2", "binary16")), 0),
        (flagged(plain("binary16", "e4m3")), 1),
        (plain("posit16_1", "posit8_0"), 3),
        (stochastic(plain("e4m3fn", "posit16_1")), 0),
        (plain("e5m2b1", "e5m2b1"), 3),
        (plain("binary32", "binary32"), 1),
    ];
    units.into_par_iter().for_each(|(operation, stages)| {
        let unit = generate(Design::pipelined(operation, stages).optimized(Optimize::ALL[stages as usize % 2]));
        for found in on_all_engines(&unit, &Choice::Sample(VECTORS)) {
            assert!(found.is_right(), "{}: {}: {:?}, {:?}", found.module, found.tool, found.violation, found.mismatch);
            assert_eq!(found.checked, VECTORS);
        }
    });
}

/// All states and inputs are there, each step as it goes on from a reset.
#[test]
fn a_tour_has_every_state_with_every_input() {
    for (operation, states, inputs) in [
        (plain("e2m1f", "e3m2f"), 40, 32),
        (plain("e5m2", "e4m3"), 243, 512),
        // Sums go on from the values of powers of two, but zero comes only from a reset.
        (plain("e4m0", "e4m1"), 59, 64),
        (Operation { rounding: Rounding::Sr(2), ..plain("posit4_0", "posit5_1") }, 22, 128),
    ] {
        let plan = Plan::new(&operation, Choice::Exhaustive, 1).unwrap_or_else(|error| panic!("{error}"));
        let (mut seen, mut step, mut acc) = (HashSet::new(), 0, 0);
        let Ok(()) = list(&operation, &plan, |words, results| -> Result<(), Infallible> {
            if step % 4096 == 0 {
                acc = 0;
            }
            seen.insert((acc, words.to_vec()));
            acc = low_bits(&results[0]);
            step += 1;
            Ok(())
        });
        let text = plan.describe();
        assert_eq!((step, plan.is_exhaustive()), (plan.total(), true));
        assert!(text.starts_with(&format!("all {states} reachable states x {inputs} inputs, in ")), "{text}");
        assert_eq!(seen.len(), states * inputs, "{text}");
        assert_eq!(Plan::new(&operation, Choice::Default, 1).unwrap().describe(), text);
        assert!(verified(&generate(operation), Engine::Verilator, Choice::Default).is_right());
    }
    for (operand, accumulator) in [("binary32", "binary32"), ("e5m2", "binary32")] {
        let operation = plain(operand, accumulator);
        let error = Plan::check(&operation, &Choice::Exhaustive).expect_err("too large").to_string();
        assert!(error.starts_with("--exhaustive: accumulate has more than 2^24 steps"), "{error}");
        assert!(!Plan::new(&operation, Choice::Default, 1).unwrap().is_exhaustive());
    }
}

/// The unit with a change of its Verilog.
fn changed(stages: u32, change: impl Fn(&str) -> String) -> GeneratedUnit {
    let mut unit = generate(Design::pipelined(plain("e5m2", "e5m2"), stages));
    let changed = change(&unit.verilog);
    assert_ne!(changed, unit.verilog, "the change changes nothing");
    unit.verilog = changed;
    unit
}

/// Replays what was found, and what it was shrunk to.
fn assert_replays(unit: &GeneratedUnit, engine: Engine, found: &Verification) {
    let mismatch = found.mismatch.as_ref().expect("the results are wrong");
    assert!(mismatch.fails_alone, "{mismatch}");
    let sequence = mismatch.simplest.sequence();
    let codes = |vector: &Vec<Word>| vector.iter().map(|code| format!("{code:#x}")).collect::<Vec<_>>().join(",");
    let replay: Vec<Vec<Word>> = mismatch
        .replay()
        .split('/')
        .map(|vector| vector.split(',').map(|code| Word::parse_bytes(&code.as_bytes()[2..], 16).unwrap()).collect())
        .collect();
    assert_eq!(replay.iter().map(codes).collect::<Vec<_>>(), sequence.iter().map(codes).collect::<Vec<_>>());
    let again = verified(unit, engine, Choice::Replay(replay));
    let same = again.mismatch.unwrap_or_else(|| panic!("{mismatch} is not found again"));
    assert!(same.simplest.sequence().len() <= sequence.len(), "{mismatch}");
}

/// What both engines find is as short as this.
fn assert_found(unit: &GeneratedUnit, most: usize) {
    let gates = synthesized(unit, Target::Generic);
    for engine in [Engine::Verilator, Engine::Lanes(&gates)] {
        let found = verified(unit, engine, Choice::Sample(VECTORS));
        assert!(!found.is_right(), "{} does not notice", found.tool);
        if found.violation.as_ref().is_some_and(|violation| violation.fault != Fault::Results) {
            continue;
        }
        let mismatch = found.mismatch.as_ref().expect("the results are wrong");
        assert!(mismatch.simplest.sequence().len() <= most, "{}: {mismatch}", found.tool);
        assert_replays(unit, engine, &found);
    }
}

/// Ranks of the units that are broken.
const DEPTHS: [u32; 3] = [0, 1, 3];

/// What lies between two texts.
fn between<'t>(text: &'t str, before: &str, behind: &str) -> &'t str {
    let start = text.find(before).unwrap_or_else(|| panic!("no `{before}`")) + before.len();
    &text[start..start + text[start..].find(behind).unwrap_or_else(|| panic!("no `{behind}`"))]
}

/// The unit with another condition for a change of the state, given the valid bit.
fn with_condition(stages: u32, condition: impl Fn(&str) -> String) -> GeneratedUnit {
    changed(stages, |verilog| {
        let valid = between(verilog, "  end else if (en && ", ") begin\n      acc");
        verilog.replace(
            &format!("  end else if (en && {valid}) begin\n      acc"),
            &format!("  end else if ({}) begin\n      acc", condition(valid)),
        )
    })
}

/// The unit with another clear, given the right one.
fn with_clear(stages: u32, clear: impl Fn(&str) -> String) -> GeneratedUnit {
    changed(stages, |verilog| {
        let right = between(verilog, "acc_or_zero = ", " ?").trim();
        let memory = "  reg was_en;\n  always @(posedge clk) was_en <= en;\n";
        let changed =
            verilog.replace(&format!("acc_or_zero = {right} ?"), &format!("acc_or_zero = ({}) ?", clear(right)));
        changed.replace("  // State\n", &format!("{memory}  // State\n"))
    })
}

#[test]
#[ignore = "takes minutes"]
fn nightly_a_state_that_is_not_reset_is_found() {
    for stages in DEPTHS {
        assert_found(&changed(stages, |verilog| verilog.replace("acc <= 8'd0;", "acc <= acc;")), 2);
        assert_found(&changed(stages, |verilog| verilog.replace("acc <= 8'd0;", "acc <= 8'd60;")), 1);
    }
}

#[test]
#[ignore = "long"]
fn a_state_that_changes_without_operands_is_found() {
    for stages in DEPTHS {
        assert_found(&with_condition(stages, |_| "en".into()), 3);
        assert_found(&with_condition(stages, |valid| valid.into()), 3);
    }
}

#[test]
#[ignore = "long"]
fn a_clear_that_is_ignored_is_found() {
    for stages in DEPTHS {
        assert_found(&with_clear(stages, |clear| format!("{clear} & was_en")), 3);
        assert_found(&with_clear(stages, |clear| format!("{clear} & acc != 8'h7c")), 3);
    }
}

/// A fault that takes three sums to be seen.
#[test]
fn what_needs_several_steps_is_shrunk_to_these() {
    let third = |verilog: &str| {
        let counter = "  reg [1:0] sums;\n  always @(posedge clk) if (!rst_n) sums <= 0; else if (en && in_valid) sums <= clear ? 0 : sums + 1;\n";
        let counted = verilog.replace("  // State\n", &format!("{counter}  // State\n"));
        counted.replace("assign y = {", "assign y = {8{sums == 2'd3}} ^ {")
    };
    let unit = changed(0, third);
    let found = verified(&unit, Engine::Verilator, Choice::Sample(VECTORS));
    let mismatch = found.mismatch.expect("the results are wrong");
    assert_eq!(mismatch.replay(), "0x00,0x0/0x00,0x0/0x00,0x0/0x00,0x0", "{mismatch}");
    let text = mismatch.to_string();
    assert!(text.contains("shrunk to 4 steps from a reset on:\n  step 0: x 0x00, clear 0x0\n"), "{text}");
    assert!(text.contains("\n  acc "), "{text}");
}
