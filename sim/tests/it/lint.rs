//! What the pinned tools say of generated Verilog: nothing.

use crate::common::{format, operation, some_ways};
use binade_circuit::Optimize;
use binade_generator::{Design, GeneratedUnit, generate};
use binade_sim::verilator::lint;
use binade_spec::{Activation, Format, Operation, Overflow, Selection, Tininess, Unit};
use binade_tools::{Source, Tools, scratch_dir};
use rayon::prelude::*;
use std::fs;

const FORMATS: [&str; 57] = [
    "e5m2",
    "e4m3",
    "e5m3",
    "binary16",
    "bfloat16",
    "tf32",
    "binary32",
    "e6m9",
    "e2m23",
    "e8m1",
    // Flushed and nosub
    "e5m2n",
    "e6m9n",
    "e2m0n",
    "e8m23n",
    "e4m3ns",
    "e2m1ns",
    "e8m7ns",
    "dlfloat16",
    // Finite
    "e4m3fn",
    "e2m0fn",
    "e8m9fn",
    "e2m1f",
    "e3m2f",
    "e2m3f",
    "e8m0f",
    // Supernormal
    "e5m2b1",
    "e5m2b2",
    "e5m2b4",
    "e4m3b2",
    "e5m2b1u2",
    "e5m2b3u0",
    "e5m2b1,sat",
    "e2m2b1",
    "e8m3b100",
    "e4m0b2",
    // P3109
    "k8p3se",
    "k8p4sf",
    "k8p1se",
    "k3p1sf",
    "k8p3ue",
    "k8p8uf",
    "k8p4sens",
    // Another bias
    "e4m3fn,bias=40",
    "e5m2,bias=-30",
    "e8m0",
    // Posits
    "posit3_0",
    "posit5_3",
    "posit8_2",
    "posit16_1",
    "posit16_2,scale=2^-3",
    "posit32_2",
    "posit32_5",
    // Wide
    "binary64",
    "binary128",
    "e11m20",
    "posit48_1",
    "posit64_5",
];

/// All units of a format, `fmac` and `convert` with several others, in some of the roundings and policies, some with flags
/// and some with an output conversion.
fn operations(number: usize) -> Vec<Operation> {
    let own = format(FORMATS[number]);
    let others = [7, 18].map(|step| Some(format(FORMATS[(number + step) % FORMATS.len()])));
    let mut operations = vec![];
    for unit in [Unit::Decode, Unit::Encode, Unit::Mul, Unit::Add, Unit::Sub, Unit::Fmac, Unit::Mac] {
        if unit == Unit::Sub && own.sign_mask() == 0 {
            continue;
        }
        operations.push(operation(unit, own, None, Overflow::Inf));
    }
    for other in others.into_iter().chain([Some(own)]) {
        operations.push(operation(Unit::Fmac, own, other, Overflow::Inf));
        operations.push(operation(Unit::Convert, own, other, Overflow::Inf));
    }
    let ways = operations.into_iter().enumerate().map(|(place, operation)| some_ways(operation, number + place));
    ways.flatten().chain(more_ports(own, others[0], number)).collect()
}

/// Units with more outputs than one, and those for posits.
fn more_ports(own: Format, other: Option<Format>, number: usize) -> Vec<Operation> {
    let plain = [
        Selection {
            output: other,
            activation: number.is_multiple_of(2).then_some(Activation::Relu),
            ..Selection::new(Unit::Fmac, own)
        },
        Selection { flags: Some(Tininess::ALL[number % 2]), ..Selection::new(Unit::Mul, own) },
        Selection { flags: Some(Tininess::ALL[number % 2]), ..Selection::new(Unit::Fmac, own) },
        Selection { flags: Some(Tininess::After), output: other, ..Selection::new(Unit::Mac, own) },
        Selection::new(Unit::PositDecoder, own),
        Selection::new(Unit::PositEncoder, own),
    ];
    plain.into_iter().filter_map(|selection| selection.operation().ok()).collect()
}

/// The operations as combinational units, small and shallow by turns, and every third one with registers: 1 to 16 ranks
/// by turns.
fn designs(number: usize) -> Vec<Design> {
    let operations = operations(number).into_iter().enumerate();
    let design = |(place, operation): (usize, Operation)| {
        let stages = 1 + (number + place) as u32 % 16;
        let pipelined = (place % 3 == number % 3).then(|| Design::pipelined(operation, stages));
        let optimize = Optimize::ALL[(number + place) / 3 % 2];
        [Some(Design::from(operation).optimized(optimize)), pipelined]
    };
    operations.flat_map(design).flatten().collect()
}

/// Every `step`th of the designs of a format, beginning with another one in each.
fn some_designs(number: usize, step: usize) -> impl Iterator<Item = Design> {
    designs(number).into_iter().skip(number % step).step_by(step)
}

/// Verilator's `-Wall` with no waiver, on every `step`th module of a format; so many modules these are.
fn check_verilator_is_silent(step: usize, modules: usize) {
    let tools = Tools::new(Source::Pinned);
    tools.verilator().expect("the pinned Verilator");
    let designs: Vec<Design> = (0..FORMATS.len()).flat_map(|number| some_designs(number, step)).collect();
    assert_eq!(designs.len(), modules, "modules");
    let complaints: Vec<String> = designs
        .into_par_iter()
        .filter_map(|design| {
            let GeneratedUnit { module, verilog, .. } = generate(design);
            lint(&tools, &module, &verilog).err().map(|error| error.to_string())
        })
        .collect();
    let first: Vec<&String> = complaints.iter().take(5).collect();
    assert!(complaints.is_empty(), "{} modules, the first of them:\n{first:#?}", complaints.len());
}

#[test]
#[ignore = "long"]
fn verilator_is_silent() {
    check_verilator_is_silent(43, 77);
}

#[test]
#[ignore = "takes minutes"]
fn nightly_verilator_is_silent() {
    check_verilator_is_silent(1, 2968);
}

/// Yosys reads plain Verilog without a warning, and finds nothing wrong with the netlist.
#[test]
#[ignore = "long"]
fn yosys_is_silent() {
    let yosys = Tools::new(Source::Pinned).yosys().expect("the pinned Yosys");
    // A run takes a while to start, so a format's modules are read together.
    let read_format = |number: usize| {
        let folder = scratch_dir().expect("a scratch folder");
        let mut script = String::new();
        let mut modules = 0;
        for design in some_designs(number, 29) {
            modules += 1;
            let GeneratedUnit { module, verilog, .. } = generate(design);
            fs::write(folder.path().join(format!("{module}.v")), verilog).expect("a file in the scratch folder");
            script += &format!("read_verilog {module}.v\nhierarchy -check -top {module}\n");
            script += "proc\ncheck -assert\nflatten\nopt_clean\ncheck -assert\ndesign -reset\n";
        }
        let log = yosys.run_script(&script, folder.path()).unwrap_or_else(|error| panic!("{error}"));
        let bad = log.lines().find(|line| line.contains("Warning") || line.contains("ERROR"));
        assert_eq!(bad, None, "{}", FORMATS[number]);
        assert_eq!(log.matches("Found and reported 0 problems").count(), 2 * modules, "{log}");
        modules
    };
    let modules: usize = (0..FORMATS.len()).into_par_iter().map(read_format).sum();
    assert_eq!(modules, 103, "modules");
}
