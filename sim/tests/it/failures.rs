//! What shows a mismatch: the shrunk vector, waves, and a testbench that needs no Binade.

use crate::common::format;
use binade_circuit::Interface;
use binade_generator::{Design, GeneratedUnit, generate};
use binade_sim::{
    Choice, Evidence, Files, Mismatch, NanRule, Plan, Run, Tolerance, Verification, commands, failing_testbench,
    testbench, verify, waves,
};
use binade_spec::{Operation, Rounding, Tininess, Unit};
use binade_tools::{Source, Tools};
use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use wellen::{SignalRef, simple};

fn pinned() -> Tools {
    Tools::new(Source::Pinned)
}

/// A unit with an output, flags and a random word: all kinds of ports.
fn fmac() -> Operation {
    let fmac = Operation::new(Unit::Fmac, format("e5m2b1"), format("binary16"));
    Operation { rounding: Rounding::Sr(4), flags: Some(Tininess::After), ..fmac }
}

/// The unit with so many ranks of registers and with `old` in its Verilog replaced.
fn broken(stages: u32, old: &str, new: &str) -> GeneratedUnit {
    let mut unit = generate(Design::pipelined(fmac(), stages));
    let verilog = unit.verilog.replacen(old, new, 1);
    assert_ne!(verilog, unit.verilog, "`{old}` is not there in\n{verilog}");
    unit.verilog = verilog;
    unit
}

/// What a run says of a unit that is wrong.
fn judged(unit: &GeneratedUnit) -> Verification {
    let plan = Plan::new(&unit.design.operation, Choice::Sample(100_000), 1).unwrap();
    let verification = verify(&pinned(), Run::new(unit, &plan), &|_| {}).unwrap();
    assert!(!verification.is_right());
    verification
}

/// A unit whose sticky bit misses large distances.
fn wrong_unit(stages: u32) -> (GeneratedUnit, Mismatch, Evidence) {
    let good = generate(Design::pipelined(fmac(), stages)).verilog;
    let (_, driven) = good.split_once(" aligned_sticky ").expect("the wire is there");
    let (sticky, _) = driven.split_once(';').expect("a statement ends");
    let unit = broken(stages, sticky, &sticky.replace(" | ", " & "));
    let Verification { mismatch, evidence, .. } = judged(&unit);
    (unit, mismatch.expect("results are wrong"), evidence.expect("the unit is wrong"))
}

fn code(text: &str) -> u64 {
    u64::from_str_radix(text.strip_prefix("0x").unwrap(), 16).unwrap()
}

#[test]
fn the_shrunk_vector_fails_alone() {
    let (unit, mismatch, _) = wrong_unit(0);
    assert!(mismatch.is_shrunk(), "{mismatch}");
    let codes = mismatch.simplest.operands.iter().map(|operand| code(&operand.code).into()).collect();
    let plan = Plan::new(&unit.design.operation, Choice::Replay(vec![codes]), 1).unwrap();
    let replayed = verify(&pinned(), Run::new(&unit, &plan), &|_| {}).unwrap().mismatch.expect("it fails again");
    assert_eq!(replayed.replay(), mismatch.replay());
    assert_eq!(replayed.simplest.got.code, mismatch.simplest.got.code);
    assert!(!replayed.is_shrunk(), "a run of one vector shows that vector: {replayed}");
}

/// Every wire of the Verilog is there, and the ports have the values of the vectors.
#[test]
fn waves_show_every_wire() {
    let (unit, mismatch, evidence) = wrong_unit(0);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("waves.fst");
    fs::write(&path, waves(&pinned(), &unit, &evidence).unwrap()).unwrap();
    let mut waves = simple::read(&path).expect("FST");
    let variables: HashMap<String, SignalRef> = waves
        .hierarchy()
        .all_vars()
        .map(|var| &waves.hierarchy()[var])
        .map(|var| (var.full_name(waves.hierarchy()), var.signal_ref()))
        .collect();
    let wires = unit.verilog.lines().filter_map(|line| line.trim().strip_prefix("wire ")?.split(" =").next());
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
    assert_eq!(waves.time_table().len(), evidence.traced.len() + 2, "zeros, the vectors, and the time of the last one");
}

/// The faults of a pipelined unit beside wrong results: what is replaced in its Verilog.
const CONTROL_FAULTS: [(&str, &str); 5] = [
    ("else if (en) valid_s2 <=", "else valid_s2 <="),
    ("if (!rst_n) valid_s1 <= 1'b0;\n    else if", "if"),
    ("assign out_valid = valid_s3;", "assign out_valid = valid_s2;"),
    (
        "if (!rst_n) valid_s3 <= 1'b0;\n    else if (en) valid_s3 <= valid_s2;\n    if (en)",
        "if (!rst_n) valid_s3 <= 1'b0;\n    else if (en) valid_s3 <= valid_s2;\n    if (1'b1)",
    ),
    ("valid_s1 <= in_valid;\n    if (en)", "valid_s1 <= in_valid;\n    if (in_valid)"),
];

/// Runs a testbench, after writing it and the unit into `folder`; a shell takes the command as the user would. What it said.
fn run(folder: &Path, unit: &GeneratedUnit, text: &str, prefix: &str, command: usize) -> (bool, String) {
    fs::write(folder.join("the bench.v"), text).unwrap();
    fs::write(folder.join("unit.v"), &unit.verilog).unwrap();
    let line = format!("{prefix}{}", commands(&unit.module, &files())[command]);
    let output = Command::new("sh").args(["-c", &line]).current_dir(folder).output().unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    (output.status.success(), said)
}

fn files() -> Files {
    Files { testbench: "'the bench.v'".into(), module: "unit.v".into() }
}

/// A good unit passes; a broken one fails, and its vector is named.
fn testbenches_judge(stages: u32, folder: &Path, prefix: &str, command: usize) {
    let good = generate(Design::pipelined(fmac(), stages));
    let plan = Plan::new(&good.design.operation, Choice::Sample(300), 1).unwrap();
    let (passes, said) = run(folder, &good, &testbench(&good, &plan, &files()), prefix, command);
    assert!(passes, "{said}");
    assert!(said.contains(&format!("{} is right on 300 vectors", good.module)), "{said}");

    let (wrong, mismatch, evidence) = wrong_unit(stages);
    let (passes, said) =
        run(folder, &wrong, &failing_testbench(&wrong, &evidence, &files(), Tolerance::default()), prefix, command);
    assert!(!passes, "{said}");
    let operands: Vec<String> =
        mismatch.simplest.operands.iter().map(|operand| format!("{} {}", operand.name, operand.code)).collect();
    assert!(said.contains(&format!("vector 0: {}", operands.join(", "))), "{said}");
    assert!(said.contains(&format!("{} is wrong ", wrong.module)), "{said}");
}

fn running_sum(stages: u32) -> GeneratedUnit {
    generate(Design::pipelined(Operation::new(Unit::Accumulate, format("e5m2"), format("e5m2")), stages))
}

/// A running sum whose third result after a clear or a reset is wrong: it takes a sequence to see that.
fn wrong_running_sum() -> (GeneratedUnit, Mismatch, Evidence) {
    let mut unit = running_sum(0);
    let counter = "  reg [1:0] sums;\n  always @(posedge clk)\n    if (!rst_n) sums <= 0;\n    \
                   else if (en && in_valid) sums <= clear ? 0 : sums + 1;\n\n  // State\n";
    let counted = unit.verilog.replacen("  // State\n", counter, 1);
    unit.verilog = counted.replacen("assign y = {", "assign y = {8{sums == 2'd3}} ^ {", 1);
    assert!(unit.verilog.contains("sums <= 0") && unit.verilog.contains("sums == 2'd3"), "{}", unit.verilog);
    let Verification { mismatch, evidence, .. } = judged(&unit);
    (unit, mismatch.expect("results are wrong"), evidence.expect("the unit is wrong"))
}

/// A good running sum passes; a broken one fails at the last step of the sequence that its mismatch was shrunk to.
fn testbenches_judge_sequences(folder: &Path, prefix: &str, command: usize) {
    for stages in [0, 3] {
        let good = running_sum(stages);
        let plan = Plan::new(&good.design.operation, Choice::Sample(300), 1).unwrap();
        let (passes, said) = run(folder, &good, &testbench(&good, &plan, &files()), prefix, command);
        assert!(passes, "{said}");
        assert!(said.contains(&format!("{} is right on 300 vectors", good.module)), "{said}");
    }
    let (wrong, mismatch, evidence) = wrong_running_sum();
    let (passes, said) =
        run(folder, &wrong, &failing_testbench(&wrong, &evidence, &files(), Tolerance::default()), prefix, command);
    assert!(!passes, "{said}");
    let steps = mismatch.simplest.sequence();
    let inputs: Vec<String> =
        mismatch.simplest.operands.iter().map(|operand| format!("{} {}", operand.name, operand.code)).collect();
    let simplest = &mismatch.simplest;
    let line = format!("vector {}: {}; y is {}, want", steps.len() - 1, inputs.join(", "), simplest.got.code);
    assert!(steps.len() == 4 && said.contains(&line), "{line}: {said}");
}

/// Units with valid and ready pass; one whose skid buffer is not there fails.
fn testbenches_judge_shells(folder: &Path, prefix: &str, command: usize) {
    for (design, interface) in [
        (Design::pipelined(fmac(), 0), Interface::ReadyValid),
        (Design::pipelined(fmac(), 3), Interface::AxiStream),
        (running_sum(1).design, Interface::ReadyValid),
    ] {
        let mut unit = generate(design.spoken_to(interface));
        let plan = Plan::new(&unit.design.operation, Choice::Sample(300), 1).unwrap();
        let bench = testbench(&unit, &plan, &files());
        let (passes, said) = run(folder, &unit, &bench, prefix, command);
        assert!(passes && said.contains(&format!("{} is right on 300 vectors", unit.module)), "{said}");
        unit.verilog = unit.verilog.replacen("else is_waiting <=", "else is_waiting <= 1'b0 &", 1);
        let (passes, said) = run(folder, &unit, &bench, prefix, command);
        assert!(!passes && said.contains(&format!("{} is wrong ", unit.module)), "{said}");
    }
}

/// Waves of a shell have what is in it.
#[test]
fn waves_show_a_shell() {
    let unit = generate(Design::pipelined(fmac(), 2).spoken_to(Interface::AxiStream));
    let plan = Plan::new(&unit.design.operation, Choice::Sample(100), 1).unwrap();
    let verification = verify(&pinned(), Run::new(&unit, &plan), &|_| {}).unwrap();
    let text = waves(&pinned(), &unit, &verification.evidence.expect("the first vectors")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("waves.fst");
    fs::write(&path, text).unwrap();
    let waves = simple::read(&path).expect("FST");
    let hierarchy = waves.hierarchy();
    let names: Vec<String> = hierarchy.all_vars().map(|var| hierarchy[var].full_name(hierarchy)).collect();
    for name in ["m_axis_tdata", "is_waiting", "waiting_a", "unit.valid_s2"] {
        assert!(names.contains(&format!("TOP.binade_top.unit.{name}")), "{name} of {names:?}");
    }
}

/// The state has its value of every step of the sequence.
#[test]
fn waves_show_a_sequence() {
    let (unit, mismatch, evidence) = wrong_running_sum();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("waves.fst");
    fs::write(&path, waves(&pinned(), &unit, &evidence).unwrap()).unwrap();
    let mut waves = simple::read(&path).expect("FST");
    let variables = waves.hierarchy().all_vars().map(|var| &waves.hierarchy()[var]);
    let named = |name: &str| format!("TOP.binade_top.unit.{name}");
    let found: HashMap<String, SignalRef> =
        variables.map(|var| (var.full_name(waves.hierarchy()), var.signal_ref())).collect();
    for name in ["clk", "rst_n", "en", "in_valid", "x", "clear", "acc", "y"] {
        assert!(found.contains_key(&named(name)), "{name} of {found:?}");
    }
    let sums = found[&named("sums")];
    waves.load_signals(&[sums]);
    let changes: Vec<String> =
        waves.get_signal(sums).unwrap().iter_changes().map(|(_, value)| value.to_bit_string().unwrap()).collect();
    assert!(changes.windows(4).any(|steps| steps == ["00", "01", "10", "11"]), "{changes:?}, {mismatch}");
}

/// A product of two floats, with some other answer put in its place where a condition holds.
fn product_with(format_name: &str, stages: u32, condition: &str, answer: &str) -> GeneratedUnit {
    let e5m2 = format(format_name);
    let mut unit = generate(Design::pipelined(Operation::new(Unit::Mul, e5m2, e5m2), stages));
    let (outside, inside) = (unit.module.clone(), format!("{}_inside", unit.module));
    let [ports, connected] = match stages {
        0 => ["", ""],
        _ => [
            "input clk, rst_n, en, in_valid, output out_valid, ",
            ".clk(clk), .rst_n(rst_n), .en(en), .in_valid(in_valid), .out_valid(out_valid), ",
        ],
    };
    let sent = match stages {
        0 => "wire [7:0] p = a, q = b;".to_string(),
        1 => "reg [7:0] p, q; always @(posedge clk) if (en) begin p <= a; q <= b; end".to_string(),
        _ => panic!("one rank of registers at most"),
    };
    unit.verilog = format!(
        "{}\nmodule {outside}({ports}input [7:0] a, b, output [7:0] y);\nwire [7:0] r;\n{sent}\n\
         {inside} core ({connected}.a(a), .b(b), .y(r));\nassign y = {condition} ? {answer} : r;\nendmodule\n",
        unit.verilog.replace(&format!("module {outside} "), &format!("module {inside} "))
    );
    unit
}

/// A testbench takes what the policies take, and nothing else.
#[test]
#[ignore = "needs Icarus on PATH"]
fn testbenches_judge_by_the_policies() {
    let strict = Tolerance::default();
    let any = Tolerance { nan: NanRule::Any, ..strict };
    let payload = Tolerance { nan: NanRule::Payload, ..strict };
    let zero = Tolerance { any_zero_sign: true, ..strict };
    let nan = |port: &str| format!("{port}[6:0] > 7'h7c");
    let first = format!("{} ? p | 8'h2 : {} ? q | 8'h2 : 8'hfe", nan("p"), nan("q"));
    let second = format!("{} ? q | 8'h2 : {} ? p | 8'h2 : 8'h7e", nan("q"), nan("p"));
    let cases: [(&str, Tolerance, &str, &str, bool); 14] = [
        ("e5m2", any, &nan("r"), "8'hfd", true),
        ("e5m2", strict, &nan("r"), "8'hfd", false),
        ("e5m2", zero, &nan("r"), "8'hfd", false),
        ("e5m2", any, &nan("r"), "8'h7c", false),
        ("e5m2", any, &nan("r"), "8'hxx", false),
        ("e5m2", any, "r[6:0] == 7'h7c", "8'h7e", false),
        ("e5m2", zero, "r[6:0] == 0", "8'h80", true),
        ("e5m2", any, "r[6:0] == 0", "8'h80", false),
        ("e5m2", zero, "r[6:0] == 0", "8'h01", false),
        ("e5m2", payload, &nan("r"), &first, true),
        ("e5m2", payload, &nan("r"), &second, true),
        ("e5m2", payload, &nan("r"), "8'h7f", false),
        ("e4m3fn", any, "&r[6:0]", "8'hff", true),
        ("e4m3fn", strict, "&r[6:0]", "8'hff", false),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (format_name, tolerance, condition, answer, is_right) in cases {
        for stages in [0, 1] {
            let unit = product_with(format_name, stages, condition, answer);
            let codes = [0x7f, 0xfe, 0x7d, 0x80, 0x00, 0x7c, 0xfc, 0x3c, 0x02, 0xff];
            let pairs = codes.into_iter().flat_map(|a: u32| codes.map(|b: u32| vec![a.into(), b.into()]));
            let listed: Vec<_> = pairs.collect();
            let evidence = Evidence { traced: vec![], listed, remark: vec![] };
            let text = failing_testbench(&unit, &evidence, &files(), tolerance);
            let (passes, said) = run(folder.path(), &unit, &text, "", 0);
            assert_eq!(
                passes, is_right,
                "{format_name}, {stages}, {tolerance}: {condition} ? {answer}: {said}\n{text}"
            );
            assert!(said.contains(if is_right { "is right on 100 vectors" } else { "is wrong" }), "{said}");
        }
    }
}

/// What a pipelined unit does wrong at a clock shows in the testbench, too, and there are waves of it.
#[test]
#[ignore = "needs Icarus on PATH"]
fn faults_of_the_clock_show_in_testbenches() {
    let folder = tempfile::tempdir().unwrap();
    for (old, new) in CONTROL_FAULTS {
        let unit = broken(3, old, new);
        let evidence = judged(&unit).evidence.expect("the unit is wrong");
        let (passes, said) =
            run(folder.path(), &unit, &failing_testbench(&unit, &evidence, &files(), Tolerance::default()), "", 0);
        assert!(!passes && (said.contains("\nclock ") || said.starts_with("clock ")), "{new}: {said}");
    }
}

/// Wrong results of a pipelined unit are shrunk as others are, and the waves have the clock and the registers.
#[test]
fn waves_show_the_clock() {
    let (unit, mismatch, evidence) = wrong_unit(3);
    assert!(mismatch.is_shrunk() && mismatch.fails_alone, "{mismatch}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("waves.fst");
    fs::write(&path, waves(&pinned(), &unit, &evidence).unwrap()).unwrap();
    let waves = simple::read(&path).expect("FST");
    let names: Vec<String> =
        waves.hierarchy().all_vars().map(|var| waves.hierarchy()[var].full_name(waves.hierarchy())).collect();
    let registers = unit.pipeline.as_ref().unwrap().registers.iter().map(|register| register.name.clone());
    for name in
        ["clk", "rst_n", "en", "in_valid", "out_valid", "valid_s3"].map(String::from).into_iter().chain(registers)
    {
        assert!(names.contains(&format!("TOP.binade_top.unit.{name}")), "{name} of {names:?}");
    }
}

/// A C++ compiler that compiles Verilator's runtime, which takes most of its time, only for the first testbench.
const COMPILER: &str = r#"#!/bin/sh
for source; do :; done
made=$(basename "$source" .cpp).o
kept=$(dirname "$0")/$made
case "$source" in
  */include/verilated*.cpp) [ -e "$kept" ] && exec cp "$kept" "$made"; c++ "$@" && cp "$made" "$kept" ;;
  *) exec c++ "$@" ;;
esac
"#;

/// What a shell runs first so that Verilator is the pinned one, and quick.
fn pinned_verilator(folder: &Path) -> String {
    let verilator = pinned().verilator().unwrap();
    let compiler = folder.join("compiler");
    fs::write(&compiler, COMPILER).unwrap();
    fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).unwrap();
    let (root, bin) = (verilator.root.display(), verilator.root.join("bin"));
    let quickly = format!("MAKEFLAGS='OPT_GLOBAL=-O0 CXX={}'", compiler.display());
    format!("export {quickly} VERILATOR_ROOT='{root}' PATH='{}':$PATH; ", bin.display())
}

#[test]
#[ignore = "takes minutes"]
fn nightly_testbenches_judge_in_the_pinned_verilator() {
    let folder = tempfile::tempdir().unwrap();
    let prefix = pinned_verilator(folder.path());
    testbenches_judge(3, folder.path(), &prefix, 1);
    testbenches_judge_sequences(folder.path(), &prefix, 1);
    testbenches_judge_shells(folder.path(), &prefix, 1);
}

#[test]
#[ignore = "needs Icarus on PATH"]
fn testbenches_judge_in_icarus() {
    let folder = tempfile::tempdir().unwrap();
    for stages in [0, 1, 3, 16] {
        testbenches_judge(stages, folder.path(), "", 0);
    }
    testbenches_judge_sequences(folder.path(), "", 0);
    testbenches_judge_shells(folder.path(), "", 0);
}

#[test]
#[ignore = "needs Verilator on PATH"]
fn nightly_testbenches_judge_in_the_verilator_on_path() {
    let folder = tempfile::tempdir().unwrap();
    for stages in [0, 3] {
        testbenches_judge(stages, folder.path(), "", 1);
    }
}
