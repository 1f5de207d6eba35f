//! The result of a unit's proof, in words.

use crate::{Family, counted};
use binade_gates::Graph;
use binade_golden::Model;
use binade_spec::{Operation, Port, Word};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// The state of a unit's proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Right for all inputs.
    Proven,
    /// Wrong for some inputs.
    Wrong,
    /// Neither proven nor wrong.
    Open,
    /// A tool failed.
    Error,
    /// Not reached before an interrupt.
    NotRun,
}

/// The method behind a verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Comparison with the specification, case by case.
    #[default]
    Cases,
    /// Trying all inputs.
    Enumeration,
}

/// The result of a unit's proof.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The module.
    pub module: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The family of the unit's format.
    pub family: String,
    /// What was proven, such as `the circuit`.
    pub subject: String,
    /// Bits of all inputs together.
    pub input_bits: u32,
    /// Bits of state that the unit keeps between steps.
    #[serde(default)]
    pub state_bits: u32,
    /// Clocks from operands to results: the ranks of registers, unless the unit takes several clocks for an operation.
    pub stages: u32,
    /// Whether the unit takes several clocks for an operation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_iterated: bool,
    /// The method behind the verdict.
    pub method: Method,
    /// The number of cases in which the unit was compared with its specification.
    pub cases: usize,
    /// The cases left open.
    pub open: Vec<String>,
    /// The slowest case.
    pub slowest: String,
    /// Seconds that the slowest case took.
    pub slowest_seconds: f64,
    /// Seconds of one core.
    pub core_seconds: f64,
    /// Elapsed seconds.
    pub seconds: f64,
    /// Whether an earlier run of the suite, which this one resumed, decided the unit.
    #[serde(default)]
    pub earlier: bool,
    /// Whether the verdict was kept from an earlier run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub known: bool,
    /// Ports that a module with a clock lacks, so that nothing is shown about them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_shown: Vec<String>,
    /// Results that are also right beside the specification's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed: Option<String>,
    /// Whether the shell around the unit is shown to lose, repeat and mix nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shell: bool,
    /// Why the unit is open, or what is wrong with its registers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Inputs for which the unit is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Counterexample>,
    /// The command that reproduces the failure with waves, and the files that show it.
    #[serde(flatten)]
    pub evidence: serde_json::Map<String, Json>,
    /// The same as lines of text.
    #[serde(skip)]
    pub lines: Vec<String>,
}

/// Inputs for which the unit is wrong.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Counterexample {
    inputs: Vec<Value>,
    got: Vec<Value>,
    want: Vec<Value>,
}

/// A port and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Value {
    port: String,
    value: String,
}

impl Report {
    /// An open report, before any proof.
    pub fn new(module: &str, operation: &Operation, stages: u32) -> Report {
        Report {
            module: module.into(),
            verdict: Verdict::Open,
            family: Family::of(&operation.operand).to_string(),
            subject: String::new(),
            input_bits: operation.input_bits(),
            state_bits: operation.registers().iter().map(Port::width).sum(),
            stages,
            is_iterated: false,
            method: Method::Cases,
            cases: 0,
            open: vec![],
            slowest: String::new(),
            slowest_seconds: 0.0,
            core_seconds: 0.0,
            seconds: 0.0,
            earlier: false,
            known: false,
            not_shown: vec![],
            allowed: None,
            shell: false,
            reason: None,
            counterexample: None,
            evidence: serde_json::Map::new(),
            lines: vec![],
        }
    }

    /// Adds the evidence that the unit is wrong: the command that reproduces it, the files that show it, and both as lines of text.
    pub fn take_evidence(&mut self, replay: Option<String>, files: serde_json::Map<String, Json>, lines: Vec<String>) {
        self.lines.extend(replay.iter().map(|replay| format!("replay: {replay}")));
        self.evidence.extend(replay.map(|replay| ("replay".into(), replay.into())));
        self.lines.extend(lines);
        self.evidence.extend(files);
    }

    /// The verdict in words, with the evidence.
    pub fn shown(&self) -> String {
        [self.sentence()].into_iter().chain(self.lines.iter().cloned()).collect::<Vec<_>>().join("\n")
    }

    /// The verdict in words.
    pub fn sentence(&self) -> String {
        let Report { module, subject, input_bits, .. } = self;
        let reason = self.reason.as_deref().unwrap_or_default();
        match self.verdict {
            Verdict::Proven => {
                let states = match self.state_bits {
                    0 => String::new(),
                    bits => format!(" in all 2^{bits} states, and so for all sequences"),
                };
                format!(
                    "{module} is proven for all 2^{input_bits} inputs{states}: {}{}{}",
                    self.how(),
                    self.of_registers(),
                    self.of_shell()
                )
            }
            Verdict::Wrong => {
                let what = self.counterexample.as_ref().map_or(reason.into(), Counterexample::sentence);
                format!("{module} is wrong ({subject}): {what}")
            }
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
            Verdict::Error => format!("error in {module}: {reason}"),
            Verdict::NotRun => format!("{module} was not checked"),
        }
    }

    /// The extent of a proof: which inputs, states and sequences it covers.
    pub fn extent(&self) -> String {
        let states = if self.state_bits > 0 { format!(" in all 2^{} states", self.state_bits) } else { String::new() };
        let inputs = format!("for all 2^{} inputs{states}", self.input_bits);
        let registers = match (self.stages, self.is_iterated) {
            (0, _) => "",
            (_, false) => ", and all sequences of stalls and bubbles",
            (_, true) => ", and all sequences of stalls, bubbles and operands that come too soon",
        };
        match self.method {
            Method::Enumeration => format!("{inputs}{registers}; each was tried"),
            Method::Cases => format!("{inputs}{registers}, in {}", counted(self.cases, "case")),
        }
    }

    /// Records that a unit without registers was right for every input.
    pub fn take_enumeration(&mut self) {
        (self.verdict, self.method) = (Verdict::Proven, Method::Enumeration);
        (self.reason, self.open) = (None, vec![]);
    }

    /// What an interrupted proof has shown so far.
    pub fn so_far(&self) -> String {
        let (shown, module) = (self.cases - self.open.len().min(self.cases), &self.module);
        match self.cases {
            0 => format!("{module}: no case is proven yet"),
            cases => format!("{module}: {shown} of {cases} cases are proven, none is wrong"),
        }
    }

    fn how(&self) -> String {
        match self.method {
            Method::Enumeration => format!("{} was evaluated for each, {:.1} s", self.subject, self.seconds),
            Method::Cases => format!(
                "{} is its specification{} in {}, {:.1} s of one core",
                self.subject,
                self.allowed.as_ref().map_or(String::new(), |allowed| format!(" ({allowed})")),
                counted(self.cases, "case"),
                self.core_seconds
            ),
        }
    }

    fn of_shell(&self) -> &'static str {
        match self.shell {
            true => "; whatever is offered and taken when, the shell loses, repeats and mixes nothing",
            false => "",
        }
    }

    fn of_registers(&self) -> String {
        match (self.stages, self.not_shown.join(", ")) {
            (0, _) => String::new(),
            (clocks, _) if self.is_iterated => format!(
                "; and no sequence of stalls, bubbles and operands that come too soon loses or mixes anything in its {clocks} clocks"
            ),
            (stages, missing) if missing.is_empty() => format!(
                "; and no sequence of stalls and bubbles loses or mixes anything in its {}",
                counted(stages as usize, "rank")
            ),
            (clocks, missing) => format!(
                "; the results are those of the operands {} before, whatever its registers held ({missing})",
                counted(clocks as usize, "clock")
            ),
        }
    }
}

impl Counterexample {
    /// A counterexample: these inputs with the outputs of unit and golden model.
    pub fn new(operation: &Operation, graph: &Graph, inputs: &[Word]) -> Counterexample {
        let want = Model::new(operation).evaluate(inputs);
        Counterexample {
            inputs: values(&operation.inputs(), inputs),
            got: values(&operation.outputs(), &graph.answer(inputs)),
            want: values(&operation.outputs(), &want),
        }
    }

    /// One step of a unit with state: inputs and state, with the outputs and next state of unit and golden model.
    pub fn of_step(operation: &Operation, graph: &Graph, words: &[Word]) -> Counterexample {
        let registers = operation.registers();
        let with_state = |ports: Vec<Port>| [ports, registers.clone()].concat();
        let (inputs, of_state) = words.split_at(operation.inputs().len());
        let (next, results) = Model::new(operation).step(of_state, inputs);
        Counterexample {
            inputs: values(&with_state(operation.inputs()), words),
            got: values(&with_state(operation.outputs()), &graph.answer(words)),
            want: values(&with_state(operation.outputs()), &[results, next].concat()),
        }
    }

    /// Whether unit and golden model agree, so that the specification is at fault.
    pub fn is_of_the_specification(&self) -> bool {
        self.got == self.want
    }

    /// The inputs, the unit's outputs and the right ones, in words.
    pub fn sentence(&self) -> String {
        let text = |values: &[Value]| {
            let each = values.iter().map(|Value { port, value }| format!("{port}={value}"));
            each.collect::<Vec<_>>().join(" ")
        };
        let (inputs, got, want) = (text(&self.inputs), text(&self.got), text(&self.want));
        if self.is_of_the_specification() {
            return format!(
                "specification and golden model differ for {inputs}: the golden model gives {want}, as the unit does; please report this"
            );
        }
        format!("{inputs} gives {got}, not {want}")
    }
}

fn values(ports: &[Port], words: &[Word]) -> Vec<Value> {
    let value = |(port, word): (&Port, &Word)| Value { port: port.name.into(), value: format!("{word:#x}") };
    ports.iter().zip(words).map(value).collect()
}
