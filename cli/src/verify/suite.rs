//! `binade verify --suite`: many units.

use super::dut::DutOptions;
use super::policy::PolicyOptions;
use super::tally::{SuiteReport, Totals, UnitResult, Verdict};
use super::{Arguments, Case, Report, Setting, dut, engine, junit, subprocess};
use crate::failure::Failure;
use crate::known::{self, Known, Recalled};
use crate::output;
use crate::selection::DEFAULT_OUT;
use crate::suite::{DutWords, Suite};
use binade_generator::GeneratedUnit;
use binade_sim::verilator::is_closed;
use binade_sim::{Plan, Portion, Run, Shard, Subject, SuiteLedger, Verification, joint_identity};
use binade_tools::{Error, Tools, interrupted};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Units compiled together, at most: more gain little, and one that cannot be compiled costs the others this time.
const MOST_TOGETHER: usize = 8;

/// All units of a suite, several at a time: while one is compiled, another is checked.
///
/// A tool that fails on one unit does not end the suite: the others are checked, and the last word is that it failed.
pub fn run(arguments: &Arguments, tools: &Tools, path: &Path) -> Result<(), Failure> {
    let started = Instant::now();
    let junit = arguments.junit.file()?;
    junit.as_deref().map_or(Ok(()), |file| output::check_not_read(file, path))?;
    let suite = Suite::read_with_duts(path)?;
    let shard = arguments.campaign.shard;
    let total = suite.units.len();
    check_shard(shard, total)?;
    let jobs = jobs(arguments, tools, suite)?;
    let run = joint_identity(&jobs.iter().map(|job| job.run.as_str()).collect::<Vec<_>>());
    let part: Vec<Job> = jobs.into_iter().filter(|job| shard.holds(job.number)).collect();
    let (units, shown) = check_all(arguments, tools, &part)?.into_iter().unzip();
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
    if shard.parts() <= units as u64 {
        return Ok(());
    }
    let (units, parts) = (output::counted(units, "unit"), output::counted(units, "part"));
    Err(Failure::Usage(format!("--shard {shard}: a suite of {units} has at most {parts}")))
}

/// What the user reads of a unit that is wrong.
type Shown = Option<String>;

/// A unit of the suite.
struct Job {
    /// The unit's place in the suite.
    number: u64,
    /// The module that is checked.
    name: String,
    work: Work,
    /// What decides its run (`identity`).
    run: String,
    /// Whether that is all that decides it.
    is_closed: bool,
}

/// Where a unit is checked.
enum Work {
    /// By this process, with these policies.
    Here(Box<Case>, PolicyOptions),
    /// By another, with these words: it runs a module of the user's.
    Apart(String),
}

impl Job {
    /// What is checked, if this process checks it.
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
        let (dut, own) = dut::parse(&words).map_err(within)?;
        let policy = if own.tolerance().is_none() { arguments.policy } else { own };
        arguments.engine.check(&dut, &policy)?;
        arguments.engine.check_interface(&unit, &dut)?;
        arguments.engine.specification(&unit)?;
        job(arguments, tools, number as u64, unit, &dut, policy)
    };
    suite.units.into_iter().zip(suite.duts).enumerate().map(job).collect()
}

fn job(
    arguments: &Arguments,
    tools: &Tools,
    number: u64,
    unit: GeneratedUnit,
    dut: &DutOptions,
    policy: PolicyOptions,
) -> Result<Job, Failure> {
    let (choice, seed) = (arguments.vectors.choice(), arguments.vectors.seed);
    let here = |case: Case| {
        let (name, run) = (case.name.clone(), case.identity(&choice, seed, policy.tolerance()));
        // Yosys reads what a file includes, and nobody has hashed that.
        let verilog = case.subject().verilog;
        let is_closed = is_closed(verilog) && !verilog.contains("`include");
        Job { number, name, work: Work::Here(Box::new(case), policy), run, is_closed }
    };
    match dut.verilog.first() {
        None => Ok(here(Case::generated(unit))),
        Some(_) if !arguments.engine.needs_verilator() => Ok(here(Case::of_file(unit, dut)?)),
        Some(_) => {
            // What cannot be connected is said before anything runs.
            let (module, _) = dut.outline(tools, &unit)?;
            let run = binade_sim::identity_of(
                Subject { dut: Some(&module), ..(&unit).into() },
                &choice,
                seed,
                policy.tolerance(),
            );
            let words = format!("{}{}{}", Case::generated(unit).words, dut.given_words(), policy.words());
            let run = joint_identity(&[&run, &words]);
            Ok(Job { number, is_closed: module.is_closed, name: module.top, work: Work::Apart(words), run })
        }
    }
}

/// The result of every unit, and what there is to show of it. What was found right by an earlier run is taken over.
fn check_all(arguments: &Arguments, tools: &Tools, jobs: &[Job]) -> Result<Vec<(UnitResult, Shown)>, Failure> {
    // What is missing would be missing for every unit.
    let engine = arguments.engine.describe(tools)?;
    let runs: Vec<&str> = jobs.iter().map(|job| job.run.as_str()).collect();
    let ledger = SuiteLedger::open(tools, &engine, &runs, arguments.campaign.resume)?;
    // Nobody has kept the bins of what is known.
    let verdicts = (!arguments.coverage.coverage).then(|| known::verdicts(tools, &engine, "verification"));
    let known = Known::new(ledger, verdicts, arguments.known.fresh);
    let bar = progress_bar(jobs.len());
    let groups: Vec<&[Job]> = jobs.chunks(group_size(jobs.len())).collect();
    let results = side_by_side(&groups, |group| {
        let recalled: Vec<Option<Recalled>> = group.iter().map(|job| known.recall(&job.run)).collect();
        let left = group.iter().zip(&recalled).filter(|(_, recalled)| recalled.is_none()).map(|(job, _)| job);
        let built = build_together(arguments, tools, &left.collect::<Vec<_>>());
        let results = group.iter().zip(recalled).map(|(job, recalled)| {
            let result = match recalled {
                Some(recalled) => (result_of(recalled), None),
                None => check(arguments, tools, job, &built, &known),
            };
            bar.inc(1);
            result
        });
        results.collect::<Vec<_>>()
    });
    bar.finish_and_clear();
    let not_run = |job: &Job| (UnitResult::without_report(&job.name, Verdict::NotRun, None), None);
    let results = groups.iter().zip(results);
    let results: Vec<(UnitResult, Shown)> =
        results.flat_map(|(group, results)| results.unwrap_or_else(|| group.iter().map(not_run).collect())).collect();
    if !results.iter().any(|(unit, _)| unit.verdict.is_open()) {
        known.conclude()?;
    }
    Ok(results)
}

/// Compiles the units that are not in the cache as one; the seconds that each of those took.
fn build_together(arguments: &Arguments, tools: &Tools, jobs: &[&Job]) -> BTreeMap<u64, f64> {
    if !arguments.engine.needs_verilator() {
        return BTreeMap::new();
    }
    let started = Instant::now();
    // A module of the user's is compiled alone.
    let (numbers, subjects): (Vec<u64>, Vec<Subject>) =
        jobs.iter().filter_map(|job| Some((job.number, job.subject()?))).unzip();
    // What fails here fails again when the unit is checked, and is then said of that unit alone.
    let compiled = binade_sim::build_together(tools, subjects).unwrap_or_default();
    let built: Vec<u64> =
        numbers.into_iter().zip(compiled).filter(|(_, compiled)| *compiled).map(|(number, _)| number).collect();
    let seconds = started.elapsed().as_secs_f64() / built.len() as f64;
    built.into_iter().map(|number| (number, seconds)).collect()
}

/// Units that are compiled together: that takes less time a unit, but all workers should have something to do to the end.
fn group_size(units: usize) -> usize {
    (units / (4 * workers())).clamp(1, MOST_TOGETHER)
}

fn workers() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn progress_bar(units: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} units, {elapsed}, {eta} left");
    ProgressBar::with_draw_target(Some(units as u64), ProgressDrawTarget::stderr())
        .with_style(style.expect("the template is valid"))
}

/// A unit that an earlier run has checked.
fn result_of(recalled: Recalled) -> UnitResult {
    let read = |text: &str| UnitResult::of(serde_json::from_str(text).expect("what has its seal was written by us"));
    match recalled {
        Recalled::Earlier(text) => UnitResult { earlier: true, ..read(&text) },
        Recalled::Known(text) => UnitResult { known: true, ..read(&text) },
    }
}

/// Checks one unit; `built` are the seconds of those that were just compiled together. A tool that fails is a result, too; an interrupt leaves the unit undone.
fn check(
    arguments: &Arguments,
    tools: &Tools,
    job: &Job,
    built: &BTreeMap<u64, f64>,
    known: &Known,
) -> (UnitResult, Shown) {
    let Job { number, name, run, work, is_closed } = job;
    let checked = match work {
        Work::Here(case, policy) => check_here(arguments, tools, case, *policy, built.get(number)),
        Work::Apart(words) => subprocess::check(arguments, tools, words),
    };
    let (report, shown) = match checked {
        Ok(checked) => checked,
        Err(Failure::Tool(Error::Interrupted)) => {
            return (UnitResult::without_report(name, Verdict::NotRun, None), None);
        }
        Err(error) => {
            return (UnitResult::without_report(name, Verdict::Error, error.message()), None);
        }
    };
    let result = UnitResult::of(report.clone());
    if result.verdict == Verdict::Right {
        known.note(run, &report.to_string());
        if *is_closed {
            known.keep(run, &report.to_string());
        }
    }
    (result, shown)
}

/// The report of a unit; `built` are the seconds that it took if it was just compiled with others.
fn check_here(
    arguments: &Arguments,
    tools: &Tools,
    case: &Case,
    policy: PolicyOptions,
    built: Option<&f64>,
) -> Result<(Value, Shown), Failure> {
    let options = format!("{}{}", policy.words(), arguments.engine.words());
    let setting = Setting { tools, case, options, out: Path::new(DEFAULT_OUT), waves: &arguments.waves };
    let mut verification = verify(arguments, &setting, policy)?;
    if let Some(seconds) = built {
        verification.build_seconds += seconds;
        verification.cached = false;
    }
    let report = Report::complete(&setting, verification).expect("a suite writes no waves of units that are right");
    Ok((serde_json::to_value(&report).expect("reports are plain data"), report.shown()))
}

fn verify(arguments: &Arguments, setting: &Setting, policy: PolicyOptions) -> Result<Verification, Failure> {
    let Setting { tools, case, .. } = *setting;
    let unit = &case.unit;
    let plan = Plan::new(&unit.design.operation, arguments.vectors.choice(), arguments.vectors.seed);
    let plan = arguments.engine.suited(plan.expect("the choice was checked"));
    let specification = arguments.engine.specification(unit)?;
    let portion = Portion::new(&plan, Shard::WHOLE, arguments.campaign.resume).expect("all is one part");
    let gates = arguments.engine.gates(tools, case)?;
    let (engine, coverage) = (engine::engine(&gates), arguments.coverage.coverage);
    let against = specification.as_ref();
    let run =
        Run { portion, engine, against, coverage, tolerance: policy.tolerance(), ..Run::new(case.subject(), &plan) };
    binade_sim::verify(tools, run, &|_| {}).map_err(|error| case.about_files(error.into()))
}

/// Prints and writes the outcome; the worst of it is the exit code.
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
        junit::write(file, suite, &shown)?;
    }
    output::say(suite.sentence());
    if suite.totals.not_run > 0 && !arguments.coverage.coverage {
        output::say("the same command with --resume goes on from there");
    }
    suite.totals.conclude()
}

/// Runs `work` on all items, a few at a time, each on a thread of its own: the vectors of one unit are spread over all
/// cores by the check itself. The results are in order; there is none for items that an interrupt has left.
fn side_by_side<Item: Sync, Output: Send>(
    items: &[Item],
    work: impl Fn(&Item) -> Output + Sync,
) -> Vec<Option<Output>> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = vec![];
        while !interrupted() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            done.push((index, work(item)));
        }
        done
    };
    let mut results: Vec<Option<Output>> = items.iter().map(|_| None).collect();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers()).map(|_| scope.spawn(worker)).collect();
        for thread in threads {
            for (index, output) in thread.join().expect("a worker does not panic") {
                results[index] = Some(output);
            }
        }
    });
    results
}
