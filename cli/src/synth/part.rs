//! Measurements in parts: the options that divide a run, the results of earlier runs, and the report of one part.

use crate::failure::Failure;
use crate::known;
use crate::output;
use binade_campaign::{Known, Recalled, SuiteLedger, verdicts};
use binade_generator::GeneratedUnit;
use binade_sim::{Shard, joint_identity};
use binade_tools::{Error, Tools};
use clap::Args;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Args, Clone, Debug, Default)]
pub struct PartOptions {
    /// Resume this run after a kill or an interrupt
    #[arg(long)]
    resume: bool,
    /// Measure one part of the run, such as 2/4; `binade merge` merges the reports (--json) of all parts
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Whether to measure a suite anew; none if figures are not kept.
    #[arg(skip)]
    is_fresh: Option<bool>,
}

/// The report of one part of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part<Report> {
    /// Version of Binade.
    pub version: String,
    /// The command of the run.
    pub command: String,
    /// The part, such as `2/4`.
    pub shard: String,
    /// An identity that all parts of this run share and no other run has.
    pub run: String,
    /// The number of reports of the whole run.
    pub total: usize,
    pub reports: Vec<Report>,
}

/// What to measure: units, each on one target.
pub struct Jobs<'u, Target> {
    all: Vec<(&'u GeneratedUnit, Target)>,
    /// Identifies each job's figures, except for the tools.
    runs: Vec<String>,
    options: PartOptions,
}

/// The measurements, and the part that they belong to.
pub struct Measured<Report> {
    pub reports: Vec<Report>,
    /// The part's report without its measurements, if the run is divided.
    part: Option<Part<Report>>,
}

impl<'u, Target: Copy + Display> Jobs<'u, Target> {
    /// `setting` contains everything else that affects the figures, such as the number of seeds.
    pub fn new(
        all: Vec<(&'u GeneratedUnit, Target)>,
        setting: &str,
        options: &PartOptions,
    ) -> Result<Jobs<'u, Target>, Failure> {
        if let Some(shard) = options.shard.filter(|shard| shard.parts() > all.len() as u64) {
            let (jobs, parts) = (output::counted(all.len(), "measurement"), output::counted(all.len(), "part"));
            return Err(Failure::Usage(format!("--shard {shard}: a run of {jobs} has at most {parts}")));
        }
        let run = |(unit, target): &(&GeneratedUnit, Target)| {
            joint_identity(&[env!("CARGO_PKG_VERSION"), &unit.module, &unit.verilog, &target.to_string(), setting])
        };
        let runs = all.iter().map(run).collect();
        Ok(Jobs { all, runs, options: options.clone() })
    }

    /// Measures what earlier runs have not. `measure` gets the remaining jobs, and must note each report at once. `engine` names the tools
    /// and their versions.
    pub fn measure<Report: Serialize + DeserializeOwned>(
        &self,
        tools: &Tools,
        command: &str,
        engine: &str,
        measure: impl FnOnce(&[(&'u GeneratedUnit, Target)], &Notes) -> Result<Vec<Report>, Failure>,
    ) -> Result<Measured<Report>, Failure> {
        let shard = self.options.shard.unwrap_or(Shard::WHOLE);
        let ours: Vec<usize> = (0..self.all.len()).filter(|&job| shard.holds(job as u64)).collect();
        let runs: Vec<&str> = ours.iter().map(|&job| self.runs[job].as_str()).collect();
        let ledger = SuiteLedger::open(tools, engine, &runs, self.options.resume)?;
        let known = Known::new(
            ledger,
            self.options.is_fresh.map(|_| verdicts(tools, engine, command)),
            self.options.is_fresh == Some(true),
        );
        let recalled: Vec<Option<Recalled>> = ours.iter().map(|&job| known.recall(&self.runs[job])).collect();
        say_what_is_recalled(&recalled);
        let left = || ours.iter().zip(&recalled).filter(|(_, recalled)| recalled.is_none()).map(|(&job, _)| job);
        let runs = left().map(|job| self.runs[job].as_str()).collect();
        let notes = Notes { known: &known, runs, written: AtomicUsize::new(0) };
        let jobs: Vec<_> = left().map(|job| self.all[job]).collect();
        let measured = measure(&jobs, &notes).inspect_err(|failure| notes.say_what_is_kept(failure))?;
        let mut measured = measured.into_iter();
        let read = |text: &str| serde_json::from_str(text).expect("what has its seal was written by us");
        let report = |recalled| match recalled {
            Some(Recalled::Earlier(text) | Recalled::Known(text)) => read(&text),
            None => measured.next().expect("a report for each job left"),
        };
        let reports: Vec<Report> = recalled.into_iter().map(report).collect();
        known.conclude()?;
        Ok(Measured { reports, part: self.options.shard.map(|shard| self.part(command, shard)) })
    }

    fn part<Report>(&self, command: &str, shard: Shard) -> Part<Report> {
        Part {
            version: env!("CARGO_PKG_VERSION").into(),
            command: command.into(),
            shard: shard.to_string(),
            run: joint_identity(&self.runs.iter().map(String::as_str).collect::<Vec<_>>()),
            total: self.all.len(),
            reports: vec![],
        }
    }
}

/// Prints how many measurements are reused.
fn say_what_is_recalled(recalled: &[Option<Recalled>]) {
    let count = |is: fn(&Recalled) -> bool| recalled.iter().flatten().filter(|recalled| is(recalled)).count();
    let sources = [
        (count(|recalled| matches!(recalled, Recalled::Earlier(_))), "taken over from an earlier run"),
        (count(|recalled| matches!(recalled, Recalled::Known(_))), "known"),
    ];
    for (measured, how) in sources.into_iter().filter(|(measured, _)| *measured > 0) {
        let measured = output::counted(measured, "measurement");
        output::say(format_args!("note: {measured} of {} {how}", recalled.len()));
    }
}

/// Where a run notes its measurements.
pub struct Notes<'a> {
    known: &'a Known,
    /// The identities of the remaining jobs.
    runs: Vec<&'a str>,
    written: AtomicUsize,
}

impl Notes<'_> {
    /// Notes the report of a remaining job, by its index.
    pub fn note(&self, job: usize, report: &impl Serialize) {
        let text = serde_json::to_string(report).expect("reports are plain data");
        known::say_problem(self.known.note(self.runs[job], &text));
        known::say_problem(self.known.keep(self.runs[job], &text));
        self.written.fetch_add(1, Ordering::Relaxed);
    }

    fn say_what_is_kept(&self, failure: &Failure) {
        let written = self.written.load(Ordering::Relaxed);
        if written > 0 && matches!(failure, Failure::Tool(Error::Interrupted)) {
            let (measured, all) = (output::counted(written, "measurement"), self.runs.len());
            output::say(format_args!("{measured} of {all} done; the same command with --resume goes on from there"));
        }
    }
}

impl<Report: Serialize + Clone> Measured<Report> {
    /// The reports as JSON; for a part, with its identity.
    pub fn json(&self) -> String {
        match &self.part {
            None => output::json(&self.reports),
            Some(part) => output::json(&Part { reports: self.reports.clone(), ..part.clone() }),
        }
    }
}

impl PartOptions {
    /// The options for a suite, whose figures are kept; `is_fresh` measures them anew.
    pub fn of_suite(&self, is_fresh: bool) -> PartOptions {
        PartOptions { is_fresh: Some(is_fresh), ..self.clone() }
    }

    /// The requested part.
    pub fn shard(&self) -> Option<Shard> {
        self.shard
    }
}

/// Prints a sentence on stderr.
pub fn say_what_was_measured(shard: Shard, measured: usize, total: usize) {
    output::say(format_args!("part {shard}: {} of {total}", output::counted(measured, "measurement")));
}
