//! Checks a suite on the gates of its circuits, 4096 vectors at a time, without external tools.

use crate::known::SOURCES;
use crate::{
    Inspector, Job, Known, Shown, Suite, SuiteError, SuiteLedger, SuiteReport, Totals, Unchecked, UnitResult,
    check_all, verdicts,
};
use binade_circuit::Interface;
use binade_generator::GeneratedUnit;
use binade_sim::{Choice, Engine, Gates, Plan, PlanError, Run, Shard, Tolerance, joint_identity, verify};
use binade_tools::{Error, Tools};
use binade_verdict::{Case, Report, Setting, Verdict, Waves};
use std::path::Path;
use thiserror::Error as ThisError;

/// Why a suite could not be run.
#[derive(Debug, ThisError)]
pub enum RunError {
    /// This engine cannot check a unit; the text names the unit and the reason.
    #[error("{0}")]
    Unit(String),
    /// The units were not generated.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// A cache file could not be written.
    #[error(transparent)]
    Tool(#[from] Error),
}

/// A unit with its vectors.
struct Checked {
    case: Case,
    plan: Plan,
    run: String,
}

impl Job for Checked {
    fn name(&self) -> &str {
        &self.case.unit.module
    }

    fn run(&self) -> &str {
        &self.run
    }

    fn is_closed(&self) -> bool {
        true
    }
}

struct Lanes<'a>(&'a Tools);

impl Inspector for Lanes<'_> {
    type Job = Checked;
    type Built = ();
    type Outcome = (UnitResult, Shown);

    fn build(&self, _jobs: &[&Checked]) {}

    fn inspect(&self, Checked { case, plan, .. }: &Checked, _built: &mut ()) -> Result<Self::Outcome, Unchecked> {
        let gates = Gates::of_circuit(&case.unit);
        let run = Run { engine: Engine::Lanes(&gates), ..Run::new(case.subject(), plan) };
        let (tools, options, waves) = (self.0, " --engine lanes".into(), &Waves::default());
        let setting = Setting { tools, case, options, out: Path::new(""), waves };
        match verify(tools, run, &|_| {}) {
            Ok(verification) => {
                let report = Report::new(&setting, verification);
                Ok((UnitResult::of(&report), report.wrong()))
            }
            Err(Error::Interrupted) => Err(Unchecked::Interrupted),
            Err(error) => Err(Unchecked::Failed(error.to_string())),
        }
    }

    fn missing(&self, job: &Checked, verdict: Verdict, why: Option<String>) -> Self::Outcome {
        (UnitResult::without_report(job.name(), verdict, why), None)
    }
}

/// Checks all units of a suite against the golden model. `suite` is the file's name; `choice` selects the vectors of each unit.
///
/// # Errors
/// When a unit has an interface with valid and ready, whose latency is not fixed, when a unit lacks the requested vectors, and when the
/// cache cannot be written.
pub fn verify_in_lanes(
    tools: &Tools,
    name: &Path,
    suite: &Suite,
    choice: &Choice,
    seed: u64,
) -> Result<SuiteReport, RunError> {
    let started = std::time::Instant::now();
    let jobs = suite.units()?.into_iter().map(|unit| job(unit, choice, seed)).collect::<Result<Vec<_>, _>>()?;
    let runs: Vec<&str> = jobs.iter().map(Job::run).collect();
    let engine = "lanes on circuits";
    let ledger = SuiteLedger::open(tools, engine, &runs, false)?;
    // Where the sources are not known, a hash of the program stands for them; a program that loads this library is not what judges.
    let kept = (!SOURCES.is_empty()).then(|| verdicts(tools, engine, "verification"));
    let known = Known::new(ledger, kept, false);
    let run = joint_identity(&runs);
    let results = check_all(&Lanes(tools), &jobs, known)?;
    let report = SuiteReport {
        version: env!("CARGO_PKG_VERSION").into(),
        suite: name.display().to_string(),
        seed,
        shard: Shard::WHOLE.to_string(),
        run,
        total: jobs.len(),
        units: results.into_iter().map(|(unit, _)| unit).collect(),
        totals: Totals::default(),
    };
    Ok(report.counted(started.elapsed().as_secs_f64()))
}

fn job(unit: GeneratedUnit, choice: &Choice, seed: u64) -> Result<Checked, RunError> {
    let module = &unit.module;
    if unit.design.interface != Interface::Plain {
        return Err(RunError::Unit(format!("{module}: a shell with valid and ready is simulated with Verilator")));
    }
    let plan = Plan::new(&unit.design.operation, choice.clone(), seed);
    let plan = plan.map_err(|error: PlanError| RunError::Unit(format!("{module}: {error}")))?;
    let case = Case::generated(unit);
    Ok(Checked { run: case.identity(choice, seed, Tolerance::default()), case, plan })
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_tools::Source;

    fn suite(text: &'static str) -> Suite {
        Suite::read(Path::new("suite.toml"), |_| Ok::<_, SuiteError>(text.into())).expect("a suite")
    }

    #[test]
    fn a_suite_runs_without_tools_and_is_known_then() {
        let home = tempfile::tempdir().unwrap();
        let tools = Tools::with_home(Source::System, home.path());
        let suite = suite("[[unit]]\nformat = [\"e5m2\", \"posit8_1\"]\nunit = [\"mul\", \"add\"]\n");
        let check = || verify_in_lanes(&tools, Path::new("suite.toml"), &suite, &Choice::Default, 1).unwrap();
        let (first, second) = (check(), check());
        for (report, known) in [(&first, 0), (&second, 4)] {
            let Totals { units, right, known: seen, vectors, .. } = report.totals;
            assert_eq!((units, right, seen, vectors), (4, 4, known, 4 << 16));
            assert!(report.units.iter().all(|unit| unit.verdict == Verdict::Right));
        }
        assert_eq!(first.units[0].module, "mul_e5m2_rne");
    }

    #[test]
    fn what_lanes_cannot_check_is_refused() {
        let home = tempfile::tempdir().unwrap();
        let tools = Tools::with_home(Source::System, home.path());
        let suite = suite("[[unit]]\nformat = \"e5m2\"\nunit = \"mul\"\ninterface = \"ready-valid\"\n");
        let error = verify_in_lanes(&tools, Path::new("suite.toml"), &suite, &Choice::Default, 1).unwrap_err();
        assert!(error.to_string().contains("simulated with Verilator"), "{error}");
    }
}
