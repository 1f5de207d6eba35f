//! Pipelined units under bubbles, stalls and resets: right ones are right, and each way to break one is noticed, as what it is.

use crate::common::{format, operation};
use binade_circuit::Optimize;
use binade_generator::{Design, GeneratedUnit, generate};
use binade_sim::{Choice, Engine, Fault, Gates, Plan, Run, Verification, build_together, verify};
use binade_spec::{Activation, Operation, Overflow, Selection, Tininess, Unit};
use binade_synth::{Target, netlist};
use binade_tools::{Source, Tools};
use rayon::prelude::*;

/// Five blocks and a bit.
const VECTORS: u64 = 21_000;

/// Units that are compiled together: that takes less time a unit.
const TOGETHER: usize = 4;

/// Compiles the units as one, so that each is there when it is checked.
fn compile<'u>(units: impl IntoIterator<Item = &'u GeneratedUnit>) {
    let units: Vec<&GeneratedUnit> = units.into_iter().collect();
    build_together(&Tools::new(Source::Pinned), units).unwrap_or_else(|error| panic!("{error}"));
}

fn check(unit: &GeneratedUnit, vectors: u64) -> Verification {
    let plan = Plan::new(&unit.design.operation, Choice::Sample(vectors), 7).expect("a plan for the operation");
    verify(&Tools::new(Source::Pinned), Run::new(unit, &plan), &|_| {}).unwrap_or_else(|error| panic!("{error}"))
}

fn plain(unit: Unit, name: &str) -> Operation {
    operation(unit, format(name), None, Overflow::Inf)
}

#[test]
fn right_units_are_right_at_any_depth() {
    let more = [
        Selection { flags: Some(Tininess::After), ..Selection::new(Unit::Mul, format("e5m2")) },
        Selection {
            output: Some(format("e4m3fn")),
            activation: Some(Activation::Relu),
            ..Selection::new(Unit::Fmac, format("e5m2b1"))
        },
        Selection { rounding: Some("sr8".parse().unwrap()), ..Selection::new(Unit::Add, format("e4m3")) },
        Selection::new(Unit::PositDecoder, format("posit16_1")),
        Selection::new(Unit::PositEncoder, format("posit16_1")),
    ];
    let every_depth = (1..=16).map(|stages| (plain(Unit::Mul, "e4m3fn"), stages));
    let others = more.map(|selection| selection.operation().unwrap()).into_iter();
    let units = others.chain([plain(Unit::Fmac, "posit8_2"), plain(Unit::Add, "bfloat16"), plain(Unit::Mac, "e2m1f")]);
    let some_depths = units.enumerate().flat_map(|(turn, unit)| [1 + turn as u32, 16].map(|stages| (unit, stages)));
    let designs: Vec<(Operation, u32)> = every_depth.chain(some_depths).collect();
    let unit = |&(operation, stages): &(Operation, u32)| {
        generate(Design::pipelined(operation, stages).optimized(Optimize::ALL[stages as usize % 2]))
    };
    designs.par_chunks(TOGETHER).for_each(|designs| {
        let units: Vec<GeneratedUnit> = designs.iter().map(unit).collect();
        compile(&units);
        for unit in &units {
            let found = check(unit, VECTORS);
            assert!(found.is_right(), "{}: {:?}, {:?}", found.module, found.violation, found.mismatch);
            let all = 1 << unit.design.operation.input_bits();
            assert!(found.checked >= VECTORS.min(all), "{}", found.module);
        }
    });
}

/// The blocks end with fewer vectors than there are ranks, or with one.
#[test]
fn few_vectors_pass_a_long_pipeline() {
    let unit = generate(Design::pipelined(plain(Unit::Mul, "e4m3fn"), 16));
    for vectors in [1, 2, 15, 4096, 4097] {
        let found = check(&unit, vectors);
        assert!(found.is_right() && found.checked == vectors, "{vectors}: {:?}", found.violation);
    }
}

/// The unit that is broken below.
fn sound() -> GeneratedUnit {
    generate(Design::pipelined(plain(Unit::Fmac, "e5m2b1"), 3))
}

/// It with a change of its Verilog.
fn changed(change: impl Fn(&str) -> String) -> GeneratedUnit {
    let mut unit = sound();
    let changed = change(&unit.verilog);
    assert_ne!(changed, unit.verilog, "the change changes nothing");
    unit.verilog = changed;
    unit
}

/// What is found of it after a change of its Verilog.
fn broken(change: impl Fn(&str) -> String) -> Verification {
    check(&changed(change), VECTORS)
}

/// The same of the netlist that Yosys makes of it.
fn check_netlist(unit: &GeneratedUnit) -> Verification {
    let tools = Tools::new(Source::Pinned);
    let json = netlist(&tools, &unit.module, &unit.verilog, Target::Generic).unwrap_or_else(|error| panic!("{error}"));
    let gates = Gates::of_netlist(unit, &json, "the netlist".into()).unwrap_or_else(|error| panic!("{error}"));
    // It looks at results only, so that what touches few of them, such as the sign of zero, needs more vectors.
    let plan = Plan::new(&unit.design.operation, Choice::Sample(20 * VECTORS), 7).expect("a plan for the operation");
    let run = Run { engine: Engine::Lanes(&gates), ..Run::new(unit, &plan) };
    verify(&tools, run, &|_| {}).unwrap_or_else(|error| panic!("{error}"))
}

/// Verilator finds one of these faults in each unit; the lanes engine has to notice it in the netlist, too. Every unit
/// comes with what was done to it.
fn assert_faults(broken: &[(String, GeneratedUnit)], faults: &[Fault]) {
    broken.par_chunks(TOGETHER).for_each(|broken| {
        compile(broken.iter().map(|(_, unit)| unit));
        for (what, unit) in broken {
            assert!(!check_netlist(unit).is_right(), "{what}: the lanes engine does not notice it in the netlist");
            let found = check(unit, VECTORS).violation.map(|violation| violation.fault);
            assert!(found.is_some_and(|fault| faults.contains(&fault)), "{what}: {found:?}");
        }
    });
}

/// The same for one unit.
fn assert_fault(unit: GeneratedUnit, faults: &[Fault]) {
    assert_faults(&[("the change".into(), unit)], faults);
}

/// The line `name <= driver;` of a register, and the driver.
fn assignment<'t>(text: &'t str, name: &str) -> (&'t str, &'t str) {
    let is_it = |line: &&str| line.trim().strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with("<="));
    let line = text.lines().find(is_it).expect("an assignment to the register");
    (line, line.split_once("<= ").expect("just found").1)
}

/// The names of the registers of a rank, valid bit not included.
fn registers(rank: u32) -> Vec<String> {
    let pipeline = sound().pipeline.expect("the unit has registers");
    pipeline.registers.into_iter().filter(|register| register.rank == rank).map(|register| register.name).collect()
}

/// The register as a wire.
fn bypassed(text: &str, name: &str) -> String {
    let (line, driver) = assignment(text, name);
    let declared = text.lines().find(|line| line.starts_with("  reg ") && line.ends_with(&format!(" {name};")));
    let declared = declared.expect("a declaration of the register");
    let wire = declared.replace("  reg ", "  wire ").replace(&format!("{name};"), &format!("{name} = {driver}"));
    text.replace(&format!("{line}\n"), "").replace(declared, &wire)
}

#[test]
fn a_register_missing_on_one_path() {
    // One of few bits and one of many.
    let of_rank = |names: Vec<String>| [names[0].clone(), names[names.len() / 2].clone()];
    let names = (1..=3).map(registers).flat_map(of_rank);
    let broken: Vec<(String, GeneratedUnit)> =
        names.map(|name| (name.clone(), changed(|text| bypassed(text, &name)))).collect();
    assert_faults(&broken, &[Fault::Results]);
}

#[test]
fn results_a_clock_early() {
    let early = |text: &str| registers(3).iter().fold(text.to_string(), |text, name| bypassed(&text, name));
    assert_fault(changed(early), &[Fault::Results]);
}

/// The results of the vector before.
#[test]
fn one_rank_too_many_for_the_results() {
    let late = |text: &str| {
        let late = "reg [15:0] late;\n  always @(posedge clk) if (en) late <= {sign, magnitude};\n  assign y = late;";
        text.replace("assign y = {sign, magnitude};", late)
    };
    let found = broken(late);
    assert_eq!(found.violation.map(|violation| violation.fault), Some(Fault::Results));
    assert!(found.mismatch.is_some(), "wrong results are explained");
}

#[test]
#[ignore = "long"]
fn one_rank_too_many_or_too_few() {
    let broken = [2, 4].map(|stages| {
        let other = generate(Design::pipelined(plain(Unit::Fmac, "e5m2b1"), stages));
        let renamed = other.verilog.replace(&other.module, &sound().module);
        (format!("{stages} stages in place of 3"), changed(|_| renamed.clone()))
    });
    assert_faults(&broken, &[Fault::OutValid]);
}

#[test]
#[ignore = "long"]
fn a_register_that_ignores_en() {
    let restless = |name: &String| {
        let restless = changed(|text| {
            let (line, _) = assignment(text, name);
            let alone = format!("  always @(posedge clk) {}\n\nendmodule", line.trim());
            text.replace(&format!("{line}\n"), "").replace("\nendmodule", &alone)
        });
        (name.clone(), restless)
    };
    let broken: Vec<(String, GeneratedUnit)> =
        (1..=3).flat_map(|rank| registers(rank)[..3].iter().map(restless).collect::<Vec<_>>()).collect();
    // Behind the last rank it shows as a move; before it, as the results of other operands.
    assert_faults(&broken, &[Fault::Results, Fault::OutputMoved]);
}

/// Operands whose bits are all alike come in stalls, too, where they must not be taken.
#[test]
#[ignore = "long"]
fn a_stall_that_certain_operands_break() {
    let broken = ["~|{a, b, c}", "&{a, b, c}"].map(|taken| {
        let condition = format!("if (en || {taken}) begin");
        (taken.to_string(), changed(|text| text.replacen("if (en) begin", &condition, 1)))
    });
    assert_faults(&broken, &[Fault::Results]);
}

#[test]
#[ignore = "long"]
fn valid_bits_that_ignore_en_or_reset() {
    let mut broken = vec![];
    for rank in 1..=3 {
        let before = if rank == 1 { "in_valid".into() } else { format!("valid_s{}", rank - 1) };
        let step = format!("valid_s{rank} <= {before};");
        let clear = format!("if (!rst_n) valid_s{rank} <= 1'b0;\n    else if (en) {step}");
        let ways = [
            format!("if (!rst_n) valid_s{rank} <= 1'b0;\n    else {step}"),
            format!("if (en) {step}"),
            // Reset only while enabled.
            format!("if (en) valid_s{rank} <= rst_n & {before};"),
            // Reset to 1.
            format!("if (!rst_n) valid_s{rank} <= 1'b1;\n    else if (en) {step}"),
        ];
        broken.extend(ways.map(|way| (way.clone(), changed(|text| text.replace(&clear, &way)))));
    }
    assert_faults(&broken, &[Fault::OutValid]);
}

#[test]
#[ignore = "long"]
fn out_valid_that_is_no_pipeline() {
    let wrong = ["1'b1", "1'b0", "valid_s2", "in_valid", "valid_s3 & en", "valid_s3 | ~rst_n", "~valid_s3"];
    let tied = |wrong: &str| {
        let tied = format!("assign out_valid = {wrong};");
        (wrong.to_string(), changed(|text| text.replace("assign out_valid = valid_s3;", &tied)))
    };
    assert_faults(&wrong.map(tied), &[Fault::OutValid]);
    // In the first clock in reset it may fall at once, as after an asynchronous reset.
    let (_, falls) = tied("valid_s3 & rst_n");
    assert!(check(&falls, VECTORS).is_right() && check_netlist(&falls).is_right());
}

/// The results gated with `en` move when it falls.
#[test]
#[ignore = "long"]
fn results_that_move_in_a_stall() {
    let gated = |text: &str| text.replace("assign y = {sign, magnitude};", "assign y = {sign, magnitude} & {16{en}};");
    assert_fault(changed(gated), &[Fault::OutputMoved, Fault::Results]);
}

/// State from before: a register that is only loaded while its operands are valid keeps what was there. The results are right, but
/// not while they are invalid, which nobody may look at.
#[test]
fn data_of_invalid_operands_do_not_matter() {
    let gated = |text: &str| {
        text.replace("  if (en) begin", "  if (en & valid_s1) begin").replacen("(en & valid_s1)", "(en)", 1)
    };
    // Rank 2 loads what rank 1 holds when that is valid; rank 3 would load one clock too early.
    let only_second = |text: &str| {
        let text = gated(text);
        let at = text.rfind("(en & valid_s1)").expect("rank 3");
        format!("{}(en){}", &text[..at], &text[at + "(en & valid_s1)".len()..])
    };
    assert!(broken(only_second).is_right());
}

#[test]
fn the_same_run_finds_the_same() {
    let name = &registers(2)[0];
    let [first, second] = [0, 1].map(|_| broken(|text| bypassed(text, name)));
    assert_eq!(first.violation, second.violation);
    assert!(first.violation.is_some());
}
