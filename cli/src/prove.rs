//! `binade prove`: a unit right for all inputs.

use crate::failure::Failure;
use crate::output::{self, counted};
use crate::selection::{ToolOptions, UnitOptions, named};
use crate::stages::{ClockTarget, StageOptions};
use crate::suite::Suite;
use crate::verify::{expect_module, netlist, quoted, read_verilog};
use binade_generator::description::arguments as selection_words;
use binade_generator::{Design, GeneratedUnit, generate};
use binade_golden::Model;
use binade_prove::{Progress, Proof, flow, prove};
use binade_sim::lanes::Graph;
use binade_sim::{Choice, Engine, Gates, Plan, Run, verify};
use binade_spec::{Port, Word};
use binade_synth::Target;
use binade_tools::{Error, Tools, interrupted};
use clap::Args;
use comfy_table::{Table, presets};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

#[derive(Args, Debug)]
#[command(
    override_usage = "binade prove [OPTIONS] --format <FORMAT> --unit <UNIT>\n       \
                      binade prove [OPTIONS] --suite <FILE>",
    after_help = "Examples:\n  binade prove --format binary32 --unit add\n  \
                  binade prove --format binary16 --unit fmac --acc binary16 --stages 4 --netlist ice40\n  \
                  binade prove --suite testbench/suites/proofs.toml\n\n\
                  Exit codes: 0 everything is proven, 1 a unit is wrong, 4 something is open."
)]
pub struct Arguments {
    #[command(flatten)]
    unit: Option<UnitOptions>,
    #[command(flatten)]
    stages: StageOptions,
    #[command(flatten)]
    clock: ClockTarget,
    /// Prove the netlist that Yosys makes of the printed Verilog for this target, in place of the circuit that the Verilog is printed from
    #[arg(long, value_name = "TARGET", value_parser = named::<Target>(&["generic", "ice40"]))]
    netlist: Option<Target>,
    /// Prove this file, whose module has the name and the ports of the generated one; Yosys reads it [default target: generic]
    #[arg(long, value_name = "FILE")]
    verilog: Option<PathBuf>,
    /// Prove the units that this file lists
    #[arg(long, value_name = "FILE", conflicts_with_all = ["UnitOptions", "StageOptions", "verilog"])]
    suite: Option<PathBuf>,
    #[command(flatten)]
    tools: ToolOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is known of a unit now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Proven,
    Wrong,
    Open,
}

/// How it became known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Method {
    /// By comparing with the specification in cases.
    Cases,
    /// By trying all inputs.
    Enumeration,
}

#[derive(Serialize)]
struct Report {
    module: String,
    verdict: Verdict,
    /// What it was that was looked at, as in `the circuit`.
    subject: String,
    input_bits: u32,
    /// Ranks of registers.
    stages: u32,
    method: Method,
    cases: usize,
    /// Cases in which nothing was found.
    open: Vec<String>,
    slowest: String,
    slowest_seconds: f64,
    /// Seconds of one core.
    core_seconds: f64,
    seconds: f64,
    /// Why nothing is known, or what is wrong with the registers.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexample: Option<Counterexample>,
}

/// Inputs for which the unit is wrong.
#[derive(Serialize)]
struct Counterexample {
    inputs: Vec<Value>,
    got: Vec<Value>,
    want: Vec<Value>,
    replay: String,
}

/// What a port has.
#[derive(Serialize)]
struct Value {
    port: String,
    value: String,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let tools = arguments.tools.tools();
    let mut reports = vec![];
    for unit in arguments.units()? {
        let report = arguments.prove(&tools, unit)?;
        if report.verdict != Verdict::Proven && arguments.suite.is_some() {
            output::say(report.sentence());
        }
        reports.push(report);
    }
    let text = match (&arguments.suite, arguments.json) {
        (None, true) => output::json(&reports[0]),
        (Some(_), true) => output::json(&reports),
        (None, false) => format!("{}\n", reports[0].sentence()),
        (Some(_), false) => table(&reports),
    };
    output::print(&text)?;
    let has = |verdict| reports.iter().any(|report| report.verdict == verdict);
    match () {
        () if has(Verdict::Wrong) => Err(Failure::Mismatch),
        () if has(Verdict::Open) => Err(Failure::Open),
        () => Ok(()),
    }
}

impl Arguments {
    fn units(&self) -> Result<Vec<GeneratedUnit>, Failure> {
        match (&self.suite, &self.unit) {
            (Some(path), _) => Ok(Suite::read(path)?.units),
            (None, Some(options)) => Ok(vec![options.generate(&self.stages, self.clock.named())?]),
            (None, None) => unreachable!("clap demands one of the two"),
        }
    }

    /// The options of `verify` that check the same.
    fn words(&self, unit: &GeneratedUnit) -> String {
        let words = selection_words(&unit.design).join(" ");
        match (&self.verilog, self.netlist) {
            (Some(file), _) => format!("{words} --verilog {}", quoted(file)),
            (None, Some(target)) => format!("{words} --engine lanes --netlist {target}"),
            (None, None) => words,
        }
    }

    fn prove(&self, tools: &Tools, mut unit: GeneratedUnit) -> Result<Report, Failure> {
        let started = Instant::now();
        if let Some(file) = &self.verilog {
            unit.verilog = read_verilog(file)?;
            expect_module(&unit, file)?;
        }
        let gates = match self.netlist.or(self.verilog.as_ref().map(|_| Target::Generic)) {
            None => Gates::of_circuit(&unit),
            Some(target) => netlist(tools, &unit, target)?,
        };
        let mut report = Report::new(&unit, &gates);
        if let Some(file) = &self.verilog {
            report.subject = format!("{} ({})", file.display(), report.subject);
        }
        report.conclude(tools, &unit, gates, &self.words(&unit))?;
        if interrupted() {
            return Err(Failure::Tool(Error::Interrupted));
        }
        report.seconds = started.elapsed().as_secs_f64();
        Ok(report)
    }
}

impl Report {
    fn new(unit: &GeneratedUnit, gates: &Gates) -> Report {
        Report {
            module: unit.module.clone(),
            verdict: Verdict::Open,
            subject: gates.origin.clone(),
            input_bits: unit.design.operation.input_bits(),
            stages: unit.design.stages,
            method: Method::Cases,
            cases: 0,
            open: vec![],
            slowest: String::new(),
            slowest_seconds: 0.0,
            core_seconds: 0.0,
            seconds: 0.0,
            reason: None,
            counterexample: None,
        }
    }

    fn conclude(&mut self, tools: &Tools, unit: &GeneratedUnit, gates: Gates, words: &str) -> Result<(), Failure> {
        let operation = &unit.design.operation;
        if operation.has_state() {
            self.reason = Some("it keeps a state from clock to clock, which no proof is made for yet".into());
            return Ok(());
        }
        // What is left without registers is a unit of its own.
        let design = Design::new(*operation, 0, unit.design.optimize).expect("the unit has a design");
        let combinational = generate(design);
        let graph = match unit.pipeline {
            None => gates.graph,
            Some(_) => match flow(&gates.graph, unit.design.stages) {
                Ok(graph) => graph,
                Err(fault) => {
                    (self.verdict, self.reason) = (Verdict::Wrong, Some(fault.to_string()));
                    return Ok(());
                }
            },
        };
        match by_cases(&graph, &combinational) {
            Ok(proof) => self.take(words, unit, &graph, proof),
            Err(reason) => self.reason = Some(reason),
        }
        if self.verdict == Verdict::Open && !interrupted() {
            self.enumerate(tools, unit, &combinational, Gates { graph, origin: gates.origin })?;
        }
        Ok(())
    }

    fn take(&mut self, words: &str, unit: &GeneratedUnit, graph: &Graph, proof: Proof) {
        self.cases = proof.cases;
        self.core_seconds = proof.seconds;
        (self.slowest, self.slowest_seconds) = (proof.slowest, proof.slowest_seconds);
        match &proof.differs {
            Some(inputs) => {
                self.verdict = Verdict::Wrong;
                self.counterexample = Some(Counterexample::new(words, unit, graph, inputs));
            }
            None if proof.open.is_empty() => self.verdict = Verdict::Proven,
            None => self.open = proof.open,
        }
    }

    /// Tries all inputs, where that is possible.
    fn enumerate(
        &mut self,
        tools: &Tools,
        unit: &GeneratedUnit,
        combinational: &GeneratedUnit,
        gates: Gates,
    ) -> Result<(), Failure> {
        let Ok(plan) = Plan::new(&unit.design.operation, Choice::Exhaustive, 1) else { return Ok(()) };
        let bar = bar("{bar:40} {percent} % of all inputs, {elapsed}");
        bar.set_length(plan.total());
        let done = AtomicU64::new(0);
        let run = Run { engine: Engine::Lanes(&gates), ..Run::new(combinational, &plan) };
        let verification = verify(tools, run, &|vectors| {
            bar.set_position(done.fetch_add(vectors, Ordering::Relaxed) + vectors);
        });
        bar.finish_and_clear();
        let verification = verification?;
        self.method = Method::Enumeration;
        (self.reason, self.open) = (None, vec![]);
        self.verdict = if verification.is_right() { Verdict::Proven } else { Verdict::Wrong };
        if let Some(mismatch) = verification.mismatch {
            self.reason = Some(mismatch.to_string());
        }
        Ok(())
    }

    /// The verdict in words.
    fn sentence(&self) -> String {
        let Report { module, subject, input_bits, .. } = self;
        match self.verdict {
            Verdict::Proven => {
                format!("{module} is proven for all 2^{input_bits} inputs: {}{}", self.how(), self.of_registers())
            }
            Verdict::Wrong => match (&self.counterexample, &self.reason) {
                (Some(found), _) => format!("{module} is wrong ({subject}): {}", found.sentence()),
                (None, reason) => format!("{module} is wrong ({subject}): {}", reason.as_deref().unwrap_or_default()),
            },
            Verdict::Open => {
                let why = match (&self.reason, self.open.first()) {
                    (Some(reason), _) => reason.clone(),
                    (None, first) => {
                        let first = first.map(String::as_str).unwrap_or_default();
                        format!("{} of {} cases, the first: {first}", self.open.len(), self.cases)
                    }
                };
                format!("{module} is open ({subject}): {why}; binade verify checks samples")
            }
        }
    }

    fn how(&self) -> String {
        match self.method {
            Method::Enumeration => format!("{} was tried with each, {:.1} s", self.subject, self.seconds),
            Method::Cases => format!(
                "{} is its specification in {}, {:.1} s of one core",
                self.subject,
                counted(self.cases, "case"),
                self.core_seconds
            ),
        }
    }

    fn of_registers(&self) -> String {
        match self.stages {
            0 => String::new(),
            stages => format!(
                "; and no sequence of stalls and bubbles loses or mixes anything in its {}",
                counted(stages as usize, "rank")
            ),
        }
    }
}

/// The proof of a unit without registers, or why there is none.
fn by_cases(graph: &Graph, unit: &GeneratedUnit) -> Result<Proof, String> {
    let bar = bar("{bar:40} {pos} of {len} cases, {elapsed}, {eta} left");
    let proof = prove(graph, &unit.design.operation, &|progress| match progress {
        Progress::Cases(cases) => bar.set_length(cases as u64),
        Progress::Done => bar.inc(1),
    });
    bar.finish_and_clear();
    proof.map_err(|error| error.to_string())
}

fn bar(template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template is valid");
    ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_style(style)
}

impl Counterexample {
    fn new(words: &str, unit: &GeneratedUnit, graph: &Graph, inputs: &[Word]) -> Counterexample {
        let operation = &unit.design.operation;
        let want = Model::new(operation).evaluate(inputs);
        let codes: Vec<String> = inputs.iter().map(|word| format!("{word:#x}")).collect();
        Counterexample {
            inputs: values(&operation.inputs(), inputs),
            got: values(&operation.outputs(), &graph.answer(inputs)),
            want: values(&operation.outputs(), &want),
            replay: format!("binade verify {words} --replay {}", codes.join(",")),
        }
    }

    fn sentence(&self) -> String {
        let text = |values: &[Value]| {
            let each = values.iter().map(|Value { port, value }| format!("{port}={value}"));
            each.collect::<Vec<_>>().join(" ")
        };
        let values = |values: &[Value]| values.iter().map(|value| value.value.clone()).collect::<Vec<_>>();
        let (inputs, got, want) = (text(&self.inputs), text(&self.got), text(&self.want));
        if values(&self.got) == values(&self.want) {
            return format!(
                "specification and golden model differ for {inputs}: the golden model gives {want}, as the unit does; please report this"
            );
        }
        format!("{inputs} gives {got}, not {want}\nreplay: {}", self.replay)
    }
}

fn values(ports: &[Port], words: &[Word]) -> Vec<Value> {
    let value = |(port, word): (&Port, &Word)| Value { port: port.name.into(), value: format!("{word:#x}") };
    ports.iter().zip(words).map(value).collect()
}

fn table(reports: &[Report]) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(["unit", "", "inputs", "how", "of one core"]);
    for report in reports {
        let (verdict, how) = match (report.verdict, report.method) {
            (Verdict::Proven, Method::Cases) => ("proven", counted(report.cases, "case")),
            (Verdict::Proven, Method::Enumeration) => ("proven", "each was tried".into()),
            (Verdict::Wrong, _) => ("wrong", String::new()),
            (Verdict::Open, _) => ("open", format!("{} of {} cases open", report.open.len(), report.cases)),
        };
        let seconds = if report.method == Method::Cases { report.core_seconds } else { report.seconds };
        let inputs = format!("2^{}", report.input_bits);
        table.add_row([report.module.clone(), verdict.into(), inputs, how, format!("{seconds:.1} s")]);
    }
    let count = |verdict| reports.iter().filter(|report| report.verdict == verdict).count();
    let verdicts =
        format!("{} proven, {} wrong, {} open", count(Verdict::Proven), count(Verdict::Wrong), count(Verdict::Open));
    let seconds: f64 = reports.iter().map(|report| report.seconds).sum();
    let cases: usize = reports.iter().map(|report| report.cases).sum();
    let units = counted(reports.len(), "unit");
    table.add_row([units, verdicts, String::new(), counted(cases, "case"), format!("{seconds:.1} s (wall)")]);
    table.to_string()
}
