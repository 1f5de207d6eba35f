//! `binade vectors`: prints inputs with their correct outputs, for other testbenches.

use crate::failure::Failure;
use crate::output;
use crate::selection::UnitOptions;
use crate::stages::{ClockTarget, StageOptions};
use crate::verify::whole;
use binade_sim::conform::{ConformCase, testfloat_line};
use binade_sim::{Choice, Plan, SEQUENCE, list};
use binade_spec::{Operation, Port, Rounding, Word};
use binade_tools::{Error, interrupted};
use clap::{Args, ValueEnum};
use serde_json::{Map, Value};
use std::io::{self, BufWriter, Write};

/// By default, all combinations are printed up to this power of two.
const EXHAUSTIVE_BITS: u32 = 16;

/// The default number of vectors for a larger input space.
const DEFAULT_COUNT: u64 = 10_000;

#[derive(Args, Debug)]
#[command(after_help = "\
One line per vector: the words of the inputs, then of the outputs, in hexadecimal with all their
digits, in the columns of testfloat_gen. For a unit with state, the first column counts the steps
since a reset. The last line, on stderr, names the columns. With --as testfloat, the flags are
TestFloat's byte: from bit 0 up inexact, underflow, overflow, infinite (division by zero), invalid;
otherwise, they are invalid, overflow, underflow, inexact from bit 3 down.

Example: binade vectors --format e5m2b1 --unit fmac --vectors 1000000 > fmac.txt")]
pub struct Arguments {
    #[command(flatten)]
    unit: UnitOptions,
    #[command(flatten)]
    _stages: StageOptions,
    /// Accepted and ignored: vectors do not depend on the depth.
    #[command(flatten)]
    _clock: ClockTarget,
    /// Print all input combinations (the default up to 2^16 of them; else 10000 directed and random vectors)
    #[arg(long, conflicts_with = "vectors")]
    exhaustive: bool,
    /// Print this many vectors, up to half of them directed, the others random
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    vectors: Option<u64>,
    /// Seed of the random vectors
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true, value_parser = whole)]
    seed: u64,
    /// Print lines as testfloat_gen does, with TestFloat's byte of flags as the last column; the unit needs --flags
    #[arg(long = "as", value_enum, ignore_case = true, value_name = "SYNTAX", conflicts_with = "json")]
    syntax: Option<SyntaxName>,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// The output syntaxes of other tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SyntaxName {
    Testfloat,
}

/// Why the listing ended early.
enum Stop {
    Write(io::Error),
    Interrupted,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let operation = arguments.unit.operation()?;
    if arguments.syntax == Some(SyntaxName::Testfloat) {
        check_testfloat(&operation)?;
    }
    let plan = arguments.plan(&operation)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let (inputs, outputs) = (operation.inputs(), operation.outputs());
    let mut number = 0;
    let printed = list(&operation, &plan, |words, results| {
        if interrupted() {
            return Err(Stop::Interrupted);
        }
        let step = plan.has_sequences().then_some(number % SEQUENCE);
        number += 1;
        let named: Vec<(&Port, &Word)> = inputs.iter().chain(&outputs).zip(words.iter().chain(results)).collect();
        let line = match (arguments.json, arguments.syntax) {
            (true, _) => json(step, &named),
            (false, Some(SyntaxName::Testfloat)) => testfloat_line(&named),
            (false, None) => columns(step, &named),
        };
        writeln!(out, "{line}").map_err(Stop::Write)
    });
    match printed.and_then(|()| out.flush().map_err(Stop::Write)) {
        Err(Stop::Interrupted) => return Err(Failure::Tool(Error::Interrupted)),
        // A closed pipe is not an error.
        Err(Stop::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
        Err(Stop::Write(error)) => return Err(Failure::File(format!("cannot write to standard output: {error}"))),
        Ok(()) => {}
    }
    let names = inputs.iter().chain(&outputs).map(|port| port.name);
    let names: Vec<&str> = plan.has_sequences().then_some("step").into_iter().chain(names).collect();
    output::say(format_args!("{} vectors ({}): {}", plan.total(), plan.describe(), names.join(" ")));
    Ok(())
}

/// Refuses units whose vectors do not fit lines of testfloat_gen.
fn check_testfloat(operation: &Operation) -> Result<(), Failure> {
    let usage = |text: String| Failure::Usage(format!("--as testfloat: {text}"));
    ConformCase::new(operation.unit.name(), *operation).check(false).map_err(|error| usage(error.to_string()))?;
    if operation.rounding == Rounding::Any {
        return Err(usage("its lines have no column for the rounding; choose one with --round, such as rne".into()));
    }
    if operation.flags.is_none() {
        return Err(usage("the last column of its lines holds the flags; add --flags".into()));
    }
    Ok(())
}

impl Arguments {
    fn plan(&self, operation: &Operation) -> Result<Plan, Failure> {
        let choice = match (self.exhaustive, self.vectors) {
            (true, _) => Choice::Exhaustive,
            (false, Some(count)) => Choice::Sample(count),
            (false, None) if !operation.has_state() && operation.input_bits() <= EXHAUSTIVE_BITS => Choice::Exhaustive,
            (false, None) => Choice::Sample(DEFAULT_COUNT),
        };
        Plan::new(operation, choice, self.seed).map_err(|error| Failure::Usage(error.to_string()))
    }
}

/// The step, for sequences, and the words in hexadecimal with all digits of their ports; lanes are separated by commas.
fn columns(step: Option<usize>, words: &[(&Port, &Word)]) -> String {
    let step = step.iter().map(usize::to_string);
    step.chain(words.iter().map(|(port, word)| hex(port, word).join(","))).collect::<Vec<_>>().join(" ")
}

/// The step, for sequences, and the words in hexadecimal, as an object with the ports' names as keys.
fn json(step: Option<usize>, words: &[(&Port, &Word)]) -> String {
    let entry = |(port, word): &(&Port, &Word)| {
        let value = match hex(port, word).as_slice() {
            [lane] => Value::from(lane.as_str()),
            lanes => Value::from(lanes),
        };
        (port.name.to_string(), value)
    };
    let step = step.map(|step| ("step".to_string(), Value::from(step)));
    Value::Object(step.into_iter().chain(words.iter().map(entry)).collect::<Map<_, _>>()).to_string()
}

/// The lanes of a word in hexadecimal, lowest first.
fn hex(port: &Port, word: &Word) -> Vec<String> {
    let (width, digits) = (port.lane_width(), port.lane_width().div_ceil(4) as usize);
    let ones = (Word::from(1_u32) << width) - 1_u32;
    (0..port.lanes).map(|lane| format!("{:0digits$X}", (word >> (lane * width)) & &ones)).collect()
}
