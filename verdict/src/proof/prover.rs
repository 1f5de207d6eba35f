//! Proves units: what each tool reads of them, their shells, their registers, and their results.

use super::attempt::{Attempt, found};
use super::loaded::{Loaded, Reading};
use super::shell;
use super::{Budget, ProofReport, Reason, Silent, Task, Watch};
use crate::{Case, CheckSetting, NoVerdict, Verdict, Waves};
use binade_generator::{GeneratedUnit, generate};
use binade_prove::ShellFault;
use binade_sim::verilator::Reader;
use binade_sim::{Choice, Plan, Run};
use binade_spec::Meaning;
use binade_tools::{Tools, interrupted};
use std::path::Path;
use std::time::Instant;

/// Proves units.
pub struct Prover<'a> {
    /// The tools that read Verilog and simulate it.
    pub tools: &'a Tools,
    /// The folder for files that show what is wrong, and the waves among them; none if only the verdict is needed.
    pub evidence: Option<(&'a Path, &'a Waves)>,
    /// Who hears how the proof goes on.
    pub watch: &'a dyn Watch,
    /// Certificates, if they are wanted. A unit that can have none is proven without.
    pub certificates: Option<Certificates<'a>>,
    /// The limit of the proof; after that, the rest stays open.
    pub budget: Option<Budget>,
}

/// What becomes of certificates.
#[derive(Clone, Copy, Debug)]
pub struct Certificates<'a> {
    /// The folder for them.
    pub folder: &'a Path,
    /// Whether each is checked right away, after which only manifests and pages are kept.
    pub are_checked: bool,
}

impl<'a> Prover<'a> {
    /// A prover that writes no files and has no limit.
    pub fn silent(tools: &'a Tools) -> Prover<'a> {
        Prover { tools, evidence: None, watch: &Silent, certificates: None, budget: None }
    }
}

impl Prover<'_> {
    pub(super) fn is_over(&self) -> bool {
        interrupted() || self.budget.is_some_and(Budget::is_over)
    }

    /// Proves a unit. After Ctrl-C, it is open.
    ///
    /// # Errors
    /// When a tool is missing or fails, and when a module cannot be proven.
    pub fn prove(&self, task: &Task) -> Result<ProofReport, NoVerdict> {
        self.prove_loaded(task, task.load(self.tools)?)
    }

    /// The same for gates that are loaded.
    ///
    /// # Errors
    /// When a tool is missing or fails.
    pub fn prove_loaded(&self, task: &Task, mut loaded: Loaded) -> Result<ProofReport, NoVerdict> {
        let readings = std::mem::take(&mut loaded.readings);
        let mut report = self.prove_reading(task, &loaded)?;
        if !readings.is_empty() {
            report.subject = format!("{}, {}", report.subject, Reader::Synthesis);
        }
        // The certificate is that of the first reading.
        let other = Prover { certificates: None, ..*self };
        for Reading { reader, gates } in readings {
            if report.verdict != Verdict::Proven {
                break;
            }
            let reading = match gates {
                Ok(gates) => {
                    loaded.gates = gates;
                    other.prove_reading(task, &loaded)?
                }
                Err(why) => self.simulate_reading(task, &loaded, reader, why)?,
            };
            match reading.verdict {
                Verdict::Proven => report.readings.push(format!("{reader}: proven, too")),
                Verdict::NotRun => report.readings.extend(reading.reason.map(String::from)),
                _ => report = ProofReport { subject: format!("{}, {reader}", reading.subject), ..reading },
            }
        }
        Ok(report)
    }

    /// Checks with vectors what Verilator reads and Yosys rejects. The verdict is `NotRun` if no vector shows a fault.
    fn simulate_reading(
        &self,
        task: &Task,
        loaded: &Loaded,
        reader: Reader,
        why: String,
    ) -> Result<ProofReport, NoVerdict> {
        let operation = &task.unit.design.operation;
        let latency = loaded.latency.unwrap_or(0);
        let mut report =
            ProofReport { verdict: Verdict::NotRun, ..ProofReport::new(task.module(), operation, latency) };
        report.subject = task.subject(&loaded.gates);
        let mut checked = None;
        if reader == Reader::Verilator {
            let plan = Plan::new(operation, Choice::Default, 1).expect("a plan for any unit");
            let case = task.case(latency)?;
            let mut attempt = Attempt { prover: self, task, loaded, latency, report: &mut report, uncertified: None };
            let verification = attempt.verify(&case, &plan)?;
            checked = Some(plan.total());
            if !verification.is_right() {
                attempt.report.verdict = Verdict::Wrong;
                attempt.report.reason = Some(Reason::Vectors(found(&verification)));
                attempt.show(&case, verification)?;
                return Ok(report);
            }
        }
        report.reason = Some(Reason::Reading { reader, checked, why: why.replace('\n', " ") });
        Ok(report)
    }

    /// Proves a unit with these gates.
    fn prove_reading(&self, task: &Task, loaded: &Loaded) -> Result<ProofReport, NoVerdict> {
        let started = Instant::now();
        self.watch.begin(task.module());
        let design = &task.unit.design;
        let mut report = ProofReport::new(task.module(), &design.operation, loaded.latency.unwrap_or(0));
        report.subject = task.subject(&loaded.gates);
        report.ignored = task.ignored();
        report.is_iterated = design.pace().is_iterated();
        let tolerance = task.tolerance;
        report.allowed = (!tolerance.is_none()).then(|| tolerance.to_string());
        if loaded.is_clocked {
            report.not_shown = loaded.ports.missing().into_iter().map(String::from).collect();
        }
        if let Some(shell) = &task.shell {
            if let Err(fault) = shell::load(self.tools, shell)?.check(&interrupted) {
                self.shell_is_wrong(shell, fault, &mut report)?;
                return Ok(report);
            }
            report.shell = true;
        }
        match loaded.latency {
            _ if matches!(design.operation.meaning(), Meaning::Machine(..)) => {
                report.reason = Some(Reason::Machine);
            }
            _ if design.operation.has_state() && !task.is_circuit() => {
                report.reason = Some(Reason::StateOfModule);
            }
            None => {
                report.reason = Some(Reason::NoLatency);
            }
            Some(latency) => {
                Attempt { prover: self, task, loaded, latency, report: &mut report, uncertified: None }.conclude()?
            }
        }
        report.seconds = started.elapsed().as_secs_f64();
        Ok(report)
    }

    /// Records that the shell is wrong, and looks for vectors that show it.
    fn shell_is_wrong(
        &self,
        shell: &GeneratedUnit,
        fault: ShellFault,
        report: &mut ProofReport,
    ) -> Result<(), NoVerdict> {
        let plan = Plan::new(&shell.design.operation, Choice::Default, 1).expect("a plan for any unit");
        let case = Case::generated(generate(shell.design));
        let verification = binade_sim::verify(self.tools, Run::new(&case.unit, &plan), &|_| {})?;
        if !verification.is_right() {
            report.verdict = Verdict::Wrong;
        }
        report.reason = Some(Reason::Shell(fault));
        let Some((out, waves)) = self.evidence else { return Ok(()) };
        let setting = CheckSetting { tools: self.tools, case: &case, options: String::new(), out, waves };
        crate::Report::complete(&setting, verification)?.add_to(report);
        Ok(())
    }
}
