//! The result of a unit's proof, in words.

use super::certificate::Certificate;
use super::counterexample::Counterexample;
use super::reason::Reason;
use crate::{Family, Verdict, counted};
use binade_generator::Design;
use binade_sim::Plan;
use binade_spec::{Operation, Port};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

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
pub struct ProofReport {
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
    /// Outputs of the user's module that have no counterpart in the unit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<String>,
    /// What is known about the user's files as other tools read them, where these read other gates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<String>,
    /// Whether the shell around the unit is shown to lose, repeat and mix nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shell: bool,
    /// The certificate, if one was asked for and written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certificate>,
    /// Why the unit is open, or what is wrong with its registers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
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

impl ProofReport {
    /// An open report, before any proof.
    pub fn new(module: &str, operation: &Operation, stages: u32) -> ProofReport {
        ProofReport {
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
            ignored: vec![],
            readings: vec![],
            shell: false,
            certificate: None,
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
        let readings = self.readings.iter().map(|reading| format!("  {reading}"));
        let certificate = self.certificate.iter().map(Certificate::sentence);
        [self.sentence()]
            .into_iter()
            .chain(readings)
            .chain(certificate)
            .chain(self.lines.iter().cloned())
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// The verdict in words.
    pub fn sentence(&self) -> String {
        let ProofReport { module, subject, input_bits, .. } = self;
        let reason = || self.reason.as_ref().map(Reason::to_string).unwrap_or_default();
        match self.verdict {
            Verdict::Right | Verdict::Proven => {
                let states = match self.state_bits {
                    0 => String::new(),
                    bits => format!(" in all 2^{bits} states, and so for all sequences"),
                };
                format!(
                    "{module} is proven for all 2^{input_bits} inputs{states}: {}{}{}{}",
                    self.how(),
                    self.of_registers(),
                    self.of_shell(),
                    self.of_outputs()
                )
            }
            Verdict::Wrong => {
                let what = self.counterexample.as_ref().map_or_else(reason, Counterexample::sentence);
                format!("{module} is wrong ({subject}): {what}")
            }
            Verdict::Open => {
                let why = match (&self.reason, self.open.first()) {
                    (Some(reason), _) => reason.to_string(),
                    (None, first) => {
                        let first = first.map(String::as_str).unwrap_or_default();
                        format!("{} of {} cases, the first: {first}", self.open.len(), self.cases)
                    }
                };
                format!("{module} is open ({subject}): {why}; binade verify checks samples")
            }
            Verdict::Error => format!("error in {module}: {}", reason()),
            Verdict::NotRun => format!("{module} was not checked"),
        }
    }

    /// One line for a unit of the suite; more if it is not proven.
    pub fn line(&self) -> String {
        match (self.verdict, self.earlier) {
            (Verdict::Proven | Verdict::Right, _) => {
                format!("{}: proven{}, {}", self.module, self.of_earlier(), self.scope())
            }
            (_, true) => format!("{} (by an earlier run)", self.shown()),
            (_, false) => self.shown(),
        }
    }

    /// Whether the verdict is of an earlier run, in words; else empty.
    pub fn of_earlier(&self) -> &'static str {
        match (self.earlier, self.known) {
            (true, _) => " (earlier)",
            (_, true) => " (known)",
            (false, false) => "",
        }
    }

    /// How the unit was checked.
    pub fn scope(&self) -> String {
        match (self.verdict, self.method) {
            (Verdict::Proven | Verdict::Right, Method::Cases) => counted(self.cases, "case"),
            (Verdict::Proven | Verdict::Right, Method::Enumeration) => "each was tried".into(),
            (Verdict::Open, _) if self.cases == 0 => String::new(),
            (Verdict::Open, _) => format!("{} of {} cases open", self.open.len(), self.cases),
            (Verdict::Wrong | Verdict::Error | Verdict::NotRun, _) => String::new(),
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

    /// Records that vectors of this plan, for which the unit is right, were all inputs of a unit without a clock, if they were.
    pub fn take_vectors(&mut self, design: &Design, plan: &Plan) {
        if self.verdict == Verdict::Open && !design.is_clocked() && plan.is_exhaustive() {
            self.take_enumeration();
        }
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

    fn of_outputs(&self) -> String {
        match self.ignored.join(", ") {
            names if names.is_empty() => names,
            names => format!("; not looked at: {names}"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use binade_sim::Choice;
    use binade_spec::{Selection, Unit};

    /// All inputs are no proof of what registers do.
    #[test]
    fn vectors_prove_only_what_has_no_clock() {
        let format = "e2m1f".parse().expect("a format");
        let operation = Selection::new(Unit::Divide, format).operation().expect("an operation");
        let plan = Plan::new(&operation, Choice::Exhaustive, 1).expect("few inputs");
        let sample = Plan::new(&operation, Choice::Sample(100), 1).expect("some inputs");
        let verdict = |design: &Design, plan: &Plan| {
            let mut report = ProofReport::new("divide", &operation, design.pace().latency);
            report.take_vectors(design, plan);
            report.verdict
        };
        let design = Design::from(operation);
        assert_eq!(verdict(&design, &plan), Verdict::Proven);
        assert_eq!(verdict(&design, &sample), Verdict::Open);
        assert_eq!(verdict(&Design::pipelined(operation, 1), &plan), Verdict::Open);
        assert_eq!(verdict(&design.in_clocks(1).expect("a unit with digits"), &plan), Verdict::Open);
    }
}
