//! Running a unit's circuit on the interpreter against the golden model: no tool is needed.

// Each test file uses its own part of this.
#![allow(dead_code)]

pub mod shaped;

use binade_generator::circuit::{Interpreter, Netlist};
use binade_generator::{description, units};
use binade_golden::{Format, Nan, Operation, Overflow, Rounding, Selection, Unit};
use binade_sim::{Choice, Counterexample, Plan, compare};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The operation of these names; `other` is the accumulator of `fmac` or the result of `convert`. The rounding is the
/// result format's default one.
pub fn operation(unit: Unit, format: Format, other: Option<Format>, overflow: Overflow) -> Operation {
    selection(unit, format, other, overflow).operation().unwrap_or_else(|error| panic!("{unit} of {format}: {error}"))
}

/// The same with this rounding, where the result format has it.
pub fn rounded(operation: Operation, rounding: Rounding) -> Operation {
    match operation.result.nan {
        Nan::NanInfinity => operation,
        _ => Operation { rounding, ..operation },
    }
}

/// The same in every rounding and with every overflow policy. `rnu` is left out where there is `rna`, its other name.
pub fn all_ways(operation: Operation) -> Vec<Operation> {
    let roundings = match operation.result.nan {
        Nan::NanInfinity => vec![operation.rounding],
        _ => Rounding::ALL.into_iter().filter(|rounding| *rounding != Rounding::Rnu).collect(),
    };
    let with = |rounding| Overflow::ALL.map(|overflow| Operation { rounding, overflow, ..operation });
    roundings.into_iter().flat_map(with).collect()
}

/// A few of these ways: the default one, another rounding with infinities, and any with another policy, by turns. All
/// are met in 12 turns.
pub fn some_ways(operation: Operation, turn: usize) -> Vec<Operation> {
    const ROUNDINGS: [Rounding; 6] =
        [Rounding::Rup, Rounding::Rtz, Rounding::Rto, Rounding::Rdn, Rounding::Rna, Rounding::Rne];
    let inf = Operation { overflow: Overflow::Inf, ..operation };
    let finite = Operation { overflow: [Overflow::Saturate, Overflow::Propagate][turn % 2], ..operation };
    let mut ways = vec![inf, rounded(inf, ROUNDINGS[turn % 5]), rounded(finite, ROUNDINGS[turn / 2 % 6])];
    ways.dedup();
    ways
}

fn selection(unit: Unit, format: Format, other: Option<Format>, overflow: Overflow) -> Selection {
    Selection {
        unit,
        format,
        accumulator: other.filter(|_| matches!(unit, Unit::Fmac | Unit::Mac)),
        target: other.filter(|_| unit == Unit::Convert),
        rounding: None,
        overflow,
    }
}

pub fn format(name: &str) -> Format {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// The circuit of an operation; should building it panic, the message names the operation.
pub fn netlist(operation: &Operation) -> Netlist {
    catch_unwind(AssertUnwindSafe(|| units::build(operation))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned().unwrap_or_default();
        panic!("building {}: {text}", description::module_name(operation))
    })
}

/// The first vector of a plan on which a circuit disagrees with the golden model.
pub fn disagreement(netlist: &Netlist, operation: &Operation, plan: &Plan) -> Option<Counterexample> {
    let new_instance = || {
        let mut interpreter = Interpreter::new(netlist);
        move |inputs: &[&[u64]], output: &mut [u64]| interpreter.evaluate(inputs, output)
    };
    compare(operation, plan, new_instance, &|_| {}).expect("nobody interrupts a test")
}

/// Checks an operation on the vectors that `choice` means for it; how many there were.
pub fn check(operation: &Operation, choice: Choice) -> u64 {
    let plan = Plan::new(operation, choice, 1).expect("a plan for the operation");
    if let Some(Counterexample { operands, got, want, .. }) = disagreement(&netlist(operation), operation, &plan) {
        complain(operation, &operands, got, want);
    }
    plan.total()
}

/// Checks an operation on all inputs if they have up to `bits` bits, else on `samples` vectors; how many there were.
pub fn check_up_to(bits: u32, samples: u64, operation: &Operation) -> u64 {
    if operation.input_bits() <= bits {
        check(operation, Choice::Exhaustive)
    } else {
        shaped::check(operation, samples)
    }
}

/// Panics with what the reader needs to run the vector again.
fn complain(operation: &Operation, operands: &[u64], got: u64, want: u64) -> ! {
    let describe = |format: &Format, code: u64| format!("{code:#x} ({})", format.decode(code));
    let ports = operation.inputs();
    let described: Vec<String> = ports
        .iter()
        .zip(operands)
        .map(|(port, &code)| format!("{} {}", port.name, describe(&port.format, code)))
        .collect();
    panic!(
        "{}: {}: got {}, want {}",
        description::arguments(operation).join(" "),
        described.join(", "),
        describe(&operation.result, got),
        describe(&operation.result, want)
    );
}
