//! Running a unit's circuit on the interpreter against the golden model: no tool is needed.

pub mod engines;
pub mod shaped;

use binade_circuit::{Interpreter, Netlist, Optimize};
use binade_generator::{Design, description, units};
use binade_golden::{Codec, Model};
use binade_sim::{Choice, Counterexample, Plan, compare};
use binade_spec::word::low_bits;
use binade_spec::{
    Column, ColumnMut, Format, Formats, NameError, Operation, Overflow, Port, PositRange, Rounding, Selection, Setting,
    Tininess, Unit, Word,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

/// The word of the first output.
pub fn y(operation: &Operation, inputs: &[u64]) -> u64 {
    let inputs: Vec<u128> = inputs.iter().map(|&word| word.into()).collect();
    Model::new(operation).first_result(&inputs) as u64
}

/// The operation of these names; `other` is the accumulator of `fmac` or the result of `convert`. The rounding is the
/// result format's default one.
pub fn operation(unit: Unit, format: Format, other: Option<Format>, overflow: Overflow) -> Operation {
    selection(unit, format, other, overflow).operation().unwrap_or_else(|error| panic!("{unit} of {format}: {error}"))
}

/// The same with this rounding, where the result format has it.
pub fn rounded(operation: Operation, rounding: Rounding) -> Operation {
    match operation.result.check_rounding(rounding) {
        Ok(()) => Operation { rounding, ..operation },
        Err(_) => operation,
    }
}

/// The roundings without `rnu`, the other name of `rna`.
const ROUNDINGS: [Rounding; 10] = [
    Rounding::Rne,
    Rounding::Rna,
    Rounding::Rtz,
    Rounding::Rup,
    Rounding::Rdn,
    Rounding::Rto,
    Rounding::Sr(3),
    Rounding::Srb(2),
    Rounding::Src(3),
    Rounding::Mptorch,
];

/// The same in every rounding that the result format has, and with every policy for what is beyond its range.
pub fn all_ways(operation: Operation) -> Vec<Operation> {
    let mut roundings = ROUNDINGS.to_vec();
    roundings.retain(|rounding| operation.result.check_rounding(*rounding).is_ok());
    if roundings.is_empty() {
        roundings.push(operation.rounding);
    }
    roundings.into_iter().flat_map(|rounding| all_ranges(Operation { rounding, ..operation })).collect()
}

/// The same with every policy for what is beyond the range of the result format; in fixed point, where there is one, with flags, too.
fn all_ranges(operation: Operation) -> Vec<Operation> {
    match operation.result {
        Format::Float(_) => Overflow::ALL.map(|overflow| Operation { overflow, ..operation }).to_vec(),
        Format::Posit(posit) if posit.has_bound() => vec![operation; 2],
        Format::Posit(_) => PositRange::ALL.map(|posit_range| Operation { posit_range, ..operation }).to_vec(),
        Format::Fixed(_) => {
            [operation.flags, Some(Tininess::After)].map(|flags| Operation { flags, ..operation }).to_vec()
        }
        Format::Codebook(codebook) => match codebook.place_of_infinity {
            Some(_) => Overflow::ALL.map(|overflow| Operation { overflow, ..operation }).to_vec(),
            None => vec![operation; 2],
        },
    }
}

/// A few of these ways: the default one, another rounding with infinities, and any with another policy, by turns. All
/// are met in 90 turns.
pub fn some_ways(operation: Operation, turn: usize) -> Vec<Operation> {
    let ranges = all_ranges(operation);
    let other = ranges[1 + turn % (ranges.len() - 1)];
    let mut ways =
        vec![operation, rounded(operation, ROUNDINGS[1 + turn % 9]), rounded(other, ROUNDINGS[turn / 2 % 10])];
    ways.dedup();
    ways
}

fn selection(unit: Unit, format: Format, other: Option<Format>, overflow: Overflow) -> Selection {
    Selection {
        accumulator: other.filter(|_| unit.takes(Setting::Acc)),
        target: other.filter(|_| unit == Unit::Convert),
        overflow,
        ..Selection::new(unit, format)
    }
}

/// The operation with these words; lists of formats are joined by `+`.
pub fn selected(unit: Unit, formats: &str, words: &[(Setting, &str)]) -> Result<Operation, String> {
    let formats: Formats = formats.parse().map_err(|error: NameError| error.to_string())?;
    let mut selection = Selection::with_formats(unit, formats);
    words.iter().try_for_each(|(setting, word)| selection.set(*setting, word))?;
    selection.operation().map_err(|error| error.to_string())
}

pub fn format(name: &str) -> Format {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// The small circuit of an operation.
pub fn netlist(operation: &Operation) -> Netlist {
    netlist_for(operation, Optimize::Area)
}

/// The circuit of an operation; should building it panic, the message names the operation.
pub fn netlist_for(operation: &Operation, optimize: Optimize) -> Netlist {
    catch_unwind(AssertUnwindSafe(|| units::build(operation, optimize))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned().unwrap_or_default();
        let design = Design::from(operation).optimized(optimize);
        panic!("building {}: {text}", description::module_name(&design))
    })
}

/// A circuit on the interpreter.
pub fn interpreted(netlist: &Netlist) -> impl FnMut(&[Column], &mut [ColumnMut]) {
    let mut interpreter = Interpreter::new(netlist);
    move |inputs, outputs| {
        let inputs: Vec<&[u64]> = inputs.iter().map(|column| column.words).collect();
        let mut outputs: Vec<&mut [u64]> = outputs.iter_mut().map(|column| &mut *column.words).collect();
        interpreter.evaluate(&inputs, &mut outputs);
    }
}

/// The first vector of a plan on which a circuit disagrees with the golden model.
pub fn disagreement(netlist: &Netlist, operation: &Operation, plan: &Plan) -> Option<Counterexample> {
    compare(operation, plan, || interpreted(netlist), &|_| {}).expect("nobody interrupts a test")
}

/// Checks both circuits of an operation on the vectors that `choice` means for it; how many there were.
pub fn check(operation: &Operation, choice: Choice) -> u64 {
    let plan = Plan::new(operation, choice, 1).expect("a plan for the operation");
    let netlists = Optimize::ALL.map(|optimize| netlist_for(operation, optimize));
    if agree(&netlists, operation, &plan) {
        return plan.total();
    }
    for (optimize, netlist) in Optimize::ALL.into_iter().zip(&netlists) {
        if let Some(found) = disagreement(netlist, operation, &plan) {
            complain(operation, optimize, &found);
        }
    }
    unreachable!("one of two circuits that differ is wrong");
}

/// Whether two circuits answer as the golden model does, which is asked once for both.
fn agree(netlists: &[Netlist; 2], operation: &Operation, plan: &Plan) -> bool {
    let differ = AtomicBool::new(false);
    let both = || {
        let [mut unit, mut other] = netlists.each_ref().map(interpreted);
        let differ = &differ;
        move |inputs: &[Column], outputs: &mut [ColumnMut]| {
            let mut answers: Vec<Vec<u64>> = outputs.iter().map(|column| vec![0; column.words.len()]).collect();
            unit(inputs, outputs);
            let columns = answers.iter_mut().zip(outputs.iter());
            other(inputs, &mut columns.map(|(words, column)| ColumnMut { words, ..*column }).collect::<Vec<_>>());
            if answers.iter().zip(outputs).any(|(answers, column)| answers != column.words) {
                differ.store(true, Ordering::Relaxed);
            }
        }
    };
    let found = compare(operation, plan, both, &|_| {}).expect("nobody interrupts a test");
    found.is_none() && !differ.into_inner()
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
fn complain(operation: &Operation, optimize: Optimize, found: &Counterexample) -> ! {
    let Counterexample { operands, got, want, .. } = found;
    let describe = |port: &Port, word: &Word| match port.format() {
        Some(format) => format!("{} {word:#x} ({})", port.name, format.decode(low_bits(word))),
        None => format!("{} {word:#x}", port.name),
    };
    let all = |ports: Vec<Port>, words: &[Word]| -> String {
        ports.iter().zip(words).map(|(port, word)| describe(port, word)).collect::<Vec<_>>().join(", ")
    };
    panic!(
        "{}: {}: got {}, want {}",
        description::arguments(&Design::from(operation).optimized(optimize)).join(" "),
        all(operation.inputs(), operands),
        all(operation.outputs(), got),
        all(operation.outputs(), want)
    );
}
