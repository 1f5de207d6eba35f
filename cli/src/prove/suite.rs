//! `binade prove --suite`: proves many units, one after the other, each on all cores.

use super::Arguments;
use super::progress::Meter;
use crate::failure::{Failure, conclude_proof};
use crate::known;
use crate::output;
use crate::verify::{check_shard, parse_dut};
use binade_campaign::proofs::{ProofJob, ProofSuite, Proofs, Totals, prove_all};
use binade_campaign::{DutWords, Job, Suite};
use binade_generator::GeneratedUnit;
use binade_sim::joint_identity;
use binade_tools::Tools;
use binade_verdict::proof::ProofReport;
use std::path::Path;
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
    let run = joint_identity(&jobs.iter().map(Job::run).collect::<Vec<_>>());
    let part: Vec<ProofJob> = (0..).zip(jobs).filter(|(number, _)| shard.holds(*number)).map(|(_, job)| job).collect();
    let units = prove_units(arguments, tools, &part)?;
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

fn jobs(arguments: &Arguments, tools: &Tools, suite: Suite) -> Result<Vec<ProofJob>, Failure> {
    let job = |(unit, words): (GeneratedUnit, DutWords)| {
        let name = unit.module.clone();
        let within = |error: String| Failure::Usage(format!("{name}: {error}"));
        let (module, own) = parse_dut(&words).map_err(within)?;
        let tolerance = if own.is_none() && module.is_given() { arguments.policy.tolerance() } else { own };
        let task = arguments.task(tools, unit, &module, tolerance).map_err(|failure| failure.within(&name))?;
        Ok(ProofJob::from(task))
    };
    suite.units()?.into_iter().zip(suite.duts).map(job).collect()
}

fn prove_units(arguments: &Arguments, tools: &Tools, jobs: &[ProofJob]) -> Result<Vec<ProofReport>, Failure> {
    let (waves, meter) = (arguments.waves(), Meter::of_suite(jobs.len()));
    let prover = arguments.prover(tools, &waves, &meter);
    let problem = |error| known::say_problem(Err(error));
    let proofs = Proofs { prover: &prover, done: &|report| meter.end(report.line()), problem: &problem };
    let reports = prove_all(&proofs, jobs, arguments.resume, arguments.known.fresh || arguments.certificate.is_some());
    meter.finish();
    Ok(reports?)
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
