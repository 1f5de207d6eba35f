//! Examines one unit: generates it, checks it with vectors, proves it and simulates it.

use crate::fault::{Fault, Step, Stop, difference};
use crate::panics::caught;
use crate::report::Right;
use crate::words::{Words, bits};
use binade_circuit::Interface;
use binade_circuit::Language;
use binade_generator::{Design, generate};
use binade_sim::{Choice, Engine, Gates, Plan, Run, Verification};
use binade_tools::{Error, Tools, interrupted};
use binade_verdict::proof::{Budget, Prover, Task};
use binade_verdict::{Case, CheckSetting, Report, Verdict, Waves};
use std::path::Path;
use std::time::Duration;

/// Units with more bits of ports and registers are skipped: they take long and have little that smaller ones lack.
pub const MOST_BITS: u32 = 1024;

/// Units with more gates are not proven: a single attempt at a case exceeds the time limit of a proof.
const MOST_PROVEN_GATES: usize = 4000;

/// Examines units.
pub struct Examiner<'a> {
    /// Verilator, for simulations, and Yosys, for proofs of shells.
    pub tools: &'a Tools,
    /// The seed of the vectors.
    pub seed: u64,
    /// The number of vectors for each unit.
    pub vectors: u64,
    /// The time limit of a proof.
    pub limit: Duration,
    /// Units with more bits of ports and registers are skipped.
    pub most_bits: u32,
    /// The folder that a command to reproduce a fault names.
    pub out: &'a Path,
}

/// The outcome for a selection.
pub enum Outcome {
    /// It chooses no unit.
    Refused,
    /// Its unit is skipped.
    TooLarge,
    /// No fault was found.
    Right(Right),
    /// A fault was found.
    Wrong(Fault),
}

impl Examiner<'_> {
    /// Examines the unit that these words choose.
    ///
    /// # Errors
    /// After Ctrl-C, and when a tool is missing.
    pub fn examine(&self, words: &Words, is_simulated: bool) -> Result<Outcome, Error> {
        match self.outcome(words, is_simulated) {
            _ if interrupted() => Err(Error::Interrupted),
            Ok(outcome) => Ok(outcome),
            Err(Stop::Fault(fault)) => Ok(Outcome::Wrong(fault)),
            Err(Stop::Ended(error)) => Err(error),
        }
    }

    fn outcome(&self, words: &Words, is_simulated: bool) -> Result<Outcome, Stop> {
        if interrupted() {
            return Err(Stop::Ended(Error::Interrupted));
        }
        let read = || words.design().map(|design| (design, bits(&design.operation)));
        match attempt(Step::Generation, &format!("binade gen {words}"), read)? {
            Err(_) => Ok(Outcome::Refused),
            Ok((_, size)) if size > self.most_bits => Ok(Outcome::TooLarge),
            Ok((design, _)) => self.right(words, design, is_simulated).map(Outcome::Right),
        }
    }

    /// Checks a unit, and returns how it was found right. A unit in a shell is proven and simulated with its shell; the gates are those of
    /// the unit inside.
    fn right(&self, words: &Words, design: Design, is_simulated: bool) -> Result<Right, Stop> {
        let whole = generated(words, design)?;
        let has_shell = design.interface != Interface::Plain;
        let bare = design.within_shell().map(|bare| generated(&words.without_key("interface"), bare)).transpose()?;
        let within = bare.as_ref().unwrap_or(&whole);
        let command = format!("binade verify {} --engine lanes", within.words);
        let gates = attempt(Step::Lanes, &command, || Gates::of_circuit(&within.unit))?;
        let wrong = self.wrong(Step::Lanes, within, Engine::Lanes(&gates))?;
        let is_proven = self.is_proven(words, design, gates.graph.gates().len());
        if let Some(fault) = wrong {
            let is_contradicted = matches!(is_proven, Ok(true));
            let fault = if is_contradicted { fault.contradicted(format!("binade prove {words}")) } else { fault };
            return Err(Stop::Fault(fault));
        }
        let proven = is_proven?;
        let simulated = is_simulated || has_shell;
        if simulated {
            // A missing tool is not a fault of Binade.
            self.tools.verilator()?;
            self.tools.compiler()?;
            if let Some(fault) = self.wrong(Step::Simulation, &whole, Engine::Verilator)? {
                return Err(Stop::Fault(fault));
            }
        }
        Ok(Right { proven, simulated })
    }

    /// The fault that the vectors find in a unit.
    fn wrong(&self, step: Step, case: &Case, engine: Engine) -> Result<Option<Fault>, Stop> {
        let options = match engine {
            Engine::Lanes(_) => " --engine lanes",
            Engine::Verilator => "",
        };
        let setting =
            CheckSetting { tools: self.tools, case, options: options.into(), out: self.out, waves: &Waves::default() };
        let choice = Choice::Sample(self.vectors);
        let command = setting.replay(&choice.options(self.seed));
        let operation = &case.unit.design.operation;
        let plan = attempt(step, &command, || Plan::new(operation, choice, self.seed))?;
        let plan = plan.expect("a sample of some vectors");
        let run = Run { engine, ..Run::new(&case.unit, &plan) };
        match attempt(step, &command, || binade_sim::verify(self.tools, run, &|_| {}))? {
            Ok(verification) if verification.is_right() => Ok(None),
            Ok(verification) => {
                let says = difference(&verification);
                Ok(Some(Fault::wrong(step, says, replay(&setting, verification).unwrap_or(command))))
            }
            Err(error) => Err(Stop::Fault(Fault::error(step, error, &command))),
        }
    }

    /// Whether the unit is proven for all inputs within the time limit.
    fn is_proven(&self, words: &Words, design: Design, gates: usize) -> Result<bool, Stop> {
        if self.limit.is_zero() || gates > MOST_PROVEN_GATES {
            return Ok(false);
        }
        if design.interface != Interface::Plain {
            self.tools.yosys()?;
        }
        let command = format!("binade prove {words}");
        let prover = Prover { budget: Some(Budget::new(self.limit)), ..Prover::silent(self.tools) };
        let proof = || prover.prove(&Task::of_circuit(generate(design)));
        match attempt(Step::Proof, &command, proof)? {
            Ok(report) if report.verdict == Verdict::Wrong => {
                Err(Stop::Fault(Fault::wrong(Step::Proof, report.sentence(), command)))
            }
            Ok(report) => Ok(report.verdict == Verdict::Proven),
            Err(error) => Err(Stop::Fault(Fault::error(Step::Proof, error, &command))),
        }
    }
}

/// The command that reproduces a mismatch, as `verify` gives it.
fn replay(setting: &CheckSetting, verification: Verification) -> Option<String> {
    Report::new(setting, verification).replay
}

/// Generates the unit that these words choose, and prints it in each language.
fn generated(words: &Words, design: Design) -> Result<Case, Stop> {
    let command = format!("binade gen {words}");
    let mut case = attempt(Step::Generation, &command, || Case::generated(generate(design)))?;
    for language in Language::ALL {
        attempt(Step::Generation, &format!("{command} --language {language}"), || case.unit.text(language))?;
    }
    case.words = words.to_string();
    Ok(case)
}

/// Runs `work`; a panic becomes a fault that the command reproduces.
fn attempt<Output>(step: Step, command: &str, work: impl FnOnce() -> Output) -> Result<Output, Stop> {
    caught(work).map_err(|panic| Stop::Fault(Fault::panic(step, panic, command)))
}
