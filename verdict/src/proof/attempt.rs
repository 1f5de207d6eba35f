//! One proof: cases, all inputs, registers, and the evidence files.

use super::certificate::{Folder, check_certifiable};
use super::loaded::Loaded;
use super::{Certificates, Counterexample, ProofReport, Prover, Reason, Task};
use crate::{Case, CheckSetting, NoVerdict, Verdict};
use binade_gates::Graph;
use binade_generator::{Design, generate};
use binade_golden::Model;
use binade_prove::{
    Clocked, FlowFault, Proof, Question, Undefined, certify, defined, flow, iterated_flow, of_first_output, prove,
    second_output_of_first, step,
};
use binade_sim::{Choice, Engine, Gates, Plan, Portion, Run, Shard, Verification};
use binade_spec::contract::Property;
use binade_spec::{OfFunction, Operation, Port, Word};
use binade_tools::interrupted;
use cpu_time::ProcessTime;
use std::sync::atomic::{AtomicU64, Ordering};

/// The operand bits that are tried exhaustively to reach a state.
const MOST_BEGINNING_BITS: u32 = 16;

/// The proof of one unit.
pub struct Attempt<'a> {
    pub prover: &'a Prover<'a>,
    pub task: &'a Task,
    pub loaded: &'a Loaded,
    pub latency: u32,
    pub report: &'a mut ProofReport,
    /// Why there is no certificate, if one was tried.
    pub uncertified: Option<String>,
}

/// The most input bits for trying all inputs: more would take many hours.
pub const MOST_ENUMERATED_BITS: u32 = 36;

/// Units of codebooks with up to so many input bits are proven by trying all inputs, in at most half a minute on two cores.
const QUICKLY_ENUMERATED_BITS: u32 = 32;

/// The parts in which all inputs are tried, so that a limit of time is kept.
const PARTS: u64 = 128;

impl Attempt<'_> {
    pub fn conclude(&mut self) -> Result<(), NoVerdict> {
        let flown = match self.flown() {
            Ok(flown) => flown,
            Err(FlowFault::Broken(property)) => return self.breaks(property),
            Err(FlowFault::Undefined(undefined)) => return self.depends_on(*undefined),
        };
        let graph = flown.as_ref().unwrap_or(&self.loaded.gates.graph);
        let prover = self.prover;
        let operation = &self.task.unit.design.operation;
        let is_to_be_certified = prover.certificates.is_some() && check_certifiable(self.task).is_ok();
        if self.is_enumerated_first() && !is_to_be_certified {
            return self.enumerate(graph);
        }
        match operation.activation_function() {
            Some(_) if operation.flags.is_some() || operation.random_bits() > 0 => {
                self.report.reason = Some(Reason::Function);
            }
            Some(function) => {
                self.prove_with_function(graph, &function)?;
                self.certify_with_function(graph)?;
            }
            None => self.prove_cases(graph, graph, operation)?,
        }
        let is_left = self.report.verdict == Verdict::Open && !operation.has_state();
        let are_few = operation.input_bits() <= MOST_ENUMERATED_BITS;
        let is_strict = self.task.tolerance.is_none();
        if is_left && are_few && is_strict && !prover.is_over() {
            self.enumerate(graph)?;
        }
        if is_to_be_certified && self.report.verdict == Verdict::Proven && self.report.certificate.is_none() {
            let why = self.uncertified.take().unwrap_or("no proof by cases was found".into());
            self.report.lines.push(format!("no certificate: {why}; the unit is proven without one"));
        }
        Ok(())
    }

    /// Whether all inputs are tried before any case is proven: the values of a codebook follow no rule that a proof could use.
    fn is_enumerated_first(&self) -> bool {
        let operation = &self.task.unit.design.operation;
        let are_few = operation.input_bits() <= QUICKLY_ENUMERATED_BITS;
        operation.has_codebook() && are_few && !operation.has_state() && self.task.tolerance.is_none()
    }

    /// The unit's logic without registers and undefined bits; none if it has neither.
    fn flown(&self) -> Result<Option<Graph>, FlowFault> {
        let Loaded { gates, ports, is_clocked, .. } = self.loaded;
        let registers = self.task.unit.design.operation.registers();
        let widths: Vec<u32> = registers.iter().map(Port::width).collect();
        let reset = Model::new(&self.task.unit.design.operation).reset();
        let first = reset.iter().zip(&widths).flat_map(|(word, &width)| (0..u64::from(width)).map(|bit| word.bit(bit)));
        match is_clocked {
            _ if !registers.is_empty() => {
                step(&gates.graph, self.latency, &first.collect::<Vec<_>>(), &widths, &interrupted).map(Some)
            }
            true if self.task.unit.design.pace().is_iterated() => {
                iterated_flow(&gates.graph, self.latency, &interrupted).map(Some)
            }
            true => flow(&gates.graph, self.latency, *ports, &interrupted).map(Some),
            false if gates.graph.undefined().is_empty() => Ok(None),
            false => defined(&gates.graph, &interrupted).map(Some),
        }
    }

    /// Compares gates with the specification of an operation that has the unit's inputs.
    fn prove_cases(&mut self, unit: &Graph, gates: &Graph, operation: &Operation) -> Result<(), NoVerdict> {
        let prover = self.prover;
        let has_ranks = self.task.unit.design.stages > 0;
        let question = Question { unit: gates, operation, tolerance: self.task.allowed(), has_ranks };
        let is_whole = *operation == self.task.unit.design.operation;
        let proof = match prover.certificates {
            Some(certificates) if is_whole && check_certifiable(self.task).is_ok() => {
                return self.certify(unit, question, certificates);
            }
            _ => prove(question, &|progress| prover.watch.hear(progress), &|| prover.is_over()),
        };
        match proof {
            Ok(proof) => self.take(unit, proof),
            Err(reason) => {
                self.report.reason = Some(Reason::NotSpecified(reason));
                Ok(())
            }
        }
    }

    /// Compares gates with the specification, and writes a certificate if they agree.
    fn certify(&mut self, unit: &Graph, question: Question, certificates: Certificates) -> Result<(), NoVerdict> {
        let prover = self.prover;
        let folder = Folder::new(certificates.folder, self.task.module())?;
        let results = |operation: &Operation, rows: &[Vec<Word>]| {
            let model = Model::new(operation);
            rows.iter().map(|words| model.evaluate(words)).collect()
        };
        let certified =
            certify(question, &results, &folder, &|progress| prover.watch.hear(progress), &|| prover.is_over());
        let mut certified = match certified {
            Ok(certified) => certified,
            Err(reason) => {
                self.uncertified = Some(reason.to_string());
                self.report.reason = Some(Reason::NotSpecified(reason));
                return Ok(());
            }
        };
        self.take(unit, certified.proof.clone())?;
        self.uncertified = self.report.open.first().map(|case| format!("the case {case} stayed open"));
        if self.report.verdict == Verdict::Proven && !certified.is_whole() {
            self.report.verdict = Verdict::Open;
            self.report.open.push("whether the cases contain all inputs".into());
        }
        if self.report.verdict == Verdict::Proven {
            let clocked = self.clocked();
            certified.registers =
                clocked.and_then(|clocked| clocked.certify(&question, &certified, &folder, &|| prover.is_over()));
            let certificate = folder.complete(self.task, self.report, &certified)?;
            if let Some(fault) = certificates.are_checked.then(|| certificate.refusal()).flatten() {
                self.report.verdict = Verdict::Open;
                self.report.open.push(format!("the certificate, which is refused: {fault}"));
                return Ok(());
            }
            self.report.certificate = Some(certificate.kept(certificates.are_checked)?);
        }
        Ok(())
    }

    /// The unit with its registers, whose results come a latency after their operands, whatever follows these.
    fn clocked(&self) -> Option<Clocked<'_>> {
        let Loaded { gates, ports, is_clocked, .. } = self.loaded;
        let is_pipeline = *is_clocked && !self.task.unit.design.pace().is_iterated();
        is_pipeline.then_some(Clocked { gates: &gates.graph, latency: self.latency, ports: *ports })
    }

    /// Proves a unit whose second output is a function of the first: the first by cases, then the function by its codes.
    fn prove_with_function(&mut self, unit: &Graph, function: &Operation) -> Result<(), NoVerdict> {
        let accumulator = Operation { output: None, ..self.task.unit.design.operation };
        self.prove_cases(unit, &of_first_output(unit), &accumulator)?;
        if self.report.verdict != Verdict::Proven {
            return Ok(());
        }
        let ports = self.task.unit.design.operation.outputs();
        let [y, out] = [0, 1].map(|port: usize| ports[port].name);
        let of_function = format!("{out} = {}", function.settings::<OfFunction>().function.text(y));
        let Some(gates) = second_output_of_first(unit) else {
            self.report.verdict = Verdict::Open;
            self.report.reason = Some(Reason::FunctionOfMore { function: of_function });
            return Ok(());
        };
        match self.wrong_code(gates, function)? {
            None => self
                .report
                .lines
                .push(format!("{of_function}: each of the 2^{} codes of y was tried", function.input_bits())),
            Some(code) => self.differs_at(unit, code, &of_function)?,
        }
        Ok(())
    }

    /// Writes the certificate of a unit whose second output is a function of the first, after its proof.
    fn certify_with_function(&mut self, unit: &Graph) -> Result<(), NoVerdict> {
        let is_proven = self.report.verdict == Verdict::Proven && check_certifiable(self.task).is_ok();
        let Some(certificates) = self.prover.certificates.filter(|_| is_proven) else { return Ok(()) };
        let operation = &self.task.unit.design.operation;
        let has_ranks = self.task.unit.design.stages > 0;
        self.certify(unit, Question { unit, operation, tolerance: self.task.allowed(), has_ranks }, certificates)
    }

    /// A code for which these gates are not the function.
    fn wrong_code(&self, graph: Graph, function: &Operation) -> Result<Option<Word>, NoVerdict> {
        let unit = generate(Design::from(*function).optimized(self.task.unit.design.optimize));
        let plan = Plan::new(function, Choice::Exhaustive, 1).expect("a function has few operands");
        let gates = Gates { graph, origin: self.loaded.gates.origin.clone() };
        let tolerance = self.task.tolerance;
        let run = Run { engine: Engine::Lanes(&gates), tolerance, ..Run::new(&unit, &plan) };
        let verification = binade_sim::verify(self.prover.tools, run, &|_| {})?;
        Ok(verification.mismatch.map(|mismatch| mismatch.simplest.codes()[0].clone()))
    }

    /// Shows operands with which the accumulator has a code whose function is wrong: all others are zeros.
    fn differs_at(&mut self, unit: &Graph, code: Word, of_function: &str) -> Result<(), NoVerdict> {
        let operation = &self.task.unit.design.operation;
        let accumulator = operation.inputs().iter().position(|port| port.name == "c");
        let inputs: Vec<Word> = (0..operation.inputs().len())
            .map(|port| if Some(port) == accumulator { code.clone() } else { Word::ZERO })
            .collect();
        let plan = Plan::new(operation, Choice::Replay(vec![inputs.clone()]), 1).expect("words of the inputs");
        if self.verify(&self.task.case(self.latency)?, &plan)?.is_right() {
            self.report.verdict = Verdict::Open;
            let (function, code) = (of_function.to_string(), format!("{code:x}"));
            self.report.reason = Some(Reason::FunctionOfUnreached { function, code });
            return Ok(());
        }
        self.differs(unit, inputs)
    }

    fn take(&mut self, graph: &Graph, proof: Proof) -> Result<(), NoVerdict> {
        let report = &mut *self.report;
        report.cases = proof.cases;
        report.core_seconds = proof.seconds;
        (report.slowest, report.slowest_seconds) = (proof.slowest, proof.slowest_seconds);
        match proof.differs {
            Some(words) if self.task.unit.design.operation.has_state() => self.step_differs(graph, words),
            Some(inputs) => self.differs(graph, inputs),
            None if proof.open.is_empty() => {
                report.verdict = Verdict::Proven;
                Ok(())
            }
            None => {
                report.open = proof.open;
                Ok(())
            }
        }
    }

    /// Shows inputs for which unit and specification differ, or simpler ones, as `verify` would.
    fn differs(&mut self, graph: &Graph, inputs: Vec<Word>) -> Result<(), NoVerdict> {
        let operation = &self.task.unit.design.operation;
        let plan = Plan::new(operation, Choice::Replay(vec![inputs.clone()]), 1).expect("words of the inputs");
        let case = self.task.case(self.latency)?;
        let verification = self.verify(&case, &plan)?;
        let simplest = verification.mismatch.as_ref().filter(|mismatch| mismatch.fails_alone);
        let inputs = simplest.map_or(inputs, |mismatch| mismatch.simplest.codes().to_vec());
        let found = Counterexample::new(operation, graph, &inputs);
        if verification.is_right() && !found.is_of_the_specification() {
            self.report.lines.push(format!("{} gives the right result for these inputs", verification.tool));
        }
        (self.report.verdict, self.report.counterexample) = (Verdict::Wrong, Some(found));
        self.show(&case, verification)
    }

    /// Shows a step that differs from its specification, if a sequence reaches it.
    fn step_differs(&mut self, graph: &Graph, words: Vec<Word>) -> Result<(), NoVerdict> {
        let operation = &self.task.unit.design.operation;
        let found = Counterexample::of_step(operation, graph, &words);
        let case = self.task.case(self.latency)?;
        match self.sequence_with(&case, &words)? {
            Some(verification) => {
                (self.report.verdict, self.report.counterexample) = (Verdict::Wrong, Some(found));
                self.show(&case, verification)
            }
            None => {
                self.report.reason = Some(Reason::StepOfUnreached { step: found.sentence() });
                Ok(())
            }
        }
    }

    /// A sequence that fails at a step with these inputs and state: from the vectors of `verify`, or one that starts with the operand that
    /// sets the state.
    fn sequence_with(&self, case: &Case, words: &[Word]) -> Result<Option<Verification>, NoVerdict> {
        let operation = &self.task.unit.design.operation;
        let (inputs, state) = words.split_at(operation.inputs().len());
        let sequence = beginning(operation, state).map(|first| Choice::Replay(vec![first, inputs.to_vec()]));
        for choice in [Choice::Default].into_iter().chain(sequence) {
            let plan = Plan::new(operation, choice, 1).expect("words of the inputs");
            let verification = self.verify(case, &plan)?;
            if !verification.is_right() {
                return Ok(Some(verification));
            }
        }
        Ok(None)
    }

    /// Shows inputs for which an undefined bit changes the results.
    fn depends_on(&mut self, Undefined { operands, choices }: Undefined) -> Result<(), NoVerdict> {
        let operation = &self.task.unit.design.operation;
        let want = Model::new(operation).evaluate(&operands);
        let wrong = choices.iter().find(|graph| graph.answer(&operands) != want).unwrap_or(&choices[0]);
        self.report.lines.push(format!("{} for these inputs", Property::Defined));
        self.differs(wrong, operands)
    }

    /// Records that the unit breaks the contract, or that this property could not be shown, and looks for vectors that show it.
    fn breaks(&mut self, property: Property) -> Result<(), NoVerdict> {
        let plan = Plan::new(&self.task.unit.design.operation, Choice::Default, 1).expect("a plan for any unit");
        let case = self.task.case(self.latency)?;
        let verification = self.verify(&case, &plan)?;
        let shown = (!verification.is_right()).then(|| found(&verification));
        if shown.is_some() {
            self.report.verdict = Verdict::Wrong;
        }
        self.report.reason = Some(Reason::Breaks(property, shown));
        self.show(&case, verification)
    }

    /// Checks the gates, including registers, with these vectors; checks a user's module in Verilator.
    pub fn verify(&self, case: &Case, plan: &Plan) -> Result<Verification, NoVerdict> {
        let engine = if case.dut().is_some() { Engine::Verilator } else { Engine::Lanes(&self.loaded.gates) };
        let tolerance = self.task.tolerance;
        let run = Run { engine, tolerance, ..Run::new(case.subject(), plan) };
        binade_sim::verify(self.prover.tools, run, &|_| {}).map_err(|error| case.about_files(error.into()))
    }

    /// Writes the evidence files, and the command that reproduces the failure.
    pub fn show(&mut self, case: &Case, verification: Verification) -> Result<(), NoVerdict> {
        let Prover { tools, evidence: Some((out, waves)), .. } = *self.prover else { return Ok(()) };
        let setting = CheckSetting { tools, case, options: self.task.option_words(), out, waves };
        crate::Report::complete(&setting, verification)?.add_to(self.report);
        Ok(())
    }

    /// Tries all inputs, if there are few enough and the limit of time allows it.
    fn enumerate(&mut self, graph: &Graph) -> Result<(), NoVerdict> {
        let combinational = self.task.unit.without_ranks();
        let Ok(plan) = Plan::new(&combinational.design.operation, Choice::Exhaustive, 1) else { return Ok(()) };
        let gates = Gates { graph: graph.clone(), origin: self.loaded.gates.origin.clone() };
        let (watch, tried) = (self.prover.watch, AtomicU64::new(0));
        let started = ProcessTime::now();
        // A run of few vectors has fewer parts.
        let is_divided = Shard::all(PARTS).all(|shard| Portion::new(&plan, shard, false).is_ok());
        for shard in Shard::all(if is_divided { PARTS } else { 1 }) {
            let portion = Portion::new(&plan, shard, false).expect("a part of this run");
            let run = Run { engine: Engine::Lanes(&gates), portion, ..Run::new(&combinational, &plan) };
            let verification = binade_sim::verify(self.prover.tools, run, &|vectors| {
                watch.tried(tried.fetch_add(vectors, Ordering::Relaxed) + vectors, plan.total());
            })?;
            if let Some(mismatch) = &verification.mismatch {
                self.report.take_enumeration();
                return self.differs(graph, mismatch.simplest.codes().to_vec());
            }
            let left = started.elapsed() * (shard.parts() - shard.part()) as u32 / shard.part() as u32;
            if shard.part() < shard.parts() && self.prover.budget.is_some_and(|budget| !budget.has(left)) {
                let seconds = (started.elapsed() + left).as_secs();
                self.report.reason = Some(Reason::TooManyInputs { seconds });
                return Ok(());
            }
        }
        assert_eq!(tried.load(Ordering::Relaxed), plan.total(), "all inputs were tried");
        self.report.take_enumeration();
        Ok(())
    }
}

/// What a verification found, in words.
pub fn found(verification: &Verification) -> String {
    match (&verification.violation, &verification.mismatch) {
        (Some(violation), _) => violation.to_string(),
        (None, Some(mismatch)) => format!("mismatch in {mismatch}"),
        (None, None) => String::new(),
    }
}

/// Operands that set this state in one step, if one of the operand's first 2^16 codes does.
fn beginning(operation: &Operation, state: &[Word]) -> Option<Vec<Word>> {
    let model = Model::new(operation);
    let (operand, rest) = (operation.operand, operation.inputs().len() - 2);
    let codes = 0..1_u128 << operand.width().min(MOST_BEGINNING_BITS);
    let with_clear =
        |code: u128| [Word::from(code), Word::from(1_u128)].into_iter().chain(vec![Word::ZERO; rest]).collect();
    codes.map(with_clear).find(|inputs: &Vec<Word>| model.step(&model.reset(), inputs).0 == state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Waves;
    use binade_gates::GateFault;
    use binade_generator::GeneratedUnit;
    use binade_spec::{Activation, Function, Selection, Unit};
    use binade_tools::{Source, Tools};
    use std::path::Path;

    fn accumulator(operand: &str) -> GeneratedUnit {
        let [operand, accumulator] = [operand, "e3m2f"].map(|name| name.parse().expect("a format"));
        let selection = Selection { accumulator: Some(accumulator), ..Selection::new(Unit::Accumulate, operand) };
        let operation = selection.operation().expect("an operation");
        generate(Design::new(operation, 0, Default::default()).expect("a design"))
    }

    /// For an accumulator with one broken gate, a sequence shows the wrong step. Every state is one of its operands.
    #[test]
    fn a_wrong_step_is_shown_by_a_sequence() {
        let (tools, waves) = (Tools::new(Source::Pinned), Waves::default());
        let evidence = Some((Path::new("rtl_out"), &waves));
        let prover = Prover { evidence, ..Prover::silent(&tools) };
        let task = Task::of_circuit(accumulator("e3m2f"));
        let sound = task.load(&tools).expect("no tool is needed").gates.graph;
        let operation = &task.unit.design.operation;
        let first_gate = 1 + sound.sources().len() + sound.flip_flops().len();
        let mut wrong = 0;
        for gate in (first_gate..sound.gates().len()).step_by(7) {
            let mut loaded = task.load(&tools).expect("no tool is needed");
            loaded.gates.graph = sound.with_fault(gate, GateFault::Operator);
            let mut report = ProofReport::new(task.module(), operation, 0);
            let attempt = Attempt {
                prover: &prover,
                task: &task,
                loaded: &loaded,
                latency: 0,
                report: &mut report,
                uncertified: None,
            };
            let Ok(Some(step)) = attempt.flown() else { continue };
            let proof = prove(Question::new(&step, operation), &|_| {}, &|| false).expect("a specification");
            let Some(words) = proof.differs else { continue };
            let case = task.case(0).expect("a case");
            let found = attempt.sequence_with(&case, &words).expect("no tool is needed");
            let mismatch = found.and_then(|verification| verification.mismatch);
            assert!(mismatch.is_some(), "gate {gate}: no sequence for {words:x?}");
            wrong += 1;
        }
        assert!(wrong > 20, "{wrong} are wrong");
    }

    /// A function of the accumulator is proven exactly where all inputs are right.
    #[test]
    fn a_broken_function_is_not_proven() {
        let tools = Tools::new(Source::Pinned);
        let prover = Prover::silent(&tools);
        let [operand, accumulator] = ["e2m1f", "e3m2"].map(|name| name.parse().expect("a format"));
        let selection = Selection {
            accumulator: Some(accumulator),
            output: Some(accumulator),
            activation: Some(Activation::Function(Function::Tanh)),
            ..Selection::new(Unit::Fmac, operand)
        };
        let operation = selection.operation().expect("an operation");
        let unit = generate(Design::new(operation, 0, Default::default()).expect("a design"));
        let task = Task::of_circuit(unit);
        let sound = task.load(&tools).expect("no tool is needed").gates.graph;
        let function = operation.activation_function().expect("a function");
        let plan = Plan::new(&operation, Choice::Exhaustive, 1).expect("few inputs");
        let first_gate = 1 + sound.sources().len();
        let mut counts = [0; 3];
        for gate in (first_gate..sound.gates().len()).step_by(3).map(Some).chain([None]) {
            let mut loaded = task.load(&tools).expect("no tool is needed");
            if let Some(gate) = gate {
                loaded.gates.graph = sound.with_fault(gate, GateFault::Operator);
            }
            let mut report = ProofReport::new(task.module(), &operation, 0);
            let mut attempt = Attempt {
                prover: &prover,
                task: &task,
                loaded: &loaded,
                latency: 0,
                report: &mut report,
                uncertified: None,
            };
            attempt.prove_with_function(&loaded.gates.graph, &function).expect("no tool is needed");
            let run = Run { engine: Engine::Lanes(&loaded.gates), ..Run::new(&task.unit, &plan) };
            let is_right = binade_sim::verify(&tools, run, &|_| {}).expect("no tool is needed").is_right();
            let place = match report.verdict {
                Verdict::Proven => {
                    assert!(is_right, "gate {gate:?}");
                    0
                }
                Verdict::Wrong => {
                    assert!(!is_right && report.counterexample.is_some(), "gate {gate:?}");
                    1
                }
                Verdict::Open => {
                    assert!(gate.is_some(), "the unit itself is open: {:?}", report.reason);
                    2
                }
                other => panic!("{other:?}"),
            };
            counts[place] += 1;
        }
        let [proven, wrong, open] = counts;
        assert!(proven >= 1 && wrong > 50 && open < wrong / 10, "{proven} proven, {wrong} wrong, {open} open");
    }

    #[test]
    fn an_operand_makes_a_state() {
        let operation = accumulator("e2m1f").design.operation;
        let model = Model::new(&operation);
        let codes = (0..1_u128 << operation.result.width()).map(|code| vec![Word::from(code)]);
        let (made, not): (Vec<_>, Vec<_>) = codes.partition(|state| match beginning(&operation, state) {
            Some(inputs) => {
                assert_eq!(model.step(&model.reset(), &inputs).0, *state, "{inputs:x?}");
                true
            }
            None => false,
        });
        // e2m1f has 15 numbers, two of them zeros, with one code each.
        assert_eq!((made.len(), not.len()), (16, 48));
    }
}
