//! `binade prove --suite`: proves many units, one after the other, each on all cores.

use super::Arguments;
use super::loaded::Loaded;
use super::progress::Meter;
use super::prover::Prover;
use super::task::Task;
use crate::failure::{Failure, conclude_proof};
use crate::known;
use crate::output;
use crate::verify::{check_shard, parse_dut};
use binade_campaign::proofs::{ProofSuite, Report, Totals, Verdict};
use binade_campaign::{DutWords, Known, Recalled, Suite, SuiteLedger, verdicts};
use binade_generator::GeneratedUnit;
use binade_sim::joint_identity;
use binade_tools::{Error, Tools, interrupted};
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Instant;

/// Proves all units of a suite, or of one part of it. A tool that fails on one unit does not end the suite.
pub fn run(arguments: &Arguments, tools: &Tools, path: &Path) -> Result<(), Failure> {
    let started = Instant::now();
    let junit = arguments.junit.file()?;
    junit.as_deref().map_or(Ok(()), |file| output::check_not_read(file, path))?;
    let suite = Suite::read_with_duts(path, output::read_text)?;
    let (shard, total) = (arguments.shard, suite.designs.len());
    check_shard(shard, total)?;
    let jobs = jobs(arguments, tools, suite)?;
    let run = joint_identity(&jobs.iter().map(|job| job.run.as_str()).collect::<Vec<_>>());
    let part: Vec<Job> = jobs.into_iter().filter(|job| shard.holds(job.number)).collect();
    let units = prove_all(arguments, tools, &part)?;
    let report = ProofSuite {
        version: env!("CARGO_PKG_VERSION").into(),
        suite: path.display().to_string(),
        shard: shard.to_string(),
        run,
        total,
        units,
        totals: Totals::default(),
    };
    conclude(arguments, &report.counted(started.elapsed().as_secs_f64()), junit.as_deref())
}

/// A unit of the suite.
struct Job {
    /// The unit's place in the suite.
    number: u64,
    task: Task,
    /// Determines its proof.
    run: String,
}

fn jobs(arguments: &Arguments, tools: &Tools, suite: Suite) -> Result<Vec<Job>, Failure> {
    let job = |(number, (unit, words)): (usize, (GeneratedUnit, DutWords))| {
        let name = unit.module.clone();
        let within = |error: String| Failure::Usage(format!("{name}: {error}"));
        let (dut, own) = parse_dut(&words).map_err(within)?;
        let policy = if own.tolerance().is_none() && !dut.verilog.is_empty() { arguments.policy } else { own };
        let task = Task::new(tools, unit, arguments.netlist, &dut, policy).map_err(|failure| failure.within(&name))?;
        Ok(Job { number: number as u64, run: task.identity(), task })
    };
    suite.units()?.into_iter().zip(suite.duts).enumerate().map(job).collect()
}

/// Proves every unit. Reuses the reports of an earlier run; an interrupt skips the remaining units.
fn prove_all(arguments: &Arguments, tools: &Tools, jobs: &[Job]) -> Result<Vec<Report>, Failure> {
    // A missing tool would fail on every unit.
    let engine = match jobs.iter().any(|job| job.task.needs_yosys()) {
        true => format!("proofs with Yosys {}", tools.yosys()?.version),
        false => "proofs".into(),
    };
    let runs: Vec<&str> = jobs.iter().map(|job| job.run.as_str()).collect();
    let ledger = SuiteLedger::open(tools, &engine, &runs, arguments.resume)?;
    let known = Known::new(ledger, Some(verdicts(tools, &engine, "proof")), arguments.known.fresh);
    let (waves, meter) = (arguments.waves(), Meter::of_suite(jobs.len()));
    let prover = Prover { tools, waves: Some(&waves), meter: &meter, budget: None };
    let look_up = |job: &Job| match known.recall(&job.run) {
        Some(recalled) => Begun::Report(Box::new(report_of(recalled))),
        None => Begun::Gates(job.task.load(tools)),
    };
    let report = |(job, begun): (&Job, Begun)| {
        let report = match begun {
            Begun::Report(report) => *report,
            Begun::Gates(loaded) => prove(&prover, job, loaded, &known),
        };
        if report.verdict != Verdict::NotRun {
            meter.end(report.line());
        }
        report
    };
    let reports: Vec<Report> = thread::scope(|scope| {
        // Yosys reads the next unit while the current one is being proven.
        let (sender, receiver) = sync_channel(1);
        scope.spawn(move || jobs.iter().map(look_up).all(|begun| sender.send(begun).is_ok()));
        jobs.iter().zip(receiver).map(report).collect()
    });
    meter.finish();
    if !reports.iter().any(|report| [Verdict::Error, Verdict::NotRun].contains(&report.verdict)) {
        known.conclude()?;
    }
    Ok(reports)
}

/// What is known about a unit before its proof.
enum Begun {
    /// The report of an earlier run.
    Report(Box<Report>),
    /// Its gates, unless a tool failed.
    Gates(Result<Loaded, Failure>),
}

/// The report of an earlier run.
fn report_of(recalled: Recalled) -> Report {
    let read = |text: &str| -> Report { serde_json::from_str(text).expect("what has its seal was written by us") };
    match recalled {
        Recalled::Earlier(text) => Report { earlier: true, ..read(&text) },
        Recalled::Known(text) => Report { known: true, ..read(&text) },
    }
}

/// Proves one unit. Notes a verdict at once if the unit is proven, or open after all attempts; keeps it if the unit is proven.
fn prove(prover: &Prover, job: &Job, loaded: Result<Loaded, Failure>, known: &Known) -> Report {
    let design = &job.task.unit.design;
    let nothing = || Report::new(job.task.module(), &design.operation, design.pace().latency);
    let without = |verdict, reason| Report { verdict, reason, ..nothing() };
    if interrupted() {
        return without(Verdict::NotRun, None);
    }
    match loaded.and_then(|loaded| prover.prove(&job.task, loaded)) {
        _ if interrupted() => without(Verdict::NotRun, None),
        Err(Failure::Tool(Error::Interrupted)) => without(Verdict::NotRun, None),
        Err(failure) => without(Verdict::Error, failure.message()),
        Ok(report) => {
            let text = serde_json::to_string(&report).expect("reports are plain data");
            if [Verdict::Proven, Verdict::Open].contains(&report.verdict) {
                known::say_problem(known.note(&job.run, &text));
            }
            if report.verdict == Verdict::Proven && job.task.is_closed() {
                known::say_problem(known.keep(&job.run, &text));
            }
            report
        }
    }
}

/// Prints and writes the outcome, and returns the worst verdict as the exit code.
fn conclude(arguments: &Arguments, suite: &ProofSuite, junit: Option<&Path>) -> Result<(), Failure> {
    output::print(&if arguments.json { output::json(suite) } else { suite.table() })?;
    if let Some(file) = junit {
        output::write_files(&[(file, suite.junit().as_bytes())])?;
    }
    output::say(suite.sentence());
    if suite.totals.not_run > 0 {
        output::say("the same command with --resume goes on from there");
    }
    conclude_proof(suite.totals.worst())
}
