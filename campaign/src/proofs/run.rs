//! Proves the units of a suite, one after the other, each on all cores.

use crate::{Inspector, Job, Known, Outcome, Recalled, SuiteLedger, Unchecked, check_all, verdicts};
use binade_tools::Error;
use binade_verdict::proof::{Loaded, ProofReport, Prover, Reason, Task};
use binade_verdict::{NoVerdict, Verdict};

/// A unit to prove.
pub struct ProofJob {
    /// The unit.
    pub task: Task,
    run: String,
}

impl From<Task> for ProofJob {
    fn from(task: Task) -> ProofJob {
        ProofJob { run: task.identity(), task }
    }
}

impl Job for ProofJob {
    fn name(&self) -> &str {
        self.task.module()
    }

    fn run(&self) -> &str {
        &self.run
    }

    fn is_closed(&self) -> bool {
        self.task.is_closed()
    }
}

impl Outcome for ProofReport {
    fn recalled(recalled: Recalled) -> ProofReport {
        let read =
            |text: &str| -> ProofReport { serde_json::from_str(text).expect("what has its seal was written by us") };
        match recalled {
            Recalled::Earlier(text) => ProofReport { earlier: true, ..read(&text) },
            Recalled::Known(text) => ProofReport { known: true, certificate: None, ..read(&text) },
        }
    }

    fn verdict(&self) -> Verdict {
        self.verdict
    }

    fn report(&self) -> String {
        serde_json::to_string(self).expect("reports are plain data")
    }
}

/// Proves units, and tells somebody about each one, and about verdicts that could not be noted or kept.
pub struct Proofs<'a> {
    /// Proves one unit.
    pub prover: &'a Prover<'a>,
    /// Hears the report of each unit.
    pub done: &'a (dyn Fn(&ProofReport) + Sync),
    /// Hears what could not be noted or kept.
    pub problem: &'a (dyn Fn(Error) + Sync),
}

impl Inspector for Proofs<'_> {
    type Job = ProofJob;
    /// The gates of a unit, or why there are none.
    type Built = Option<Result<Loaded, NoVerdict>>;
    type Outcome = ProofReport;
    const ONE_BY_ONE: bool = true;

    fn build(&self, jobs: &[&ProofJob]) -> Self::Built {
        jobs.first().map(|job| job.task.load(self.prover.tools))
    }

    fn inspect(&self, job: &ProofJob, built: &mut Self::Built) -> Result<ProofReport, Unchecked> {
        let loaded = built.take().expect("each unit is built alone");
        let proved = loaded.and_then(|loaded| self.prover.prove_loaded(&job.task, loaded));
        proved.map_err(|why| match why.is_interrupt() {
            true => Unchecked::Interrupted,
            false => Unchecked::Failed(why.to_string()),
        })
    }

    fn missing(&self, job: &ProofJob, verdict: Verdict, why: Option<String>) -> ProofReport {
        let design = &job.task.unit.design;
        let nothing = ProofReport::new(job.task.module(), &design.operation, design.pace().latency);
        ProofReport { verdict, reason: why.map(Reason::Said), ..nothing }
    }

    fn done(&self, report: &ProofReport) {
        (self.done)(report);
    }

    fn problem(&self, error: Error) {
        (self.problem)(error);
    }
}

/// Proves every unit.
///
/// # Errors
/// When Yosys is needed and missing, and when the ledger cannot be written or removed.
pub fn prove_all(proofs: &Proofs, jobs: &[ProofJob], resume: bool, is_fresh: bool) -> Result<Vec<ProofReport>, Error> {
    let tools = proofs.prover.tools;
    // A missing tool would fail on every unit.
    let engine = match jobs.iter().any(|job| job.task.needs_yosys()) {
        true => format!("proofs with Yosys {}", tools.yosys()?.version),
        false => "proofs".into(),
    };
    let runs: Vec<&str> = jobs.iter().map(Job::run).collect();
    let ledger = SuiteLedger::open(tools, &engine, &runs, resume)?;
    check_all(proofs, jobs, Known::new(ledger, Some(verdicts(tools, &engine, "proof")), is_fresh))
}
