//! Measurements of units: in parts, resumed, and kept from run to run.

use crate::merge::{Identity, OnUnits, Rows};
use crate::{Known, Recalled, SuiteLedger, verdicts};
use binade_generator::GeneratedUnit;
use binade_sim::{Shard, joint_identity};
use binade_tools::{Error, Tools, interrupted};
use binade_verdict::counted;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How a run of measurements is divided, and what it knows before.
#[derive(Clone, Copy)]
pub struct Division<'a> {
    /// The part to measure; none for a run that is not divided.
    pub shard: Option<Shard>,
    /// Whether a killed run is resumed.
    pub resume: bool,
    /// Whether a suite is measured anew; none if figures are not kept.
    pub is_fresh: Option<bool>,
    /// Hears what is taken over, kept, or could not be.
    pub say: &'a (dyn Fn(String) + Sync),
}

/// The report of one part of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MeasuredPart<Report> {
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
    /// Its reports.
    pub reports: Vec<Report>,
}

impl<Measured: Clone> OnUnits for MeasuredPart<Measured> {
    type Unit = Measured;

    fn identity<'a>(&'a self, file: &'a Path) -> Identity<'a> {
        let same = vec![("the version", self.version.clone()), ("the command", self.command.clone())];
        Identity { file, shard: &self.shard, same, run: &self.run, command: &self.command }
    }

    fn part<'a>(&'a self, file: &'a Path) -> Rows<'a, Measured> {
        Rows { file, shard: &self.shard, units: &self.reports, not_run: 0 }
    }

    fn total(&self) -> usize {
        self.total
    }

    fn seconds(&self) -> f64 {
        0.0
    }

    fn whole(self, reports: Vec<Measured>, _seconds: f64) -> MeasuredPart<Measured> {
        MeasuredPart { reports, ..self }
    }
}

/// What to measure: units, each on one target.
pub struct Jobs<'u, 'a, Target> {
    all: Vec<(&'u GeneratedUnit, Target)>,
    /// Identifies each job's figures, except for the tools.
    runs: Vec<String>,
    division: Division<'a>,
}

/// The measurements, and the part that they belong to.
pub struct Measured<Report> {
    /// All of them, in the order of the jobs.
    pub reports: Vec<Report>,
    /// The part's report without its measurements, if the run is divided.
    part: Option<MeasuredPart<Report>>,
}

impl<'u, 'a, Target: Copy + Display> Jobs<'u, 'a, Target> {
    /// What is measured; `setting` contains everything else that affects the figures, such as the number of seeds.
    ///
    /// # Errors
    /// When there are more parts than measurements.
    pub fn new(
        all: Vec<(&'u GeneratedUnit, Target)>,
        setting: &str,
        division: Division<'a>,
    ) -> Result<Jobs<'u, 'a, Target>, String> {
        if let Some(shard) = division.shard.filter(|shard| shard.parts() > all.len() as u64) {
            let (jobs, parts) = (counted(all.len(), "measurement"), counted(all.len(), "part"));
            return Err(format!("--shard {shard}: a run of {jobs} has at most {parts}"));
        }
        let run = |(unit, target): &(&GeneratedUnit, Target)| {
            joint_identity(&[env!("CARGO_PKG_VERSION"), &unit.module, &unit.verilog, &target.to_string(), setting])
        };
        let runs = all.iter().map(run).collect();
        Ok(Jobs { all, runs, division })
    }

    /// Measures what earlier runs have not. `measure` gets the remaining jobs, and must note each report at once. `engine` names the tools
    /// and their versions.
    ///
    /// # Errors
    /// When the ledger cannot be written, and those of `measure`.
    ///
    /// # Panics
    /// When `measure` returns fewer reports than there are jobs.
    pub fn measure<Report: Serialize + DeserializeOwned, E: From<Error>>(
        &self,
        tools: &Tools,
        command: &str,
        engine: &str,
        measure: impl FnOnce(&[(&'u GeneratedUnit, Target)], &Notes) -> Result<Vec<Report>, E>,
    ) -> Result<Measured<Report>, E> {
        let shard = self.division.shard.unwrap_or(Shard::WHOLE);
        let ours: Vec<usize> = (0..self.all.len()).filter(|&job| shard.holds(job as u64)).collect();
        let runs: Vec<&str> = ours.iter().map(|&job| self.runs[job].as_str()).collect();
        let ledger = SuiteLedger::open(tools, engine, &runs, self.division.resume)?;
        let known = Known::new(
            ledger,
            self.division.is_fresh.map(|_| verdicts(tools, engine, command)),
            self.division.is_fresh == Some(true),
        );
        let recalled: Vec<Option<Recalled>> = ours.iter().map(|&job| known.recall(&self.runs[job])).collect();
        self.say_what_is_recalled(&recalled);
        let left = || ours.iter().zip(&recalled).filter(|(_, recalled)| recalled.is_none()).map(|(&job, _)| job);
        let runs = left().map(|job| self.runs[job].as_str()).collect();
        let notes = Notes { known: &known, runs, written: AtomicUsize::new(0), say: self.division.say };
        let jobs: Vec<_> = left().map(|job| self.all[job]).collect();
        let measured = measure(&jobs, &notes).inspect_err(|_| notes.say_what_is_kept())?;
        let mut measured = measured.into_iter();
        let read = |text: &str| serde_json::from_str(text).expect("what has its seal was written by us");
        let report = |recalled| match recalled {
            Some(Recalled::Earlier(text) | Recalled::Known(text)) => read(&text),
            None => measured.next().expect("a report for each job left"),
        };
        let reports: Vec<Report> = recalled.into_iter().map(report).collect();
        known.conclude()?;
        Ok(Measured { reports, part: self.division.shard.map(|shard| self.part(command, shard)) })
    }

    /// Says how many measurements are reused.
    fn say_what_is_recalled(&self, recalled: &[Option<Recalled>]) {
        let count = |is: fn(&Recalled) -> bool| recalled.iter().flatten().filter(|recalled| is(recalled)).count();
        let sources = [
            (count(|recalled| matches!(recalled, Recalled::Earlier(_))), "taken over from an earlier run"),
            (count(|recalled| matches!(recalled, Recalled::Known(_))), "known"),
        ];
        for (measured, how) in sources.into_iter().filter(|(measured, _)| *measured > 0) {
            let measured = counted(measured, "measurement");
            (self.division.say)(format!("note: {measured} of {} {how}", recalled.len()));
        }
    }

    fn part<Report>(&self, command: &str, shard: Shard) -> MeasuredPart<Report> {
        MeasuredPart {
            version: env!("CARGO_PKG_VERSION").into(),
            command: command.into(),
            shard: shard.to_string(),
            run: joint_identity(&self.runs.iter().map(String::as_str).collect::<Vec<_>>()),
            total: self.all.len(),
            reports: vec![],
        }
    }
}

/// Where a run notes its measurements.
pub struct Notes<'a> {
    known: &'a Known,
    /// The identities of the remaining jobs.
    runs: Vec<&'a str>,
    written: AtomicUsize,
    say: &'a (dyn Fn(String) + Sync),
}

impl Notes<'_> {
    /// Notes the report of a remaining job, by its index.
    ///
    /// # Panics
    /// When the report is no plain data.
    pub fn note(&self, job: usize, report: &impl Serialize) {
        let text = serde_json::to_string(report).expect("reports are plain data");
        for kept in [self.known.note(self.runs[job], &text), self.known.keep(self.runs[job], &text)] {
            kept.unwrap_or_else(|error| (self.say)(format!("note: {error}")));
        }
        self.written.fetch_add(1, Ordering::Relaxed);
    }

    fn say_what_is_kept(&self) {
        let written = self.written.load(Ordering::Relaxed);
        if written > 0 && interrupted() {
            let (measured, all) = (counted(written, "measurement"), self.runs.len());
            (self.say)(format!("{measured} of {all} done; the same command with --resume goes on from there"));
        }
    }
}

impl<Report: Clone> Measured<Report> {
    /// The report of the part, if the run is divided.
    pub fn part(&self) -> Option<MeasuredPart<Report>> {
        self.part.as_ref().map(|part| MeasuredPart { reports: self.reports.clone(), ..part.clone() })
    }
}
