//! `binade verify --suite`: checks many units.

use super::{Arguments, dut, subprocess};
use crate::failure::{Failure, conclude_totals};
use crate::known;
use crate::output;
use binade_campaign::{
    DutWords, Inspector, Known, Shown, Suite, SuiteLedger, SuiteReport, Totals, Unchecked, UnitResult, check_all,
    check_parts, verdicts,
};
use binade_generator::GeneratedUnit;
use binade_sim::verilator::is_closed;
use binade_sim::{Plan, Portion, Shard, Subject, Tolerance, joint_identity};
use binade_tools::{Error, Tools};
use binade_verdict::{Case, Checker, ModuleOptions, Report, Vectors, Verdict, check_tolerance, tolerance_words};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

/// Checks all units of a suite, several at a time: while one is compiled, another is checked.
///
/// A tool that fails on one unit does not end the suite: the others are checked, and the failure is reported at the end.
pub fn run(arguments: &Arguments, tools: &Tools, path: &Path) -> Result<(), Failure> {
    let started = Instant::now();
    let junit = arguments.junit.file()?;
    junit.as_deref().map_or(Ok(()), |file| output::check_not_read(file, path))?;
    let suite = Suite::read_with_duts(path, output::read_text)?;
    let shard = arguments.campaign.shard;
    let total = suite.designs.len();
    check_shard(shard, total)?;
    let jobs = jobs(arguments, tools, suite)?;
    let run = joint_identity(&jobs.iter().map(|job| job.run.as_str()).collect::<Vec<_>>());
    let part: Vec<Job> = jobs.into_iter().filter(|job| shard.holds(job.number)).collect();
    let (units, shown) = check_units(arguments, tools, &part)?.into_iter().unzip();
    let report = SuiteReport {
        version: env!("CARGO_PKG_VERSION").into(),
        suite: path.display().to_string(),
        seed: arguments.vectors.seed,
        shard: shard.to_string(),
        run,
        total,
        units,
        totals: Totals::default(),
    };
    let report = report.counted(started.elapsed().as_secs_f64());
    conclude(arguments, &report, shown, junit.as_deref())
}

/// Refuses more parts than units.
pub fn check_shard(shard: Shard, units: usize) -> Result<(), Failure> {
    check_parts(shard, units).map_err(|why| Failure::Usage(format!("--shard {shard}: {why}")))
}

/// A unit of the suite.
struct Job {
    /// The unit's place in the suite.
    number: u64,
    /// The module under test.
    name: String,
    work: Work,
    /// Identifies its run (`identity`).
    run: String,
    /// Whether `run` covers everything that the verdict depends on.
    is_closed: bool,
}

/// Where a unit is checked.
enum Work {
    /// In this process, with these allowed answers.
    Here(Box<Case>, Tolerance),
    /// In another process, with these words: it runs a user's module.
    Apart(String),
}

impl binade_campaign::Job for Job {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&self) -> &str {
        &self.run
    }

    fn is_closed(&self) -> bool {
        self.is_closed
    }
}

impl Job {
    /// The subject, if this process checks it.
    fn subject(&self) -> Option<Subject<'_>> {
        match &self.work {
            Work::Here(case, _) => Some(case.subject()),
            Work::Apart(_) => None,
        }
    }
}

fn jobs(arguments: &Arguments, tools: &Tools, suite: Suite) -> Result<Vec<Job>, Failure> {
    let choice = arguments.vectors.choice();
    let job = |(number, (unit, words)): (usize, (GeneratedUnit, DutWords))| {
        let name = unit.module.clone();
        let within = |error: String| Failure::Usage(format!("{name}: {error}"));
        Plan::check(&unit.design.operation, &choice).map_err(|error| within(error.to_string()))?;
        let (module, own) = dut::parse(&words).map_err(within)?;
        let tolerance = if own.is_none() { arguments.policy.tolerance() } else { own };
        arguments.engine.means().check(&module, tolerance)?;
        arguments.engine.means().check_interface(&unit, &module)?;
        check_tolerance(tolerance, &unit)?;
        arguments.coverage.check_unit(&unit)?;
        arguments.engine.specification(&unit)?;
        job(arguments, tools, number as u64, unit, &module, tolerance)
    };
    suite.units()?.into_iter().zip(suite.duts).enumerate().map(job).collect()
}

fn job(
    arguments: &Arguments,
    tools: &Tools,
    number: u64,
    unit: GeneratedUnit,
    options: &ModuleOptions,
    tolerance: Tolerance,
) -> Result<Job, Failure> {
    let (choice, seed) = (arguments.vectors.choice(), arguments.vectors.seed);
    let here = |case: Case| {
        let (name, run) = (case.name.clone(), case.identity(&choice, seed, tolerance));
        // Yosys reads included files, which the hash does not cover.
        let verilog = case.subject().verilog;
        let is_closed = is_closed(verilog) && !verilog.contains("`include");
        Job { number, name, work: Work::Here(Box::new(case), tolerance), run, is_closed }
    };
    match options.is_given() {
        false => Ok(here(Case::generated(unit))),
        true if arguments.engine.means().lanes => Ok(here(Case::of_file(unit, options)?)),
        true => {
            // Reports a module that cannot be connected before anything runs.
            let module = options.outline(tools, &unit)?.dut;
            let run =
                binade_sim::identity_of(Subject { dut: Some(&module), ..(&unit).into() }, &choice, seed, tolerance);
            let words =
                format!("{}{}{}", Case::generated(unit).words, options.given_words(), tolerance_words(tolerance));
            let run = joint_identity(&[&run, &words]);
            Ok(Job { number, is_closed: module.is_closed, name: module.top, work: Work::Apart(words), run })
        }
    }
}

/// Checks every unit, and returns its report with the text for the user. Reuses reports of units that an earlier run found right.
fn check_units(arguments: &Arguments, tools: &Tools, jobs: &[Job]) -> Result<Vec<(UnitResult, Shown)>, Failure> {
    // A missing tool would fail on every unit.
    let engine = arguments.engine.means().describe(tools)?;
    let runs: Vec<&str> = jobs.iter().map(|job| job.run.as_str()).collect();
    let ledger = SuiteLedger::open(tools, &engine, &runs, arguments.campaign.resume)?;
    // Kept reports contain no coverage bins.
    let verdicts = (!arguments.coverage.coverage).then(|| verdicts(tools, &engine, "verification"));
    let known = Known::new(ledger, verdicts, arguments.known.fresh);
    let worker = Worker { arguments, tools, bar: progress_bar(jobs.len()) };
    let results = check_all(&worker, jobs, known);
    worker.bar.finish_and_clear();
    Ok(results?)
}

/// Checks units with these options.
struct Worker<'a> {
    arguments: &'a Arguments,
    tools: &'a Tools,
    bar: ProgressBar,
}

impl Inspector for Worker<'_> {
    type Job = Job;
    /// The build seconds of each unit that was compiled with others.
    type Built = BTreeMap<u64, f64>;
    type Outcome = (UnitResult, Shown);

    fn build(&self, jobs: &[&Job]) -> BTreeMap<u64, f64> {
        build_together(self.arguments, self.tools, jobs)
    }

    fn inspect(&self, job: &Job, built: &mut BTreeMap<u64, f64>) -> Result<(UnitResult, Shown), Unchecked> {
        let checked = match &job.work {
            Work::Here(case, tolerance) => {
                check_here(self.arguments, self.tools, (case, *tolerance), built.get(&job.number))
            }
            Work::Apart(words) => subprocess::check(self.arguments, self.tools, words),
        };
        checked.map_err(|failure| match failure {
            Failure::Tool(Error::Interrupted) => Unchecked::Interrupted,
            failure => Unchecked::Failed(failure.message().unwrap_or_default()),
        })
    }

    fn missing(&self, job: &Job, verdict: Verdict, why: Option<String>) -> (UnitResult, Shown) {
        (UnitResult::without_report(&job.name, verdict, why), None)
    }

    fn done(&self, _outcome: &(UnitResult, Shown)) {
        self.bar.inc(1);
    }

    fn problem(&self, error: Error) {
        known::say_problem(Err(error));
    }
}

/// Compiles the units that are not in the cache together, and returns the build seconds of each.
fn build_together(arguments: &Arguments, tools: &Tools, jobs: &[&Job]) -> BTreeMap<u64, f64> {
    if arguments.engine.means().lanes {
        return BTreeMap::new();
    }
    let started = Instant::now();
    // A user's module is compiled alone.
    let (numbers, subjects): (Vec<u64>, Vec<Subject>) =
        jobs.iter().filter_map(|job| Some((job.number, job.subject()?))).unzip();
    // A failure here repeats when the unit is checked, and is then reported for that unit alone.
    let compiled = binade_sim::build_together(tools, subjects).unwrap_or_default();
    let built: Vec<u64> =
        numbers.into_iter().zip(compiled).filter(|(_, compiled)| *compiled).map(|(number, _)| number).collect();
    let seconds = started.elapsed().as_secs_f64() / built.len() as f64;
    built.into_iter().map(|number| (number, seconds)).collect()
}

fn progress_bar(units: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} units, {elapsed}, {eta} left");
    ProgressBar::with_draw_target(Some(units as u64), ProgressDrawTarget::stderr())
        .with_style(style.expect("the template is valid"))
}

/// The report of a unit; `built` are its build seconds if it was just compiled with others.
fn check_here(
    arguments: &Arguments,
    tools: &Tools,
    (case, tolerance): (&Case, Tolerance),
    built: Option<&f64>,
) -> Result<(UnitResult, Shown), Failure> {
    let waves = arguments.waves.waves();
    let checker = Checker { tolerance, ..arguments.checker(tools, &waves, &|_, _| {}) };
    let unit = &case.unit;
    let plan = Plan::new(&unit.design.operation, arguments.vectors.choice(), arguments.vectors.seed);
    let plan = checker.means.suited(plan.expect("the choice was checked"));
    let against = arguments.engine.specification(unit)?;
    let vectors = Vectors {
        plan: &plan,
        portion: Portion::new(&plan, Shard::WHOLE, arguments.campaign.resume).expect("all is one part"),
        against: against.as_ref(),
        coverage: arguments.coverage.coverage,
    };
    let mut verification = checker.verify(case, vectors, &|run| binade_sim::verify(tools, run, &|_| {}))?;
    if let Some(seconds) = built {
        verification.build_seconds += seconds;
        verification.cached = false;
    }
    let report = Report::complete(&checker.setting(case), verification)
        .expect("a suite writes no waves of units that are right");
    Ok((UnitResult::of(&report), report.shown()))
}

/// Prints and writes the outcome, and returns the worst verdict as the exit code.
fn conclude(
    arguments: &Arguments,
    suite: &SuiteReport,
    shown: Vec<Shown>,
    junit: Option<&Path>,
) -> Result<(), Failure> {
    output::print(&if arguments.json { output::json(suite) } else { suite.table() })?;
    shown.iter().flatten().for_each(output::say);
    suite.errors().iter().for_each(output::say);
    if let Some(file) = junit {
        output::write_files(&[(file, suite.junit(&shown).as_bytes())])?;
    }
    output::say(suite.sentence());
    if suite.totals.not_run > 0 && !arguments.coverage.coverage {
        output::say("the same command with --resume goes on from there");
    }
    conclude_totals(&suite.totals)
}
