//! Breaks a circuit at one gate or constant at a time. The vectors have to notice every such mutant, unless it is proven
//! to be no change at all by trying every input.

use crate::common::shaped::{self, Batch};
use crate::common::{format, interpreted, operation, rounded};
use binade_circuit::{Interpreter, Netlist};
use binade_generator::description::module_name;
use binade_generator::generate;
use binade_golden::Model;
use binade_sim::mutate::{Breakable, Change, Mutant, MutatedUnit};
use binade_sim::{Choice, Plan, list};
use binade_spec::word::low_bits;
use binade_spec::{
    Activation, Format, Function, Operation, OutputConversion, Overflow, PositRange, Rounding, Tininess, Unit,
};
use rayon::prelude::*;
use std::convert::Infallible;

/// Vectors that a mutant has to survive before every input is tried: of a plan, and shaped ones for each operand.
/// They are a part of all inputs, so that the directed and random vectors of larger units are put to the test.
const PLANNED: u64 = 40_000;
const SHAPED: [u64; 3] = [100_000, 20_000, 60_000];

/// Vectors that are tried before it is asked whether they noticed.
const TOGETHER: usize = 1024;

/// What became of a unit's mutants.
#[derive(Default)]
struct Tally {
    killed: usize,
    equivalent: usize,
    /// Wrong, but not noticed.
    missed: Vec<String>,
}

/// The circuit with an operator or constant changed; gates are broken in `lanes.rs`.
fn changed(mutant: &Mutant, netlist: &Netlist) -> Option<Netlist> {
    let Mutant::Node { node, change: Change::Op(op), .. } = mutant else { return None };
    let mut changed = netlist.clone();
    changed.nodes[*node].op = op.clone();
    Some(changed)
}

/// The columns of all inputs.
fn all_inputs(netlist: &Netlist) -> Vec<Vec<u64>> {
    let widths: Vec<u32> = netlist.inputs.iter().map(|port| port.width).collect();
    let total = 1_u64 << widths.iter().sum::<u32>();
    let mut low = 0;
    let column = |width: &u32| {
        let column = (0..total).map(|index| index >> low & ((1 << width) - 1)).collect();
        low += width;
        column
    };
    widths.iter().map(column).collect()
}

fn outputs(netlist: &Netlist, inputs: &[Vec<u64>]) -> Vec<Vec<u64>> {
    let mut outputs = vec![vec![0; inputs[0].len()]; netlist.outputs.len()];
    Interpreter::new(netlist).evaluate(inputs, &mut outputs);
    outputs
}

/// Shaped vectors, and those of a plan, with their right answers.
fn vectors(operation: &Operation) -> Vec<Batch> {
    let mut planned = vec![];
    let plan = Plan::new(operation, Choice::Sample(PLANNED), 1).expect("a plan for the operation");
    let Ok(()) = list(operation, &plan, |inputs, _| -> Result<(), Infallible> {
        planned.push(inputs.iter().map(|word| low_bits(word) as u64).collect());
        Ok(())
    });
    let shaped = shaped::batches(operation, SHAPED[(operation.inputs().len() - 1).min(2)]);
    let model = Model::new(operation);
    shaped.chain(planned.chunks(TOGETHER).map(|vectors| Batch::new(&model, 0, vectors))).collect()
}

/// Breaks the unit in every way and counts what became of it.
fn tally(operation: &Operation) -> Tally {
    let unit = generate(*operation);
    let (subject, sound) = (MutatedUnit::new(&unit), &unit.netlist);
    let vectors = vectors(operation);
    let all_inputs = all_inputs(sound);
    let sound_outputs = outputs(sound, &all_inputs);
    let fate = |mutant: &Mutant| {
        let Some(broken) = changed(mutant, sound) else { return Tally::default() };
        let mut unit = interpreted(&broken);
        let noticed = vectors.iter().any(|batch| batch.disagreement(&mut unit).is_some());
        match noticed {
            true => Tally { killed: 1, ..Tally::default() },
            false if outputs(&broken, &all_inputs) == sound_outputs => Tally { equivalent: 1, ..Tally::default() },
            false => Tally { missed: vec![subject.describe(mutant)], ..Tally::default() },
        }
    };
    let add = |mut sum: Tally, part: Tally| {
        sum.killed += part.killed;
        sum.equivalent += part.equivalent;
        sum.missed.extend(part.missed);
        sum
    };
    subject.mutants().par_iter().map(fate).reduce(Tally::default, add)
}

/// No mutant of these units may go unnoticed.
fn check(unit: Unit, formats: &[(&str, Option<&str>)]) {
    let operations =
        formats.iter().map(|(name, other)| operation(unit, format(name), other.map(format), Overflow::Inf));
    check_operations(operations);
}

fn check_operations(operations: impl Iterator<Item = Operation>) {
    let mut missed = vec![];
    for operation in operations {
        let tally = tally(&operation);
        let module = module_name(&operation.into());
        println!("{module}: {} killed, {} equivalent, {} missed", tally.killed, tally.equivalent, tally.missed.len());
        assert!(tally.killed > 2 * tally.equivalent, "{module}: too many mutants change nothing");
        missed.extend(tally.missed.into_iter().map(|text| format!("{module}: {text}")));
    }
    assert!(missed.is_empty(), "mutants that no vector noticed:\n{}", missed.join("\n"));
}

#[test]
fn conversions() {
    let pairs = [
        ("e5m13", Some("e4m3fn")),
        ("bfloat16", Some("e5m2b1")),
        ("binary16", Some("e5m2b2")),
        ("e6m9", Some("e4m3ns")),
        ("e7m8", Some("k8p4uf")),
        ("dlfloat16", Some("e4m3")),
        ("e5m2b1", Some("dlfloat16")),
    ];
    check(Unit::Convert, &pairs);
}

/// Roundings other than to nearest, into formats of all kinds.
#[test]
fn directed_and_to_odd() {
    let cases = [
        (Unit::Convert, "e5m7", "e4m3fn", Rounding::Rup),
        (Unit::Convert, "e6m5", "k6p3ue", Rounding::Rto),
        (Unit::Convert, "e6m5", "e4m2n", Rounding::Rdn),
        (Unit::Mul, "e3m3", "e3m3", Rounding::Rdn),
        (Unit::Mul, "e4m1b2", "e4m1b2", Rounding::Rto),
        (Unit::Add, "e3m2n", "e3m2n", Rounding::Rup),
        (Unit::Add, "k6p3se", "k6p3se", Rounding::Rdn),
        (Unit::Fmac, "e2m1", "e3m2", Rounding::Rto),
    ];
    check_operations(cases.into_iter().map(|(unit, name, result, rounding)| {
        let other = matches!(unit, Unit::Convert | Unit::Fmac).then(|| format(result));
        rounded(operation(unit, format(name), other, Overflow::Inf), rounding)
    }));
}

#[test]
fn products() {
    check(Unit::Mul, &[("e4m3fn", None), ("e5m2b1", None), ("e5m3n", None), ("k8p4se", None), ("e3m4ns", None)]);
}

#[test]
#[ignore = "long"]
fn sums() {
    check(Unit::Add, &[("e4m3fn", None), ("e5m2b1", None), ("e5m3n", None), ("k8p4se", None), ("e3m4ns", None)]);
}

#[test]
#[ignore = "long"]
fn fused() {
    let pairs = [
        ("e2m2", Some("e4m3")),
        ("e2m2b1", Some("e4m3b1")),
        ("e2m2f", Some("e4m4n")),
        ("e3m1fn", Some("k8p4se")),
        ("e3m1b2", Some("e3m4")),
    ];
    check(Unit::Fmac, &pairs);
}

#[test]
#[ignore = "long"]
fn posits() {
    check(Unit::Convert, &[("posit12_2", Some("e4m3")), ("e6m5", Some("posit8_1")), ("e5m6", Some("posit7_0"))]);
    check(Unit::Mul, &[("posit7_1", None)]);
    check(Unit::Add, &[("posit7_0", None), ("posit7_2", None)]);
    check(Unit::Fmac, &[("posit4_1", Some("posit7_1")), ("posit5_0", Some("e3m3"))]);
    check(Unit::PositDecoder, &[("posit12_1", None), ("posit10_3", None)]);
    check(Unit::PositEncoder, &[("posit6_1", None)]);
}

/// Stochastic rounding, MPTorch's, and a posit with the range of a float.
#[test]
fn other_roundings() {
    let cases = [
        ("e5m5", "e3m2", "sr3"),
        ("e5m5", "e3m1b1", "sr3"),
        ("e5m5", "e3m2ns", "sr3"),
        ("e5m5", "posit6_1", "sr3"),
        ("e5m6", "e3m2b1", "mptorch"),
    ];
    let convert = |from: &str, to: &str| operation(Unit::Convert, format(from), Some(format(to)), Overflow::Inf);
    check_operations(
        cases.into_iter().map(|(from, to, rounding)| rounded(convert(from, to), rounding.parse().unwrap())),
    );
    let ranged = Operation { posit_range: PositRange::Float, ..convert("e6m5", "posit7_1") };
    check_operations([ranged].into_iter());
}

/// Every output is watched.
#[test]
#[ignore = "long"]
fn flags_and_outputs() {
    let plain = |unit, name: &str, other: Option<&str>| operation(unit, format(name), other.map(format), Overflow::Inf);
    let output =
        |name: &str, activation| Some(OutputConversion { format: name.parse::<Format>().unwrap(), activation });
    let tanh = Some(Activation::Function(Function::Tanh));
    let (after, before) = (Some(Tininess::After), Some(Tininess::Before));
    let cases = [
        Operation { flags: after, ..plain(Unit::Mul, "e3m3", None) },
        Operation { flags: before, ..plain(Unit::Mul, "e3m3n", None) },
        Operation { flags: after, ..plain(Unit::Convert, "e4m7", Some("e3m2")) },
        Operation { flags: after, ..plain(Unit::Fmac, "e2m1", Some("e3m3")) },
        Operation { output: output("e2m1f", Some(Activation::Relu)), ..plain(Unit::Fmac, "e2m1", Some("e3m2")) },
        Operation { output: output("e3m2", tanh), ..plain(Unit::Fmac, "e2m1", Some("e3m2")) },
        Operation { output: output("posit5_1", None), ..plain(Unit::Mac, "e2m1", Some("e2m2b1")) },
    ];
    check_operations(cases.into_iter());
}
