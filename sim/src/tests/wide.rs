//! Ports of hundreds of bits and with several lanes, in every engine: a unit that negates, right and with a planted fault.

use crate::engines::verilator::{CompiledModule, VerilogModule, trace};
use crate::engines::{PortWidth, run_lanes};
use crate::reference::{Reference, row_by_columns};
use crate::run::chunks::ChunkLoop;
use crate::verdict::{
    Counterexample, Device, Fault, Files, Mismatch, Tolerance, commands, compare_in, render, shrink_for,
};
use binade_circuit::Interface;
use binade_circuit::pipeline::Pipeline;
use binade_circuit::print::{self, Heading};
use binade_circuit::{Bits, Circuit, Interpreter, Netlist, concat};
use binade_circuit::{Language, Reset};
use binade_gates::{Graph, Program};
use binade_spec::contract::{ControlPorts, Pace};
use binade_spec::word::limbs;
use binade_spec::{Column, ColumnMut, Format, Port, Word, WordKind};
use binade_stimulus::Plan;
use binade_stimulus::Stimulus;
use binade_stimulus::words::top_mask;
use binade_stimulus::words::widths;
use binade_tools::{Source, Tools};
use std::fs;
use std::process::Command;

/// Random vectors: more than one block, and not a multiple of it.
const VECTORS: u64 = 10_001;

/// The lanes of `x` and `y`, which hold binary64.
const LANES: u32 = 8;

/// The bits of `w` and `v`: seven words of 32 bits, in four limbs.
const WORD: u32 = 200;

/// Negates eight lanes of binary64 and four of e2m1f, and inverts a word.
struct Negation;

fn ports([x, s, w]: [&'static str; 3]) -> Vec<Port> {
    let code = |name, format: &str, lanes| {
        let format: Format = format.parse().unwrap_or_else(|error| panic!("{error}"));
        Port { lanes, ..Port::code(name, format) }
    };
    vec![code(x, "binary64", LANES), code(s, "e2m1f", 4), Port::word(w, WORD, WordKind::Significand)]
}

/// The limbs of the bits that are inverted.
fn changed() -> [Vec<u64>; 3] {
    let word = (0..limbs(WORD)).map(|limb| if limb + 1 == limbs(WORD) { top_mask(WORD) } else { u64::MAX });
    [vec![1 << 63; LANES as usize], vec![0x8888], word.collect()]
}

impl Reference for Negation {
    fn inputs(&self) -> Vec<Port> {
        ports(["x", "s", "w"])
    }

    fn outputs(&self) -> Vec<Port> {
        ports(["y", "t", "v"])
    }

    fn evaluate_columns(&self, inputs: &[Column], outputs: &mut [ColumnMut]) {
        for ((input, output), changed) in inputs.iter().zip(outputs).zip(changed()) {
            let changes = changed.iter().cycle();
            output.words.iter_mut().zip(input.words).zip(changes).for_each(|((out, x), change)| *out = x ^ change);
        }
    }

    fn evaluate_row(&self, first: u64, outputs: &mut [ColumnMut]) {
        row_by_columns(self, first, outputs);
    }

    fn unrounded(&self, _: &[Vec<Word>], _: &[Word], _: &str, _: u32) -> Option<String> {
        None
    }
}

/// The fault in the unit.
#[derive(Clone, Copy, PartialEq)]
enum Planted {
    Nothing,
    /// The sign of the last lane is kept if two bits of its exponent are 1.
    InLastLane,
    /// The top bit of the word is kept if it and another bit are 1.
    InTopLimb,
}

/// With the fault, the top bit is inverted if both conditions are 1.
fn faulty<'c>(bits: Bits<'c>, is_planted: bool, conditions: [Bits<'c>; 2]) -> Bits<'c> {
    let fault = conditions[0] & conditions[1];
    if is_planted { concat(&[bits.msb() ^ fault, bits.low(bits.width() - 1)]) } else { bits }
}

fn circuit(planted: Planted) -> Netlist {
    let circuit = Circuit::new();
    let [x, s, w] = [("x", 64 * LANES), ("s", 16), ("w", WORD)].map(|(name, width)| circuit.input(name, width, name));
    let sign = circuit.constant(1 << 63, 64);
    let mut lanes: Vec<Bits> = (0..LANES).rev().map(|lane| x.slice(64 * lane + 63, 64 * lane) ^ sign).collect();
    let top = 64 * LANES - 1;
    lanes[0] = faulty(lanes[0], planted == Planted::InLastLane, [x.bit(top - 3), x.bit(top - 4)]);
    let v = faulty(!w, planted == Planted::InTopLimb, [w.msb(), w.bit(150)]);
    let outputs = [("y", concat(&lanes)), ("t", s ^ circuit.constant(0x8888, 16)), ("v", v)];
    let outputs = outputs.map(|(name, bits)| (name, bits.node(), name.to_string()));
    circuit.finish(&outputs)
}

fn printed(netlist: &Netlist, stages: u32) -> String {
    let about = ["Negates".to_string()];
    let heading =
        Heading { name: "negation", commands: &[], about: &about, language: Language::Verilog, reset: Reset::Sync };
    match stages {
        0 => print::print(netlist, &heading),
        _ => print::print_pipelined(netlist, &Pipeline::new(netlist, stages), &heading),
    }
}

fn tools() -> Tools {
    Tools::new(Source::Pinned)
}

/// Calls `use_it` with the Verilog and its ports.
fn with_module<T>(netlist: &Netlist, stages: u32, use_it: impl FnOnce(&VerilogModule) -> T) -> T {
    let text = printed(netlist, stages);
    let [inputs, outputs] =
        [Negation.inputs(), Negation.outputs()].map(|ports| ports.iter().map(PortWidth::of).collect::<Vec<_>>());
    let (inputs, outputs) = (&inputs, &outputs);
    use_it(&VerilogModule {
        name: "negation",
        verilog: &text,
        inputs,
        outputs,
        pace: Pace::pipelined(stages),
        has_state: false,
        interface: Interface::Plain,
        dut: None,
    })
}

fn plan() -> Plan {
    Plan::random(&Negation.inputs(), VECTORS, 1)
}

/// The counterexample and its explanation.
fn judged<Instance: Device>(
    found: Option<Counterexample>,
    new_instance: impl Fn() -> Instance,
) -> Option<(Counterexample, Mismatch)> {
    let found = found?;
    let simplest = shrink_for(&Negation, &found, new_instance);
    let mismatch = Mismatch::new(&Negation, &found, simplest.as_ref());
    Some((found, mismatch))
}

fn compared<Instance: Device>(new_instance: impl Fn() -> Instance + Sync) -> Option<(Counterexample, Mismatch)> {
    let plan = plan();
    let stimulus = Stimulus::of_ports(Negation.inputs(), &plan);
    let found = compare_in(&ChunkLoop::whole(&plan, &|_| {}), &Negation, &stimulus, &new_instance);
    judged(found.expect("nobody interrupts a test"), new_instance)
}

fn on_interpreter(netlist: &Netlist) -> Option<(Counterexample, Mismatch)> {
    compared(|| {
        let mut interpreter = Interpreter::new(netlist);
        move |inputs: &[Column], outputs: &mut [ColumnMut]| {
            let inputs: Vec<&[u64]> = inputs.iter().map(|column| column.words).collect();
            let mut outputs: Vec<&mut [u64]> = outputs.iter_mut().map(|column| &mut *column.words).collect();
            interpreter.evaluate(&inputs, &mut outputs);
        }
    })
}

fn on_lanes(netlist: &Netlist, stages: u32) -> Option<(Counterexample, Mismatch)> {
    let graph = match stages {
        0 => Graph::of_circuit(netlist),
        _ => Graph::of_pipeline(&Pipeline::new(netlist, stages)),
    };
    let (program, plan) = (Program::new(&graph), plan());
    let stimulus = Stimulus::of_ports(Negation.inputs(), &plan);
    let chunks = ChunkLoop::whole(&plan, &|_| {});
    let found = run_lanes(&chunks, &Negation, &stimulus, (&program, None), (Pace::pipelined(stages), plan.seed()));
    let [inputs, outputs] = [Negation.inputs(), Negation.outputs()].map(|ports| widths(&ports).collect::<Vec<_>>());
    judged(found.expect("nobody interrupts a test"), || program.answers(&inputs, &outputs, Pace::pipelined(stages)))
}

fn on_verilator(netlist: &Netlist, stages: u32) -> Option<(Counterexample, Mismatch)> {
    let module = with_module(netlist, stages, |module| CompiledModule::build(&tools(), module)).unwrap();
    match stages {
        0 => compared(|| {
            let mut instance = module.instance();
            move |inputs: &[Column], outputs: &mut [ColumnMut]| instance.evaluate(inputs, outputs)
        }),
        _ => compared(|| module.stream(1)),
    }
}

#[test]
fn a_right_unit_is_right_on_every_engine() {
    let right = circuit(Planted::Nothing);
    assert_eq!(on_interpreter(&right).map(|(found, _)| found), None);
    for stages in [0, 2] {
        assert_eq!(on_lanes(&right, stages).map(|(found, _)| found), None, "{stages} stages");
        assert_eq!(on_verilator(&right, stages).map(|(found, _)| found), None, "{stages} stages");
    }
}

/// Checks that all engines find the same vector, and returns what they shrink it to.
fn shrunk_everywhere(planted: Planted) -> Mismatch {
    let wrong = circuit(planted);
    let (expected, mismatch) = on_interpreter(&wrong).expect("the fault is found");
    for stages in [0, 2] {
        for judged in [on_lanes(&wrong, stages), on_verilator(&wrong, stages)] {
            let (found, other) = judged.expect("the fault is found");
            assert_eq!((found.index, &found.operands), (expected.index, &expected.operands), "{stages} stages");
            assert_eq!((&found.got, &found.want), (&expected.got, &expected.want), "{stages} stages");
            assert!(found.violation.is_none_or(|violation| violation.fault == Fault::Results));
            assert_eq!(other.to_string(), mismatch.to_string(), "{stages} stages");
        }
    }
    assert!(mismatch.fails_alone && mismatch.is_shrunk());
    mismatch
}

/// In the last lane, 1 has both bits of the exponent set.
#[test]
fn a_fault_in_the_last_lane_is_found_and_shrunk_to_that_lane() {
    let mismatch = shrunk_everywhere(Planted::InLastLane);
    let digits = 16 * (LANES as usize - 1);
    assert_eq!(mismatch.replay(), format!("0x3ff{:013}{:0digits$},0x0000,0x{:050}", 0, 0, 0));
    assert_eq!(mismatch.simplest.output, "y[7]");
    let text = mismatch.to_string();
    let first_words = |line: &str| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    let rows: Vec<String> = text.lines().skip(1).map(first_words).collect();
    let zeros = format!("w 0x{:050}", 0);
    let [x, s] = ["x[0..6] 0x0000000000000000", "s[0..3] 0x0"];
    let [one, want, got] = ["x[7] 0x3ff0000000000000", "want 0xbff0000000000000", "got 0x3ff0000000000000"];
    assert_eq!(rows, [x, one, s, &zeros, want, got, "on output", "off by"], "{text}");
    assert!(text.contains("on output y[7]"), "{text}");
}

#[test]
fn a_fault_in_the_top_limb_of_a_word_is_found_and_shrunk_to_two_ones() {
    let mismatch = shrunk_everywhere(Planted::InTopLimb);
    let word = (Word::from(1_u32) << (WORD - 1)) | (Word::from(1_u32) << 150_u32);
    assert_eq!(mismatch.replay(), format!("0x{:0128},0x0000,{word:#x}", 0));
    assert_eq!(mismatch.simplest.output, "v");
    let text = mismatch.to_string();
    assert!(text.ends_with(&format!("the differing bits are those set in 0x8{:049}", 0)), "{text}");
}

/// The printed testbench in the pinned Verilator: it passes the right unit, and names the vector on which the wrong one fails.
#[test]
#[ignore = "long"]
fn the_testbench_judges_wide_ports() {
    let folder = tempfile::tempdir().unwrap();
    let verilator = tools().verilator().unwrap();
    let files = Files { testbench: "bench.v".into(), module: "unit.v".into() };
    let command = &commands("negation", &files)[1];
    let line = format!(
        "export MAKEFLAGS='OPT_GLOBAL=-O0' VERILATOR_ROOT='{}' PATH='{}':$PATH; {command}",
        verilator.root.display(),
        verilator.root.join("bin").display()
    );
    let plan = Plan::random(&Negation.inputs(), 20, 1);
    let vectors = Stimulus::of_ports(Negation.inputs(), &plan).window(0, 20);
    let text = render(
        ("negation", Interface::Plain, ControlPorts::ALL, false),
        Pace::pipelined(0),
        (&Negation, Tolerance::default()),
        &vectors,
        &files,
        vec![],
    );
    assert!(text.contains("// x of 8 lanes, s of 4 lanes, w, wanted y of 8 lanes"), "{text}");
    let run = |planted| {
        fs::write(folder.path().join("bench.v"), &text).unwrap();
        fs::write(folder.path().join("unit.v"), printed(&circuit(planted), 0)).unwrap();
        let output = Command::new("sh").args(["-c", &line]).current_dir(folder.path()).output().unwrap();
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        (output.status.success(), said)
    };
    let (passes, said) = run(Planted::Nothing);
    assert!(passes && said.contains("negation is right on 20 vectors"), "{said}");
    let first = on_interpreter(&circuit(Planted::InLastLane)).expect("the fault is found").0;
    let (passes, said) = run(Planted::InLastLane);
    assert!(!passes && said.contains(&format!("vector {}: x {:#x},", first.index, first.operands[0])), "{said}");
}

/// Waves show each port as a whole and lane by lane.
#[test]
fn waves_show_wide_ports_and_their_lanes() {
    let plan = Plan::random(&Negation.inputs(), 1, 1);
    let vectors = Stimulus::of_ports(Negation.inputs(), &plan).window(0, 1);
    let vcd = with_module(&circuit(Planted::Nothing), 0, |module| trace(&tools(), module, &vectors)).unwrap();
    let text = String::from_utf8(vcd).unwrap();
    let lane = &vectors[0][0] >> (64 * (LANES - 1));
    for (name, width, value) in [("x", 64 * LANES, &vectors[0][0]), ("x_7", 64, &lane), ("w", WORD, &vectors[0][2])] {
        let is_declared = |line: &&str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            words.len() > 4 && words[0] == "$var" && words[2] == width.to_string() && words[4] == name
        };
        let line = text.lines().find(is_declared).unwrap_or_else(|| panic!("no {name} in {text}"));
        let code = line.split_whitespace().nth(3).unwrap();
        assert!(text.contains(&format!("b{value:0digits$b} {code}", digits = width as usize)), "{name} in {text}");
    }
}
