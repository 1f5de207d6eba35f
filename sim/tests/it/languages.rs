//! Units in SystemVerilog, by Verilator, and in VHDL, by GHDL, against the golden model.

use crate::common::format;
use binade_circuit::Language;
use binade_circuit::{Interface, Optimize};
use binade_generator::{Design, GeneratedUnit, generate};
use binade_sim::verilator::lint;
use binade_sim::{Choice, Files, Plan, Run, build_together, verify, vhdl_testbench};
use binade_spec::{Activation, Dataflow, Operation, Selection, Tininess, Unit};
use binade_tools::{Source, Tools, scratch_dir};
use rayon::prelude::*;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

/// Vectors of a testbench in VHDL.
const IN_BENCH: u64 = 100;

/// Units of all kinds: ports of a bit and of lanes, parts, state, flags, random words.
fn operations() -> Vec<Operation> {
    let select = |unit, name: &str| Selection::new(unit, format(name));
    let rounded = |selection, word: &str| Selection { rounding: Some(word.parse().expect("a rounding")), ..selection };
    let selections = [
        Selection { flags: Some(Tininess::After), ..select(Unit::Mul, "e5m2") },
        Selection { lanes: Some(4), ..select(Unit::Dot, "e5m2") },
        select(Unit::Accumulate, "e5m2"),
        Selection {
            output: Some(format("e4m3fn")),
            activation: Some(Activation::Relu),
            ..select(Unit::Fmac, "e5m2b1")
        },
        rounded(select(Unit::Add, "e4m3"), "sr3"),
        Selection { rows: Some(2), columns: Some(2), ..select(Unit::Mma, "e2m1f") },
        Selection {
            array: Some(Dataflow::OutputStationary),
            rows: Some(2),
            columns: Some(1),
            ..select(Unit::Mma, "e2m1f")
        },
        select(Unit::Add, "binary64"),
        select(Unit::Compare, "posit8_2"),
        select(Unit::Classify, "e5m2"),
        select(Unit::Mul, "fixed8_6"),
        select(Unit::Fmac, "posit16_1"),
        select(Unit::PositDecoder, "posit16_1"),
        select(Unit::PositEncoder, "posit16_1"),
        Selection { lanes: Some(3), ..select(Unit::MxDot, "e2m1f") },
        Selection { lanes: Some(2), ..select(Unit::MxQuantize, "e5m2") },
        select(Unit::DotExact, "e4m3fn"),
        select(Unit::DotStream, "e5m2"),
        select(Unit::Update, "bfloat16"),
        Selection { lanes: Some(3), ..select(Unit::LossScaler, "e5m2") },
        Selection { has_internal_random: true, ..rounded(select(Unit::Encode, "e5m2b1"), "sr8") },
        Selection::with_formats(Unit::Random, Unit::Random.format_or_none(None).expect("it has no format")),
    ];
    selections.iter().map(|selection| selection.operation().expect("an operation")).collect()
}

/// Each without and with ranks of registers, small or shallow; some in shells.
fn units() -> Vec<GeneratedUnit> {
    let designs = operations().into_iter().enumerate().flat_map(|(turn, operation)| {
        let plain = [0, 1 + turn as u32 % 3].map(|stages| Design::pipelined(operation, stages));
        let shell = Design::pipelined(operation, turn as u32 / 2 % 3);
        let interface = [Interface::ReadyValid, Interface::AxiStream][turn % 2];
        let shell = (turn < 6).then_some(shell.spoken_to(interface));
        plain.into_iter().chain(shell).map(move |design| design.optimized(Optimize::ALL[turn % 2]))
    });
    designs.map(generate).collect()
}

/// The unit with its text in SystemVerilog, which Verilator takes in the same place.
fn in_systemverilog(unit: GeneratedUnit) -> GeneratedUnit {
    GeneratedUnit { verilog: unit.text(Language::SystemVerilog), ..unit }
}

fn are_right_in_systemverilog(units: Vec<GeneratedUnit>) {
    let tools = Tools::new(Source::Pinned);
    let units: Vec<GeneratedUnit> = units.into_iter().map(in_systemverilog).collect();
    units.par_chunks(4).for_each(|units| {
        build_together(&tools, units).unwrap_or_else(|error| panic!("{error}"));
        for unit in units {
            let plan = Plan::new(&unit.design.operation, Choice::Sample(5_000), 7).expect("a plan for the operation");
            let found = verify(&tools, Run::new(unit, &plan), &|_| {}).unwrap_or_else(|error| panic!("{error}"));
            assert!(found.is_right(), "{}: {:?}, {:?}", found.module, found.violation, found.mismatch);
        }
    });
}

/// Lanes and parts in a pipeline, in a shell, and a state.
#[test]
fn some_units_are_right_in_systemverilog() {
    let of = |turn: usize, stages| Design::pipelined(operations()[turn], stages);
    let designs = [of(1, 2), of(0, 1).spoken_to(Interface::AxiStream), of(2, 0)];
    are_right_in_systemverilog(designs.map(generate).into_iter().collect());
}

#[test]
#[ignore = "takes minutes"]
fn nightly_units_are_right_in_systemverilog() {
    are_right_in_systemverilog(units());
}

#[test]
fn lint_says_nothing_of_systemverilog() {
    let units: Vec<GeneratedUnit> = units().into_iter().step_by(3).collect();
    units.into_par_iter().map(in_systemverilog).for_each(|unit| {
        lint(&Tools::new(Source::Pinned), &unit.module, &unit.verilog).unwrap_or_else(|error| panic!("{error}"));
    });
}

/// Runs a unit's testbench by the commands that it names. Whether it passes, and what it said.
fn simulated(folder: &Path, unit: &GeneratedUnit, vhdl: &str) -> (bool, String) {
    let module = &unit.module;
    let plan = Plan::new(&unit.design.operation, Choice::Sample(IN_BENCH), 7).expect("a plan for the operation");
    let files = Files { testbench: format!("{module}_tb.vhd"), module: format!("{module}.vhd") };
    let bench = vhdl_testbench(unit, &plan, &files);
    fs::write(folder.join(&files.module), vhdl).expect("a file in a scratch folder");
    fs::write(folder.join(&files.testbench), &bench).expect("a file in a scratch folder");
    let commands = bench.lines().filter_map(|line| line.strip_prefix("--   $ "));
    let mut all = String::new();
    for command in commands {
        let words: Vec<&str> = command.split(' ').collect();
        let output = Command::new(words[0]).args(&words[1..]).current_dir(folder).output();
        let output = output.unwrap_or_else(|error| match error.kind() {
            ErrorKind::NotFound => panic!("{} simulates VHDL here; install it: apt-get install ghdl", words[0]),
            _ => panic!("{command}: {error}"),
        });
        let said = [output.stdout, output.stderr].concat();
        all += &String::from_utf8_lossy(&said);
        if !output.status.success() {
            return (false, all);
        }
    }
    (true, all)
}

#[test]
#[ignore = "needs GHDL on PATH"]
fn nightly_units_are_right_in_vhdl() {
    units().par_iter().for_each(|unit| {
        let folder = scratch_dir().expect("a scratch folder");
        let (passes, said) = simulated(folder.path(), unit, &unit.text(Language::Vhdl));
        assert!(passes && said.contains(&format!("{} is right on ", unit.module)), "{}: {said}", unit.module);
        // Nothing but that, and that the simulation is at its end.
        assert!(said.lines().count() <= 2, "{}: {said}", unit.module);
    });
}

/// What is replaced in a unit's VHDL: a result, the clock's enable, the reset, the handshake.
const BROKEN: [(usize, u32, Interface, &str, &str); 6] = [
    (0, 0, Interface::Plain, " xor ", " or "),
    (0, 1, Interface::Plain, "elsif en = '1' then", "else"),
    (0, 1, Interface::Plain, "out_valid <= valid_s1;", "out_valid <= in_valid;"),
    (2, 0, Interface::Plain, "if rst_n = '0' then", "if rst_n = 'X' then"),
    (0, 1, Interface::ReadyValid, "in_ready <= not is_waiting;", "in_ready <= '1';"),
    (0, 1, Interface::AxiStream, "out_ready or not", "out_ready and not"),
];

#[test]
#[ignore = "needs GHDL on PATH"]
fn broken_units_are_noticed_in_vhdl() {
    BROKEN.par_iter().for_each(|&(turn, stages, interface, right, wrong)| {
        let right = match interface {
            Interface::AxiStream => right.replace("out_ready", "m_axis_tready"),
            Interface::Plain | Interface::ReadyValid => right.into(),
        };
        let unit = generate(Design::pipelined(operations()[turn], stages).spoken_to(interface));
        let vhdl = unit.text(Language::Vhdl);
        assert!(vhdl.contains(&right), "no `{right}` in\n{vhdl}");
        let wrong = wrong.replace("out_ready", "m_axis_tready");
        let folder = scratch_dir().expect("a scratch folder");
        let (passes, said) = simulated(folder.path(), &unit, &vhdl.replacen(&right, &wrong, 1));
        assert!(!passes && said.contains(&format!("{} is wrong ", unit.module)), "{}: {said}", unit.module);
    });
}
